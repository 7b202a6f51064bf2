"""Rules on whether an answer can be traced: it cites, its citations are true, its numbers are found.

They look at what the model was given, so that they cost nothing and are the same every time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pincite.evaluation.model import Response, Retrieved, Row
from pincite.evaluation.rules.rule import Finding, RuleArguments
from pincite.wording import PAGE, folded, numbers, without_citations

__all__ = ["CitationCorrect", "CitationPresent", "Language", "NumbersGrounded", "cited", "grounding", "language"]

MARK: Final = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]|【(\d{1,3})[^】]*】")
NAMED: Final = re.compile(
    r"(?P<name>[^\s()\[\],;:\"'“”]+\.[A-Za-z0-9]{2,5})(?:#page=|,?\s*\(?(?:" + PAGE + r")\s*)(?P<page>\d+)"
    r"|(?P<other>[^\s()\[\],;:\"'“”]+\.[A-Za-z0-9]{2,5}),?\s*\(?(?P<after>\d+)\s*(?:쪽|페이지|頁|页)",
    re.IGNORECASE,
)  # fmt: skip
QUOTED: Final = re.compile(r"“([^”]{2,})”|\"([^\"\n]{2,})\"|«([^»]{2,})»|「([^」]{2,})」")
LISTED: Final = re.compile(r"(?m)^\s*\d{1,3}[.)]\s")


@dataclass(frozen=True, slots=True)
class Cited:
    """One reference of an answer, and the quoted words that it stands for."""

    said: str
    passages: tuple[Retrieved, ...]
    """What it names; empty where nothing that was retrieved is named so."""

    quotes: tuple[str, ...]
    """Quoted words before it."""


def cited(answer: str, passages: tuple[Retrieved, ...]) -> Iterator[Cited]:
    """The references of an answer: `[2]` is the second passage, `handbook.pdf, p. 9` and `handbook.pdf#page=9` a page.

    The quoted words of a reference stand before it in its line, behind the reference before it;
    references that touch share them.
    """
    for line in answer.splitlines():
        begin, end = 0, 0
        for found in sorted([*MARK.finditer(line), *NAMED.finditer(line)], key=re.Match.start):
            if any(map(str.isalnum, line[end : found.start()])):
                begin = end
            between = line[begin : found.start()]
            quotes = tuple(next(filter(None, each.groups())) for each in QUOTED.finditer(between))
            for said, named in referred(found, passages):
                yield Cited(said, named, quotes)
            end = found.end()


def referred(found: re.Match[str], passages: tuple[Retrieved, ...]) -> Iterator[tuple[str, tuple[Retrieved, ...]]]:
    """What each number, or each name with a page, refers to."""
    if found.re is MARK:
        for number in map(int, re.findall(r"\d+", found[1] or found[2])):
            yield f"[{number}]", passages[number - 1 : number] if number else ()
        return
    name, page = found["name"] or found["other"], int(found["page"] or found["after"])
    yield f"{name}, page {page}", tuple(p for p in passages if page in p.pages and same_document(p.document, name))


def same_document(uri: str, name: str) -> bool:
    """Whether a name in an answer is a document's uri, or its end."""
    uri, name = folded(uri), folded(name)
    return uri == name or uri.endswith("/" + name)


@dataclass(frozen=True, slots=True)
class CitationPresent:
    """The answer refers to at least one passage or page."""

    name: str = "citation_present"
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        if row.expect == "refuse":
            return None
        found = [each.said for each in cited(response.answer or "", response.passages)]
        return Finding(1.0, "", {"cited": found}) if found else Finding(0.0, "the answer cites nothing")


@dataclass(frozen=True, slots=True)
class CitationCorrect:
    """Every reference names something that was retrieved, and the quoted words beside it stand there."""

    name: str = "citation_correct"
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        found = list(cited(response.answer or "", response.passages))
        if not found:
            return None
        wrong = [fault for each in found if (fault := self.fault(each))]
        return Finding(1 - len(wrong) / len(found), "; ".join(wrong), {"cited": [each.said for each in found]})

    def fault(self, reference: Cited) -> str:
        if not reference.passages:
            return f"{reference.said} was not retrieved"
        shown = " ".join(folded(passage.text) for passage in reference.passages)
        for quote in reference.quotes:
            if folded(quote).strip(" .,;:…") not in shown:
                return f"{reference.said} does not hold {quote!r}"
        return ""


@dataclass(frozen=True, slots=True)
class NumbersGrounded:
    """Every number of the answer stands in a passage or in the question, in any spelling."""

    name: str = "numbers_grounded"
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        said = numbers(LISTED.sub(" ", without_citations(NAMED.sub(" ", response.answer or ""))))
        if not said:
            return None
        known = [each for text in (row.input, *(p.text for p in response.passages)) for each in numbers(text)]
        values = frozenset(value for each in known for value in each.values)
        missing = [each.text for each in said if values.isdisjoint(each.values)]
        reason = f"not in the passages: {', '.join(missing)}" if missing else ""
        return Finding(1 - len(missing) / len(said), reason, {"missing": missing})


@dataclass(frozen=True, slots=True)
class Language:
    """The answer is in a language: the one that is named, or that of the question."""

    name: str
    wanted: str
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        from pincite.retrieval.language import guess

        wanted = (row.language or guess(row.input)) if self.wanted == "same" else self.wanted
        if not wanted:
            return None
        found = guess(response.answer or "")
        if found == wanted.split("-")[0].lower():
            return Finding(1.0, "", {"language": found})
        return Finding(0.0, f"the answer is {found or 'in no language that is told safely'}, not {wanted}")


GROUNDING: Final[dict[str, type[CitationPresent] | type[CitationCorrect] | type[NumbersGrounded]]] = {
    "citation_present": CitationPresent,
    "citation_correct": CitationCorrect,
    "numbers_grounded": NumbersGrounded,
}


def grounding(name: str, value: Any) -> CitationPresent | CitationCorrect | NumbersGrounded:
    given = RuleArguments(name, value, "threshold")
    threshold = given.threshold()
    given.done()
    return GROUNDING[name](name, threshold)


KNOWN: Final = ("en", "ja", "ko", "th", "vi", "zh")


def language(name: str, value: Any) -> Language:
    given = RuleArguments(name, value, "language")
    wanted = given.take("language", "same")
    given.done()
    if wanted != "same" and (not isinstance(wanted, str) or wanted.split("-")[0].lower() not in KNOWN):
        raise given.fail(f"must be same, or one of {', '.join(KNOWN)}")
    return Language(name, wanted)
