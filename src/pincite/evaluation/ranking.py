"""From passages and evidence to a ranking that a metric can be computed on.

On documents and on pages the ranking is of distinct items: what comes twice counts at its first
place. A passage over several pages takes as many places, in the order of the pages, so that wide
passages buy no recall. On spans each passage is one place, and its gain is the best evidence that it
holds and no passage before it held.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

from pincite.evaluation.metrics import Level, Ranking
from pincite.evaluation.model import Evidence, Retrieved, Row
from pincite.wording import folded, words

__all__ = ["finest", "held", "named", "ranked"]

HELD: Final = 0.5
"""The share of a piece of evidence from which a passage holds it: a cut through it leaves it in one of two."""


def finest(row: Row) -> Level | None:
    """The finest level that every piece of a row's evidence names; None where there is no evidence."""
    if not row.evidence:
        return None
    if all(each.quote or each.span for each in row.evidence):
        return "spans"
    return "pages" if all(each.page for each in row.evidence) else "documents"


def ranked(row: Row, passages: Sequence[Retrieved], level: Level) -> Ranking | None:
    """The ranking of the passages on a level; None where the row's evidence does not name that level."""
    if level == "spans":
        return by_spans(row.evidence, passages) if finest(row) == "spans" else None
    if level == "pages":
        if not row.evidence or not all(each.page for each in row.evidence):
            return None
        judged = best(((named(each.document), each.page), each.grade) for each in row.evidence)
        return distinct(judged, ((named(p.document), page) for p in passages for page in p.pages or (None,)))
    if not row.evidence:
        return None
    judged = best((named(each.document), each.grade) for each in row.evidence)
    return distinct(judged, (named(p.document) for p in passages))


def named(uri: str) -> str:
    """A uri as documents are compared by it."""
    return unicodedata.normalize("NFC", uri).removeprefix("./")


def best(grades: Iterable[tuple[Hashable, int]]) -> dict[Hashable, int]:
    """The highest grade of each item."""
    found: dict[Hashable, int] = {}
    for item, grade in grades:
        found[item] = max(grade, found.get(item, 0))
    return found


def distinct(judged: Mapping[Hashable, int], items: Iterable[Hashable]) -> Ranking:
    """The ranking of items, each at the first place that it comes at."""
    gains = tuple(judged.get(item, 0) for item in dict.fromkeys(items))
    return Ranking(gains, tuple(sorted(judged.values(), reverse=True)))


def by_spans(evidence: Sequence[Evidence], passages: Sequence[Retrieved]) -> Ranking:
    """The ranking of passages, where each piece of evidence counts in the first that holds it.

    A passage that holds several new pieces has the grade of the best one at its place; so that the
    others count as found, they follow as places of their own.
    """
    left = list(evidence)
    gains: list[int] = []
    for passage in passages:
        new = [each for each in left if held(each, passage) >= HELD]
        left = [each for each in left if each not in new]
        gains += sorted((each.grade for each in new), reverse=True) or [0]
    return Ranking(tuple(gains), tuple(sorted((each.grade for each in evidence), reverse=True)))


def held(evidence: Evidence, passage: Retrieved) -> float:
    """The share of a piece of evidence that a passage holds, 0 to 1: by its range where both have one, else by its words."""
    if named(evidence.document) != named(passage.document):
        return 0.0
    if evidence.page and passage.pages and evidence.page not in passage.pages:
        return 0.0
    if evidence.span and passage.spans:
        start, end = evidence.span.start, evidence.span.end
        common = sum(max(0, min(each.end, end) - max(each.start, start)) for each in passage.spans)
        return common / (end - start)
    return said(evidence.quote, passage.text) if evidence.quote else 0.0


def said(quote: str, text: str) -> float:
    """The share of quoted words that a text has: all of them, or those that a cut has left at its begin or end."""
    if folded(quote) in folded(text):
        return 1.0
    wanted, found = words(quote), words(text)
    if not wanted:
        return 0.0
    for size in range(min(len(wanted), len(found)), 0, -1):
        if wanted[:size] == found[-size:] or wanted[-size:] == found[:size]:
            return size / len(wanted)
    return 0.0
