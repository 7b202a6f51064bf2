"""Tables that drawn rules show: crossing rules make a grid, a missing piece of rule joins cells.

A grid most of whose inner edges are missing is a chart, not a table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.parsing.pdf.model import Cell, Grid, Layer, Rule, Segment
from pincite.parsing.pdf.rows import centres, wrapped_lines

__all__ = ["ruled_tables"]

NEAR = 3.0
"""Points within which rules meet or lie on one line."""

MOST_RULES = 3000
"""More is a drawing."""

MOST_COLUMNS = 60

STACK = 4
"""Fewer boxes below one another, in one column, are frames around text."""

DRAWN = 0.45
"""Least share of inner edges that are drawn."""


def ruled_tables(segments: Sequence[Segment], layer: Layer, page: int) -> tuple[list[Grid], list[Segment]]:
    """The tables, and the segments that are in none of them."""
    found = []
    for level, upright in networks(layer.rules):
        mesh = mesh_of(level, upright)
        if mesh:
            inside = [segment for segment in segments if mesh.holds(segment)]
            grid = mesh.grid(inside, layer, page)
            if grid:
                found.append((grid, inside))
    found.sort(key=lambda item: -(item[0].right - item[0].left) * (item[0].bottom - item[0].top))
    grids, taken = [], set[int]()
    for grid, inside in found:
        mine = {id(segment) for segment in inside}
        if mine & taken:
            continue  # a grid inside a grid: the outer one has its text
        taken |= mine
        grids.append(grid)
    return grids, [segment for segment in segments if id(segment) not in taken]


def networks(rules: Sequence[Rule]) -> Iterable[tuple[list[Rule], list[Rule]]]:
    """Sets of rules that cross or touch one another: the level ones and the upright ones."""
    level = [rule for rule in rules if rule.level]
    upright = [rule for rule in rules if not rule.level]
    if not level or not upright or len(rules) > MOST_RULES:
        return
    parent = list(range(len(level) + len(upright)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    for i, flat in enumerate(level):
        for j, wall in enumerate(upright):
            if flat.left - NEAR <= wall.left <= flat.right + NEAR and wall.top - NEAR <= flat.top <= wall.bottom + NEAR:
                parent[root(i)] = root(len(level) + j)
    sets: dict[int, tuple[list[Rule], list[Rule]]] = defaultdict(lambda: ([], []))
    for i, flat in enumerate(level):
        sets[root(i)][0].append(flat)
    for j, wall in enumerate(upright):
        sets[root(len(level) + j)][1].append(wall)
    yield from (pair for pair in sets.values() if len(pair[0]) >= 2 and pair[1])


def mesh_of(level: Sequence[Rule], upright: Sequence[Rule]) -> Mesh | None:
    """The lines of a grid of at least four cells in a stack, or three otherwise, closed at its open sides."""
    ys, xs = centres((rule.top for rule in level), NEAR), centres((rule.left for rule in upright), NEAR)
    xs = closed(xs, min(rule.left for rule in level), max(rule.right for rule in level), 12)
    ys = closed(ys, min(rule.top for rule in upright), max(rule.bottom for rule in upright), 8)
    rows, columns = len(ys) - 1, len(xs) - 1
    if not 1 <= columns <= MOST_COLUMNS or rows < 1 or rows + columns < 4 or (columns == 1 and rows < STACK):
        return None
    if xs[-1] - xs[0] < 40 or ys[-1] - ys[0] < 15:
        return None
    return Mesh(xs, ys, level, upright)


def closed(lines: list[float], low: float, high: float, least: float) -> list[float]:
    """`lines` with the ends to which the crossing rules reach past the outermost."""
    before = [low] if low < lines[0] - least else []
    after = [high] if high > lines[-1] + least else []
    return before + lines + after


@dataclass(frozen=True, slots=True)
class Mesh:
    """Positions of the lines of a grid and the rules that draw them."""

    xs: list[float]
    ys: list[float]
    level: Sequence[Rule]
    upright: Sequence[Rule]

    def holds(self, segment: Segment) -> bool:
        """Whether the segment's middle height and most of its width are inside."""
        left, right = self.xs[0], self.xs[-1]
        if not self.ys[0] - 1 <= (segment.top + segment.bottom) / 2 <= self.ys[-1] + 1:
            return False
        return min(segment.right, right) - max(segment.left, left) > 0.5 * (segment.right - segment.left)

    def below(self, y: int, left: float, right: float) -> bool:
        """Whether line `y` is drawn over most of this stretch."""
        return any(
            abs(rule.top - self.ys[y]) <= NEAR and min(rule.right, right) - max(rule.left, left) > 0.5 * (right - left)
            for rule in self.level
        )

    def beside(self, x: int, top: float, bottom: float) -> bool:
        return any(
            abs(rule.left - self.xs[x]) <= NEAR and min(rule.bottom, bottom) - max(rule.top, top) > 0.5 * (bottom - top)
            for rule in self.upright
        )

    def drawn(self) -> float:
        """Share of the inner edges that are drawn; 1 where there are too few to judge."""
        rows, columns = len(self.ys) - 1, len(self.xs) - 1
        walls = [self.beside(x, self.ys[y], self.ys[y + 1]) for y in range(rows) for x in range(1, columns)]
        floors = [self.below(y, self.xs[x], self.xs[x + 1]) for y in range(1, rows) for x in range(columns)]
        edges = walls + floors
        return sum(edges) / len(edges) if len(edges) >= 6 else 1.0

    def grid(self, inside: Sequence[Segment], layer: Layer, page: int) -> Grid | None:
        """The table, or nothing where the rules are no table's."""
        if self.drawn() < DRAWN:
            return None
        boxes = self.boxes()
        owner = {
            (box.row + i, box.column + j): n
            for n, box in enumerate(boxes)
            for i in range(box.row_span)
            for j in range(box.column_span)
        }
        held: list[list[Segment]] = [[] for _ in boxes]
        for segment in inside:
            row = sum(y < (segment.top + segment.bottom) / 2 for y in self.ys[1:-1])
            parted: dict[int, list[object]] = defaultdict(list)
            for word in segment.words:
                column = sum(x < (word.left + word.right) / 2 for x in self.xs[1:-1])
                parted[owner[row, column]].append(word)
            for number, words in parted.items():
                held[number].append(Segment.of(words, confidence=segment.confidence))  # type: ignore[arg-type]
        filled = sum(bool(segments) for segments in held)
        if filled < 2 or filled < 0.25 * len(boxes) or len(boxes) < 3:
            return None
        cells = [
            Cell(box.row, box.column, wrapped_lines(segments, page, layer), box.row_span, box.column_span)
            for box, segments in zip(boxes, held, strict=True)
        ]
        return self.squeezed(cells)

    def boxes(self) -> list[Cell]:
        """The cells, empty, with their spans."""
        rows, columns = len(self.ys) - 1, len(self.xs) - 1
        owned: set[tuple[int, int]] = set()
        made = []
        for row in range(rows):
            for column in range(columns):
                if (row, column) in owned:
                    continue
                wide = self.width_of(row, column, owned)
                high = self.height_of(row, column, wide, owned)
                owned |= {(row + i, column + j) for i in range(high) for j in range(wide)}
                made.append(Cell(row, column, (), high, wide))
        return made

    def width_of(self, row: int, column: int, owned: set[tuple[int, int]]) -> int:
        wide = 1
        while column + wide < len(self.xs) - 1 and (row, column + wide) not in owned:
            if self.beside(column + wide, self.ys[row], self.ys[row + 1]):
                break
            wide += 1
        return wide

    def height_of(self, row: int, column: int, wide: int, owned: set[tuple[int, int]]) -> int:
        high = 1
        while row + high < len(self.ys) - 1 and not self.below(row + high, self.xs[column], self.xs[column + wide]):
            if any((row + high, column + k) in owned for k in range(wide)):
                break
            if any(self.beside(column + k, self.ys[row + high], self.ys[row + high + 1]) for k in range(1, wide)):
                break
            high += 1
        return high

    def squeezed(self, cells: Sequence[Cell]) -> Grid | None:
        """Without the thin empty rows and columns that double rules make."""
        used_rows, used_columns = (
            {cell.row for cell in cells if cell.lines},
            {cell.column for cell in cells if cell.lines},
        )
        rows = [r for r in range(len(self.ys) - 1) if self.ys[r + 1] - self.ys[r] > 5 or r in used_rows]
        columns = [c for c in range(len(self.xs) - 1) if self.xs[c + 1] - self.xs[c] > 7 or c in used_columns]
        kept = []
        for cell in cells:
            covered_rows = [r for r in rows if cell.row <= r < cell.row + cell.row_span]
            covered_columns = [c for c in columns if cell.column <= c < cell.column + cell.column_span]
            if covered_rows and covered_columns:
                row, column = rows.index(covered_rows[0]), columns.index(covered_columns[0])
                kept.append(Cell(row, column, cell.lines, len(covered_rows), len(covered_columns)))
        if not columns or not rows:
            return None
        edges = (*(self.xs[c] for c in columns), self.xs[-1])
        return Grid(
            tuple(kept), len(rows), len(columns), self.xs[0], self.ys[0], self.xs[-1], self.ys[-1], edges, ruled=True
        )
