"""Running heads, running feet and page numbers: what repeats at one place on several pages.

A row counts only in the outer parts of the page, set apart from the text by more than a line's
gap, and never where it is all that its page has. Digits are masked before texts are compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.parsing.pdf.model import OBLIQUE, Layer, PageContent, Rule, Segment
from pincite.parsing.pdf.rows import rows_of

__all__ = ["furniture"]

ZONE = 0.12
"""Share of the height, at the top and at the foot, in which furniture stands."""

DEEPEST = 3
"""Rows of furniture at one end, at most."""

GAP = 1.2
"""Room between furniture and text, in font sizes, at least."""

NUMERALS = re.compile(r"\d+|\b[ivxlc]+\b")
NUMBER_ONLY = re.compile(
    r"[\W#]*(?:page|trang|tr|p|seite|페이지|쪽|第)?[\W#]*(?:(?: of | / |/|trên)[\W#]*)?(?:쪽|페이지|页)?[\W#]*"
)

NEAR = 4.0
"""Height of a slot, in points; rows in neighbouring slots stand at the same height."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row at the edge of a page."""

    page: int
    head: bool
    height: float
    """Distance from the edge of the page to the middle of the row."""
    segments: tuple[Segment, ...]

    @property
    def numbers_its_page(self) -> bool:
        """Whether it is the number of its page, alone or with a word for page."""
        text = " ".join(segment.text for segment in self.segments).casefold()
        return bool(NUMBER_ONLY.fullmatch(masked(text))) and re.findall(r"\d+", text)[:1] == [str(self.page)]

    @property
    def slot(self) -> int:
        """Number of the strip of the page that it stands in."""
        return round(self.height / NEAR)


def furniture(pages: Sequence[PageContent], body: float) -> dict[int, bool]:
    """`id` of each segment that is furniture, and whether it stands at the head. `body` is the size of the text."""
    found = watermarks(pages)
    for head in (True, False):
        rows = [candidate for page in pages for candidate in candidates(page, head)]
        sure = repeating(rows, len(pages))
        numbers = [row for row in rows if row.numbers_its_page]
        for candidate in (*sure, *numbers, *slotted(rows, sure, body)):
            found.update((id(segment), head) for segment in candidate.segments)
    return found


def watermarks(pages: Sequence[PageContent]) -> dict[int, bool]:
    """Slanted text that stands on several pages; it is listed with the heads."""
    places: dict[str, list[tuple[int, Segment]]] = defaultdict(list)
    for page in pages:
        for segment in (s for layer in page.layers if layer.turn == OBLIQUE for s in layer.segments):
            places[segment.text].append((page.number, segment))
    groups = (group for group in places.values() if len({number for number, _ in group}) > 1)
    return {id(segment): True for group in groups for _, segment in group}


def repeating(rows: Sequence[Candidate], pages: int) -> list[Candidate]:
    """Rows one of whose texts stands at the same height on enough pages.

    One text is enough: beside the title of the book the title of the chapter may change.
    """
    least = max(2, min(3, pages))
    found: list[Candidate] = []
    for text, group in by_text(rows).items():
        needed = 2 if NUMBER_ONLY.fullmatch(text) else least
        levels = pages_by_slot(group)
        found += [row for row in group if len(levels[row.slot]) >= needed]
    return found


def slotted(rows: Sequence[Candidate], sure: Sequence[Candidate], body: float) -> list[Candidate]:
    """Rows at a height where most pages have furniture: titles of chapters, that change.

    A text that two pages share is taken for a hint. Titles of slides stand at one height too; they
    are larger than the text.
    """
    pairs: list[Candidate] = []
    for group in by_text(rows).values():
        levels = pages_by_slot(group)
        pairs += [row for row in group if len(levels[row.slot]) >= 2]
    known, everywhere = pages_by_slot([*sure, *pairs]), pages_by_slot(rows)
    found = []
    for row in rows:
        small = all(segment.size <= 1.05 * body for segment in row.segments)
        hints = len(known[row.slot])
        if small and hints >= 4 and 2 * hints > len(everywhere[row.slot]):
            found.append(row)
    return found


def by_text(rows: Iterable[Candidate]) -> dict[str, list[Candidate]]:
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for row in rows:
        for text in {masked(segment.text) for segment in row.segments}:
            groups[text].append(row)
    return groups


def pages_by_slot(rows: Iterable[Candidate]) -> dict[int, set[int]]:
    """The pages that have one of the rows in a slot or in one beside it."""
    found: dict[int, set[int]] = defaultdict(set)
    for row in rows:
        for slot in (row.slot - 1, row.slot, row.slot + 1):
            found[slot].add(row.page)
    return found


def masked(text: str) -> str:
    return NUMERALS.sub("#", text.casefold())


def candidates(page: PageContent, head: bool) -> Iterable[Candidate]:
    """Rows of a page that may be furniture, from its head or foot inwards."""
    for layer in page.layers:
        if layer.turn == OBLIQUE:
            continue
        rows = rows_of(layer.segments)
        ends = rows if head else rows[::-1]
        for row in ends[: apart(ends, layer, head)]:
            middle = (row[0].top + row[0].bottom) / 2
            yield Candidate(page.number, head, middle if head else layer.height - middle, tuple(row))


def apart(rows: Sequence[list[Segment]], layer: Layer, head: bool) -> int:
    """How many of the first rows are in the zone and set apart from the rest of the page."""
    edge = ZONE * layer.height
    count = 0
    for number, row in enumerate(rows[:DEEPEST]):
        inside = max(s.bottom for s in row) <= edge if head else min(s.top for s in row) >= layer.height - edge
        if not inside or number + 1 >= len(rows):
            break
        upper, lower = (row, rows[number + 1]) if head else (rows[number + 1], row)
        gap = min(s.top for s in lower) - max(s.bottom for s in upper)
        if gap > GAP * max(s.size for s in row) and not walled(upper, lower, layer.rules):
            count = number + 1
    return count


def walled(upper: Sequence[Segment], lower: Sequence[Segment], rules: Iterable[Rule]) -> bool:
    """Whether an upright rule runs past both rows: they are rows of one table."""
    top, bottom = max(s.top for s in upper), min(s.bottom for s in lower)
    return any(not rule.level and rule.top <= top and rule.bottom >= bottom for rule in rules)
