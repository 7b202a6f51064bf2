"""What is wrong with an answer, by looking it up in the passages.

Sentence by sentence: its references, the numbers in it and the words it quotes. A sentence without a
reference stands on the next one of its paragraph, or else on the one before. Numbers that are
written in words cannot be checked, and the instructions ask for digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pincite.answering.figures import figures, values
from pincite.retrieval.passage import Passage
from pincite.wording import PAGE, folded

__all__ = ["Fault", "cited_numbers", "faults"]

Kind = Literal["empty", "uncited", "invented", "number", "quote", "page"]

MARK: Final = re.compile(r"\[\s*(\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*)\s*\]|【\s*(\d{1,4})[^】]*】")
AFTER_END: Final = re.compile(r"([.!?…。！？]+)((?:\s*(?:\[[\d\s,;–-]+\]|【[^】]*】))+)")
ITEM: Final = re.compile(r"(?m)^[ \t]*(?:#{1,6}[ \t]|[-*•][ \t]|\d{1,3}[.)][ \t])")
QUOTED: Final = re.compile(
    r"“([^”]{2,})”|\"([^\"\n]{2,})\"|«([^»]{2,})»|「([^」]{2,})」|『([^』]{2,})』|„([^“”]{2,})[“”]"
)
NAMED: Final = re.compile(r"([^\s()\[\],;:\"'“”]+\.[A-Za-z0-9]{2,5})(?:#page=|,?\s*\(?(?:" + PAGE + r")\s*)(\d+)", re.I)
ON_PAGE: Final = re.compile(r"(?:" + PAGE + r")\s*(\d+)|(\d+)\s*(?:쪽|페이지|頁|页)", re.IGNORECASE)
LOOSE: Final = " .,;:…!?"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that an answer may not say."""

    kind: Kind
    said: str
    """The reference, number or words in question."""

    numbers: tuple[int, ...] = ()
    """The passages that were cited for it."""

    def __str__(self) -> str:
        where = ", ".join(f"[{each}]" for each in self.numbers) or "no passage"
        return {
            "empty": "the answer is empty",
            "uncited": f"nothing is cited for {self.said!r}",
            "invented": f"{self.said} was not retrieved",
            "number": f"the number {self.said} does not stand in {where}",
            "quote": f"the quoted words {self.said!r} do not stand in {where}",
            "page": f"{self.said} is no page of {where}",
        }[self.kind]


def cited_numbers(text: str) -> list[int]:
    """The numbers of the references of a text, each once, in order; a range counts in full."""
    found: dict[int, None] = {}
    for mark in MARK.finditer(text):
        for part in re.split(r"[,;]", mark[1] or mark[2]):
            first, _, last = re.sub(r"\s", "", part).replace("–", "-").partition("-")
            found.update(dict.fromkeys(range(int(first), min(int(last or first), int(first) + 99) + 1)))
            found.setdefault(int(last or first))
    return list(found)


def faults(answer: str, passages: Sequence[Passage]) -> list[Fault]:
    """Everything that is wrong with an answer; an empty list where it may be shown."""
    if not any(map(str.isalnum, MARK.sub("", answer))):
        return [Fault("empty", "")]
    known = {passage.citation.number: passage for passage in passages}
    wrong = [Fault("invented", f"[{number}]") for number in cited_numbers(answer) if number not in known]
    if not cited_numbers(answer):
        return [Fault("uncited", shortened(answer))]
    for sentence, numbers in cited_sentences(answer):
        wrong += faults_of(sentence, numbers, known)
    return list(dict.fromkeys(wrong))


def faults_of(sentence: str, numbers: tuple[int, ...], known: dict[int, Passage]) -> Iterator[Fault]:
    """What is wrong with one sentence that stands on the passages of these numbers."""
    cited = [known[number] for number in numbers if number in known]
    if not numbers:
        if any(map(str.isalnum, sentence)):
            yield Fault("uncited", shortened(sentence))
        return
    text = "\n".join(each.chunk.embedding_text for each in cited)
    shown = folded(text)
    bare = MARK.sub(" ", sentence)
    for found in NAMED.finditer(bare):
        if not any(folded(each.uri).endswith(folded(found[1])) for each in known.values()):
            yield Fault("invented", found[0])
    for page in ON_PAGE.finditer(bare):
        if not any(on_page(each, page[1] or page[2]) for each in cited) and folded(page[0]) not in shown:
            yield Fault("page", page[0], numbers)
    for found in QUOTED.finditer(bare):
        quote = next(filter(None, found.groups()))
        if folded(quote).strip(LOOSE) not in shown:
            yield Fault("quote", quote, numbers)
    standing = values(text)
    for spelled, meant in figures(ON_PAGE.sub(" ", NAMED.sub(" ", bare))):
        if standing.isdisjoint(meant):
            yield Fault("number", spelled, numbers)


def on_page(passage: Passage, said: str) -> bool:
    chunk = passage.chunk
    if chunk.page_start is None:
        return False
    within = chunk.page_start <= int(said) <= (chunk.page_end or chunk.page_start)
    return within or said in (chunk.page_label_start, chunk.page_label_end)


def cited_sentences(answer: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each sentence with the references that it stands on.

    References after the full stop belong to the sentence before it. In a list, an item without a
    reference stands on the next one of its list.
    """
    for paragraph in re.split(r"\n\s*\n", AFTER_END.sub(r"\2\1", answer)):
        sentences = [each for line in ITEM.sub("", paragraph).splitlines() for each in split(line)]
        numbers = [tuple(cited_numbers(each)) for each in sentences]
        for at, sentence in enumerate(sentences):
            after = next((each for each in numbers[at:] if each), ())
            before = next((each for each in reversed(numbers[:at]) if each), ())
            yield sentence, after or before


def split(line: str) -> list[str]:
    """Sentences by ICU's rules; pieces without a letter or digit belong to the one before."""
    from icu4py.breakers import SentenceBreaker

    found: list[str] = []
    for segment in SentenceBreaker(line, "root"):
        piece = str(segment)
        if found and not any(map(str.isalpha, MARK.sub("", piece))):
            found[-1] += piece
        else:
            found.append(piece)
    return found


def shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:59]}…"
