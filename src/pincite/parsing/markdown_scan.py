"""Markdown to blocks: pulldown-cmark finds the structure, this module keeps the promises of spans.

The scanner walks the parser's events once. What stands inside a line is skipped by C code
(`operator.indexOf` runs through the events of a paragraph without a step in Python), since half of
all events are of no interest to blocks. Byte offsets are turned into code points as they come,
which costs one pass; where the text is ASCII it costs nothing.

A long text is parsed a window at a time. The last top-level block of a window may go on after it,
so its events are not asked for and the next window begins there: at the start of a top-level
block the parser's state is that of a fresh document, hence the result is the same, while the
parser's tree never holds more than a window.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from operator import indexOf, itemgetter
from typing import Any, Final

import pyromark

from pincite.document import Block, BlockKind, Cell, Row, Span, Table

__all__ = ["Scanner", "inline_html", "scan"]

OPTIONS: Final = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_MATH
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_GFM
)

WINDOW: Final = 1 << 20
"""Code points that are parsed at once; grows where one block is longer."""

END_PARAGRAPH: Final = {"End": "Paragraph"}
END_CODE: Final = {"End": "CodeBlock"}
END_HTML: Final = {"End": "HtmlBlock"}
END_CELL: Final = {"End": "TableCell"}
END_TABLE: Final = {"End": "Table"}

MARKER: Final = re.compile(r"[-+*]|\d{1,9}[.)]")
VISIBLE: Final = re.compile(r"\S|\Z")
FENCE: Final = re.compile(r"(`{3,}|~{3,})")
LANGUAGE: Final = re.compile(r"[\s{.]*([\w+#./-]+)")
TITLE_ATTRIBUTES: Final = re.compile(r"\s*\{(?:\s*[#.][^\s{}]+)+\s*\}$")
ALTERNATIVE: Final = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.I)
SPARE_CELL: Final = re.compile(r"(?:[^|\\]|\\.)+", re.S)
BEFORE_FIGURE: Final = frozenset("![")
BEFORE_EQUATION: Final = frozenset("$\\")

NOTHING: Final[Mapping[str, str]] = {}


def scan(text: str, start: int = 0) -> list[Block]:
    """The blocks of Markdown from `start` on, which is the start of a line; line ends are LF or CRLF."""
    scanner = Scanner(text, start)
    at, window = start, WINDOW
    while at < len(text):
        limit = text.find("\n", at + window) + 1 or len(text)
        reached = scanner.part(at, limit)
        if limit == len(text):
            break
        window = WINDOW if reached > at else window * 4
        at = reached
    scanner.finish()
    return scanner.blocks


def caster(raw: bytes, base: int) -> Callable[[int], int]:
    """A function from byte offsets of `raw` to code points counted from `base`; cheap for near offsets."""
    last, point = 0, base

    def cast(offset: int) -> int:
        nonlocal last, point
        if offset >= last:
            point += len(raw[last:offset].decode())
        else:
            point -= len(raw[offset:last].decode())
        last = offset
        return point

    return cast


def clean(prefix: str) -> bool:
    """Whether nothing but white space and quote marks stands there."""
    return not prefix.strip("> \t\r\n")


class Scanner:
    """State of one walk: where coverage ends, which containers are open, which item has no end yet."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.at = self.origin = start
        """Everything before is in a block, or is white space."""
        self.lead = -1
        """Start of a quote or footnote that has no block yet."""
        self.open: tuple[int, int, Mapping[str, str]] | None = None
        """Start, level and attributes of the list item whose own text is still running."""
        self.depth = self.items = self.quotes = self.lists = 0
        self.fresh_list = False
        self.footnotes: list[str] = []
        self.first = 0
        """Index of the first block of the top-level block that is being read."""
        self.shared: dict[tuple[str, int], Mapping[str, str]] = {}
        self.events: Iterator[tuple[Any, dict[str, int]]] = iter(())
        self.names: Iterator[Any] = iter(())
        self.point: Callable[[int], int] = int
        self.starts: Mapping[str, Callable[[int, int, Any], None]] = {
            "Paragraph": self.paragraph,
            "Heading": self.heading,
            "CodeBlock": self.code,
            "HtmlBlock": self.html,
            "Table": self.table,
            "List": self.list,
            "Item": self.item,
            "BlockQuote": self.quote,
            "FootnoteDefinition": self.footnote,
        }

    def part(self, base: int, limit: int) -> int:
        """Read `text[base:limit]`; the offset that the next part begins at."""
        piece = self.text[base:limit]
        final = limit == len(self.text)
        visible = piece.rstrip()
        if piece.isascii():
            self.point = base.__add__
            last = len(visible)
        else:
            self.point = caster(piece.encode(), base)
            last = len(visible.encode())
        self.events = iter(pyromark.events_with_range(piece, options=OPTIONS))
        self.names = map(itemgetter(0), self.events)
        starts = self.starts
        for event, place in self.events:
            if type(event) is str:
                if event == "Rule":
                    if not self.depth and not final and place["end"] >= last:
                        return self.resume(place["start"])
                    self.rule(place["start"], place["end"])
                continue
            tag = event.get("Start")
            if tag is not None:
                name = tag if type(tag) is str else next(iter(tag))
                start = starts.get(name)
                if start is None:
                    continue
                if not self.depth:
                    if not final and place["end"] >= last:
                        return self.resume(place["start"])
                    self.first = len(self.blocks)
                start(place["start"], place["end"], tag)
            elif (tag := event.get("End")) is not None:
                self.end(tag, place["end"])
        return self.at if not final else limit

    def resume(self, start: int) -> int:
        """The start of the line that a top-level block begins in."""
        return max(self.text.rfind("\n", 0, self.point(start)) + 1, self.at)

    def finish(self) -> None:
        """What the parser reported nothing for at the end."""
        self.tail(len(self.text))

    # Where a block begins and what lies before it

    def begin(self, start: int, inside: bool) -> int:
        """Where the block that the parser sees at `start` begins, after settling all that stands before."""
        if self.lead >= 0:
            start, self.lead = self.lead, -1
            return start
        at = self.at
        if self.text[start].isspace():
            start = self.seen(start)
        gap = self.text[at:start]
        cut = gap.rfind("\n") + 1
        if self.open is not None:
            if not cut or not clean(gap[cut:]):
                line = start
            else:
                line = at + cut
            self.close(line)
            return line if inside else start
        if not gap or gap.isspace():
            return at + cut if inside and (cut or at == self.origin) else start
        if clean(gap[cut:]):
            self.leftover(gap[:cut])
            return at + cut if inside else start
        self.leftover(gap)
        return start

    def seen(self, at: int) -> int:
        """The first visible character from there on; the parser may point before a tab or at a no-break space."""
        found = VISIBLE.search(self.text, at)
        return found.start() if found else at

    def close(self, end: int) -> None:
        """End the own text of the open item before `end`."""
        if self.open is None:
            return
        start, level, attributes = self.open
        self.open = None
        self.at += len(self.text[self.at : end].rstrip())
        self.blocks.append(Block("list_item", Span(start, self.at), level, (), None, None, attributes))

    def leftover(self, gap: str) -> None:
        """Text from `self.at` on that the parser reported nothing for: it joins its neighbour or is a block."""
        shown = gap.rstrip()
        if not shown:
            return
        at, end = self.at, self.at + len(shown)
        self.at = end
        if self.depth and clean(shown) and len(self.blocks) > self.first:
            last = self.blocks[-1]
            self.blocks[-1] = replace(last, span=Span(last.span.start, end))
            return
        blank = len(shown) - len(shown.lstrip())
        if self.inside():
            blank = shown.rfind("\n", 0, blank) + 1 or blank
        self.blocks.append(Block(self.prose(), Span(at + blank, end), self.items, (), None, None, self.attributes()))

    def tail(self, end: int) -> None:
        """Settle what stands before the end of a container or of the text."""
        if self.open is not None:
            self.close(end)
            return
        if end > self.at:
            self.leftover(self.text[self.at : end])

    def prose(self) -> BlockKind:
        """The kind of running text here."""
        if self.quotes:
            return "quote"
        return "footnote" if self.footnotes else "paragraph"

    def attributes(self) -> Mapping[str, str]:
        """What any block here carries: how deep it is quoted, whose footnote it is. Shared, never changed."""
        if not self.depth or not (self.quotes or self.footnotes):
            return NOTHING
        key = (self.footnotes[-1] if self.footnotes else "", self.quotes)
        found = self.shared.get(key)
        if found is None:
            found = {}
            if self.quotes:
                found["quote"] = str(self.quotes)
            if self.footnotes:
                found["label"] = key[0]
            self.shared[key] = found
        return found

    def add(
        self,
        kind: BlockKind,
        start: int,
        end: int,
        attributes: Mapping[str, str],
        table: Table | None = None,
        body: Span | None = None,
    ) -> None:
        """A block over `[start, end)` without the white space at its end, and at its start where that is no line's."""
        shown = self.text[start:end].rstrip()
        end = start + len(shown)
        if end > start:
            if shown[0].isspace() and not ((self.inside() or kind in ("code", "equation")) and self.starts_line(start)):
                start = end - len(shown.lstrip())
            self.blocks.append(Block(kind, Span(start, end), self.items, (), table, body, attributes))
            self.at = end

    def inside(self) -> bool:
        """Whether a block here stands in a quote or a list item."""
        return self.items > 0 or self.quotes > 0

    def starts_line(self, at: int) -> bool:
        """Whether a line begins there."""
        return at == self.origin or self.text[at - 1] == "\n"

    def with_own(self, own: dict[str, str]) -> Mapping[str, str]:
        """Attributes of the place and of the block itself."""
        return {**self.attributes(), **own} if self.depth else own

    # Leaves

    def paragraph(self, first: int, last: int, tag: Any) -> None:
        start = self.point(first)
        if self.open is not None and self.lead < 0:
            indexOf(self.names, END_PARAGRAPH)
            self.close(self.point(last))
            return
        letter = self.text[start]
        kind = self.prose() if self.depth else "paragraph"
        start = self.begin(start, self.inside())
        if letter in BEFORE_FIGURE:
            if self.pictures_only():
                kind = "figure"
        else:
            indexOf(self.names, END_PARAGRAPH)
            if letter in BEFORE_EQUATION and self.equation(start, self.point(last)):
                return
        self.add(kind, start, self.point(last), self.attributes())

    def pictures_only(self) -> bool:
        """Read to the end of the paragraph; whether it shows pictures and no words of its own."""
        inside = found = 0
        words = False
        for event in self.names:
            if type(event) is str:
                continue
            if event == END_PARAGRAPH:
                break
            tag, end = event.get("Start"), event.get("End")
            if type(tag) is dict and "Image" in tag:
                inside += 1
                found += 1
            elif end == "Image":
                inside -= 1
            elif not inside and tag is None and end is None:
                own = event.get("Text")
                words = words or own is None or (bool(own.strip()) and not re.fullmatch(r"\s*\{[^{}]*\}\s*", own))
        return bool(found) and not words

    def equation(self, start: int, end: int) -> bool:
        """Add the paragraph as an equation if display delimiters are all that it is made of."""
        shown = self.text[start:end].rstrip()
        lead = len(shown) - len(shown.lstrip("> \t"))
        inner = shown[lead:]
        for opening, closing in (("$$", "$$"), ("\\[", "\\]")):
            if (
                len(inner) > 4
                and inner.startswith(opening)
                and inner.endswith(closing)
                and closing not in inner[2:-2]
                and opening not in inner[2:-2]
                and inner[2:-2].strip()
            ):
                break
        else:
            return False
        own = {"fence": opening}
        self.add(
            "equation", start, end, self.with_own(own), body=self.between(start + lead + 2, start + len(shown) - 2)
        )
        return True

    def between(self, start: int, end: int) -> Span:
        """What stands between delimiters that end at `start` and begin at `end`, without their line ends."""
        text = self.text
        line = text.find("\n", start, end)
        if line >= 0 and not text[start:line].strip():
            start = line + 1
            line = text.rfind("\n", start - 1, end)
            if line >= 0 and clean(text[line:end]):
                end = max(start, line - (text[line - 1] == "\r"))
        return Span(start, end)

    def heading(self, first: int, last: int, tag: Any) -> None:
        start = self.point(first)
        title, hidden = [], []
        for event in self.names:
            if type(event) is str:
                title.append(" ")
                continue
            for key in event:
                if key == "Text" or key == "Code":
                    title.append(event[key])
                elif key == "InlineMath" or key == "DisplayMath":
                    mark = "$" if key == "InlineMath" else "$$"
                    title.append(f"{mark}{event[key]}{mark}")
                elif key == "InlineHtml":
                    hidden.append(event[key])
            end = event.get("End")
            if type(end) is dict and "Heading" in end:
                break
        if not self.depth:
            plain = TITLE_ATTRIBUTES.sub("", " ".join("".join(title).split()))
            if not plain and hidden:
                plain = " ".join(filter(None, map(alternative, hidden)))
            self.begin(start, False)
            level = int(tag["Heading"]["level"][1])
            end = start + len(self.text[start : self.point(last)].rstrip())
            self.blocks.append(Block("heading", Span(start, end), level, (), None, None, {"title": plain}))
            self.at = end
        elif self.open is not None and self.lead < 0 and not self.text[self.at : start].strip():
            self.close(self.point(last))
        else:
            start = self.begin(start, self.inside())
            self.add(self.prose(), start, self.point(last), self.attributes())

    def rule(self, first: int, last: int) -> None:
        start = self.begin(self.point(first), self.inside())
        self.add("rule", start, self.point(last), self.attributes())

    def html(self, first: int, last: int, tag: Any) -> None:
        start = self.begin(self.point(first), self.inside())
        indexOf(self.names, END_HTML)
        self.add("html", start, self.point(last), self.attributes())

    def code(self, first: int, last: int, tag: Any) -> None:
        mark = self.point(first)
        start = self.begin(mark, True)
        indexOf(self.names, END_CODE)
        end = mark + len(self.text[mark : self.point(last)].rstrip())
        kind = tag["CodeBlock"]
        if type(kind) is str:
            self.add("code", start, end, self.attributes())
            return
        own, body = self.fenced(mark, end, kind["Fenced"])
        display = own.get("language") == "math"
        self.add("equation" if display else "code", start, end, self.with_own(own), body=body)

    def fenced(self, start: int, end: int, info: str) -> tuple[dict[str, str], Span]:
        """Attributes and body of the fenced block that begins with its fence at `start`."""
        text = self.text
        found = FENCE.match(text, start, end)
        fence = found[0] if found else "```"
        own = {"fence": fence}
        language = LANGUAGE.match(info)
        if language:
            own["language"] = language[1]
        line = text.find("\n", start, end)
        if line < 0:
            own["unclosed"] = "1"
            return own, Span(end, end)
        begin = line + 1
        final = text.rfind("\n", start, end) + 1
        closing = text[final:end]
        mark = closing.lstrip("> \t") if self.quotes else closing.lstrip(" \t")
        indent = len(closing) - len(mark)
        if len(mark) < len(fence) or mark.strip(fence[0]) or (indent > 3 and not self.depth):
            own["unclosed"] = "1"
            return own, Span(begin, end)
        stop = final - 1
        if text[stop - 1] == "\r":
            stop -= 1
        return own, Span(begin, max(begin, stop)) if final > begin else Span(begin, begin)

    def table(self, first: int, last: int, tag: Any) -> None:
        start = self.begin(self.point(first), self.inside())
        columns = len(tag["Table"])
        header: tuple[Row, ...] = ()
        rows: list[Row] = []
        end = start
        for event, place in self.events:
            tag = event.get("Start")
            if tag is None:
                break
            row = self.row(place["start"], place["end"])
            if tag == "TableHead":
                header = (row,)
                end = self.delimiter_end(row.span.end)
            else:
                rows.append(row)
        widest = max((row.cells[-1].column + 1 for row in rows if row.cells), default=0)
        made = Table(max(columns, widest), header, Span(header[0].span.start, end), tuple(rows))
        self.add("table", start, self.point(last), self.attributes(), table=made)

    def delimiter_end(self, at: int) -> int:
        """The end of the delimiter row, which stands in the line after the one that ends at `at`."""
        text = self.text
        begin = text.find("\n", at) + 1
        end = text.find("\n", begin)
        return begin + len(text[begin : end if end >= 0 else len(text)].rstrip())

    def row(self, first: int, last: int) -> Row:
        """One row, whose events follow."""
        text, point = self.text, self.point
        start = point(first)
        cells: list[Cell] = []
        column = 0
        reached = start
        for event, place in self.events:
            if "Start" not in event:
                break
            if place["start"] < place["end"]:
                begin, end = point(place["start"]), point(place["end"])
                padded = text[begin:end]
                content = padded.strip()
                if content:
                    begin += padded.index(content[0])
                    cells.append(Cell(Span(begin, begin + len(content)), column))
                else:
                    cells.append(Cell(Span(begin, begin), column))
                reached = end
            elif place["end"] < last:
                begin = reached = point(place["start"])
                cells.append(Cell(Span(begin, begin), column))
            column += 1
            indexOf(self.names, END_CELL)
        end = start + len(text[start : point(last)].rstrip())
        if end - reached > 1:
            spare_cells(text, reached, end, column, cells)
        return Row(Span(start, end), tuple(cells))

    # Containers

    def list(self, first: int, last: int, tag: Any) -> None:
        self.depth += 1
        self.lists += 1
        self.fresh_list = True

    def item(self, first: int, last: int, tag: Any) -> None:
        mark = self.point(first)
        if self.text[mark].isspace():
            mark = self.seen(mark)
        start = self.begin(mark, self.inside())
        found = MARKER.match(self.text, mark)
        marker = found[0] if found else self.text[mark]
        own = {"marker": marker}
        if self.fresh_list:
            own["list"] = str(self.lists)
            self.fresh_list = False
        self.depth += 1
        self.items += 1
        self.open = (start, self.items, self.with_own(own) if self.quotes or self.footnotes else own)
        self.at = mark + len(marker)

    def quote(self, first: int, last: int, tag: Any) -> None:
        start = self.point(first)
        if self.lead < 0:
            self.lead = self.begin(start, self.inside())
        self.depth += 1
        self.quotes += 1

    def footnote(self, first: int, last: int, tag: Any) -> None:
        start = self.point(first)
        if self.lead < 0:
            self.lead = self.begin(start, self.inside())
        self.depth += 1
        self.footnotes.append(tag["FootnoteDefinition"])

    def end(self, tag: Any, last: int) -> None:
        """The end of a container; ends within lines are of no interest."""
        name = tag if type(tag) is str else next(iter(tag))
        if name == "List":
            self.depth -= 1
            if not self.depth:
                self.tail(self.point(last))
            return
        if name != "Item" and name != "BlockQuote" and name != "FootnoteDefinition":
            return
        if self.lead >= 0:
            start, self.lead = self.lead, -1
            self.add(self.prose(), start, self.point(last), self.attributes())
        elif self.open is None or self.depth == 1:
            self.tail(self.point(last))
        self.depth -= 1
        if name == "Item":
            self.items -= 1
        elif name == "BlockQuote":
            self.quotes -= 1
        else:
            self.footnotes.pop()


def alternative(tag: str) -> str:
    """The text that an HTML tag gives in place of a picture."""
    found = ALTERNATIVE.search(tag)
    return (found[1] or found[2] or "") if found else ""


def spare_cells(text: str, start: int, end: int, column: int, cells: list[Cell]) -> None:
    """Cells beyond the columns of the table: the standard drops them, a reader must not lose them."""
    for found in SPARE_CELL.finditer(text, start, end):
        content = found[0].strip()
        if content:
            begin = found.start() + found[0].index(content[0])
            cells.append(Cell(Span(begin, begin + len(content)), column))
        column += 1


def inline_html(text: str) -> set[tuple[int, int]]:
    """Ranges of the HTML within the lines of a piece of Markdown, in code points."""
    point = caster(text.encode(), 0)
    found = set()
    for event, place in pyromark.events_with_range(text, options=OPTIONS):
        if type(event) is dict and ("InlineHtml" in event or "Html" in event):
            found.add((point(place["start"]), point(place["end"])))
    return found
