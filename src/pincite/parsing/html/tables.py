"""Tables of a page: where each cell stands, what spans what, which rows name the columns.

Rows and columns are counted as the HTML standard does (section 4.9.12), and a value is written
once, at its first cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from pincite.parsing.grids import dense
from pincite.parsing.html.furniture import Mass
from pincite.parsing.html.inline import Inline
from pincite.parsing.html.tree import BLOCKS, Element, hidden, role, tag, words
from pincite.parsing.inline import written
from pincite.parsing.writer import GridCell, Run

__all__ = ["Grid", "caption_of", "cell_text", "grid", "is_gutter", "is_layout"]

WIDEST: Final = 1000
TALLEST: Final = 65534
"""Largest spans that the standard allows."""

MOST_SPANS: Final = 64
"""Columns whose cells may reach into later rows; what reaches down from further ones is not placed."""

ROW_GROUPS: Final = ("thead", "tbody", "tfoot")
GRID: Final = (*ROW_GROUPS, "tr", "td", "th")
GUTTER: Final = frozenset({"linenos", "linenodiv", "gutter", "lineno", "line-numbers", "blob-num"})


@dataclass(slots=True)
class Place:
    """A cell while its table is read."""

    element: Element
    column: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as the writer takes it."""

    rows: tuple[tuple[GridCell, ...], ...]
    columns: int
    header_rows: int
    strays: str
    """Text that stands in the table and in none of its cells."""


def row_groups(table: Element) -> list[tuple[str, list[Element]]]:
    """The rows of a table, by group; the foot comes last wherever it stands."""
    groups: list[tuple[str, list[Element]]] = []
    for part in table:
        name = tag(part)
        if hidden(part):
            continue
        if name == "tr":
            if not groups or groups[-1][0] != "":
                groups.append(("", []))
            groups[-1][1].append(part)
        elif name in ROW_GROUPS:
            groups.append((name, [row for row in part if tag(row) == "tr" and not hidden(row)]))
    return sorted(groups, key=lambda group: group[0] == "tfoot")


def cells_of(row: Element) -> Iterator[Element]:
    """The cells of a row that are shown, but for line numbers of program text."""
    return (cell for cell in row if tag(cell) in ("td", "th") and not hidden(cell) and not words(cell) & GUTTER)


def is_gutter(cell: Element) -> bool:
    """Whether an element holds line numbers of program text."""
    return not hidden(cell) and bool(words(cell) & GUTTER) and any(str(text).strip() for text in cell.itertext())


def places(table: Element) -> Iterator[tuple[str, list[Place]]]:
    """Each row with its group and its cells in the grid."""
    for name, rows in row_groups(table):
        covered: dict[int, tuple[int, int]] = {}
        for at, row in enumerate(rows):
            found, column = [], 0
            for cell in cells_of(row):
                while column in covered and covered[column][0] > at:
                    column = covered[column][1]
                width = min(max(stated(cell, "colspan", 1), 1), WIDEST)
                height = min(stated(cell, "rowspan", 1), TALLEST, len(rows) - at) or len(rows) - at
                found.append(Place(cell, column, width, height))
                if height > 1 and len(covered) < MOST_SPANS:
                    covered[column] = at + height, column + width
                column += width
            yield name, found


def stated(cell: Element, name: str, default: int) -> int:
    """A span that a cell states."""
    text = (cell.get(name) or "").strip()
    return int(text[:6]) if text.isascii() and text.isdigit() else default


def grid(table: Element, counts: Counter[str]) -> Grid:
    """The table with the text of its cells; empty rows are left out."""
    placed = [(name, row) for name, row in places(table) if row]
    counts["gutters"] += sum(1 for _, rows in row_groups(table) for row in rows for part in row if is_gutter(part))
    texts = [[cell_text(place.element, counts) for place in row] for _, row in placed]
    rows = tuple(
        tuple(
            GridCell((Run(text),) if text else (), place.column, place.height, place.width)
            for place, text in zip(row, line, strict=True)
        )
        for (_, row), line in zip(placed, texts, strict=True)
    )
    return Grid(*dense(rows), header_rows(placed), strays(table, counts))


def header_rows(placed: list[tuple[str, list[Place]]]) -> int:
    """How many rows name the columns.

    Those of the head; else the first ones that hold header cells only; else none where header
    cells name the rows; else the first row, as in any table whose author used no header cells.
    """
    head = next((at for at, (name, _) in enumerate(placed) if name != "thead"), len(placed))
    if head:
        return head
    named = [[tag(place.element) == "th" for place in row] for _, row in placed]
    leading = next((at for at, row in enumerate(named) if not all(row)), len(named))
    if leading:
        return leading if leading < len(named) else 1
    return 0 if any(map(any, named)) else min(1, len(named))


def strays(table: Element, counts: Counter[str]) -> str:
    """What stands between the cells, which browsers show before the table."""
    found = [table.text or ""]
    for part in table:
        found.append(part.tail or "")
        if tag(part) == "tr":
            found += between(part, ("td", "th"), counts)
        elif tag(part) in ROW_GROUPS:
            found += between(part, ("tr",), counts)
            for row in part:
                found += between(row, ("td", "th"), counts) if tag(row) == "tr" else []
        elif tag(part) != "caption" and not hidden(part):
            found.append(cell_text(part, counts))
    return " ".join(" ".join(found).split())


def between(element: Element, names: tuple[str, ...], counts: Counter[str]) -> list[str]:
    """The text of an element that is in none of its children of these names."""
    odd = (cell_text(part, counts) for part in element if tag(part) not in names and not hidden(part))
    return [element.text or "", *odd, *(part.tail or "" for part in element)]


def caption_of(table: Element, counts: Counter[str]) -> str:
    """The caption, or nothing; a second one, which browsers show as well, stands beside the first."""
    found = (cell_text(part, counts) for part in table if tag(part) == "caption" and not hidden(part))
    return SEPARATORS[PARAGRAPH].join(said for said in found if said)


def cell_text(cell: Element, counts: Counter[str]) -> str:
    """What a cell holds, on one line: its parts with what parts them, a table in it by rows and commas."""
    line = Inline(counts)
    parts = Parts()
    walker = etree.iterwalk(cell, events=("start", "end"))
    for event, element in walker:
        name, inside = tag(element), element is not cell
        if event == "start":
            if inside and (hidden(element) or name == "noscript"):
                line.passed_over(element)
                walker.skip_subtree()
                continue
            if inside and name in BLOCKS and name not in GRID:
                parts.end(line, ITEM if name == "li" else PARAGRAPH)
            if name in ("ul", "ol", "menu"):
                parts.numbers.append(0 if name == "ol" else None)
            elif name == "li":
                line.add(parts.number())
            if inside and line.start(element):
                walker.skip_subtree()
            else:
                line.text(element.text)
            continue
        if inside:
            if not (hidden(element) or name == "noscript"):
                line.end(element)
                if name in ("ul", "ol", "menu"):
                    parts.numbers.pop()
                if name in GRID:
                    parts.end(line, separator(element, name))
                elif name in BLOCKS:
                    parts.end(line, ITEM if name == "li" else PARAGRAPH)
            line.text(element.tail)
    parts.end(line, NOTHING)
    return "".join(parts.said)


NOTHING, PARAGRAPH, ITEM, CELL, ROW = range(5)
"""What may end within a cell, the larger the later."""

SEPARATORS: Final = ("", " / ", "; ", ", ", "; ")


@dataclass(slots=True)
class Parts:
    """The text of a cell while it is read."""

    said: list[str] = field(default_factory=list)
    """Pieces of text, each with what parts it from the one before."""

    between: int = NOTHING
    """What ended since the text."""

    numbers: list[int | None] = field(default_factory=list)
    """Of each list that is open the number of its last item, nothing for one with bullets."""

    def end(self, line: Inline, what: int) -> None:
        """Ends a part; where several things end at once, the largest of them decides."""
        said = " ".join(written(line.taken()).split())
        if said:
            closed = self.between and self.said[-1].endswith((":", ";", ","))
            self.said.append((" " if closed else SEPARATORS[self.between]) + said)
            self.between = NOTHING
        if self.said:
            self.between = max(self.between, what)

    def number(self) -> str:
        """What stands before the next item of the innermost list."""
        if not self.numbers or self.numbers[-1] is None:
            return ""
        self.numbers[-1] += 1
        return f"{self.numbers[-1]}. "


def separator(element: Element, name: str) -> int:
    """What ends with a part of a table within a cell."""
    if element.getnext() is None:
        return NOTHING
    return CELL if name in ("td", "th") else ROW


def is_layout(table: Element, inside: Mass) -> bool:
    """Whether a table only places things on the page: it says so, or holds what no cell would."""
    if role(table) in ("presentation", "none"):
        return True
    rows = [list(cells_of(row)) for _, group in row_groups(table) for row in group]
    if sum(map(len, rows)) <= 1:
        return True
    if any(tag(part) in ("th", "thead", "caption") for part in own_parts(table)):
        return False
    return inside.headings > 0 or inside.tables > 0 or (len(rows) == 1 and inside.codes > 0)


def own_parts(table: Element) -> Iterator[Element]:
    """Groups, rows and cells of a table, without those of tables within it."""
    for part in table:
        yield part
        if tag(part) in (*ROW_GROUPS, "tr"):
            for inner in part:
                yield inner
                if tag(inner) == "tr":
                    yield from inner
