"""Walks the body of a Word document and writes its blocks in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pincite.document import BlockKind
from pincite.parsing.docx.names import Element, attribute, child, local, on, value, w
from pincite.parsing.docx.numbering import Item, Numbering
from pincite.parsing.docx.package import Part
from pincite.parsing.docx.runs import REMOVED, Box, Content, Equation, Figure, Note, Runs, chosen
from pincite.parsing.docx.styles import BODY_LEVEL, DEEPEST, Style, Styles, indent, number
from pincite.parsing.docx.tables import cells, flattened, grid, rows
from pincite.parsing.inline import Piece, plain, written
from pincite.parsing.numerals import numeral
from pincite.parsing.writer import Run, Writer

__all__ = ["Body", "Notes"]

CONTAINERS: Final = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "Choice", "Fallback"})


@dataclass(slots=True)
class Notes:
    """The footnotes and endnotes of a document and the numbers that they were given."""

    parts: dict[str, Part | None]
    """Part of each kind, `footnote` and `endnote`."""

    forms: dict[str, str]
    """Number format of each kind."""

    numbers: Counter[str] = field(default_factory=Counter)
    given: dict[Note, int] = field(default_factory=dict)
    written: set[Note] = field(default_factory=set)
    contents: dict[Note, Element] = field(init=False)

    def __post_init__(self) -> None:
        self.contents = {
            Note(kind, attribute(element, "id") or ""): element
            for kind, part in self.parts.items()
            if part is not None
            for element in part.root.iterfind(w(kind))
        }

    def label(self, note: Note) -> str:
        """The number of a note, in the order in which notes are referred to."""
        if note not in self.given:
            self.numbers[note.kind] += 1
            self.given[note] = self.numbers[note.kind]
        return numeral(self.given[note], self.forms[note.kind])

    def content(self, note: Note) -> Element | None:
        """The element of a note, the first time; nothing after that or where there is none."""
        if note in self.written:
            return None
        self.written.add(note)
        return self.contents.get(note)


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph of a cell or a note."""

    text: str
    marker: str = ""
    """What stands before it where it is an item of a list."""

    @property
    def shown(self) -> str:
        """As it stands on a line of its own."""
        return self.marker + self.text


@dataclass(slots=True)
class Lists:
    """How deep the list goes that is being written.

    Depth is counted from the outermost item that is there, whatever level the file gives it: a
    list may begin at its third level.
    """

    open: list[tuple[int, str]] = field(default_factory=list)
    """Level and list of each open depth."""

    indents: list[int] = field(default_factory=list)

    def enter(self, item: Item) -> tuple[int, bool]:
        """Depth from 1 of the next item, and whether it begins a new list."""
        while self.open and self.open[-1][0] > item.level:
            self._close()
        if self.open and self.open[-1][0] == item.level:
            if len(self.open) == 1 and self.open[0][1] != item.list_id:
                self._close()
            else:
                self.open[-1] = item.level, item.list_id
                return len(self.open), False
        self.open.append((item.level, item.list_id))
        self.indents.append(item.indent or 0)
        return len(self.open), len(self.open) == 1

    def holding(self, left: int | None, continues: bool) -> int:
        """Depth of the item that a paragraph without a number goes on with, or 0."""
        if not self.open:
            return 0
        if continues and not left:
            return len(self.open)
        return sum(1 for own in self.indents if own and (left or 0) >= own)

    def leave(self) -> None:
        """Ends the list."""
        self.open.clear()
        self.indents.clear()

    def _close(self) -> None:
        self.open.pop()
        self.indents.pop()


class Body:
    """Writes the blocks of one document; `title` is its first paragraph in the style Title."""

    def __init__(
        self, part: Part, styles: Styles, numbering: Numbering, notes: Notes, writer: Writer, counts: Counter[str]
    ) -> None:
        self.title: str | None = None
        self._styles, self._numbering, self._notes, self._writer = styles, numbering, notes, writer
        self._counts = counts
        self._runs = Runs(part, styles, counts)
        self._note_runs = {kind: Runs(found, styles, counts) for kind, found in notes.parts.items() if found}
        self._lists = Lists()
        self._code: list[str] = []
        self._carried: list[Content] = []
        self._pending: list[Note] = []
        self._below = 0

    def write(self, container: Element) -> None:
        """All blocks of a body, in order."""
        self._below = self._levels_below_title(container)
        self._walk(container, headings=True)
        self._finish()

    def furniture(self, part: Part) -> list[str]:
        """The lines of a header or footer."""
        lines = (line.shown for line in self._lines(part.root, Runs(part, self._styles, self._counts)))
        return [line for line in lines if line.strip()]

    def _walk(self, container: Element, headings: bool) -> None:
        for element in container:
            name = local(element)
            if name == "p":
                self._paragraph(element, headings)
            elif name == "tbl":
                self._join_carried()
                self._table(element, headings)
            elif name == "AlternateContent":
                for option in chosen(element)[:1]:
                    self._walk(option, headings)
            elif name in CONTAINERS:
                if child(element, "sdtPr", "showingPlcHdr") is None:
                    self._walk(element, headings)
            elif name == "oMathPara":
                self._contents(list(self._runs.of(element, Style())), Style(), 0)
            elif name == "altChunk":
                self._counts["objects"] += 1
            elif name in REMOVED:
                self._counts["revisions"] += 1

    def _finish(self) -> None:
        self._join_carried()
        self._end_code()
        self._write_notes(0)
        self._lists.leave()

    def _join_carried(self) -> None:
        """What a deleted paragraph mark would have joined to a paragraph that is not there."""
        carried, self._carried = self._carried, []
        if carried:
            self._contents(carried, Style(), 0)

    def _paragraph(self, paragraph: Element, headings: bool) -> None:
        properties = child(paragraph, "pPr")
        style = self._styles.of_paragraph(properties)
        contents = [*self._carried, *self._runs.of(paragraph, style)]
        self._carried = []
        mark = child(properties, "rPr")
        if any(child(mark, name) is not None for name in REMOVED):
            self._carried = contents
            return
        visible = any(not isinstance(piece, Piece) or piece.text.strip() for piece in contents)
        if not visible and (on(mark, "vanish") or style.hidden):
            return
        item = self._numbering.item(properties, style)
        level = heading_level(properties, style) if headings else 0
        if style.kind == "code" and not level and not (item and item.number):
            self._code.extend(plain(pieces(contents)).split("\n"))
            self._aside(contents, 0)
            return
        if not visible:
            return
        self._end_code()
        title = " ".join(plain(pieces(contents)).split())
        if level and title:
            self._heading(title, level, item, style, contents)
        elif item and (item.bullet or item.number):
            self._list_item(item, contents)
        else:
            depth = 0 if level else self._lists.holding(first_indent(properties, style), style.kind == "continuation")
            self._contents(contents, style, depth)

    def _heading(self, title: str, level: int, item: Item | None, style: Style, contents: Sequence[Content]) -> None:
        self._lists.leave()
        if style.kind == "title" and self.title is None:
            self.title = title
        if style.kind != "title":
            level = min(level + self._below, DEEPEST)
        if item and item.number:
            title = item.number + item.gap + title
        self._writer.heading([Run(title)], level)
        self._aside(contents, 0)

    def _list_item(self, item: Item, contents: Sequence[Content]) -> None:
        if not written(self._pieces(contents)).strip():
            self._contents(contents, Style(), len(self._lists.open))
            return
        depth, begins = self._lists.enter(item)
        text = written(self._pieces(contents, displayed=False))
        if not text.strip():
            text, contents = written(self._pieces(contents)), [c for c in contents if not isinstance(c, Equation)]
        self._writer.list_item([Run(text)], depth, item.number.strip() or "-", begins)
        self._equations(contents, depth)
        self._aside(contents, depth)

    def _contents(self, contents: Sequence[Content], style: Style, depth: int) -> None:
        """A paragraph that is neither heading nor item, with what hangs on it."""
        if not depth:
            self._lists.leave()
        words = [c for c in contents if isinstance(c, Piece) and c.text.strip()]
        figures = [c for c in contents if isinstance(c, Figure)]
        equations = [c for c in contents if isinstance(c, Equation)]
        if equations and not words and not figures:
            contents = [replace(c, displayed=True) if isinstance(c, Equation) else c for c in contents]
        if figures and not words and not equations:
            for figure in figures:
                self._writer.block("figure", [Run(picture(figure))], level=depth)
            self._aside(contents, depth)
            return
        kind: BlockKind = style.kind if style.kind == "caption" or style.kind == "quote" else "paragraph"
        before: list[Content] = []
        for content in [*contents, None]:
            if content is not None and not (isinstance(content, Equation) and content.displayed):
                before.append(content)
                continue
            text = written(self._pieces(before))
            if text.strip():
                self._writer.block(kind, [Run(text)], level=depth)
            if content is not None:
                self._equations([content], depth)
            before = []
        self._aside(contents, depth)

    def _equations(self, contents: Sequence[Content], depth: int) -> None:
        for content in contents:
            if isinstance(content, Equation) and content.displayed and content.text:
                self._writer.equation([Run(content.text)], level=depth)

    def _aside(self, contents: Sequence[Content], depth: int) -> None:
        """What stands beside a paragraph: its text boxes, then its notes."""
        for content in contents:
            if isinstance(content, Box):
                self._end_code()
                lists, self._lists = self._lists, Lists()
                self._walk(content.content, headings=False)
                self._join_carried()
                self._lists = lists
            elif isinstance(content, Note):
                self._pending.append(content)
        self._write_notes(depth)

    def _write_notes(self, depth: int) -> None:
        pending, self._pending = self._pending, []
        if pending:
            self._end_code()
        for note in pending:
            label, element = self._notes.label(note), self._notes.content(note)
            runs = self._note_runs.get(note.kind)
            lines = [] if element is None or runs is None else [line.shown for line in self._lines(element, runs)]
            text = "\n".join(line.strip() for line in lines if line.strip())
            if text:
                self._writer.block("footnote", [Run(f"[^{label}]: {text}")], {"label": label}, level=depth)

    def _end_code(self) -> None:
        lines, self._code = self._code, []
        while lines and not lines[-1].strip():
            lines.pop()
        if lines:
            self._lists.leave()
            self._writer.code([Run(line) for line in lines])

    def _table(self, table: Element, headings: bool) -> None:
        self._end_code()
        depth = self._lists.holding(number(attribute(child(table, "tblPr", "tblInd"), "w")), False)
        if not depth:
            self._lists.leave()
        if self._is_layout(table):
            for row in rows(table):
                for cell in cells(row):
                    self._walk(cell, headings)
                    self._join_carried()
            return
        found = grid(table, lambda cell: on_one_line(self._lines(cell, self._runs)))
        if any(cell.runs for row in found.rows for cell in row):
            self._writer.table(found.rows, found.columns, found.header_rows, level=depth)
        self._write_notes(depth)

    def _is_layout(self, table: Element) -> bool:
        """Whether a table only places text: one cell, one column of long texts, or whole sections."""
        laid = [list(cells(row)) for row in rows(table)]
        held = [[p for p in cell.iter(w("p")) if has_text(p)] for row in laid for cell in row]
        if len(held) == 1 or (max(map(len, laid), default=0) == 1 and any(len(ps) > 1 for ps in held)):
            return True
        return any(len(ps) > 2 and any(self._heads(p) for p in ps) for ps in held)

    def _levels_below_title(self, container: Element) -> int:
        """1 where one title stands over several sections of the first level, which it then holds; else 0."""
        boxed = {p for box in container.iter(w("txbxContent")) for p in box.iter(w("p"))}
        found = []
        for paragraph in container.iter(w("p")):
            properties = child(paragraph, "pPr")
            style = self._styles.of_paragraph(properties)
            level = heading_level(properties, style)
            if level and paragraph not in boxed and has_text(paragraph):
                found.append((level, style.kind == "title"))
        titled = found[:1] == [(1, True)] and sum(title for _, title in found) == 1
        return int(titled and found.count((1, False)) > 1)

    def _heads(self, paragraph: Element) -> bool:
        properties = child(paragraph, "pPr")
        return heading_level(properties, self._styles.of_paragraph(properties)) > 0

    def _lines(self, container: Element, runs: Runs) -> Iterator[Line]:
        """The text of a cell or a note, a paragraph at a time; no emphasis, since cells are labels and values."""
        for element in container:
            name = local(element)
            if name == "p":
                yield from self._line(element, runs)
            elif name == "tbl":
                inner = grid(element, lambda cell: on_one_line(self._lines(cell, runs)))
                yield Line(flattened(inner))
            elif name == "AlternateContent":
                for option in chosen(element)[:1]:
                    yield from self._lines(option, runs)
            elif name in CONTAINERS and child(element, "sdtPr", "showingPlcHdr") is None:
                yield from self._lines(element, runs)

    def _line(self, paragraph: Element, runs: Runs) -> Iterator[Line]:
        properties = child(paragraph, "pPr")
        style = self._styles.of_paragraph(properties)
        contents = runs.of(paragraph, style)
        item = self._numbering.item(properties, style)
        bare = [piece.unmarked() for piece in self._pieces(contents)]
        text = written(bare).strip()
        if text:
            numbered = f"{item.number}{item.gap}" if item and item.number else ""
            yield Line(text, numbered or ("- " if item and item.bullet else ""))
        for content in contents:
            if isinstance(content, Box):
                yield from self._lines(content.content, runs)
            elif isinstance(content, Note):
                self._pending.append(content)

    def _pieces(self, contents: Sequence[Content], displayed: bool = True) -> Iterator[Piece]:
        """What of a paragraph stands in its line; `displayed` equations can be left for later."""
        for content in contents:
            if isinstance(content, Piece):
                yield content
            elif isinstance(content, Note):
                yield Piece(f"[^{self._notes.label(content)}]", glued=True)
            elif isinstance(content, Equation) and (displayed or not content.displayed) and content.text:
                yield Piece(f"${content.text}$")
            elif isinstance(content, Figure):
                yield Piece(picture(content))


def pieces(contents: Sequence[Content]) -> Iterator[Piece]:
    """The words of a paragraph, with formulas."""
    for content in contents:
        if isinstance(content, Piece):
            yield content
        elif isinstance(content, Equation):
            yield Piece(content.text)


def on_one_line(lines: Iterable[Line]) -> str:
    """The paragraphs of a cell on one line: items parted by semicolons, paragraphs by strokes."""
    text, listed = "", False
    for line in lines:
        said = " ".join((line.text if line.marker == "- " else line.shown).split())
        if text and said:
            between = "; " if listed or line.marker else " / "
            text += " " if text.endswith((":", ";", ",")) else between
        text += said
        listed = bool(line.marker)
    return text


def picture(figure: Figure) -> str:
    """A picture in Markdown."""
    return f"![{figure.alt}]({figure.name})"


def heading_level(properties: Element | None, style: Style) -> int:
    """1 to 6, or 0 for a paragraph that is no heading; what the paragraph states goes first."""
    stated = number(value(properties, "outlineLvl"))
    if stated is not None:
        return min(stated + 1, DEEPEST) if 0 <= stated < BODY_LEVEL else 0
    return 1 if style.kind == "title" else style.heading


def first_indent(properties: Element | None, style: Style) -> int | None:
    """Left indent of a paragraph, its own or its style's."""
    own = indent(properties)
    return style.indent if own is None else own


def has_text(paragraph: Element) -> bool:
    """Whether a paragraph shows any text."""
    return any((part.text or "").strip() for part in paragraph.iter(w("t")))
