"""What every parser promises about a `Document`, as one function that any format's tests can call.

The promises are those of the docstrings in `pincite.document`; each broken one is a sentence.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from pincite.document import Block, Document, Row, Span

__all__ = ["broken_promises", "visible"]


def visible(letter: str) -> bool:
    """Whether a reader sees the character: no white space and no byte order mark."""
    return not letter.isspace() and letter != "\ufeff"


def broken_promises(document: Document) -> list[str]:
    """A sentence for each promise that the document breaks; empty where all hold."""
    said = [
        *order(document),
        *coverage(document),
        *text_is_clean(document),
        *page_promises(document),
    ]
    for number, block in enumerate(document.blocks):
        said += (
            f"block {number} ({block.kind} at {block.span.start}): {what}" for what in block_promises(document, block)
        )
    return said


def order(document: Document) -> Iterator[str]:
    """Spans rise, do not overlap and lie in the text."""
    at = 0
    for number, block in enumerate(document.blocks):
        if block.span.start < at:
            yield f"block {number} starts at {block.span.start}, before {at}, where the one before it ends"
        if block.span.end <= block.span.start:
            yield f"block {number} is empty"
        at = block.span.end
    if at > len(document.text):
        yield "a block ends after the text"


def coverage(document: Document) -> Iterator[str]:
    """Every visible character is in a block or in a declared drop."""
    covered = bytearray(len(document.text))
    spans = [block.span for block in document.blocks] + [d.span for d in document.diagnostics if d.drops and d.span]
    for span in spans:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    lost = [at for at, letter in enumerate(document.text) if not covered[at] and visible(letter)]
    if lost:
        yield f"{len(lost)} visible characters lie in no block, first at {lost[0]}: {document.text[lost[0] : lost[0] + 40]!r}"


def text_is_clean(document: Document) -> Iterator[str]:
    """No lone surrogate; no drop outside the text."""
    try:
        document.text.encode()
    except UnicodeEncodeError:
        yield "the text holds a lone surrogate"
    for diagnostic in document.diagnostics:
        if diagnostic.span and not 0 <= diagnostic.span.start <= diagnostic.span.end <= len(document.text):
            yield f"diagnostic {diagnostic.code} lies outside the text"


def page_promises(document: Document) -> Iterator[str]:
    """Page numbers rise from 1; regions name pages that exist, rise with the text and lie in their block."""
    numbers = [page.number for page in document.pages]
    if numbers != sorted(set(numbers)) or (numbers and numbers[0] < 1):
        yield f"page numbers do not rise from 1: {numbers[:20]}"
    known = set(numbers)
    for number, block in enumerate(document.blocks):
        if known and not block.regions:
            yield f"block {number} ({block.kind}) stands on no page"
        for region in block.regions:
            if region.page not in known:
                yield f"block {number} stands on page {region.page}, which does not exist"
            if not within(region.span, block.span):
                yield f"block {number} has a region outside its span"


def block_promises(document: Document, block: Block) -> Iterator[str]:
    """What one block promises."""
    text, span = document.text, block.span
    if not visible(text[span.end - 1]):
        yield f"ends after {text[span.end - 1]!r}"
    if not starts_well(document, block):
        yield f"starts at {text[span.start : span.start + 10]!r} after {text[max(0, span.start - 10) : span.start]!r}"
    if block.kind == "heading" and not 1 <= block.level <= 6:
        yield f"is a heading of level {block.level}"
    if block.kind == "heading" and "title" not in block.attributes:
        yield "is a heading without a title"
    if block.kind == "list_item" and (block.level < 1 or "marker" not in block.attributes):
        yield "is a list item without depth or marker"
    if (block.kind == "table") != (block.table is not None):
        yield "is a table without rows, or rows without a table"
    if block.body is not None and not within(block.body, span):
        yield f"has a body {block.body} outside its span {span}"
    if block.table is not None:
        yield from table_promises(block)


def starts_well(document: Document, block: Block) -> bool:
    """Begins at a visible character, or at the start of its line where that may be."""
    text, start = document.text, block.span.start
    if visible(text[start]):
        return True
    line_start = start == 0 or text[start - 1] in "\r\n\f\ufeff" or in_drop(document, start - 1)
    inside = block.kind in ("code", "equation") or block.level > 0 or "quote" in block.attributes
    return line_start and inside


def in_drop(document: Document, at: int) -> bool:
    return any(d.drops and d.span and d.span.start <= at < d.span.end for d in document.diagnostics)


def table_promises(block: Block) -> Iterator[str]:
    """Cells lie in rows, rows in the table, and both rise."""
    table = block.table
    assert table is not None
    rows = [*table.header, *table.rows]
    if bool(table.header) != (table.header_span is not None):
        yield "has a header without its span, or the span without a header"
    if table.header_span is not None:
        if not within(table.header_span, block.span):
            yield "has a header outside its span"
        if not all(within(row.span, table.header_span) for row in table.header):
            yield "has a header row outside the header's span"
        if any(row.span.start < table.header_span.end for row in table.rows):
            yield "has a row inside the header"
    yield from rising([row.span for row in rows], block.span, "row")
    for row in rows:
        yield from row_promises(row, table.columns)


def row_promises(row: Row, columns: int) -> Iterator[str]:
    yield from rising([cell.span for cell in row.cells], row.span, "cell")
    numbers = [cell.column for cell in row.cells]
    if numbers != sorted(set(numbers)):
        yield f"has cells in columns {numbers}"
    if any(not 0 <= cell.column <= cell.column + cell.column_span - 1 < columns for cell in row.cells):
        yield f"has a cell beyond its {columns} columns"


def rising(spans: list[Span], outer: Span, what: str) -> Iterator[str]:
    at = outer.start
    for span in spans:
        if span.start < at or span.end > outer.end or span.end < span.start:
            yield f"has a {what} {span} before {at} or after {outer.end}"
        at = max(at, span.end)


def within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start <= inner.end <= outer.end


def block_at(document: Document, offset: int) -> Block | None:
    """The block that an offset lies in."""
    index = bisect_right([block.span.start for block in document.blocks], offset) - 1
    if index >= 0 and offset < document.blocks[index].span.end:
        return document.blocks[index]
    return None
