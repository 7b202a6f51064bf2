"""The waist that all stages share: everything that can be read becomes a `Document`.

Offsets are half-open ranges of Unicode code points of `Document.text`. For text formats
`text` is the decoded source as it stands, byte order mark, CRLF and all, so that a span points
into the user's own file. For binary formats it is the Markdown that the parser wrote, LF only.

What each parser promises, and a property test holds it to:

- blocks are in reading order; their spans rise and do not overlap;
- every visible character of `text` lies in a block or in the span of a diagnostic that
  declares a drop (`Diagnostic.drops`);
- a block begins at a visible character, or, for code, at the start of its first line, and ends
  after a visible character. A block inside a quote or a list item begins at the start of the
  line where nothing but white space and quote marks stands before it there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "Block",
    "BlockKind",
    "Cell",
    "Diagnostic",
    "Document",
    "Metadata",
    "OutlineEntry",
    "Page",
    "Region",
    "Row",
    "Source",
    "Span",
    "Table",
]

BlockKind = Literal[
    "heading",
    "paragraph",
    "list_item",
    "table",
    "code",
    "equation",
    "quote",
    "figure",
    "caption",
    "footnote",
    "html",
    "page_header",
    "page_footer",
    "rule",
    "metadata",
]

Severity = Literal["info", "warning", "error"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of `Document.text`, in Unicode code points."""

    start: int
    """Offset of the first code point; CR and LF count one each."""

    end: int
    """Offset after the last code point."""

    def __len__(self) -> int:
        return self.end - self.start


BBox = tuple[float, float, float, float]
"""Left, top, right, bottom in points (1/72 inch), from the top left corner of the page as shown."""


@dataclass(frozen=True, slots=True)
class Region:
    """Where a run of the text stands on a page, a line at a time."""

    span: Span
    """The run of `Document.text`."""

    page: int
    """Physical page, from 1."""

    bbox: BBox | None = None
    """The place on the page; absent where a format has pages but no places."""


@dataclass(frozen=True, slots=True)
class Page:
    """One physical page, slide or sheet."""

    number: int
    """Position in the file, from 1, whatever is printed on it."""

    label: str | None = None
    """What the document itself calls the page, such as "xii"."""

    width: float | None = None
    """Points, as shown (after rotation)."""

    height: float | None = None
    """Points, as shown (after rotation)."""

    rotation: int = 0
    """Degrees clockwise that the file asks a viewer to turn the page: 0, 90, 180 or 270."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; a spanning cell is written once, at its first row and column."""

    span: Span
    """The content without delimiters and padding; empty where the cell is."""

    column: int
    """First column, from 0."""

    row_span: int = 1
    """Rows covered."""

    column_span: int = 1
    """Columns covered."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table."""

    span: Span
    """The row as it stands in the text, without its line end."""

    cells: tuple[Cell, ...]
    """From left to right."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows and cells, all of them ranges of the text."""

    columns: int
    """Number of columns."""

    header: tuple[Row, ...]
    """The rows that name the columns; empty where the table has none."""

    header_span: Span | None
    """The header rows with the delimiter row: what a piece of the table repeats."""

    rows: tuple[Row, ...]
    """The rows below the header."""


@dataclass(frozen=True, slots=True)
class Block:
    """A unit of structure in reading order."""

    kind: BlockKind

    span: Span
    """All of it, delimiters included (`# `, fences, list markers, pipes)."""

    level: int = 0
    """Heading: 1 to 6. List item: its depth, from 1. Anything inside a list item: the depth of
    that item. Otherwise 0."""

    regions: tuple[Region, ...] = ()
    """Where its lines stand; empty where the format has no pages."""

    table: Table | None = None
    """Rows and cells, for a table."""

    body: Span | None = None
    """What stands between the delimiters, for fenced code and delimited equations: from the
    start of the line after the opening one to the end of the last line before the closing one."""

    attributes: Mapping[str, str] = field(default_factory=dict)
    """`title` of a heading as plain text; `language` and `fence` of code; `marker` of a list
    item; `list` on the first block of each list, to part neighbours; `quote` depth; `label`,
    `symbol`."""

    confidence: float = 1.0
    """0 to 1: recognition or layout confidence where the parser knows one."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What was dropped, doubted or repaired while reading. Silence means that all is well."""

    code: str
    """Stable word: `dropped_front_matter`, `no_text_layer`, `garbled_text`, `bad_encoding`, …"""

    severity: Severity

    message: str
    """One sentence for people."""

    page: int | None = None
    """Physical page, where one is meant."""

    span: Span | None = None
    """Range of the text, where one is meant."""

    @property
    def drops(self) -> bool:
        """Whether the span is declared to be left out of every chunk."""
        return self.span is not None and self.code.startswith("dropped_")


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes that were read."""

    uri: str
    """Relative to the root that was given, with forward slashes, NFC."""

    media_type: str

    sha256: str
    """Of the bytes, lower case hexadecimal."""

    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One bookmark of the document's own outline."""

    title: str
    level: int
    """From 1."""

    page: int | None = None
    """Physical page, from 1."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the document says of itself."""

    title: str | None = None
    language: str | None = None
    """BCP 47 tag, where the document declares one."""

    front_matter: Mapping[str, Any] = field(default_factory=dict)
    outline: tuple[OutlineEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """One document that was read, in the shape that all later stages work on."""

    id: str
    """Derived from the uri alone, so that an edit keeps it: see `document_id`."""

    source: Source
    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...] = ()
    """Empty where the format has no pages."""

    metadata: Metadata = field(default_factory=Metadata)
    diagnostics: tuple[Diagnostic, ...] = ()
