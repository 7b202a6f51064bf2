"""Reading order of boxes, whatever the order in which they were drawn.

A cut that looks ahead: boxes are put in bands that overlap in height; neighbouring bands that
share an upright gap are one run; a run is cut at its best gap and each side is ordered in turn.
So a title or picture over the whole width ends a run, and the columns below it stay together.
A title need not be wide: what crosses the gutter between the columns of the page ends a run too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeVar

from pincite.parsing.pdf.model import Placed, around
from pincite.parsing.pdf.rows import rows_of

__all__ = ["reading_order"]

P = TypeVar("P", bound=Placed)

Gap = tuple[float, float]

LEAST_GAP = 0.45
"""Width of a gap between columns, in body font sizes, at least."""

NARROW = 1.5
"""A gap up to this width, in body font sizes, may be a space."""

FEW = 8
"""Rows beside which one short piece on the right is no column."""

COLUMN = 4
"""Boxes on either side of a gutter, at least."""

WIDTH = 6.0
"""Width of a column, in body font sizes, at least."""

FAR = 1e9
"""Where the margins end: the empty space beside the boxes counts as a gap too."""


def reading_order(boxes: Iterable[P], em: float) -> list[P]:
    """All of `boxes` in reading order; `em` is the font size of the body text."""
    boxes = list(boxes)
    if len(boxes) <= 1:
        return boxes
    ordered: list[P] = []
    for run, shared in runs(bands(boxes, em), em, gutters(boxes, em)):
        ordered += ordered_run(run, shared, em)
    return ordered


def bands(boxes: Sequence[P], em: float) -> list[list[P]]:
    """Groups of boxes that overlap in height, from top to bottom."""
    made: list[list[P]] = []
    floor = -FAR
    for box in sorted(boxes, key=lambda b: (b.top, b.left)):
        if made and box.top < floor - 0.15 * em:
            made[-1].append(box)
            floor = max(floor, box.bottom)
        else:
            made.append([box])
            floor = box.bottom
    return made


def gutters(boxes: Sequence[P], em: float) -> list[float]:
    """Where columns begin: many boxes start there, as many end before it, and few cross it."""
    starts = Counter(round(box.left) for box in boxes)
    found: list[float] = []
    if len(boxes) < 2 * COLUMN:
        return found
    for left, count in starts.most_common(6):
        if count < COLUMN:
            break
        x = left - 0.25 * em
        before = [box for box in boxes if box.right <= x]
        after = [box for box in boxes if box.left >= x]
        crossing = len(boxes) - len(before) - len(after)
        if min(len(before), len(after)) >= max(COLUMN, 2 * crossing) and beside(before, after, em):
            found.append(x)
    return found


def beside(left: Sequence[P], right: Sequence[P], em: float) -> bool:
    """Whether two groups of boxes stand side by side, each as wide as a column."""
    one, other = around(left), around(right)
    common = min(one[3], other[3]) - max(one[1], other[1])
    return common > COLUMN * em and min(one[2] - one[0], other[2] - other[0]) > WIDTH * em


def spans(band: Iterable[P], columns: Sequence[float]) -> bool:
    """Whether nothing of a band keeps to a column."""
    return bool(columns) and all(any(box.left < x < box.right for x in columns) for box in band)


def gaps(boxes: Iterable[P], em: float) -> list[Gap]:
    """Empty upright strips, the margins included."""
    sides = sorted((box.left, box.right) for box in boxes)
    found, reach = [(-FAR, sides[0][0])], sides[0][1]
    for left, right in sides[1:]:
        if left - reach > LEAST_GAP * em:
            found.append((reach, left))
        reach = max(reach, right)
    return [*found, (reach, FAR)]


def shared_gaps(first: Sequence[Gap], second: Sequence[Gap], em: float) -> list[Gap]:
    cuts = ((max(a[0], b[0]), min(a[1], b[1])) for a in first for b in second)
    return [(low, high) for low, high in cuts if high - low > LEAST_GAP * em]


def inner(strips: Iterable[Gap], boxes: Sequence[P], em: float) -> list[Gap]:
    """The strips that part some boxes from others."""
    low, high = min(box.left for box in boxes), max(box.right for box in boxes)
    return [strip for strip in strips if strip[0] > low + em and strip[1] < high - em]


def runs(rows: Sequence[list[P]], em: float, columns: Sequence[float]) -> Iterable[tuple[list[list[P]], list[Gap]]]:
    """Neighbouring bands that share a gap, or that have none at all, with what they share.

    A band that spans the columns and one that does not share nothing.
    """
    run: list[list[P]] = []
    shared: list[Gap] = []
    for band in rows:
        own = gaps(band, em)
        if not run:
            run, shared = [band], own
            continue
        both = shared_gaps(shared, own, em)
        parted = inner(both, [*chain.from_iterable(run), *band], em)
        single = not inside(shared) and not inside(own)
        if (parted or single) and spans(run[-1], columns) == spans(band, columns):
            run.append(band)
            shared = both or gaps(chain.from_iterable(run), em)
        else:
            yield run, shared
            run, shared = [band], own
    if run:
        yield run, shared


def inside(strips: Iterable[Gap]) -> bool:
    """Whether some strip is no margin."""
    return any(low > -FAR and high < FAR for low, high in strips)


def ordered_run(run: Sequence[list[P]], shared: Sequence[Gap], em: float) -> list[P]:
    """A run cut at its best gap, or band by band where there is none worth a cut."""
    boxes = list(chain.from_iterable(run))
    halves = best_cut(boxes, inner(shared, boxes, em), em)
    if halves:
        return reading_order(halves[0], em) + reading_order(halves[1], em)
    if len(run) > 1:
        return list(chain.from_iterable(ordered_run([band], gaps(band, em), em) for band in run))
    return list(chain.from_iterable(rows_of(boxes)))


def best_cut(boxes: Sequence[P], strips: Iterable[Gap], em: float) -> tuple[list[P], list[P]] | None:
    """The cut with most area on its smaller side.

    A side of one row beside few is no column, nor are two rows that happen to have wide spaces at
    one place: justified lines have such.
    """
    best: tuple[float, list[P], list[P]] | None = None
    for low, high in strips:
        middle = (low + high) / 2
        left = [box for box in boxes if (box.left + box.right) / 2 < middle]
        right = [box for box in boxes if (box.left + box.right) / 2 >= middle]
        if not left or not right:
            continue
        counts = sorted((len(rows_of(left)), len(rows_of(right))))
        if counts[0] < 2 and counts[1] < 3:
            continue
        if high - low < NARROW * em and counts[0] < 3:
            continue
        if counts[0] == 1 and counts[1] <= FEW and on_one_line(left, right):
            continue
        least = min(area(left), area(right))
        if best is None or least > best[0]:
            best = least, left, right
    return best[1:] if best else None


def on_one_line(left: Sequence[P], right: Sequence[P]) -> bool:
    """Whether the right side is one short piece at the height of a line on the left: set by a tabulator."""
    if len(right) != 1 or right[0].right - right[0].left > 0.25 * (right[0].right - min(box.left for box in left)):
        return False
    middle, height = right[0].top + right[0].bottom, right[0].bottom - right[0].top
    return any(abs(box.top + box.bottom - middle) < 0.6 * height for box in left)


def area(boxes: Iterable[P]) -> float:
    return sum((box.right - box.left) * (box.bottom - box.top) for box in boxes)
