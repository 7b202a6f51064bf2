"""Tables in pieces: by rows under a repeated header, by cells where one row is too large.

A piece that has all columns is a run of source lines under the header. A piece that has only
some of them (a band of a wide table, or a part of a row that is too large) says the key column
again, and its own text is the slice of each row that holds its columns, delimiters included: so
the bands of a row make up the row, and no character is lost.

Two other ways of writing a table are for presets: `pipe` (`a | b`) and `row_record`
(`Row 1: Name=apple; Value=10`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.chunk import PieceRole
from pincite.chunking.atoms import Atom, Frame
from pincite.chunking.gauge import Gauge
from pincite.chunking.split import Strength, after_space, cut_text
from pincite.chunking.view import Bit, View, joint
from pincite.document import Block, Cell, Row, Span, Table

__all__ = ["banded_atoms", "row_atoms", "schema_bits", "written_atoms"]

DELIMITER = "---"
KEY_SHARE = 4
"""A repeated key cell, or a repeated header cell, may take a quarter of the room; more is cut off."""


def row_atoms(view: View, gauge: Gauge, block: Block, room: int, strength: int, parent: Frame | None) -> list[Atom]:
    """The rows of a table that is too large, the header with the first one."""
    table = block.table
    assert table is not None
    header = table.header_span and Span(line_start(view.text, table.header_span.start), table.header_span.end)
    said = view.own(header.start, header.end) if header else ""
    cost = gauge.cost(said) + gauge.blank("\n") if header else 0
    rows = [Span(line_start(view.text, row.span.start), row.span.end) for row in table.rows]
    costs = gauge.costs([view.own(span.start, span.end) for span in rows])
    if parent and cost + max(costs, default=0) > room - parent.cost:
        parent = None
    inside = room - (parent.cost if parent else 0)
    grid = Grid(view, gauge, table, inside)
    if not rows or not header:
        if header:
            return grid.header_only(strength)
        return plain_rows(view, gauge, block, rows, costs, inside, strength, parent, grid)
    bits = tuple(bit._replace(role="table_header" if bit.role else None) for bit in view.bits(header.start, header.end))
    frame = Frame("table", header.start, block.span.end, (*bits, joint("\n")), open_cost=cost, parent=parent)
    found: list[Atom] = []
    owned = False
    for row, span, size in zip(table.rows, rows, costs, strict=True):
        before = Strength.ITEM if found else strength
        if not gauge.exact and cost + size > inside:
            size = min(size, gauge.cost(f"{said}\n{view.own(span.start, span.end)}") - cost)
        if cost + size <= inside:
            if owned:
                found.append(Atom(span.start, span.end, size, before, frame))
            else:
                found.append(first_rows(view, gauge, header, span, cost + size, before, frame, inside))
        else:
            found += grid.row(row, not owned, before)
        owned = True
    tail = block.span.end
    if found and not found[-1].ready and view.text[found[-1].end : tail].strip():
        last = found[-1]
        extra = gauge.cost(view.own(last.end, tail)) + gauge.blank("\n")
        if last.cost + extra + cost <= inside:
            last.end, last.cost = tail, last.cost + extra
        else:
            start = after_space(view.text, last.end, tail)
            found.append(Atom(start, tail, gauge.cost(view.own(start, tail)), Strength.GLUE, parent))
    return found


def first_rows(
    view: View, gauge: Gauge, header: Span, row: Span, least: int, strength: int, frame: Frame, room: int
) -> Atom:
    """The header and the first row as they stand, or without the indentation between them where that is too much."""
    whole = gauge.cost(view.own(header.start, row.end))
    if whole <= room:
        return Atom(header.start, row.end, whole, strength, frame)
    ready = (*view.bits(header.start, header.end), joint("\n"), *view.bits(row.start, row.end))
    return Atom(header.start, row.end, least, strength, ready=ready)


def plain_rows(
    view: View,
    gauge: Gauge,
    block: Block,
    rows: Sequence[Span],
    costs: Sequence[int],
    room: int,
    strength: int,
    parent: Frame | None,
    grid: Grid,
) -> list[Atom]:
    """The rows of a table without a header."""
    assert block.table is not None
    found: list[Atom] = []
    for row, span, size in zip(block.table.rows, rows, costs, strict=True):
        before = Strength.ITEM if found else strength
        if size <= room:
            found.append(Atom(span.start, span.end, size, before, parent))
        else:
            found += grid.row(row, False, before)
    return found


@dataclass(slots=True)
class Grid:
    """Writes pieces that hold some columns of some rows."""

    view: View
    gauge: Gauge
    table: Table
    room: int
    found: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """`marks` of the rows that were looked at."""

    def row(self, row: Row, own_header: bool, strength: int) -> list[Atom]:
        """One row that is too large, in bands of columns."""
        found: list[Atom] = []
        if own_header and (self.header_too_large() or self.cell_too_large(row)):
            found += self.header_only(strength)
            own_header = False
        found += self.bands([row], 0, self.table.columns, own_header, strength)
        return found

    def header_too_large(self) -> bool:
        """Whether a header cell alone takes so much that nothing fits beside it."""
        cells = [cell for row in self.table.header for cell in row.cells]
        sizes = self.gauge.costs([self.view.own(cell.span.start, cell.span.end) for cell in cells])
        return any(size > self.room // KEY_SHARE for size in sizes)

    def cell_too_large(self, row: Row) -> bool:
        """Whether a cell of the row has to be cut, so that the header cannot go along with its columns in order."""
        return any(
            self.atom([row], column, column + 1, True, 0).cost > self.room for column in range(self.table.columns)
        )

    def header_only(self, strength: int) -> list[Atom]:
        """The header as running text, where it is too large to stand above anything."""
        span = self.table.header_span
        assert span is not None
        start = line_start(self.view.text, span.start)
        cuts = cut_text(self.view, self.gauge, start, span.end, self.room, ("words",), strength)
        return [
            Atom(cut.start, cut.end, cut.cost, cut.strength, ready=tuple(self.view.bits(cut.start, cut.end)))
            for cut in cuts
        ]

    def bands(self, rows: Sequence[Row], first: int, last: int, own_header: bool, strength: int) -> list[Atom]:
        """Columns [first, last) of the rows, in as few pieces as fit."""
        whole = self.atom(rows, first, last, own_header, strength)
        if not any(bit.role == "own" for bit in whole.ready):
            return []
        if whole.cost <= self.room:
            return [whole]
        if len(rows) > 1:
            middle = len(rows) // 2
            above = self.bands(rows[:middle], first, last, own_header, strength)
            return above + self.bands(rows[middle:], first, last, False, Strength.ITEM)
        if last - first > 1:
            middle = self.middle(rows[0], first, last, own_header)
            left = self.bands(rows, first, middle, own_header, strength)
            return left + self.bands(rows, middle, last, own_header, Strength.INNER)
        return self.cell(rows[0], first, own_header, strength)

    def middle(self, row: Row, first: int, last: int, own_header: bool) -> int:
        """The column after the last one that still fits; at least one column on either side."""
        low, high = first + 1, last - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.atom([row], first, middle, own_header, 0).cost <= self.room:
                low = middle
            else:
                high = middle - 1
        return low

    def cell(self, row: Row, column: int, own_header: bool, strength: int) -> list[Atom]:
        """One cell that is too large beside its header and key: its text in slices, both said again.

        Where header and key take more than half of the room the key goes first, then the header;
        the slices say so.
        """
        found: list[Atom] = []
        first = self.frame_bits(row, column, True) if own_header else []
        again, flags = self.frame_that_fits(row, column)
        if own_header and (flags or self.gauge.cost(text_of(first)) > self.room // 2):
            found += self.header_column(column, strength)
            first = []
        cost = (
            max(self.gauge.cost(text_of(bits)) for bits in (first, again))
            + self.gauge.cost("| ")
            + self.gauge.cost(" |")
        )
        start, end = self.reach(row.span, row, column, column + 1)
        levels = self.gauge.options.cut_at or ()
        bare = not again
        room = self.room if bare else max(1, self.room - cost - 1)
        before = Strength.INNER if found else strength
        for cut in cut_text(self.view, self.gauge, start, end, room, levels, before):
            own = self.view.bits(cut.start, cut.end)
            bits = own if bare else [*(first or again), *closed(own, True)]
            hard = ("grapheme_cut",) if cut.hard else ()
            found.append(self.ready(bits, cut.start, cut.end, cut.strength, (*flags, *hard)))
            first = []
        return found

    def frame_that_fits(self, row: Row, column: int) -> tuple[list[Bit], tuple[str, ...]]:
        """What to say again before a slice of a cell, and the flags that admit what was left out."""
        for bits, flags in (
            (self.frame_bits(row, column, False), ()),
            (self.header(column, column + 1, False, bare=True), ("header_trimmed",)),
            (self.stub(column), ("header_trimmed",)),
        ):
            if self.gauge.cost(text_of(bits)) <= self.room // 2:
                return bits, flags
        return [], ("header_trimmed",)

    def stub(self, column: int) -> list[Bit]:
        """The least header there is: the first words of one column's name."""
        cell = at_column(self.table.header, column)
        if not cell:
            return [joint("| |\n|-|\n")]
        bits = [bit._replace(role="table_header") for bit in self.view.bits(cell.span.start, cell.span.end) if bit.role]
        return [joint("|"), *self.short(bits[:1]), joint("|\n|-|\n")]

    def header_column(self, column: int, strength: int) -> list[Atom]:
        """The header of one column as running text."""
        ranges = [self.reach(row.span, row, column, column + 1) for row in self.table.header]
        ranges.append(self.delimiter_reach(column, column + 1))
        found: list[Atom] = []
        for start, end in ranges:
            for cut in cut_text(self.view, self.gauge, start, end, self.room, ("words",), strength):
                bits = self.view.bits(cut.start, cut.end)
                found.append(self.ready(bits, cut.start, cut.end, cut.strength))
        return found

    def frame_bits(self, row: Row, column: int, own_header: bool) -> list[Bit]:
        """Header and delimiter for one column beside the key, and the key cell, before a cell's text."""
        bits = self.header(column, column + 1, own_header)
        return [*bits, *(self.key(row, "key_column") if column else [])]

    def atom(self, rows: Sequence[Row], first: int, last: int, own_header: bool, strength: int) -> Atom:
        """Columns [first, last) of the rows as one piece."""
        bits = self.header(first, last, own_header)
        for number, row in enumerate(rows):
            if number:
                bits.append(joint("\n"))
            start, end = self.reach(row.span, row, first, last)
            bits += [
                *(self.key(row, "key_column") if first else []),
                *closed(self.view.bits(start, end), first > 0, last - first),
            ]
        start = self.reach(rows[0].span, rows[0], first, last)[0]
        end = self.reach(rows[-1].span, rows[-1], first, last)[1]
        if own_header and self.table.header:
            start = min(start, self.reach(self.table.header[0].span, self.table.header[0], first, last)[0])
        return self.ready(bits, start, end, strength)

    def ready(self, bits: Sequence[Bit], start: int, end: int, strength: int, flags: tuple[str, ...] = ()) -> Atom:
        return Atom(start, end, self.gauge.cost(text_of(bits)), strength, None, ready=tuple(bits), flags=flags)

    def header(self, first: int, last: int, own: bool, bare: bool = False) -> list[Bit]:
        """The header rows and the delimiter row for the columns, own text or said again.

        A `bare` header leaves the key column out.
        """
        bits: list[Bit] = []
        for row in self.table.header:
            start, end = self.reach(row.span, row, first, last)
            role: PieceRole = "own" if own else "table_header"
            slices = [bit._replace(role=role if bit.role else None) for bit in self.view.bits(start, end)]
            if not own:
                slices = self.short(slices)
            key = self.key(row, "table_header") if first and not bare else []
            bits += [*key, *closed(slices, first > 0, last - first), joint("\n")]
        if self.table.header and self.table.header_span:
            bits += self.delimiter(first, last, own, bare)
        return bits

    def delimiter(self, first: int, last: int, own: bool, bare: bool) -> list[Bit]:
        """The delimiter row for the columns."""
        begin, end = self.delimiter_reach(first, last)
        role: PieceRole = "own" if own else "table_header"
        bits = [bit._replace(role=role if bit.role else None) for bit in self.view.bits(begin, end)]
        key = [joint(f"| {DELIMITER} ")] if first and not bare else []
        return [*key, *closed(bits, first > 0, last - first), joint("\n")]

    def delimiter_reach(self, first: int, last: int) -> tuple[int, int]:
        """The range of the delimiter row that holds the columns."""
        assert self.table.header_span is not None
        start = self.table.header[-1].span.end
        line = self.view.text[start : self.table.header_span.end]
        span = Span(start + len(line) - len(line.lstrip()), self.table.header_span.end)
        return self.reach(span, Row(span, ()), first, last)

    def key(self, row: Row, role: PieceRole) -> list[Bit]:
        """The cell of the key column, said again."""
        cell = next((each for each in row.cells if each.column == 0), None)
        bits = self.view.bits(cell.span.start, cell.span.end) if cell and len(cell.span) else []
        bits = [bit._replace(role=role if bit.role else None) for bit in bits]
        return [joint("| "), *self.short(bits), joint(" ")]

    def short(self, bits: list[Bit]) -> list[Bit]:
        """Bits that are repeated, cut off where they would take more than their share of the room."""
        share = max(1, self.room // KEY_SHARE)
        if not bits or self.gauge.cost(text_of(bits)) <= share:
            return bits
        first = next(bit for bit in bits if bit.role)
        cut = cut_text(self.view, self.gauge, first.start, first.end, max(1, share - 1), ("words",), 0)
        if not cut:
            return []
        kept = [bit._replace(role=first.role if bit.role else None) for bit in self.view.bits(cut[0].start, cut[0].end)]
        return [*kept, joint("…")]

    def reach(self, span: Span, row: Row, first: int, last: int) -> tuple[int, int]:
        """The range of a row that holds columns [first, last): from the pipe before to the pipe after."""
        marks = self.marks(span, row)
        start = (
            line_start(self.view.text, span.start) if first == 0 else marks[first] if first < len(marks) else span.end
        )
        end = span.end if last >= self.table.columns or last >= len(marks) else marks[last]
        return start, max(start, end)

    def marks(self, span: Span, row: Row) -> list[int]:
        """Where each column of a row begins: its pipe, or the row's start where it has none."""
        known = self.found.get((span.start, span.end))
        if known is None:
            known = self.found[span.start, span.end] = self.look(span, row)
        return known

    def look(self, span: Span, row: Row) -> list[int]:
        text = self.view.text[span.start : span.end]
        inside = [(cell.span.start - span.start, cell.span.end - span.start) for cell in row.cells]
        pipes, at = [], 0
        for begin, end in [*inside, (len(text), len(text))]:
            pipes += [span.start + m.start() for m in PIPE.finditer(text, at, max(at, begin))]
            at = max(at, end)
        lead = re.match(r"[\s>]*", text)
        leads = text[lead.end() if lead else 0 :].startswith("|")
        return pipes if leads else [span.start, *pipes]


def line_start(text: str, at: int) -> int:
    """The start of the line, where quote marks and nothing but white space stand before `at` on it; else `at`."""
    start = at
    while start and text[start - 1] in " \t>":
        start -= 1
    begins = not start or text[start - 1] in "\r\n\ufeff"
    return start if begins and ">" in text[start:at] else at


PIPE = re.compile(r"(?<!\\)\|")


def closed(bits: list[Bit], opens: bool, columns: int = 1) -> list[Bit]:
    """A row's slice of so many columns with a pipe at either end, where it has none of its own."""
    text = text_of(bits)
    missing = opens and not text.lstrip().startswith("|")
    before = [joint("| ")] if missing else []
    pipes = len(PIPE.findall(text)) + missing
    ends = text.rstrip().endswith("|") and pipes > columns
    after = [] if ends else [joint("|" if text.endswith(" ") else " |")]
    return [*before, *bits, *after]


def text_of(bits: Iterable[Bit]) -> str:
    return "".join(bit.text for bit in bits)


def banded_atoms(view: View, gauge: Gauge, block: Block, room: int, strength: int) -> list[Atom]:
    """A wide table in bands of columns, each with the key column: all bands of some rows, then the next rows."""
    table, width = block.table, gauge.options.band_columns
    assert table is not None
    grid = Grid(view, gauge, table, room)
    edges = [0, *range(1 + width, table.columns, width), table.columns]
    bands = list(pairwise(edges))
    if not table.rows:
        return grid.header_only(strength)
    found: list[Atom] = []
    if grid.header_too_large():
        found += grid.header_only(strength)
    at = 0
    while at < len(table.rows):
        own = not found
        if own and any(grid.cell_too_large(row) for row in table.rows[:1]):
            found += grid.header_only(strength)
            own = False
        many = rows_that_fit(grid, table.rows, at, bands, own)
        rows = table.rows[at : at + many]
        for first, last in bands:
            found += grid.bands(rows, first, last, own, Strength.ITEM if found else strength)
        at += many
    return found


def rows_that_fit(grid: Grid, rows: Sequence[Row], at: int, bands: Sequence[tuple[int, int]], own: bool) -> int:
    """How many rows from `at` fit a piece in every band; at least one."""
    many, step = 1, 1
    while at + many < len(rows):
        more = rows[at : at + many + step]
        if any(grid.atom(more, first, last, own, 0).cost > grid.room for first, last in bands):
            if step == 1:
                break
            step = 1
            continue
        many += step
        step *= 2
    return min(many, len(rows) - at)


def written_atoms(view: View, gauge: Gauge, block: Block, room: int, strength: int) -> list[Atom]:
    """A table as records or as pipes without delimiters, in batches of rows, wide ones in bands of columns."""
    table = block.table
    assert table is not None
    options = gauge.options
    bands = [(0, table.columns)]
    if table.columns > options.wide_table_columns:
        edges = [0, *range(1 + options.band_columns, table.columns, options.band_columns), table.columns]
        bands = list(pairwise(edges))
    return Written(view, gauge, table, room, options.table_format == "row_record").batches(bands, strength)


@dataclass(slots=True)
class Written:
    """Writes rows anew; own pieces are the cells."""

    view: View
    gauge: Gauge
    table: Table
    room: int
    records: bool

    def batches(self, bands: Sequence[tuple[int, int]], strength: int) -> list[Atom]:
        """As many rows as fit in every band, all bands of them, then the next rows.

        A row that does not fit alone is cut between cells, or kept whole where that is asked for.
        """
        found: list[Atom] = []
        at = 0
        while at < len(self.table.rows):
            many = self.rows_that_fit(at, bands)
            for band in bands:
                bits = self.written(at, many, band)
                before = Strength.ITEM if found else strength
                if not any(bit.role == "own" for bit in bits):
                    continue
                if many > 1 or self.gauge.cost(text_of(bits)) <= self.room or self.gauge.options.oversize == "keep":
                    found.append(self.atom(bits, before))
                else:
                    found += self.cells(at + 1, self.table.rows[at], band, before)
            at += many
        if not self.table.rows and self.table.header:
            names = self.line(0, self.table.header, (0, self.table.columns), "own")
            if names:
                found.append(self.atom(names, strength))
        return found

    def rows_that_fit(self, at: int, bands: Sequence[tuple[int, int]]) -> int:
        """How many rows from `at` fit together in every band; at least one. Costs are added, then proved."""
        sums = [self.gauge.cost(text_of(self.head(band))) for band in bands]
        many = 0
        while at + many < len(self.table.rows):
            for number, band in enumerate(bands):
                line = self.line(at + many + 1, [self.table.rows[at + many]], band, "own")
                sums[number] += self.gauge.cost(text_of(line)) + self.gauge.blank("\n")
            if many and any(cost - self.gauge.blank("\n") > self.room for cost in sums):
                break
            many += 1
        while many > 1 and any(self.gauge.cost(text_of(self.written(at, many, band))) > self.room for band in bands):
            many -= 1
        return max(many, 1)

    def head(self, band: tuple[int, int]) -> list[Bit]:
        return [] if self.records else self.line(0, self.table.header, band, "table_header")

    def written(self, at: int, many: int, band: tuple[int, int]) -> list[Bit]:
        """Rows from `at` as they are written, under the header where it is not in each row."""
        bits = self.head(band)
        for number in range(at, at + many):
            line = self.line(number + 1, [self.table.rows[number]], band, "own")
            if line:
                bits += [*([joint("\n")] if bits else []), *line]
        return bits

    def atom(self, bits: Sequence[Bit], strength: int) -> Atom:
        cost = self.gauge.cost(text_of(bits))
        places = [bit for bit in bits if bit.start >= 0 and bit.role == "own"]
        flags = ("over_budget",) if cost > self.room else ()
        return Atom(places[0].start, places[-1].end, cost, strength, ready=tuple(bits), flags=flags)

    def line(self, number: int, rows: Sequence[Row], band: tuple[int, int], role: PieceRole) -> list[Bit]:
        """One row: `Row 3: Name=plum; Value=30`, or `plum | 30`. Empty rows give no record."""
        first, last = band
        bits: list[Bit] = []
        for column in [*([0] if first else []), *range(first, last)]:
            cell = at_column(rows, column)
            if self.records and not cell:
                continue
            if bits:
                bits.append(joint("; " if self.records else " | "))
            if self.records:
                bits.append(joint(f"{self.name(column)}="))
            if cell:
                shown: PieceRole = "key_column" if first and not column and role == "own" else role
                own = self.view.bits(cell.span.start, cell.span.end)
                bits += [bit._replace(role=shown if bit.role else None) for bit in own]
            elif not bits:
                bits.append(joint(""))
        if self.records and bits:
            bits.insert(0, joint(f"Row {number}: "))
        return bits if any(bit.role for bit in bits) or not self.records else []

    def name(self, column: int) -> str:
        cell = at_column(self.table.header, column)
        return self.view.own(cell.span.start, cell.span.end) if cell else f"col_{column + 1}"

    def cells(self, number: int, row: Row, band: tuple[int, int], strength: int) -> list[Atom]:
        """A row that is too large, column by column; a cell that is too large in slices under its name."""
        found: list[Atom] = []
        for column in range(*band):
            cell = at_column([row], column)
            if cell:
                lead = f"Row {number}: {self.name(column)}=" if self.records else f"{self.name(column)}\n"
                found += self.slices(cell, lead, Strength.INNER if found else strength)
        return found

    def slices(self, cell: Cell, lead: str, strength: int) -> list[Atom]:
        """A cell's text behind `lead`, in slices; without it where it takes half of the room."""
        if self.gauge.cost(lead) > self.room // 2:
            lead = ""
        levels, room = self.gauge.options.cut_at, max(1, self.room - self.gauge.cost(lead) - bool(lead))
        while True:
            cuts = cut_text(self.view, self.gauge, cell.span.start, cell.span.end, room, levels, strength)
            made = [
                self.atom([*([joint(lead)] if lead else []), *self.view.bits(cut.start, cut.end)], cut.strength)
                for cut in cuts
            ]
            excess = max((atom.cost for atom in made), default=0) - self.room
            if excess <= 0 or not lead:
                return made
            lead, room = (lead, room - excess) if room > 2 * excess else ("", self.room)


def at_column(rows: Sequence[Row], column: int) -> Cell | None:
    """The first filled cell of a column."""
    for row in rows:
        at = bisect_left(row.cells, column, key=lambda cell: cell.column)
        if at < len(row.cells) and row.cells[at].column == column and len(row.cells[at].span):
            return row.cells[at]
    return None


SAMPLES = 5
NUMERIC = re.compile(r"[-+(]?[\d\s.,]*\d[\d\s.,]*[)%]?\Z")
DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\Z|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\Z")


def schema_bits(view: View, table: Table, label: str) -> list[Bit]:
    """What a table is about: rows, columns with their kinds and gaps, and a few rows."""
    lines = [f"Table{f' {label}' if label else ''}: {len(table.rows)} rows, {table.columns} columns"]
    for column in range(table.columns):
        head = at_column(table.header, column)
        name = view.own(head.span.start, head.span.end) if head else f"col_{column + 1}"
        cells = [at_column([row], column) for row in table.rows]
        values = [view.own(cell.span.start, cell.span.end) for cell in cells if cell]
        gaps = round(100 * (len(cells) - len(values)) / len(cells)) if cells else 0
        lines.append(f"{name} ({kind_of(values)}, {gaps}% null)")
    for row in table.rows[:SAMPLES]:
        lines.append(" | ".join(view.own(c.span.start, c.span.end) for c in row.cells))
    return [Bit("generated", "\n".join(lines))]


def kind_of(values: Sequence[str]) -> str:
    """`number` where more than 70 % are numbers, `date` where more than half are dates, else `string`."""
    if values and sum(bool(NUMERIC.match(v)) for v in values) > 0.7 * len(values):
        return "number"
    if values and sum(bool(DATE.match(v)) for v in values) > 0.5 * len(values):
        return "date"
    return "string"
