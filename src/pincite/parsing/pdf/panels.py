"""Frames drawn around text: what is inside is read together, as one box of the page.

Call-outs in a margin and the boxes of a diagram are such. A frame around most of the page is an
ornament, and frames that touch one another are a table or a drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.parsing.pdf.grids import networks
from pincite.parsing.pdf.model import Layer, Segment, around

__all__ = ["Panel", "panels"]

NEAR = 4.0
"""Points by which the sides of a frame may miss its corners: they may be rounded."""

LARGEST = 0.5
"""Share of the page's area from which a frame is an ornament."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A frame with text in it."""

    segments: tuple[Segment, ...]
    left: float
    top: float
    right: float
    bottom: float


def panels(segments: Sequence[Segment], layer: Layer) -> tuple[list[Panel], list[Segment]]:
    """The frames, and the segments that are in none of them."""
    found: list[Panel] = []
    rest = list(segments)
    for level, upright in networks(layer.rules):
        left, top, right, bottom = around([*level, *upright])
        if (right - left) * (bottom - top) > LARGEST * layer.width * layer.height:
            continue
        xs, ys = [rule.left for rule in upright], [rule.top for rule in level]
        if not (closed(xs, left, right) and closed(ys, top, bottom)):
            continue
        inside = [
            s
            for s in rest
            if left - 1 <= s.left and s.right <= right + 1 and top - NEAR <= s.top and s.bottom <= bottom + NEAR
        ]
        if inside and len(inside) < len(segments):
            mine = {id(segment) for segment in inside}
            rest = [segment for segment in rest if id(segment) not in mine]
            found.append(Panel(tuple(inside), left, top, right, bottom))
    return found, rest


def closed(places: Sequence[float], low: float, high: float) -> bool:
    """Whether lines stand at both ends and nowhere between."""
    ends = [abs(place - low) <= NEAR or abs(place - high) <= NEAR for place in places]
    return all(ends) and min(places) <= low + NEAR and max(places) >= high - NEAR
