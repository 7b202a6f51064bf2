"""Segments on one base line: rows over the whole width, and lines in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from pincite.parsing.pdf.model import Layer, Line, Placed, Segment

__all__ = ["centres", "mended", "rows_of", "unstretched", "wrapped_lines"]

P = TypeVar("P", bound=Placed)

STRETCHED = 1.3
"""Widest space of a justified line, in font sizes."""

TOUCHING = 0.15
"""Segments nearer than this, in font sizes, are pieces of one word drawn apart."""


def rows_of(things: Iterable[P]) -> list[list[P]]:
    """Groups of things at one height, from top to bottom, each from left to right."""
    rows: list[tuple[float, list[P]]] = []
    for thing in sorted(things, key=lambda t: (t.top + t.bottom, t.left)):
        centre = (thing.top + thing.bottom) / 2
        if rows and centre - rows[-1][0] < 0.3 * (thing.bottom - thing.top):
            mean, row = rows[-1]
            row.append(thing)
            rows[-1] = (mean + (centre - mean) / len(row), row)
        else:
            rows.append((centre, [thing]))
    return [sorted(row, key=lambda t: t.left) for _, row in rows]


def mended(segments: Sequence[Segment]) -> list[Segment]:
    """Segments whose words were drawn in another order than they are read, put together again."""
    whole = []
    for row in rows_of(segments):
        run: list[Segment] = []
        for piece in row:
            if (
                run
                and piece.left - run[-1].right + 0.3 * piece.size >= 0
                and piece.left - run[-1].right < TOUCHING * piece.size
            ):
                run[-1] = glued(run[-1], piece)
            else:
                run.append(piece)
        whole += run
    return whole


def glued(first: Segment, second: Segment) -> Segment:
    """One segment; the words that meet are one word unless the file puts a space between them."""
    if first.space_after:
        words = (*first.words, *second.words)
    else:
        a, b = first.words[-1], second.words[0]
        whole = type(a)(
            a.text + b.text, a.left, min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom),
            a.size, a.bold, a.italic, a.mono,
        )  # fmt: skip
        words = (*first.words[:-1], whole, *second.words[1:])
    return Segment.of(words, second.space_after, min(first.confidence, second.confidence))


def unstretched(segments: Sequence[Segment], em: float) -> list[Segment]:
    """Segments of justified lines put together, whose spaces are as wide as gaps between columns.

    Between columns the lines above and below leave the same gap; between words they do not.
    """
    rows = rows_of(segments)
    reaches = [max(segment.right for segment in row) for row in rows]
    made: list[Segment] = []
    for number, row in enumerate(rows):
        # Lines of other columns may stand at heights between those of neighbouring lines.
        around_it = (k for k in range(max(0, number - 3), min(len(rows), number + 4)) if k != number)
        near = [(reaches[k], rows[k]) for k in around_it if close(rows[k], row)]
        run = [row[0]]
        for segment in row[1:]:
            if segment.left - run[-1].right < STRETCHED * em and crossed(run[-1].right, segment.left, near):
                run[-1] = Segment.of((*run[-1].words, *segment.words), segment.space_after, segment.confidence)
            else:
                run.append(segment)
        made += run
    return made


def close(row: Sequence[Segment], other: Sequence[Segment]) -> bool:
    """Whether two rows are neighbouring lines of one text."""
    return abs(row[0].top - other[0].top) < 1.8 * max(row[0].bottom - row[0].top, other[0].bottom - other[0].top)


def crossed(left: float, right: float, rows: Iterable[tuple[float, Sequence[Segment]]]) -> bool:
    """Whether all rows that reach over a gap have words over most of it, and some row does.

    Each row comes with its right end.
    """
    spanning = [row for reach, row in rows if reach > right + 1 and row[0].left < left - 1]
    half = (right - left) / 2
    return bool(spanning) and all(
        any(s.right > left and s.left < right and min(s.right, right) - max(s.left, left) > half for s in row)
        for row in spanning
    )


def wrapped_lines(segments: Iterable[Segment], page: int, layer: Layer) -> tuple[Line, ...]:
    """Lines from top to bottom, one a row: for a cell or another narrow place."""
    return tuple(Line.of(row, page, layer) for row in rows_of(segments))


def centres(values: Iterable[float], tolerance: float) -> list[float]:
    """Mean of each group of values that lie within `tolerance` of their neighbour."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= tolerance:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(group) / len(group) for group in groups]
