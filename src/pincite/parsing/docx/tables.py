"""Tables: where each cell stands in the grid and how many rows and columns it covers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from pincite.parsing.docx.names import Element, attribute, child, local, on, value
from pincite.parsing.docx.runs import REMOVED, chosen
from pincite.parsing.docx.styles import number
from pincite.parsing.grids import dense
from pincite.parsing.writer import GridCell, Run

__all__ = ["Grid", "cells", "flattened", "grid", "rows"]

WRAPPERS: Final = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"})

TALLEST_HEADER: Final = 3
"""Rows that a header which is not marked may have; a taller first cell names a group of rows."""

WIDEST: Final = 64
"""Columns; a span that says more is damaged."""


@dataclass(slots=True)
class Place:
    """A cell while its table is read."""

    text: str
    column: int
    width: int
    height: int = 1


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as the writer takes it."""

    rows: tuple[tuple[GridCell, ...], ...]
    columns: int
    header_rows: int


def rows(table: Element) -> Iterator[Element]:
    """The rows of a table, without those that a change takes away."""
    for row in unwrapped(table, "tr"):
        removed = (child(row, "trPr", name) for name in REMOVED)
        if all(mark is None for mark in removed):
            yield row


def cells(row: Element) -> Iterator[Element]:
    """The cells of a row, without those that a change takes away."""
    return (cell for cell in unwrapped(row, "tc") if child(cell, "tcPr", "cellDel") is None)


def unwrapped(element: Element, name: str) -> Iterator[Element]:
    """The children of a name, also within content controls and insertions."""
    for inner in element:
        kind = local(inner)
        if kind == name:
            yield inner
        elif kind in WRAPPERS:
            yield from unwrapped(inner, name)
        elif kind == "AlternateContent":
            for option in chosen(inner)[:1]:
                yield from unwrapped(option, name)


def grid(table: Element, text: Callable[[Element], str]) -> Grid:
    """Each cell at its first row and column; `text` reads what a cell holds."""
    placed, headers, above = [], [], dict[int, Place]()
    for row in rows(table):
        found, below = [], dict[int, Place]()
        column = span(row, 0, "trPr", "gridBefore")
        for cell in cells(row):
            width = span(cell, 1, "tcPr", "gridSpan")
            merged = child(cell, "tcPr", "vMerge")
            goes_on = merged is not None and (attribute(merged, "val") or "continue") == "continue" and column in above
            said = text(cell)
            place = above[column] if goes_on else Place(said, column, width)
            if goes_on:
                place.height += 1
            else:
                found.append(place)
            if merged is not None:
                below[column] = place
            column += width
        placed.append(found)
        headers.append(bool(on(row, "trPr", "tblHeader")))
        above = below
    return Grid(*dense([[grid_cell(place) for place in row] for row in placed]), header_rows(placed, headers))


def span(element: Element, least: int, *path: str) -> int:
    """A number of columns that properties state; `least` where they do not, or state less."""
    stated = number(value(element, *path)) or least
    return max(stated, least) if stated <= WIDEST else least


def grid_cell(place: Place) -> GridCell:
    """The cell for the writer."""
    return GridCell((Run(place.text),) if place.text else (), place.column, place.height, place.width)


def header_rows(placed: list[list[Place]], headers: list[bool]) -> int:
    """How many rows name the columns: those marked so, or the first with all that it covers."""
    marked = next((at for at, header in enumerate(headers) if not header), len(headers))
    if marked:
        return marked
    reach = max((place.height for place in placed[0]), default=1) if placed else 0
    return reach if reach < len(placed) and reach <= TALLEST_HEADER else min(1, len(placed))


def flattened(table: Grid) -> str:
    """A table within a cell, on one line: cells parted by commas, rows by semicolons."""
    lines = (", ".join(run.text for cell in row for run in cell.runs) for row in table.rows)
    return "; ".join(" ".join(line.split()) for line in lines if line.strip())
