"""Walks a page and writes its blocks in reading order, without recursion however deep it is nested."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from pincite.document import BlockKind
from pincite.parsing.html.furniture import Survey
from pincite.parsing.html.inline import Inline
from pincite.parsing.html.mathml import formula
from pincite.parsing.html.tables import GUTTER, caption_of, grid, is_gutter, is_layout
from pincite.parsing.html.tree import BLOCKS, Element, heading_level, hidden, tag, words
from pincite.parsing.inline import Piece, plain, written
from pincite.parsing.numerals import numeral
from pincite.parsing.writer import Run, Writer

__all__ = ["Walk"]

LISTS: Final = frozenset({"ul", "ol", "menu", "dir", "dl"})
ITEMS: Final = frozenset({"li", "dt"})

FIRST_WORDS: Final = 6

PERMALINK: Final = re.compile(r"[\s¶#§🔗⚓∞]*")

FORMS: Final = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}

LANGUAGE: Final = re.compile(r"(?:language|lang|highlight-source|highlight|brush:?|sourcecode)-?([a-z0-9+#_.-]*)")
NO_LANGUAGE: Final = frozenset({"", "default", "none", "text", "plain", "plaintext", "notranslate"})


@dataclass(slots=True)
class List:
    """A list whose end has not come."""

    ordered: bool = False
    form: str = "decimal"
    next: int = 1
    step: int = 1
    marker: str = ""
    """Marker of the item that has begun and shows nothing yet."""

    shown: bool = False
    """Whether the item that is open has been written."""

    describes: bool = False
    """Whether it is the description of a term, which is a list of its own here."""

    described: bool = False
    """Whether that term has been written."""

    placing: bool = False
    """Whether the list only places sections on the page."""


@dataclass(slots=True)
class Walk:
    """Writes one page."""

    writer: Writer
    survey: Survey
    counts: Counter[str]
    keep_all: bool = False
    """Keep navigation and page furniture."""

    keep_noscript: bool = False
    dropped: list[tuple[str, str]] = field(default_factory=list)
    """What was left out as furniture: a word for it and its first words."""

    doubted: bool = False
    """Whether furniture is kept since the main text could not be told from it."""

    line: Inline = field(init=False)
    lists: list[List] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    quotes: int = 0
    captions: int = 0
    begins: bool = True
    """Whether the next item is the first of a list."""

    def __post_init__(self) -> None:
        self.line = Inline(self.counts)

    def write(self, root: Element) -> None:
        """All blocks of the page, in order."""
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                if self.skips(element):
                    self.skip(element)
                    walker.skip_subtree()
                elif self.start(element):
                    walker.skip_subtree()
                else:
                    self.line.text(element.text)
                continue
            if not self.skips(element):
                self.end(element)
            if element is not root:
                self.line.text(element.tail)
        self.flush()

    def skips(self, element: Element) -> bool:
        """Whether nothing of an element is text of the page."""
        name = tag(element)
        if name == "noscript" and not self.keep_noscript:
            return True
        if name == "script" and (element.get("type") or "").startswith("math/tex"):
            return False
        return hidden(element) or (not self.keep_all and element in self.survey.furniture)

    def skip(self, element: Element) -> None:
        """Passes an element over, and keeps the first words of furniture for the diagnostic."""
        if hidden(element):
            self.line.passed_over(element)
        elif element in self.survey.furniture:
            self.flush()
            said = (word for text in element.itertext() for word in str(text).split())
            start = " ".join(itertools.islice(said, FIRST_WORDS))
            if start:
                self.dropped.append((self.survey.furniture[element], start))

    def start(self, element: Element) -> bool:
        """Begins an element; true where all of it has been read."""
        name = tag(element)
        level = heading_level(element)
        if name in BLOCKS or level:
            self.flush()
        if level:
            self.headings.append(level)
        elif name in LISTS:
            self.open_list(element, name)
        elif name in ITEMS:
            self.open_item(element, name)
        elif name == "dd":
            self.open_description()
        elif name == "blockquote":
            self.quotes += 1
        elif name == "figcaption":
            self.captions += 1
        elif name == "hr":
            self.writer.rule()
        elif name == "table":
            return self.table(element)
        elif name == "pre":
            self.code(element)
            return True
        elif name == "math" and element.get("display") == "block":
            return self.equation(formula(element))
        elif name == "script":
            return self.tex(element)
        elif name == "input" and self.lists and (element.get("type") or "").lower() == "checkbox":
            self.line.add("[x] " if element.get("checked") is not None else "[ ] ")
        else:
            return self.line.start(element)
        return False

    def end(self, element: Element) -> None:
        """Ends an element."""
        name = tag(element)
        level = heading_level(element)
        if name in BLOCKS or level:
            self.flush()
        if level:
            self.headings.pop()
        elif name in LISTS:
            self.lists.pop()
            self.begins = self.begins or not self.depth
        elif name in ITEMS and self.lists:
            self.close_item(name)
        elif name == "dd":
            self.lists.pop()
        elif name == "blockquote":
            self.quotes -= 1
        elif name == "figcaption":
            self.captions -= 1
        else:
            self.line.end(element)

    # Lists

    @property
    def depth(self) -> int:
        """Depth of the item that is open, counted from the outermost one that shows something."""
        return sum(1 for level in self.lists if level.shown)

    def open_list(self, element: Element, name: str) -> None:
        ordered = name == "ol"
        start = number(element.get("start"))
        step = -1 if ordered and element.get("reversed") is not None else 1
        if start is None:
            start = sum(1 for item in element if tag(item) == "li") if step < 0 else 1
        form = FORMS.get(element.get("type") or "", "decimal")
        self.lists.append(List(ordered, form, start, step, placing=element in self.survey.laid_out))
        self.begins = self.begins or not self.depth

    def open_item(self, element: Element, name: str) -> None:
        if not self.lists:
            self.lists.append(List())
        here = self.lists[-1]
        here.shown = False
        if here.placing:
            return
        if not here.ordered or name == "dt":
            here.marker = "-"
            return
        stated = number(element.get("value"))
        here.next = here.next if stated is None else stated
        here.marker = f"{numeral(here.next, here.form)}."
        here.next += here.step

    def open_description(self) -> None:
        """A description is an item below its term; without one it is a passage of the page set further in.

        The parser puts a description without an end tag around the next one, which stands beside it.
        """
        around = self.lists[-1] if self.lists else List()
        described = around.described if around.describes else around.shown
        if around.describes:
            around.shown, around.marker = False, ""
        self.lists.append(List(marker="-" if described else "", describes=True, described=described))

    def close_item(self, name: str) -> None:
        """Ends an item; a term stays open for what describes it."""
        if name == "li":
            self.lists[-1].marker = ""

    # Lines

    def flush(self) -> None:
        """Writes the line that was read as the block that the elements around it make of it."""
        if not self.line.pieces:
            return
        formulas = self.line.formulas
        line = self.line.taken()
        if self.headings:
            self.heading(line)
            return
        for _, group in itertools.groupby(numbered(line), key=lambda pair: pair[0]):
            self.paragraph([piece for _, piece in group], formulas > 0)

    def heading(self, line: list[Piece]) -> None:
        title = " ".join(plain(bare(piece) for piece in line if not permalink(piece)).split())
        if not title:
            return
        if self.quotes:
            self.block("quote", title)
            return
        for level in self.lists:
            level.shown = False
        self.begins = True
        self.writer.heading([Run(title)], self.headings[-1])

    def paragraph(self, line: list[Piece], formulas: bool) -> None:
        text = written(line).strip()
        if not text:
            return
        item = self.lists[-1] if self.lists else None
        if item and item.marker:
            marker, item.marker, item.shown = item.marker, "", True
            self.writer.list_item([Run(text)], self.depth, marker, self.begins, self.attributes)
            self.begins = False
            return
        if self.captions:
            self.block("caption", text)
        elif self.quotes:
            self.block("quote", text)
        elif all(piece.text.startswith("![") or piece.text.isspace() for piece in line):
            self.block("figure", text)
        elif formulas and re.fullmatch(r"\$[^$]+\$", text) and not self.lists:
            self.equation(text.strip("$"))
        else:
            self.block("paragraph", text)

    @property
    def attributes(self) -> dict[str, str]:
        return {"quote": str(self.quotes)} if self.quotes else {}

    def block(self, kind: BlockKind, text: str) -> None:
        if not self.depth:
            self.begins = True
        self.writer.block(kind, [Run(text)], self.attributes, level=self.depth)

    # Blocks that are read as a whole

    def table(self, table: Element) -> bool:
        """Writes a table; one that only places things is walked like any other element."""
        if is_layout(table, self.survey.tables[table]):
            return False
        caption = caption_of(table, self.counts)
        found = grid(table, self.counts)
        if found.strays:
            self.block("paragraph", found.strays)
        if caption:
            self.block("caption", caption)
        if any(cell.runs for row in found.rows for cell in row):
            self.show_item()
            self.writer.table(found.rows, found.columns, found.header_rows, self.attributes, level=self.depth)
        return True

    def show_item(self) -> None:
        """Ends the list where a block stands outside of its items."""
        if not self.depth:
            self.begins = True

    def code(self, element: Element) -> None:
        lines = code_lines(element, self.counts)
        if lines:
            self.show_item()
            self.writer.code([Run(line) for line in lines], language(element), level=self.depth)

    def equation(self, text: str) -> bool:
        self.flush()
        if text:
            self.show_item()
            self.writer.equation([Run(text)], level=self.depth)
        return True

    def tex(self, script: Element) -> bool:
        """A formula as older pages carry it, in a script of type `math/tex`."""
        source = " ".join((script.text or "").split())
        if "mode=display" in (script.get("type") or ""):
            return self.equation(source)
        self.line.formula(source)
        return True


def numbered(line: list[Piece]) -> list[tuple[int, Piece]]:
    """The pieces with the number of their paragraph: two breaks in a row begin another one."""
    found: list[tuple[int, Piece]] = []
    paragraph, blank = 0, False
    for piece in line:
        ends = piece.text == "\n"
        paragraph += ends and blank
        blank = ends or (blank and not piece.text.strip())
        found.append((paragraph, piece))
    return found


def bare(piece: Piece) -> Piece:
    """A picture as the words that describe it; anything else as it is."""
    is_picture = piece.text.startswith("![") and piece.text.endswith(")") and "](" in piece.text
    return Piece(piece.text[2 : piece.text.rindex("](")]) if is_picture else piece


def permalink(piece: Piece) -> bool:
    """Whether a piece of a heading is only the sign that links to the heading."""
    return PERMALINK.fullmatch(piece.text) is not None and not piece.text.isspace()


def number(text: str | None) -> int | None:
    """A whole number, or nothing where the text is none."""
    return int(text) if text and re.fullmatch(r"\s*-?\d{1,9}\s*", text) and text.isascii() else None


def code_lines(element: Element, counts: Counter[str]) -> list[str]:
    """The lines of program text, without those that are blank at either end."""
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walker:
        if event == "start":
            if inner is not element and (hidden(inner) or tag(inner) == "button" or words(inner) & GUTTER):
                counts["gutters"] += is_gutter(inner) or tag(inner) == "button"
                walker.skip_subtree()
                continue
            parts.append("\n" if tag(inner) == "br" else inner.text or "")
        elif inner is not element:
            parts.append(inner.tail or "")
    lines = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
    kept = [at for at, line in enumerate(lines) if line.strip()]
    return [line.rstrip() for line in lines[kept[0] : kept[-1] + 1]] if kept else []


def language(element: Element) -> str:
    """The language of program text, where a class on it, in it or around it says so."""
    code = next((inner for inner in element if tag(inner) == "code"), None)
    around = element.getparent()
    for place in (code, element, around, None if around is None else around.getparent()):
        if place is None:
            continue
        stated = (place.get("data-lang") or place.get("data-language") or "").lower()
        if stated:
            return stated
        names = (place.get("class") or "").lower().split()
        if "sourcecode" in names:
            names = [f"language-{name}" for name in names if name != "sourcecode"]
        for name in names:
            found = LANGUAGE.fullmatch(name)
            if found and found.group(1) not in NO_LANGUAGE:
                return found.group(1)
    return ""
