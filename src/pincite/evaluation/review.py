"""What a careful reader would say of a golden set: doubts, not errors.

A set that was generated in bulk, or whose evidence is not in the documents, measures something else than what it
says. So the set is read for near-duplicates, for one wording in many rows, for evidence that is nowhere, and for
languages in which nobody asked as people type.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.evaluation.golden import GoldenSet
from pincite.evaluation.model import Retrieved, Row
from pincite.evaluation.ranking import HELD, held, named
from pincite.wording import folded, words

__all__ = ["FEW", "MANY", "Doubt", "review", "review_evidence"]

FEW: Final = 10
MANY: Final = 50
ALIKE: Final = 0.8
"""The share of common words from which two questions are nearly one."""

BULK: Final = 5
"""Rows that begin or end alike before the set looks generated."""

BULK_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Doubt:
    """One thing to look at."""

    code: str
    message: str
    line: int = 0
    """Line of the file, from 1; 0 where the whole set is meant."""


def review(golden: GoldenSet) -> list[Doubt]:
    """All doubts about the rows themselves."""
    return [*sizes(golden), *alike(golden.rows), *bulk(golden.rows), *unmarked(golden.rows)]


def sizes(golden: GoldenSet) -> Iterator[Doubt]:
    count = len(golden)
    if count < FEW:
        yield Doubt("few_rows", f"{count} rows are few: 9 of 10 that pass are anything from 60 to 98 per cent")
    if count > MANY:
        yield Doubt("many_rows", f"{count} rows are more than people keep true in a young project; {FEW} to {MANY} are")


def alike(rows: Sequence[Row]) -> Iterator[Doubt]:
    """Pairs of rows that ask nearly the same and do not say so by a group."""
    holders: dict[str, list[int]] = defaultdict(list)
    sets = [frozenset(words(row.input)) for row in rows]
    for number, row in enumerate(rows):
        shared = Counter(other for word in sets[number] for other in holders[word])
        for other, common in shared.items():
            if common < ALIKE * len(sets[number] | sets[other]):
                continue
            if row.group is None or row.group != rows[other].group:
                first = rows[other].id
                yield Doubt(
                    "near_duplicate",
                    f"row {row.id} asks nearly what row {first} asks; give both a group if they are paraphrases",
                    row.line,
                )
        for word in sets[number]:
            if len(holders[word]) < 200:
                holders[word].append(number)


def bulk(rows: Sequence[Row]) -> Iterator[Doubt]:
    """Wordings that many rows share, as a machine writes them."""
    for name, part_of in (("begin", slice(None, BULK_WORDS)), ("end", slice(-BULK_WORDS, None))):
        groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
        for row in rows:
            part = words(row.input)[part_of]
            if len(part) == BULK_WORDS:
                groups[part].append(row)
        for part, found in groups.items():
            if len(found) >= BULK and len(found) > len(rows) * 0.3:
                said = " ".join(part)
                yield Doubt(
                    "one_wording", f"{len(found)} rows {name} with {said!r}; people do not ask alike", found[0].line
                )
    reasons = Counter(folded(row.reason) for row in rows if row.reason)
    for reason, count in reasons.items():
        if count >= BULK and count > len(rows) * 0.5:
            yield Doubt("one_reason", f"{count} rows have the same reason, {reason!r}; say why each is there")


def unmarked(rows: Sequence[Row]) -> Iterator[Doubt]:
    """A Vietnamese set in which nobody types without marks."""
    vietnamese = [row for row in rows if row.language == "vi" or any(c in row.input for c in "ơưđạảấầẩẫậắằẳẵặếềểễệ")]
    if len(vietnamese) >= 3 and not any(plain(row.input) for row in rows if row.language == "vi"):
        yield Doubt(
            "no_typed_form",
            "all Vietnamese questions have their marks; add one as people type on a phone, with language: vi",
        )


def plain(text: str) -> bool:
    return all(not unicodedata.combining(c) for c in unicodedata.normalize("NFD", text)) and "đ" not in text.casefold()


def review_evidence(golden: GoldenSet, documents: Mapping[str, Sequence[Retrieved]]) -> list[Doubt]:
    """Evidence that is not in the documents. `documents` has the passages of each document, by its uri."""
    known = {named(uri): passages for uri, passages in documents.items()}
    return [doubt for row in golden for doubt in missing(row, known)]


def missing(row: Row, known: Mapping[str, Sequence[Retrieved]]) -> Iterator[Doubt]:
    for each in row.evidence:
        passages = known.get(named(each.document))
        if passages is None:
            near = next((uri for uri in known if uri.endswith("/" + named(each.document))), None)
            meant = f"; did you mean {near}?" if near else ""
            yield Doubt("no_document", f"row {row.id}: {each.document} is not in the index{meant}", row.line)
            continue
        pages = {page for passage in passages for page in passage.pages}
        if each.page and pages and each.page not in pages:
            yield Doubt("no_page", f"row {row.id}: {each.document} has no text on page {each.page}", row.line)
        elif (each.quote or each.span) and not any(held(each, passage) >= HELD for passage in passages):
            where = f"page {each.page} of {each.document}" if each.page else each.document
            yield Doubt("no_quote", f"row {row.id}: {(each.quote or 'the span')!r} is not on {where}", row.line)
