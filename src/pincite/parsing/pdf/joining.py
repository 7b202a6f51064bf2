"""What runs over a column or a page is one block again.

A paragraph goes on where its last line ends without a full stop and the next text of the same
look begins like the middle of a sentence; footnotes at the foot of the page do not part it.
A table goes on where the next page begins with a table of the same columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.parsing.pdf.model import Cell, Draft, Grid

__all__ = ["joined"]

ENDED = re.compile(r"[.!?:;。！？：；…।][\"'”’»)\]」』]*$")
OPENING = "\"'“‘«([「『"

ASIDES = frozenset({"footnote", "page_header", "page_footer"})
"""What may stand between the parts of a paragraph or a table."""

FLOATS = frozenset({"table", "caption"})
"""What may be set at the top or foot of a page in the middle of a sentence."""

CONTINUED = re.compile(r"\b(?:continued|cont\.|cont’d|tiếp theo|tiếp)|계속", re.IGNORECASE)
"""The caption of a table that began on the page before."""

WITHIN = 8.0
"""Points by which the columns of a table may differ from page to page."""


def joined(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts with parts put together; what stood between follows the whole."""
    made: list[Draft] = []
    for draft in drafts:
        for place in open_parts(made):
            whole = together(made[place], draft)
            if whole:
                made[place] = whole
                break
        else:
            made.append(draft)
    return made


def open_parts(made: Sequence[Draft]) -> Iterator[int]:
    """Positions of drafts that may go on: the last that is no aside, and the text before tables and figures."""
    floats = False
    for place in range(len(made) - 1, -1, -1):
        draft = made[place]
        if draft.kind in ASIDES or (draft.kind == "caption" and CONTINUED.search(draft.text)):
            continue
        if draft.kind in FLOATS:
            if not floats:
                yield place
            floats = True
            continue
        if not floats or draft.kind in ("paragraph", "list_item"):
            yield place
        return


def together(first: Draft, second: Draft) -> Draft | None:
    """One draft of both, or nothing where they are two."""
    if first.grid and second.grid:
        grid = one_table(first.grid, second.grid) if last_page(first) + 1 == second.page else None
        return replace(first, grid=grid) if grid else None
    if first.kind == second.kind == "contents":
        return replace(first, lines=first.lines + second.lines)
    if first.kind in ("paragraph", "list_item") and second.kind == "paragraph" and goes_on(first, second):
        return replace(first, lines=first.lines + second.lines)
    return None


def last_page(draft: Draft) -> int:
    if draft.grid:
        return max((line.page for cell in draft.grid.cells for line in cell.lines), default=draft.page)
    return draft.lines[-1].page


def goes_on(first: Draft, second: Draft) -> bool:
    """Whether `second` begins in the middle of a sentence that `first` leaves open."""
    last, line = first.lines[-1], second.lines[0]
    moved = last.page + 1 == line.page or (last.page == line.page and line.top < last.top and line.left > last.left)
    if not moved or ENDED.search(last.text):
        return False
    if abs(last.size - line.size) > 0.08 * last.size or last.bold != line.bold:
        return False
    begin = line.text.lstrip(OPENING)[:1]
    if begin.islower() or last.text.endswith(("-", ",", "\u2010")):
        return True
    width = max(other.right for other in first.lines) - min(other.left for other in first.lines)
    full = len(first.lines) > 1 and last.right > max(other.right for other in first.lines) - 0.1 * width
    return full and (begin.isalnum() or begin == "")


def one_table(first: Grid, second: Grid) -> Grid | None:
    """Both grids below one another, without the header where the second repeats it."""
    if first.columns != second.columns or first.ruled != second.ruled:
        return None
    if first.ruled and any(abs(a - b) > WITHIN for a, b in zip(relative(first), relative(second), strict=True)):
        return None
    skip = repeated(first, second)
    if not first.ruled and not skip:
        return None
    cells = [
        Cell(cell.row - skip + first.rows, cell.column, cell.lines, cell.row_span, cell.column_span)
        for cell in second.cells
        if cell.row >= skip
    ]
    return replace(first, cells=(*first.cells, *cells), rows=first.rows + second.rows - skip)


def relative(grid: Grid) -> list[float]:
    """Column boundaries from the left edge: pages may be bound left and right."""
    return [edge - grid.edges[0] for edge in grid.edges]


def repeated(first: Grid, second: Grid) -> int:
    """How many first rows of `second` are those of `first` again."""
    count = 0
    while count < min(first.rows, second.rows, 3) and texts(first, count) == texts(second, count):
        count += 1
    return count if any(texts(first, 0)) else 0


def texts(grid: Grid, row: int) -> list[str]:
    return [cell.text for cell in grid.cells if cell.row == row]
