"""Small documents for tests of chunking: Markdown by the parser, paged ones by the writer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pincite.chunk import Chunk, document_id
from pincite.chunking import chunk_document
from pincite.counting import counter_for
from pincite.document import Diagnostic, Document, Metadata, Page, Source
from pincite.options import ParseOptions, chunk_options
from pincite.parsing import parse_bytes
from pincite.parsing.writer import GridCell, Run, Writer

__all__ = ["cells", "chunks", "markdown", "numbered", "paged", "paragraphs", "words"]


def words(count: int, stem: str = "w") -> str:
    """So many distinct words with one space between."""
    return " ".join(f"{stem}{number}" for number in range(count))


def markdown(text: str) -> Document:
    return parse_bytes(text.encode(), "guide.md", ParseOptions())


def paged(writer: Writer, count: int = 9, diagnostics: Sequence[Diagnostic] = ()) -> Document:
    """What was written, as a document of `count` pages."""
    source = Source("guide.pdf", "application/pdf", "0" * 64, len(writer.text))
    pages = tuple(Page(number) for number in range(1, count + 1))
    return Document(
        document_id("guide.pdf"),
        source,
        writer.text,
        tuple(writer.blocks),
        pages,
        Metadata(),
        tuple(diagnostics),
    )


def paragraphs(*texts_and_pages: tuple[str, int]) -> Document:
    """One paragraph for each text, on its page."""
    writer = Writer()
    for text, page in texts_and_pages:
        writer.block("paragraph", [Run(text, page)])
    return paged(writer)


def cells(*texts: str, page: int | None = None) -> list[GridCell]:
    """One row of a table."""
    return [GridCell((Run(text, page),), column) for column, text in enumerate(texts)]


def chunks(document: Document | str, **options: Any) -> tuple[Chunk, ...]:
    """Chunks of a document, or of a Markdown text, under `options`."""
    read = markdown(document) if isinstance(document, str) else document
    chosen = chunk_options(**options)
    return tuple(chunk_document(read, chosen, counter_for(chosen.counter)).chunks)


def numbered(found: Sequence[Chunk]) -> list[tuple[int | None, int | None]]:
    """First and last page of each chunk."""
    return [(chunk.page_start, chunk.page_end) for chunk in found]
