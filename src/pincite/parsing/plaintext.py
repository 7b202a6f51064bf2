"""Plain text: paragraphs parted by blank lines, pages parted by form feeds, nothing interpreted."""

from __future__ import annotations

import re
from typing import Final

from pincite.document import Block, Document, Span
from pincite.options import ParseOptions
from pincite.parsing.assemble import assemble
from pincite.parsing.decode import decode
from pincite.parsing.pagemarks import Mark, paginate, with_regions

__all__ = ["parse"]

PARTING: Final = re.compile(r"\n\s*\n")
LONE_CR: Final = re.compile(r"\r(?!\n)")


def parse(data: bytes, uri: str, options: ParseOptions) -> Document:
    """The document that plain text is; never fails on what the text holds."""
    decoded = decode(data, options.encoding)
    text = decoded.text
    shown = text.replace("\ufeff", " ") if "\ufeff" in text else text
    if "\r" in shown:
        shown = LONE_CR.sub("\n", shown)
    marks = []
    if "\f" in shown:
        marks = [Mark(found.start(), found.end(), "break", family="form feed") for found in re.finditer("\f", text)]
    blocks = [Block("paragraph", span) for start, end in sheets(shown) for span in paragraphs(shown, start, end)]
    pages = paginate(marks, text)
    if pages.pages:
        blocks = with_regions(blocks, pages, shown)
    return assemble(
        data, uri, "text/plain", text, blocks, pages=pages.pages, diagnostics=(*decoded.diagnostics, *pages.diagnostics)
    )


def sheets(text: str) -> list[tuple[int, int]]:
    """Ranges between form feeds."""
    feeds = [found.start() for found in re.finditer("\f", text)] if "\f" in text else []
    return list(zip([0, *(feed + 1 for feed in feeds)], [*feeds, len(text)], strict=True))


def paragraphs(text: str, start: int, end: int) -> list[Span]:
    """Ranges between blank lines, from visible to visible."""
    spans = []
    for found in PARTING.finditer(text, start, end):
        spans.append(trimmed(text, start, found.start()))
        start = found.end()
    spans.append(trimmed(text, start, end))
    return [span for span in spans if span.end > span.start]


def trimmed(text: str, start: int, end: int) -> Span:
    """The range without white space at its ends."""
    piece = text[start:end]
    return Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
