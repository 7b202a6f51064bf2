"""The columns that a table really has.

Both Word and HTML let cells span columns that no other cell begins at: Word keeps one for every
edge in any row, and a page may ask for a thousand. A column that no cell begins at shows nothing,
so it is taken out and the spans over it shrink.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from pincite.parsing.writer import GridCell

__all__ = ["dense"]


def dense(rows: Sequence[Sequence[GridCell]]) -> tuple[tuple[tuple[GridCell, ...], ...], int]:
    """The rows over the columns that some cell begins at, and how many those are."""
    starts = sorted({cell.column for row in rows for cell in row})

    def moved(cell: GridCell) -> GridCell:
        column = bisect_left(starts, cell.column)
        width = bisect_left(starts, cell.column + cell.column_span) - column
        return replace(cell, column=column, column_span=max(width, 1))

    return tuple(tuple(moved(cell) for cell in row) for row in rows), len(starts)
