"""What code decides before and after a judge: equal wordings, other numbers, quotes that stand nowhere.

What is plain is not asked: a claim in the words of the reference is supported, and one that differs
from it by a number alone is contradicted. And a judge is believed only with a quote that stands in
the text: in any script, whatever the white space and the way that marks are composed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.evaluation.judge.verdicts import Verdict
from pincite.wording import folded, numbers, same_wording, without_citations, words

__all__ = ["checked", "free_verdict", "quoted_in"]

EDGES = " \t\n.,;:…·'\"“”‘’«»「」()[]"


def free_verdict(claim: str, reference: str) -> Verdict | None:
    """The verdict where no judge is needed; None where one is."""
    if same_wording(claim, reference):
        return Verdict("supported", reference, reason="the same words")
    if differs_by_number(claim, reference):
        return Verdict("contradicted", reference, reason="the same words with another number")
    return None


def differs_by_number(claim: str, reference: str) -> bool:
    """Whether two texts have the same words and other numbers."""
    one, other = numbers(claim), numbers(reference)
    if not one or len(one) != len(other) or all(a.means(b) for a, b in zip(one, other, strict=True)):
        return False
    return lettered(claim) == lettered(reference) != ()


def lettered(text: str) -> tuple[str, ...]:
    """The words of a text that are no numbers; of a number with a unit, the unit."""
    plain = [word.strip("0123456789.,") for word in words(without_citations(text))]
    return tuple(word for word in plain if word)


def quoted_in(quote: str, texts: Sequence[str]) -> int | None:
    """The number, from 1, of the first text that a quote stands in; None where it stands in none."""
    wanted = folded(quote).strip(EDGES)
    if not wanted:
        return None
    return next((number for number, text in enumerate(texts, 1) if wanted in folded(text)), None)


def checked(verdict: Verdict, texts: Sequence[str]) -> tuple[Verdict, bool]:
    """The verdict with the text that its quote is in, and whether it may be believed.

    `absent` needs no quote. The others are believed where the quote stands in some text; a wrong
    number of that text is put right.
    """
    if verdict.saying == "absent":
        return verdict, True
    named = verdict.source
    if named and named <= len(texts) and quoted_in(verdict.quote, texts[named - 1 : named]):
        return verdict, True
    found = quoted_in(verdict.quote, texts)
    return (replace(verdict, source=found), True) if found else (verdict, False)
