"""Writes the Markdown text of a binary format and, at the same moment, the blocks over it.

Parsers of PDF, DOCX and HTML hand over what they found, block by block and line by line; this
writer is the only place that knows how a block looks in text and keeps the spans true, since
it makes them while it writes. Nothing is escaped but what a table cell cannot hold: chunking
reads blocks, never the Markdown, and a quotation must show the words as they stand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pincite.document import BBox, Block, BlockKind, Cell, Region, Row, Span, Table

__all__ = ["GridCell", "Run", "Writer"]


DEEPEST_INDENT: Final = 32
"""Depth from which list items are indented no further: hostile nesting must not square the text."""

PADDED_COLUMNS: Final = 100
"""In a table with more columns, empty cells at the end of a row are not written."""

TALLEST_HEADER: Final = 4
"""Header rows that are joined; a table with more of them marks something else by them."""

LONGEST_SPANNING: Final = 120
"""Characters of a header that are repeated over the columns that it spans."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text, a line at most, and where it stands."""

    text: str
    """As it joins the neighbours: a run that ends a word brings its own space."""

    page: int | None = None
    bbox: BBox | None = None


@dataclass(frozen=True, slots=True)
class GridCell:
    """A table cell as a parser found it; list it once, at its first row and column."""

    runs: tuple[Run, ...]
    column: int
    row_span: int = 1
    column_span: int = 1


class Writer:
    """Collects text and blocks. Offsets are code points of the text so far."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self._length = 0
        self._lists = 0

    @property
    def text(self) -> str:
        """All that was written; no white space at the end."""
        return "".join(self._parts)

    def heading(self, runs: Sequence[Run], level: int) -> None:
        """A heading of level 1 to 6; the title is its text with white space folded."""
        title = " ".join("".join(run.text for run in runs).split())
        self._block("heading", runs, lead="#" * level + " ", level=level, attributes={"title": title})

    def block(
        self,
        kind: BlockKind,
        runs: Sequence[Run],
        attributes: Mapping[str, str] | None = None,
        confidence: float = 1.0,
        level: int = 0,
    ) -> None:
        """A block without delimiters of its own: paragraph, caption, footnote, figure, quote, …

        `level` is the depth of the list item that it belongs to, and 0 outside of lists.
        """
        lead = "> " if kind == "quote" else ""
        if kind == "quote":
            runs = [Run(run.text.replace("\n", "\n> "), run.page, run.bbox) for run in runs]
        self._block(kind, runs, lead=lead, attributes=attributes or {}, confidence=confidence, level=level)

    def list_item(
        self,
        runs: Sequence[Run],
        depth: int = 1,
        marker: str = "-",
        first: bool = False,
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """An item at `depth` from 1; `first` begins a new list."""
        attributes = {"marker": marker, **(attributes or {})}
        if first:
            self._lists += 1
            attributes["list"] = str(self._lists)
        self._block(
            "list_item", runs, lead="  " * (min(depth, DEEPEST_INDENT) - 1) + marker + " ", level=depth,
            attributes=attributes, tight=not first and bool(self.blocks) and self.blocks[-1].kind == "list_item",
        )  # fmt: skip

    def code(self, lines: Sequence[Run], language: str = "", level: int = 0) -> None:
        """Fenced code, one run a line, without line ends. The fence is longer than any inside."""
        longest = max((len(word) for run in lines for word in run.text.split() if set(word) == {"`"}), default=0)
        self._fenced("code", lines, "`" * max(3, longest + 1), language, level)

    def equation(self, lines: Sequence[Run], level: int = 0) -> None:
        """A displayed equation, one run a line, between dollar signs."""
        self._fenced("equation", lines, "$$", "", level)

    def table(
        self,
        rows: Sequence[Sequence[GridCell]],
        columns: int,
        header_rows: int = 1,
        attributes: Mapping[str, str] | None = None,
        level: int = 0,
    ) -> None:
        """A pipe table of `columns` columns; the first `header_rows` rows name them.

        A pipe table has one header row. Several are joined into one where they nest, and a header
        over the whole table stands before it as its caption; a table without any gets an empty
        one. Cells that a span covers stay empty in the text: a value is written once.
        """
        if not rows or not columns:
            return
        titles, rows = headed(rows, columns, header_rows)
        for title in titles:
            self.block(
                "caption", [Run(" ".join(run.text.split("\n")), run.page, run.bbox) for run in title], level=level
            )
        self._separate(False)
        start = self._length
        regions: list[Region] = []
        made: list[Row] = []
        header_end = start
        for number, row in enumerate(rows):
            if number:
                self._write("\n")
            made.append(self._row(row, columns, regions))
            if not number:
                self._write("\n" + "|" + " --- |" * columns)
                header_end = self._length
        table = Table(columns, tuple(made[:1]), Span(start, header_end), tuple(made[1:]))
        self.blocks.append(
            Block("table", Span(start, self._length), level, tuple(regions), table, attributes=attributes or {})
        )

    def rule(self) -> None:
        """A thematic break."""
        self._block("rule", [Run("---")])

    def _row(self, row: Sequence[GridCell], columns: int, regions: list[Region]) -> Row:
        start, cells = self._length, []
        at = {cell.column: cell for cell in row}
        self._write("|")
        end = columns if columns <= PADDED_COLUMNS else max(at, default=-1) + 1
        for column in range(end):
            self._write(" ")
            cell = at.get(column)
            begin = self._length
            if cell:
                runs = [
                    Run(" ".join(run.text.replace("|", "\\|").split("\n")), run.page, run.bbox) for run in cell.runs
                ]
                self._runs(runs, regions)
                cells.append(Cell(Span(begin, self._length), column, cell.row_span, cell.column_span))
            self._write(" |" if self._length > begin else "|")
        return Row(Span(start, self._length), tuple(cells))

    def _fenced(self, kind: BlockKind, lines: Sequence[Run], fence: str, language: str, level: int) -> None:
        self._separate(False)
        start = self._length
        regions: list[Region] = []
        self._write(f"{fence}{language}\n")
        begin = self._length
        for number, line in enumerate(lines):
            if number:
                self._write("\n")
            self._runs([line], regions)
        end = self._length
        self._write(f"\n{fence}" if end > begin else fence)
        attributes = {"fence": fence, **({"language": language} if language else {})}
        self.blocks.append(
            Block(kind, Span(start, self._length), level, tuple(regions), body=Span(begin, end), attributes=attributes)
        )

    def _block(
        self,
        kind: BlockKind,
        runs: Sequence[Run],
        lead: str = "",
        level: int = 0,
        attributes: Mapping[str, str] | None = None,
        confidence: float = 1.0,
        tight: bool = False,
    ) -> None:
        runs = trimmed(runs)
        if not runs:
            return
        self._separate(tight)
        self._write(lead[: len(lead) - len(lead.lstrip())])
        start = self._length
        regions: list[Region] = []
        self._write(lead.lstrip())
        self._runs(runs, regions)
        self.blocks.append(
            Block(
                kind,
                Span(start, self._length),
                level,
                tuple(regions),
                attributes=attributes or {},
                confidence=confidence,
            )
        )

    def _separate(self, tight: bool) -> None:
        if self._length:
            self._write("\n" if tight else "\n\n")

    def _runs(self, runs: Iterable[Run], regions: list[Region]) -> None:
        for run in runs:
            begin = self._length
            self._write(run.text)
            if run.page is not None and run.text.strip():
                regions.append(Region(Span(begin, begin + len(run.text.rstrip())), run.page, run.bbox))

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def trimmed(runs: Sequence[Run]) -> list[Run]:
    """The runs without white space at either end of the whole, and without empty ones."""
    kept = [run for run in runs if run.text]
    while kept and not kept[0].text.strip():
        del kept[0]
    while kept and not kept[-1].text.strip():
        del kept[-1]
    if kept:
        kept[0] = Run(kept[0].text.lstrip(), kept[0].page, kept[0].bbox)
        kept[-1] = Run(kept[-1].text.rstrip(), kept[-1].page, kept[-1].bbox)
    return kept


Rows = Sequence[Sequence[GridCell]]


def headed(rows: Rows, columns: int, header_rows: int) -> tuple[list[tuple[Run, ...]], Rows]:
    """The titles over a table, and its rows of which the first alone names the columns."""
    if header_rows < 1:
        return [], [(), *rows]
    header_rows = min(header_rows, len(rows))
    titles = []
    while header_rows > 1 and over_all(rows[0], columns):
        titles.append(rows[0][0].runs)
        rows, header_rows = rows[1:], header_rows - 1
    if header_rows > 1 and header_rows <= TALLEST_HEADER and header_rows < len(rows):
        rows = [joined(rows[:header_rows], columns), *rows[header_rows:]]
    return titles, rows


def over_all(row: Sequence[GridCell], columns: int) -> bool:
    """Whether one cell that says something spans all columns of its row and of no other."""
    return (
        len(row) == 1 and columns > 1 and row[0].column_span >= columns and row[0].row_span == 1 and bool(row[0].runs)
    )


def joined(rows: Rows, columns: int) -> list[GridCell]:
    """One header row of several: each column is named by all that stands over it, as "Price: Hour"."""
    over: list[list[GridCell]] = [[] for _ in range(columns)]
    for at, row in enumerate(rows):
        for cell in row:
            reach = max(0, at + cell.row_span - len(rows))
            held = replace(cell, row_span=1 + reach)
            spans = cell.column_span if sum(len(run.text) for run in cell.runs) <= LONGEST_SPANNING else 1
            for column in range(cell.column, min(cell.column + spans, columns)):
                over[column].append(held)
    made, column = [], 0
    for _, group in itertools.groupby(over, key=lambda cells: [id(cell) for cell in cells]):
        same = list(group)
        if same[0]:
            height = max(cell.row_span for cell in same[0])
            made.append(GridCell(named(same[0]), column, height, len(same)))
        column += len(same)
    return made


def named(cells: Iterable[GridCell]) -> tuple[Run, ...]:
    """The headers over a column as one, each said once."""
    runs: list[Run] = []
    said: set[str] = set()
    for cell in cells:
        text = " ".join("".join(run.text for run in cell.runs).split())
        if text and text not in said:
            said.add(text)
            own = trimmed(cell.runs)
            runs += [Run("" if text.startswith("(") else ":"), Run(" "), *own] if runs else own
    return tuple(runs)
