"""PDF: bytes become a Document whose every line knows its page and place.

`reader` is the only module that knows an engine; the others are pure and know words with boxes.
`layout` lists their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.document import Diagnostic, Document, Page
from pincite.errors import CorruptError
from pincite.options import ParseOptions
from pincite.parsing.assemble import assemble
from pincite.parsing.pdf.emit import write
from pincite.parsing.pdf.layout import drafts_of
from pincite.parsing.pdf.model import Draft, PageContent
from pincite.parsing.pdf.pageset import selected
from pincite.parsing.pdf.reader import opened
from pincite.parsing.pdf.repair import damage
from pincite.parsing.pdf.scans import read_page
from pincite.parsing.writer import Writer

__all__ = ["parse"]

FURNITURE = ("page_header", "page_footer")


def parse(data: bytes, uri: str, options: ParseOptions) -> Document:
    """Read a PDF.

    Raises OptionError for pages that do not exist, EncryptedError, CorruptError, and
    DependencyError where recognition is forced and its program is missing.
    """
    with opened(data, uri, options.password) as reader:
        read = [read_page(reader, number, options) for number in selected(options.pages, reader.page_count)]
        outline, title = reader.outline, reader.title
    contents = [page for page, _ in read]
    if all(page.damaged for page in contents):
        raise CorruptError(uri, "no page of the PDF can be read", "open and save it again, or get a complete copy")
    diagnostics = [*repairs(data), *(diagnostic for _, found in read for diagnostic in found)]
    drafts = drafts_of(contents, outline)
    if not options.furniture:
        diagnostics += furniture_notes(drafts)
        drafts = [draft for draft in drafts if draft.kind not in FURNITURE]
    writer = Writer()
    write(drafts, writer, leaders=options.furniture)
    return assemble(
        data,
        uri,
        "application/pdf",
        writer.text,
        writer.blocks,
        pages=[page_of(content) for content in contents],
        title=title,
        outline=outline,
        diagnostics=diagnostics,
    )


def page_of(content: PageContent) -> Page:
    return Page(content.number, content.label, content.width, content.height, content.rotation)


def repairs(data: bytes) -> Iterable[Diagnostic]:
    """A warning where the engine had to mend the file."""
    found = damage(data)
    if found:
        message = f"the PDF is damaged ({found}) and was repaired while reading; text may be missing"
        yield Diagnostic("repaired_file", "warning", message)


def furniture_notes(drafts: Sequence[Draft]) -> Iterable[Diagnostic]:
    """What is left out as a running head or foot, page by page."""
    for page in sorted({draft.page for draft in drafts if draft.kind in FURNITURE}):
        texts = [draft.text for draft in drafts if draft.page == page and draft.kind in FURNITURE]
        shown = "; ".join(repr(text) for text in texts)
        yield Diagnostic("furniture", "info", f"left out as running head, foot or page number: {shown}", page=page)
