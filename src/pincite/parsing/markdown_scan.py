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
from operator import indexOf, itemgetter
from typing import Any, Final, cast

import pyromark

from pincite.document import Block, BlockKind, Row, Span, Table
from pincite.parsing.bulk import Draft, make_blocks, make_cells

__all__ = ["Scanner", "inline_html", "scan"]

OPTIONS: Final = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_MATH
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_GFM
)

WINDOW: Final = 1 << 17
"""Code points that are parsed at once; grows where one block is longer."""

END_PARAGRAPH: Final = {"End": "Paragraph"}
END_CODE: Final = {"End": "CodeBlock"}
END_HTML: Final = {"End": "HtmlBlock"}
END_CELL: Final = {"End": "TableCell"}

BULLETS: Final = frozenset("-+*")
MARKER: Final = re.compile(r"[-+*]|\d{1,9}[.)]")
VISIBLE: Final = re.compile(r"\S|\Z")
FENCE: Final = re.compile(r"(`{3,}|~{3,})")
LANGUAGE: Final = re.compile(r"[\s{.]*([\w+#./-]+)")
TITLE_ATTRIBUTES: Final = re.compile(r"\{\s*[#.][^\s{}]+(?:\s+[#.][^\s{}]+)*\s*\}\Z")
ALTERNATIVE: Final = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.I)
SPARE_CELL: Final = re.compile(r"(?:[^|\\]|\\.)+", re.S)
BEFORE_FIGURE: Final = frozenset("![")
BEFORE_EQUATION: Final = frozenset("$\\")
UNPLAIN: Final = BEFORE_FIGURE | BEFORE_EQUATION

LEVELS: Final = {f"H{level}": level for level in range(1, 7)}
CONTAINERS: Final = frozenset({"List", "Item", "BlockQuote", "FootnoteDefinition"})

NOTHING: Final[Mapping[str, str]] = {}


def scan(text: str, start: int = 0) -> list[Block]:
    """The blocks of Markdown from `start` on, which is the start of a line; line ends are LF or CRLF."""
    scanner = Scanner(text, start)
    at, window = start, WINDOW
    while at < len(text):
        limit = text.find("\n", at + window) + 1 or len(text)
        reached = scanner.part(at, limit)
        scanner.flush()
        if limit == len(text):
            break
        window = WINDOW if reached > at else window * 4
        at = reached
    scanner.finish()
    return scanner.blocks


def clean(prefix: str) -> bool:
    """Whether nothing but white space and quote marks stands there."""
    return not prefix.strip("> \t\r\n")


class Scanner:
    """State of one walk: where coverage ends, which containers are open, which item has no end yet."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.text = text
        self.blocks: list[Block] = []
        """Those of the parts that were read."""
        self.drafts: list[Draft] = []
        """Those of the part that is being read."""
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
        self.markers: dict[str, Mapping[str, str]] = {}
        """Attributes of items that have nothing but a marker. Shared, never changed."""
        self.shared: dict[tuple[str, int], Mapping[str, str]] = {}
        self.events: Iterator[tuple[Any, Any]] = iter(())
        self.names: Iterator[Any] = iter(())
        self.raw = b""
        """The part that is being read, in UTF-8."""
        self.byte = self.here = 0
        """The same place in `raw` and in `text`, from which others are counted."""
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
        self.leftover(self.text[self.at : base])
        # The parser goes first: what it reads is then kept by the string, and encoding is but a copy of it.
        events: Iterator[tuple[Any, Any]] = cast(Any, pyromark.events_with_range(piece, options=OPTIONS))
        self.raw, self.byte, self.here = piece.encode(), 0, base
        last = len(self.raw.rstrip())
        self.events, self.names = events, map(itemgetter(0), events)
        starts, names, drafts, raw, text = self.starts, self.names, self.drafts, self.raw, self.text
        for event, place in events:
            # Here are the starts of top-level blocks and rules only: what is inside them is read by those called.
            first, end = place["start"], place["end"]
            if end >= last and not final:
                return self.resume(first)
            if type(event) is str:
                self.rule(first, end)
                continue
            tag = event["Start"]
            if tag != "Paragraph":
                self.first = len(drafts)
                starts[tag if type(tag) is str else next(iter(tag))](first, end, tag)
                if self.depth:
                    self.contents()
                continue
            # Most of all blocks are plain paragraphs, so they are made here, without a call in Python.
            gap = raw[self.byte : first]
            if gap == b"\n" or not gap:
                start = self.here + len(gap)
            else:
                start = self.point(first)
                if gap.strip():
                    self.leftover(text[self.at : start])
            self.byte = end
            if raw.find(b"\n", first, end) == end - 1:
                # One line ends at the next line end of the text, which is found without decoding it.
                stop = text.find("\n", start)
                self.here = stop + 1
            else:
                self.here = stop = start + len(raw[first:end].decode())
            letter = text[start]
            if letter in UNPLAIN or letter.isspace():
                self.special_paragraph(start)
                continue
            indexOf(names, END_PARAGRAPH)
            if text[stop - 1].isspace():
                stop = start + len(text[start:stop].rstrip())
            self.at = stop
            drafts.append(("paragraph", start, stop, 0, None, None, NOTHING))
        return self.at if not final else limit

    def contents(self) -> None:
        """Read what is in the container that has just begun, to its end."""
        starts = self.starts
        for event, place in self.events:
            if "Text" in event:
                continue
            if type(event) is str:
                if event == "Rule":
                    self.rule(place["start"], place["end"])
                continue
            tag = event.get("Start")
            if tag is not None:
                start = starts.get(tag if type(tag) is str else next(iter(tag)))
                if start is not None:
                    start(place["start"], place["end"], tag)
                continue
            tag = event.get("End")
            if tag == "Item" and self.open is not None and self.lead < 0:
                self.depth -= 1
                self.items -= 1
            elif tag is not None and (type(tag) is not str or tag in CONTAINERS):
                self.end(tag if type(tag) is str else next(iter(tag)), place["end"])
                if not self.depth:
                    return

    def point(self, offset: int) -> int:
        """The code point of `text` at an offset of `raw`; cheap for one near the last that was asked for."""
        last = self.byte
        if offset >= last:
            self.here += len(self.raw[last:offset].decode())
        else:
            self.here -= len(self.raw[offset:last].decode())
        self.byte = offset
        return self.here

    def resume(self, start: int) -> int:
        """The start of the line that a top-level block begins in."""
        return max(self.text.rfind("\n", 0, self.point(start)) + 1, self.at)

    def flush(self) -> None:
        """Make blocks of the drafts of a part; between top-level blocks nothing can change them any more."""
        self.blocks += make_blocks(self.drafts)
        self.drafts.clear()

    def finish(self) -> None:
        """What the parser reported nothing for at the end."""
        self.tail(len(self.text))
        self.flush()

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
        self.drafts.append(("list_item", start, self.at, level, None, None, attributes))

    def leftover(self, gap: str) -> None:
        """Text from `self.at` on that the parser reported nothing for: it joins its neighbour or is a block."""
        shown = gap.rstrip()
        if not shown:
            return
        at, end = self.at, self.at + len(shown)
        self.at = end
        if self.depth and clean(shown) and len(self.drafts) > self.first:
            kind, start, _, *others = self.drafts[-1]
            self.drafts[-1] = (kind, start, end, *others)
            return
        blank = len(shown) - len(shown.lstrip())
        if self.inside():
            blank = shown.rfind("\n", 0, blank) + 1 or blank
        self.drafts.append((self.prose(), at + blank, end, self.items, None, None, self.attributes()))

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
        if not (self.quotes or self.footnotes):
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
        text = self.text
        if end > start and text[end - 1].isspace():
            end = start + len(text[start:end].rstrip())
        if end > start:
            if text[start].isspace() and not (
                (self.inside() or kind in ("code", "equation")) and self.starts_line(start)
            ):
                start = end - len(text[start:end].lstrip())
            self.drafts.append((kind, start, end, self.items, table, body, attributes))
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

    def special_paragraph(self, start: int) -> None:
        """A paragraph at top level from `start` to `here` that may be a figure or an equation, or begins with a space.

        Between top-level blocks, only white space lies between `at` and `here`.
        """
        body = self.text[start : self.here]
        letter = body[0]
        kind: BlockKind = "paragraph"
        if letter in BEFORE_FIGURE:
            if self.pictures_only():
                kind = "figure"
        else:
            indexOf(self.names, END_PARAGRAPH)
            if letter in BEFORE_EQUATION and self.equation(start, self.here):
                return
            if letter.isspace():
                body = body.lstrip()
                start = self.here - len(body)
        end = start + len(body.rstrip())
        if end > start:
            self.drafts.append((kind, start, end, 0, None, None, NOTHING))
            self.at = end

    def paragraph(self, first: int, last: int, tag: Any) -> None:
        start = self.point(first)
        if self.open is not None and self.lead < 0:
            indexOf(self.names, END_PARAGRAPH)
            self.close(self.point(last))
            return
        letter = self.text[start]
        kind: BlockKind = self.prose() if self.quotes or self.footnotes else "paragraph"
        start = self.begin(start, True if self.items else self.inside())
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
            if "Text" in event:
                title.append(event["Text"])
                continue
            if type(event) is str:
                title.append(" ")
                continue
            if "Start" in event:
                continue
            end = event.get("End")
            if end is not None:
                if type(end) is dict and "Heading" in end:
                    break
                continue
            for key, value in event.items():
                if key == "Code":
                    title.append(value)
                elif key == "InlineMath" or key == "DisplayMath":
                    mark = "$" if key == "InlineMath" else "$$"
                    title.append(f"{mark}{value}{mark}")
                elif key == "InlineHtml":
                    hidden.append(value)
        if not self.depth:
            plain = " ".join("".join(title).split())
            if plain.endswith("}"):
                brace = plain.rfind("{")
                if brace >= 0 and TITLE_ATTRIBUTES.match(plain, brace):
                    plain = plain[:brace].rstrip()
            if not plain and hidden:
                plain = " ".join(filter(None, map(alternative, hidden)))
            start = self.begin(start, False)
            level = LEVELS[tag["Heading"]["level"]]
            end = start + len(self.text[start : self.point(last)].rstrip())
            self.drafts.append(("heading", start, end, level, None, None, {"title": plain}))
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
        end = self.point(last)
        if self.text[end - 1].isspace():
            end = mark + len(self.text[mark:end].rstrip())
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
        if info.isalnum():
            own["language"] = info
        elif info and (language := LANGUAGE.match(info)):
            own["language"] = language[1]
        begin = text.find("\n", start, end) + 1
        if not begin:
            own["unclosed"] = "1"
            return own, Span(end, end)
        final = text.rfind("\n", start, end) + 1
        if text[final:end] != fence and not self.closes(text[final:end], fence):
            own["unclosed"] = "1"
            return own, Span(begin, end)
        return own, Span(begin, max(begin, final - 1 - (text[final - 2] == "\r")))

    def closes(self, line: str, fence: str) -> bool:
        """Whether the last line of a block is its closing fence."""
        mark = line.lstrip("> \t") if self.quotes else line.lstrip(" \t")
        if len(line) - len(mark) > 3 and not self.depth:
            return False
        return len(mark) >= len(fence) and not mark.strip(fence[0])

    def table(self, first: int, last: int, tag: Any) -> None:
        start = self.begin(self.point(first), self.inside())
        columns = len(tag["Table"])
        cells = Cells()
        for event, place in self.events:
            if "Start" not in event:
                break
            self.row(place["start"], place["end"], cells)
        rows = cells.rows()
        head_end = self.delimiter_end(rows[0].span.end)
        made = Table(
            max(columns, max(cells.columns, default=0) + 1),
            (rows[0],),
            Span(rows[0].span.start, head_end),
            tuple(rows[1:]),
        )
        self.add("table", start, self.point(last), self.attributes(), table=made)

    def delimiter_end(self, at: int) -> int:
        """The end of the delimiter row, which stands in the line after the one that ends at `at`."""
        text = self.text
        begin = text.find("\n", at) + 1
        end = text.find("\n", begin)
        return begin + len(text[begin : end if end >= 0 else len(text)].rstrip())

    def row(self, first: int, last: int, cells: Cells) -> None:
        """One row, whose events follow; cells that are not written in it are none."""
        text, names = self.text, self.names
        start = reached = self.point(first)
        plain = self.raw[first:last].isascii()
        shift = start - first
        column = 0
        for event, place in self.events:
            if "Start" not in event:
                break
            begin, end = place["start"], place["end"]
            if begin < last and (end < last or begin < end):
                if plain:
                    begin += shift
                    end += shift
                else:
                    begin, end = self.point(begin), self.point(end)
                padded = text[begin:end]
                content = padded.strip()
                if content:
                    begin += len(padded) - len(padded.lstrip())
                cells.add(begin, begin + len(content), column)
                reached = end
            column += 1
            indexOf(names, END_CELL)
        end = start + len(text[start : self.point(last)].rstrip())
        if end - reached > 1:
            spare_cells(text, reached, end, column, cells)
        cells.end_row(start, end)

    # Containers

    def list(self, first: int, last: int, tag: Any) -> None:
        self.depth += 1
        self.lists += 1
        self.fresh_list = True

    def item(self, first: int, last: int, tag: Any) -> None:
        mark = self.point(first)
        letter = self.text[mark]
        if letter.isspace():
            mark = self.seen(mark)
            letter = self.text[mark]
        if self.open is None or self.quotes:
            start = self.begin(mark, self.inside())
        else:
            start = self.next_item(mark)
        marker = letter if letter in BULLETS else MARKER.match(self.text, mark)[0]  # type: ignore[index]
        self.depth += 1
        self.items += 1
        if self.fresh_list or self.quotes or self.footnotes:
            own = {"marker": marker}
            if self.fresh_list:
                own["list"] = str(self.lists)
                self.fresh_list = False
            attributes = self.with_own(own)
        else:
            attributes = self.markers.get(marker) or self.markers.setdefault(marker, {"marker": marker})
        self.open = (start, self.items, attributes)
        self.at = mark + len(marker)

    def next_item(self, mark: int) -> int:
        """End the open item before the one at `mark`, outside quotes; where that one begins."""
        at = self.at
        gap = self.text[at:mark]
        kept = len(gap.rstrip())
        self.at = at + kept
        start, level, attributes = self.open  # type: ignore[misc]
        self.open = None
        self.drafts.append(("list_item", start, self.at, level, None, None, attributes))
        if self.items:
            return at + (gap.rfind("\n", kept) + 1 or len(gap))
        return mark

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

    def end(self, name: str, last: int) -> None:
        """The end of a container; others are of no interest."""
        if name == "List":
            self.depth -= 1
            if not self.depth:
                self.tail(self.point(last))
            return
        if name not in CONTAINERS:
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


class Cells:
    """The cells of one table as columns of numbers, until all its rows are read."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.columns: list[int] = []
        self.breaks: list[tuple[int, int, int]] = []
        """Start and end of each row, and how many cells there are when it ends."""

    def add(self, start: int, end: int, column: int) -> None:
        self.starts.append(start)
        self.ends.append(end)
        self.columns.append(column)

    def end_row(self, start: int, end: int) -> None:
        self.breaks.append((start, end, len(self.starts)))

    def rows(self) -> list[Row]:
        """The rows, made at once."""
        cells = make_cells(self.starts, self.ends, self.columns)
        rows, before = [], 0
        for start, end, count in self.breaks:
            rows.append(Row(Span(start, end), tuple(cells[before:count])))
            before = count
        return rows


def alternative(tag: str) -> str:
    """The text that an HTML tag gives in place of a picture."""
    found = ALTERNATIVE.search(tag)
    return (found[1] or found[2] or "") if found else ""


def spare_cells(text: str, start: int, end: int, column: int, cells: Cells) -> None:
    """Cells beyond the columns of the table: the standard drops them, a reader must not lose them."""
    for found in SPARE_CELL.finditer(text, start, end):
        content = found[0].strip()
        if content:
            begin = found.start() + found[0].index(content[0])
            cells.add(begin, begin + len(content), column)
        column += 1


def inline_html(text: str) -> set[tuple[int, int]]:
    """Ranges of the HTML within the lines of a piece of Markdown, in code points."""
    raw = text.encode()
    found, last, point = set(), 0, 0
    for event, place in pyromark.events_with_range(text, options=OPTIONS):
        if type(event) is dict and ("InlineHtml" in event or "Html" in event):
            point += len(raw[last : place["start"]].decode())
            last = place["start"]
            found.add((point, point + len(raw[last : place["end"]].decode())))
    return found
