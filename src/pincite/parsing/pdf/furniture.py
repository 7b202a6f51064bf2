"""Running heads, running feet and page numbers: what repeats at one place on several pages.

A row counts only in the outer parts of the page, set apart from the text by more than a line's
gap, and never where it is all that its page has. Digits are masked before texts are compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.parsing.pdf.model import PageContent, Segment
from pincite.parsing.pdf.rows import rows_of

__all__ = ["furniture"]

ZONE = 0.12
"""Share of the height, at the top and at the foot, in which furniture stands."""

DEEPEST = 3
"""Rows of furniture at one end, at most."""

NUMERALS = re.compile(r"\d+|\b[ivxlc]+\b")
NUMBER_ONLY = re.compile(
    r"[\W#]*(?:page|trang|tr|p|seite|페이지|쪽|第)?[\W#]*(?:(?: of | / |/|trên)[\W#]*)?(?:쪽|페이지|页)?[\W#]*"
)

NEAR = 6.0
"""Points within which two rows stand at the same height."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row at the edge of a page."""

    page: int
    head: bool
    height: float
    """Distance from the edge of the page to the middle of the row."""
    masked: str
    segments: tuple[Segment, ...]


def furniture(pages: Sequence[PageContent]) -> dict[int, bool]:
    """`id` of each segment that is furniture, and whether it stands at the head."""
    groups: dict[tuple[bool, str], list[Candidate]] = defaultdict(list)
    for page in pages:
        for candidate in candidates(page):
            groups[candidate.head, candidate.masked].append(candidate)
    least = max(2, min(3, len(pages)))
    found: dict[int, bool] = {}
    for (head, masked), group in groups.items():
        needed = 2 if NUMBER_ONLY.fullmatch(masked) else least
        for candidate in group:
            near = {other.page for other in group if abs(other.height - candidate.height) <= NEAR}
            if len(near) >= needed:
                found.update((id(segment), head) for segment in candidate.segments)
    return found


def candidates(page: PageContent) -> Iterable[Candidate]:
    """Rows of a page that may be furniture, from both ends inwards."""
    for layer in page.layers:
        rows = rows_of(layer.segments)
        for head in (True, False):
            ends = rows if head else rows[::-1]
            for number in range(apart(ends, layer.height, head)):
                row = ends[number]
                middle = (row[0].top + row[0].bottom) / 2
                masked = NUMERALS.sub("#", " ".join(segment.text for segment in row).casefold())
                yield Candidate(page.number, head, middle if head else layer.height - middle, masked, tuple(row))


def apart(rows: Sequence[list[Segment]], height: float, head: bool) -> int:
    """How many of the first rows are in the zone and set apart from the rest of the page."""
    edge = ZONE * height
    count = 0
    for number, row in enumerate(rows[:DEEPEST]):
        inside = max(s.bottom for s in row) <= edge if head else min(s.top for s in row) >= height - edge
        if not inside or number + 1 >= len(rows):
            break
        following = rows[number + 1]
        if head:
            gap = min(s.top for s in following) - max(s.bottom for s in row)
        else:
            gap = min(s.top for s in row) - max(s.bottom for s in following)
        if gap > 0.8 * max(s.size for s in row):
            count = number + 1
    return count
