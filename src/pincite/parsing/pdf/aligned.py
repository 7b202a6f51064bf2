"""Tables without a grid: segments that stand below one another in columns.

Two kinds are taken: rows between level rules of equal extent, and runs of rows of short segments
with wide gaps between them. A gap between columns is a range of x that nearly no row crosses.
Prose in columns, code, lists and tables of contents align as well, so doubt means no table.
"""

from __future__ import annotations

import re
import statistics
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from pincite.parsing.pdf.model import Cell, Grid, Layer, Rule, Segment, around
from pincite.parsing.pdf.rows import centres, rows_of, unstretched, wrapped_lines

__all__ = ["aligned_tables"]

Row = list[Segment]

NUMBER = re.compile(r"[-+–$€£₫₩%().,:/\d\s*]+")
DOTS = re.compile(r"\.{4,}|…{2,}|(?:\. ){4,}")
MARKER = re.compile(r"[•·●■▪◦○‣–—\-*]|\(?\w{1,3}[.)]")

FARTHEST = 420.0
"""Points between two rules of one table; the last may be farther below a header between two rules."""

HEADER = 80.0
"""Height of a header between two rules, at most, in points."""

CELL_STEP = 1.25
"""A wider step from line to line, in pitches, ends a cell."""

STEP = 1.5
"""Points of one bin of the histogram of columns."""


def aligned_tables(
    segments: Sequence[Segment], layer: Layer, page: int, em: float, used: Iterable[Grid]
) -> tuple[list[Grid], list[Segment]]:
    """The tables, and the segments that are in none of them. `used` are grids found before."""
    rest = [segment for segment in segments if not segment.mono]
    code = [segment for segment in segments if segment.mono]
    found: list[Grid] = []

    def take(candidates: Iterable[Sequence[Row]], accept: Callable[[Grid, Sequence[Row]], bool]) -> None:
        nonlocal rest
        for rows in candidates:
            grid = table(rows, layer, page, em)
            if grid and accept(grid, rows):
                found.append(grid)
                gone = {id(segment) for row in rows for segment in row}
                rest = [segment for segment in rest if id(segment) not in gone]

    take(between_rules(rest, free_rules(layer, used)), convincing_ruled)
    rest = unstretched(rest, em)
    take(loose_runs(rest, layer, em), lambda grid, rows: convincing(grid, rows, em))
    return found, rest + code


def free_rules(layer: Layer, used: Iterable[Grid]) -> list[Rule]:
    """Level rules that belong to no grid."""
    used = list(used)

    def owned(rule: Rule) -> bool:
        return any(g.top - 2 <= rule.top <= g.bottom + 2 and rule.left < g.right and rule.right > g.left for g in used)

    return [rule for rule in layer.rules if rule.level and rule.right - rule.left >= 60 and not owned(rule)]


def between_rules(segments: Sequence[Segment], rules: Iterable[Rule]) -> Iterable[list[Row]]:
    """Rows between the first and the last of level rules that begin and end alike."""
    groups: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda r: r.top):
        for group in groups:
            last = group[-1]
            alike = abs(last.left - rule.left) < 8 and abs(last.right - rule.right) < 8
            headed = len(group) > 1 and group[1].top - group[0].top < HEADER
            if alike and (headed or rule.top - last.top < FARTHEST):
                group.append(rule)
                break
        else:
            groups.append([rule])
    taken: set[int] = set()
    for group in groups:
        ys = centres((rule.top for rule in group), 3)
        if len(ys) < 2:
            continue
        left, right = min(rule.left for rule in group) - 4, max(rule.right for rule in group) + 4
        inside = [
            segment
            for segment in segments
            if ys[0] - 1 < (segment.top + segment.bottom) / 2 < ys[-1] + 1
            and segment.left >= left
            and segment.right <= right
            and id(segment) not in taken
        ]
        rows = rows_of(inside)
        header = (
            len(ys) > 2 and ys[1] - ys[0] < HEADER and any(len(row) >= 3 for row in rows if row[0].bottom < ys[1] + 2)
        )
        several = sum(len(row) >= 2 for row in rows) >= 0.5 * len(rows)
        # Two rules around two lines are a frame more often than a table.
        if len(inside) >= 4 and len(rows) >= (2 if len(ys) > 2 else 3) and (header or several):
            taken |= {id(segment) for segment in inside}
            yield rows


def loose_runs(segments: Sequence[Segment], layer: Layer, em: float) -> Iterable[Sequence[Row]]:
    """Runs of rows with wide gaps; a row without one may stand between them, or two where cells wrap."""
    rows = rows_of(segments)
    start = 0
    while start < len(rows):
        if not gapped(rows[start], em):
            start += 1
            continue
        long, short = (run_from(rows, start, plain, layer, em) for plain in (2, 1))
        if len(long) > len(short) and wraps(long, em):
            yield long
            start += len(long)
            continue
        many = sum(gapped(row, em) for row in short)
        if many >= 3 and many >= 0.6 * len(short):
            yield short
        start += len(short)


def run_from(rows: Sequence[Row], start: int, most: int, layer: Layer, em: float) -> Sequence[Row]:
    """Rows from one with a gap to another; up to `most` rows without stand between two with."""
    last, plain = start, 0
    for number in range(start + 1, len(rows)):
        above, row = rows[number - 1], rows[number]
        if row[0].top - max(segment.bottom for segment in above) > 2.6 * em:
            break
        if gapped(row, em):
            last, plain = number, 0
            continue
        plain += 1
        if plain > most or row[0].right - row[0].left > 0.45 * layer.width:
            break
    return rows[start : last + 1]


def wraps(rows: Sequence[Row], em: float) -> bool:
    """Whether most rows without gaps are lines of one column: cells that run over lines."""
    plain = [row for row in rows if not gapped(row, em)]
    several = len(rows) - len(plain)
    if several < 3 or len(plain) > 2.5 * several:
        return False
    left = statistics.median_low(row[0].left for row in plain)
    flush = sum(abs(row[0].left - left) < 3 and len(row) == 1 for row in plain)
    shared = any(abs(segment.left - left) < 3 for row in rows if gapped(row, em) for segment in row)
    return shared and flush >= 0.6 * len(plain)


def gapped(row: Row, em: float) -> bool:
    return any(b.left - a.right > em for a, b in pairwise(row))


def convincing_ruled(grid: Grid, rows: Sequence[Row]) -> bool:
    """Whether rows between rules are a table."""
    mean = statistics.mean(len(segment.text) for row in rows for segment in row)
    return filled(grid) > 0.35 and (grid.columns >= 3 or mean < 40)


def convincing(grid: Grid, rows: Sequence[Row], em: float) -> bool:
    """Whether rows without any rule are a table: short cells, well filled, no list, no contents."""
    chosen = [row for row in rows if gapped(row, em)]
    texts = [segment.text for row in chosen for segment in row]
    median = statistics.median(len(text) for text in texts)
    long = sum(len(text) > 45 for text in texts) / len(texts)
    numbers = sum(bool(NUMBER.fullmatch(text)) for text in texts) / len(texts)
    if sum(bool(DOTS.search(segment.text)) for row in rows for segment in row) > 0.3 * len(rows):
        return False
    if prose_columns(grid):
        return False
    marked = sum(bool(MARKER.fullmatch(row[0].text)) for row in chosen) > 0.5 * len(chosen)
    if grid.columns >= 3:
        return median < 22 and long < 0.25 and filled(grid) > 0.45
    return grid.columns == 2 and not marked and numbers > 0.3 and long < 0.3 and filled(grid) > 0.7 and median < 25


def prose_columns(grid: Grid) -> bool:
    """Whether most lines of every column are several words that fill the column: text, not a table."""
    for column in range(grid.columns):
        lines = [line for cell in grid.cells if cell.column == column for line in cell.lines]
        widest = max((line.right - line.left for line in lines), default=0.0)
        full = sum(line.right - line.left > 0.8 * widest and line.text.count(" ") >= 2 for line in lines)
        if len(lines) < 4 or full < 0.6 * len(lines):
            return False
    return True


def filled(grid: Grid) -> float:
    return sum(bool(cell.lines) for cell in grid.cells) / (grid.rows * grid.columns)


def table(rows: Sequence[Row], layer: Layer, page: int, em: float) -> Grid | None:
    """Rows put into columns, or nothing where there is one column only."""
    columns = columns_of(rows, em)
    if len(columns) < 2:
        return None
    segments = [segment for row in rows for segment in row]
    left, top, right, bottom = around(segments)
    middles = [(a[1] + b[0]) / 2 for a, b in pairwise(columns)]
    blocks, wrapped = row_bands(segments, rows, middles, em)
    cells: list[Cell] = []
    for number, row in enumerate(blocks):
        cells += placed(row, number, middles, layer, page, em, wrapped)
    return Grid(tuple(cells), len(blocks), len(columns), left, top, right, bottom, (left, *middles, right))


def row_bands(
    segments: Sequence[Segment], rows: Sequence[Row], middles: Sequence[float], em: float
) -> tuple[Sequence[Row], bool]:
    """The rows of the table, and whether cells run over several lines.

    Cells run over lines where bands, fewer than there are lines, part the rows.
    """
    whole = max(s.bottom for s in segments) - min(s.top for s in segments)
    for bands in (cell_bands(segments, middles), blank_bands(segments, em)):
        tallest = max(bottom - top for top, bottom in bands)
        if 3 <= len(bands) < len(rows) and tallest < 0.5 * whole:
            held: list[Row] = [[] for _ in bands]
            for segment in segments:
                middle = (segment.top + segment.bottom) / 2
                held[max(0, bisect([top for top, _ in bands], middle) - 1)].append(segment)
            return held, True
    return rows, False


def blank_bands(segments: Iterable[Segment], em: float) -> list[tuple[float, float]]:
    """What blank strips over the whole width part."""
    bands: list[tuple[float, float]] = []
    for segment in sorted(segments, key=lambda s: s.top):
        trim = 0.12 * (segment.bottom - segment.top)
        top, bottom = segment.top + trim, segment.bottom - trim
        if bands and top < bands[-1][1] + 0.18 * em:
            bands[-1] = bands[-1][0], max(bands[-1][1], bottom)
        else:
            bands.append((top, bottom))
    return bands


def cell_bands(segments: Iterable[Segment], middles: Sequence[float]) -> list[tuple[float, float]]:
    """What the cells make that stand beside one another.

    The lines of a cell follow at one pitch, and a wider step ends the cell; cells of different
    columns that overlap in height are of one row.
    """
    columns: dict[int, list[Segment]] = defaultdict(list)
    for segment in segments:
        columns[bisect(middles, (segment.left + segment.right) / 2)].append(segment)
    stacks = [rows_of(column) for column in columns.values()]
    steps = [b[0].top - a[0].top for stack in stacks for a, b in pairwise(stack)]
    if not steps:
        return [(0.0, 0.0)]
    pitch = sorted(steps)[len(steps) // 4]
    cells: list[tuple[float, float]] = []
    for stack in stacks:
        for number, row in enumerate(stack):
            top, bottom = min(s.top for s in row), max(s.bottom for s in row)
            if number and top - min(s.top for s in stack[number - 1]) < CELL_STEP * pitch:
                cells[-1] = cells[-1][0], bottom
            else:
                cells.append((top, bottom))
    bands: list[tuple[float, float]] = []
    for top, bottom in sorted(cells):
        if bands and top < bands[-1][1] - 0.3 * pitch:
            bands[-1] = bands[-1][0], max(bands[-1][1], bottom)
        else:
            bands.append((top, bottom))
    return bands


def placed(
    row: Row, number: int, middles: Sequence[float], layer: Layer, page: int, em: float, wrapped: bool
) -> Iterable[Cell]:
    """The cells of one row: each segment in the column where it begins, spanning where it reaches."""
    held: dict[int, list[Segment]] = defaultdict(list)
    spans: dict[int, int] = {}
    for segment in row:
        first = sum(middle < segment.left + 0.4 * em for middle in middles)
        last = sum(middle < segment.right - 0.4 * em for middle in middles)
        if last > first and len(segment.words) > 1 and len(row) > 1 and not wrapped:
            parted = defaultdict(list)
            for word in segment.words:
                parted[sum(middle < (word.left + word.right) / 2 for middle in middles)].append(word)
            for column, words in parted.items():
                held[column].append(Segment.of(words, confidence=segment.confidence))
        else:
            held[first].append(segment)
            spans[first] = max(spans.get(first, 1), last - first + 1)
    column = 0
    while column <= len(middles):
        wide = spans.get(column, 1)
        if any(column + k in held for k in range(1, wide)):
            wide = 1
        yield Cell(number, column, wrapped_lines(held.get(column, ()), page, layer), 1, wide)
        column += wide


def columns_of(rows: Sequence[Row], em: float) -> list[tuple[float, float]]:
    """Ranges of x that the columns take, judged by the rows that have several segments."""
    rows = [row for row in rows if len(row) >= 2]
    sides = [(segment.left, segment.right) for row in rows for segment in row]
    if not sides:
        return []
    low, high = min(left for left, _ in sides), max(right for _, right in sides)
    bins = max(10, int((high - low) / STEP))
    scale = bins / (high - low) if high > low else 0.0
    covered = [0] * (bins + 1)
    for left, right in sides:
        for k in range(int((left - low) * scale), int((right - low) * scale) + 1):
            covered[min(k, bins)] += 1
    few = int(0.12 * len(rows)) if len(rows) >= 5 else 0
    columns: list[tuple[float, float]] = []
    begin: int | None = None
    for k, count in enumerate([*covered, 0]):
        if count > few and begin is None:
            begin = k
        elif count <= few and begin is not None:
            left, right = low + begin / scale, low + k / scale
            if columns and left - columns[-1][1] < 0.45 * em:
                columns[-1] = (columns[-1][0], right)
            else:
                columns.append((left, right))
            begin = None
    return [column for column in columns if column[1] - column[0] > 0.3 * em]
