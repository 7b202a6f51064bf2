"""Pages and regions of a chunk, computed from its spans at the very end and never carried along."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from pincite.document import Document, Region, Span

__all__ = ["Place", "Places"]


class Place(NamedTuple):
    """Where a chunk stands."""

    regions: tuple[Region, ...] = ()
    page_start: int | None = None
    page_end: int | None = None
    label_start: str | None = None
    label_end: str | None = None


class Places:
    """Finds the regions of spans of one document."""

    def __init__(self, document: Document) -> None:
        self.labels = {page.number: page.label for page in document.pages}
        regions = [region for block in document.blocks for region in block.regions] if document.pages else []
        self.regions = sorted(regions, key=lambda region: region.span)
        self.starts = [region.span.start for region in self.regions]
        self.ends = [region.span.end for region in self.regions]

    def of(self, spans: Sequence[Span]) -> Place:
        """Regions that share a character with the spans, and the pages that they lie on."""
        found: list[Region] = []
        for span in spans:
            first = bisect_right(self.ends, span.start)
            last = bisect_left(self.starts, span.end)
            found += self.regions[max(first, 0) : last]
        if not found:
            return Place()
        regions = tuple(dict.fromkeys(found))
        first_page = min(region.page for region in regions)
        last_page = max(region.page for region in regions)
        return Place(regions, first_page, last_page, self.labels.get(first_page), self.labels.get(last_page))
