"""Markdown: CommonMark with the tables, footnotes, task lists and mathematics that GitHub reads.

The text of the document is the decoded file as it stands. The parser is given a copy of the same
length in which what it does not know is made harmless: a byte order mark is a space, a lone
carriage return and a form feed are line ends, page marks are blank, and the lines of a displayed
equation cannot be mistaken for lists or headings. So every offset is one of the user's own file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pincite.document import Block, Diagnostic, Document, Span
from pincite.options import ParseOptions
from pincite.parsing.assemble import assemble
from pincite.parsing.captions import with_captions
from pincite.parsing.decode import decode
from pincite.parsing.frontmatter import front_matter
from pincite.parsing.markdown_scan import inline_html, scan
from pincite.parsing.pagemarks import Mark, find_marks, outside_code, paginate, with_regions
from pincite.parsing.payloads import payloads

__all__ = ["parse"]

LONGEST_EQUATION: Final = 20_000
"""Code points between displayed delimiters; what is longer is prose between stray ones."""

LONE_CR: Final = re.compile(r"\r(?!\n)")

UNSEEN: Final = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\ufeff"
"""White space and the byte order mark."""

Edit = tuple[int, int, str]
"""A range of the copy and the character that fills it."""


def parse(data: bytes, uri: str, options: ParseOptions) -> Document:
    """The document that Markdown is; never fails on what the text holds."""
    decoded = decode(data, options.encoding)
    text = decoded.text
    front = front_matter(text, int(text.startswith("\ufeff")))
    marks = find_marks(text)
    shown = masked(text, marks)
    blocks = settled(scan(shown, front.end), text) if shown is not text else scan(text, front.end)
    diagnostics = [*decoded.diagnostics, *front.diagnostics]
    if marks:
        marks = outside_code((mark for mark in marks if mark.start >= front.end), blocks, Amid(shown))
        if options.furniture:
            marks = [mark for mark in marks if mark.kind != "furniture"]
    pages = paginate(marks, text, front.end)
    if marks:
        shown = edited(shown, [(mark.start, mark.end, " ") for mark in marks])
        blocks = [block for block in blocks if not shown[block.span.start : block.span.end].isspace()]
    if pages.pages:
        blocks = with_regions(blocks, pages, shown)
    with_captions(blocks, shown)
    diagnostics += pages.diagnostics
    diagnostics += map(dropped, (mark for mark in marks if mark.family != "form feed"))
    diagnostics += payloads(text, blocks)
    return assemble(
        data, uri, "text/markdown", text, blocks, pages=pages.pages, title=front.title,
        language=front.language, front_matter=front.values, diagnostics=diagnostics,
    )  # fmt: skip


def settled(blocks: list[Block], text: str) -> list[Block]:
    """The blocks, none of which ends in white space that the copy filled, where an equation turned out to be none."""
    for index, block in enumerate(blocks):
        span = block.span
        if text[span.end - 1] in UNSEEN:
            end = span.start + len(text[span.start : span.end].rstrip(UNSEEN))
            body = block.body and Span(min(block.body.start, end), min(block.body.end, end))
            blocks[index] = replace(block, span=Span(span.start, end), body=body)
    return [block for block in blocks if len(block.span) > 0]


def dropped(mark: Mark) -> Diagnostic:
    """The declaration that a mark is left out of every chunk."""
    span = Span(mark.start, mark.end)
    if mark.kind == "furniture":
        return Diagnostic("dropped_page_furniture", "info", "a running head or foot is left out", span=span)
    return Diagnostic("dropped_page_marker", "info", "the mark of a page is left out", span=span)


class Amid:
    """Whether a mark within a line is a comment to a reader of Markdown, rather than code that shows one."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.block: Block | None = None
        self.html: set[tuple[int, int]] = set()

    def __call__(self, block: Block, mark: Mark) -> bool:
        if block.kind == "html":
            return True
        start = block.span.start
        if block is not self.block:
            self.block, self.html = block, inline_html(self.shown[start : block.span.end])
        return (mark.start - start, mark.end - start) in self.html


def masked(text: str, marks: Sequence[Mark]) -> str:
    """A copy of the same length that the parser reads as a person would."""
    edits = [*mark_edits(text, marks), *equation_edits(text)]
    if edits:
        text = edited(text, sorted(edits))
    if "\ufeff" in text:
        text = text.replace("\ufeff", " ")
    if "\f" in text:
        text = text.replace("\f", "\n")
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        text = LONE_CR.sub("\n", text)
    return text


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with each range filled by its character; ranges that overlap an earlier one are left."""
    parts: list[str] = []
    at = 0
    for start, end, filler in edits:
        if start >= at:
            parts += (text[at:start], filler * (end - start))
            at = end
    parts.append(text[at:])
    return "".join(parts)


def mark_edits(text: str, marks: Sequence[Mark]) -> list[Edit]:
    """Marks that begin their line are blank; text after one begins a line of its own. Deep ones may be code."""
    return [
        (mark.start, mark.end, " " if mark.alone else "\n")
        for mark in marks
        if mark.first and mark.family != "form feed" and not text.endswith(("    ", "\t"), 0, mark.start)
    ]


def equation_edits(text: str) -> list[Edit]:
    """The inside of displayed equations over several lines, filled so that no line reads as structure."""
    pairs: list[tuple[int, int]] = []
    if "$" in text:
        pairs += dollar_pairs(text)
    if "\\" in text:
        pairs += bracket_pairs(text)
    return [inside(text, start + 2, end) for start, end in pairs if displayed(text, start, end)]


def inside(text: str, start: int, end: int) -> Edit:
    """What to fill between delimiters: the line ends beside delimiters that stand alone are left."""
    if opened := LINE_END.match(text, start):
        start = opened.end()
    line = max(text.rfind("\n", start, end), text.rfind("\r", start, end))
    if line >= 0 and not text[line:end].strip("> \t\r\n"):
        end = max(start, line - text.startswith("\r\n", line - 1))
    return start, end, "x"


def dollar_pairs(text: str) -> Iterator[tuple[int, int]]:
    """Neighbouring `$$`; one that closes an equation opens no other."""
    start = text.find("$$")
    while start >= 0:
        end = text.find("$$", start + 2)
        if end < 0:
            return
        yield start, end
        closes = displayed(text, start, end)
        start = text.find("$$", end + 2) if closes else end


def bracket_pairs(text: str) -> Iterator[tuple[int, int]]:
    r"""Each `\]` with the last `\[` before it."""
    start = text.find("\\[")
    while start >= 0:
        end = text.find("\\]", start + 2)
        if end < 0:
            return
        yield text.rfind("\\[", start, end), end
        start = text.find("\\[", end + 2)


BLANK_LINE: Final = re.compile(r"(?:\r\n?|\n)[ \t>]*(?:\r\n?|\n)")
LINE_END: Final = re.compile(r"[ \t]*(?:\r\n?|\n)")
AFTER: Final = re.compile(r"[ \t]*(?=[\r\n]|\Z)")


def displayed(text: str, start: int, end: int) -> bool:
    """Whether delimiters at `start` and `end` open and close the lines of one displayed equation."""
    if end - start > LONGEST_EQUATION:
        return False
    inner = text[start + 2 : end]
    if "\n" not in inner and "\r" not in inner:
        return False
    line = max(text.rfind("\n", max(0, start - 40), start), text.rfind("\r", max(0, start - 40), start))
    if (line < 0 and start > 40) or text[line + 1 : start].strip("> \t\ufeff") or not AFTER.match(text, end + 2):
        return False
    if "```" in inner or "~~~" in inner:
        return False
    opens_alone = AFTER.match(text, start + 2) is not None
    before_closing = inner[max(inner.rfind("\n"), inner.rfind("\r")) + 1 :]
    closes_alone = not before_closing.strip("> \t")
    if closes_alone and before_closing.count(">") != text.count(">", line + 1, start):
        return False
    return (opens_alone and closes_alone) or not BLANK_LINE.search(inner)
