"""Drafts are written: every line a run with its page and place, joined as the words ask for."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from typing import get_args

from pincite.document import BlockKind
from pincite.parsing.pdf.hyphens import Joiner
from pincite.parsing.pdf.model import Cell, Draft, Grid, Line
from pincite.parsing.pdf.paragraphs import LEADER
from pincite.parsing.writer import GridCell, Run, Writer

__all__ = ["write"]

KINDS: dict[str, BlockKind] = {kind: kind for kind in get_args(BlockKind)}


def write(drafts: Iterable[Draft], writer: Writer, leaders: bool = False) -> None:
    """Everything in order. The words of all drafts tell which line ends cut a word.

    `leaders` keeps the dots that lead to page numbers in a table of contents.
    """
    drafts = list(drafts)
    joiner = Joiner(
        [(line.text, line.space_after) for line in lines] for draft in drafts for lines in line_groups(draft)
    )
    last_kind = ""
    for draft in drafts:
        if draft.grid:
            writer.table(rows(draft.grid, joiner), draft.grid.columns, header_rows(draft.grid))
        elif draft.kind == "heading":
            writer.heading(runs(draft.lines, joiner), draft.level)
        elif draft.kind == "list_item":
            writer.list_item(runs(draft.lines, joiner), draft.level, draft.marker, first=last_kind != "list_item")
        elif draft.kind == "contents":
            writer.block("paragraph", contents_runs(draft.lines, leaders), {"role": "contents"})
        elif draft.kind == "code":
            writer.code(code_runs(draft.lines))
        else:
            confidence = min((line.confidence for line in draft.lines), default=1.0)
            writer.block(KINDS[draft.kind], runs(draft.lines, joiner), confidence=confidence)
        last_kind = draft.kind


def line_groups(draft: Draft) -> Iterable[Sequence[Line]]:
    """Lines that follow one another in running text."""
    return (cell.lines for cell in draft.grid.cells if cell.lines) if draft.grid else (draft.lines,)


def runs(lines: Sequence[Line], joiner: Joiner) -> list[Run]:
    """One run a line, or a piece of one; each but the last brings what joins it to the next."""
    made = []
    for line, following in zip_longest(lines, lines[1:]):
        *before, last = line.pieces
        made += [Run(piece.text + " ", piece.page, piece.place) for piece in before]
        text, between = joiner.join(last.text, following.text, line.space_after) if following else (last.text, "")
        made.append(Run(text + between, last.page, last.place))
    return made


def contents_runs(lines: Sequence[Line], leaders: bool) -> list[Run]:
    """Entries one a line, their dots cut short unless `leaders` keeps them."""
    ends = [*("\n" if LEADER.search(line.text) else " " for line in lines[:-1]), ""]
    texts = [line.text if leaders else shortened(line.text) for line in lines]
    return [Run(text + end, line.page, line.place) for text, line, end in zip(texts, lines, ends, strict=True)]


def shortened(entry: str) -> str:
    found = LEADER.search(entry)
    return f"{entry[: found.start()].rstrip()} … {entry.split()[-1].lstrip('.·․…')}" if found else entry


def code_runs(lines: Sequence[Line]) -> list[Run]:
    """Lines with the indents and gaps that they show, and blank lines where the pitch is doubled."""
    left = min(line.left for line in lines)
    widths = [(word.right - word.left) / len(word.text) for line in lines for s in line.segments for word in s.words]
    width = statistics.median(widths) or 1.0
    pitches = [b.top - a.top for a, b in pairwise(lines) if b.top > a.top]
    pitch = min(pitches, default=0.0)
    made: list[Run] = []
    for number, line in enumerate(lines):
        if number and pitch and line.top - lines[number - 1].top > 1.7 * pitch:
            made.append(Run(""))
        text = ""
        for word in (word for segment in line.segments for word in segment.words):
            column = round((word.left - left) / width)
            text += " " * max(column - len(text), 1 if text else 0) + word.text
        made.append(Run(text, line.page, line.place))
    return made


def rows(grid: Grid, joiner: Joiner) -> list[list[GridCell]]:
    made: list[list[GridCell]] = [[] for _ in range(grid.rows)]
    for cell in grid.cells:
        made[cell.row].append(grid_cell(cell, joiner))
    return made


def grid_cell(cell: Cell, joiner: Joiner) -> GridCell:
    return GridCell(tuple(runs(cell.lines, joiner)), cell.column, cell.row_span, cell.column_span)


def header_rows(grid: Grid) -> int:
    """Rows that name the columns: the first, and those that its cells reach down to."""
    return max((cell.row_span for cell in grid.cells if cell.row == 0 and cell.row_span < grid.rows), default=1)
