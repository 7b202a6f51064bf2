"""What every parser does at its end: describe the source, choose the title, put the Document together."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pincite.chunk import document_id
from pincite.document import Block, Diagnostic, Document, Metadata, OutlineEntry, Page, Source

__all__ = ["assemble", "choose_title", "source_of"]


def source_of(data: bytes, uri: str, media_type: str) -> Source:
    """The source as it was read; the uri in NFC, so that the same name has one spelling."""
    return Source(unicodedata.normalize("NFC", uri), media_type, hashlib.sha256(data).hexdigest(), len(data))


def choose_title(declared: object, blocks: Iterable[Block]) -> str | None:
    """What the document declares, else its first heading of level 1, else its first heading, else nothing."""
    if isinstance(declared, str) and declared.strip():
        return " ".join(declared.split())
    first = None
    for block in blocks:
        if block.kind == "heading" and (title := block.attributes.get("title")):
            if block.level == 1:
                return title
            first = first or title
    return first


def assemble(
    data: bytes,
    uri: str,
    media_type: str,
    text: str,
    blocks: Sequence[Block],
    *,
    pages: Sequence[Page] = (),
    title: str | None = None,
    language: str | None = None,
    front_matter: Mapping[str, Any] | None = None,
    outline: Sequence[OutlineEntry] = (),
    diagnostics: Sequence[Diagnostic] = (),
) -> Document:
    """The Document of what a parser found; `title` is what the document itself declares, if anything."""
    source = source_of(data, uri, media_type)
    return Document(
        id=document_id(source.uri),
        source=source,
        text=text,
        blocks=tuple(blocks),
        pages=tuple(pages),
        metadata=Metadata(choose_title(title, blocks), language, dict(front_matter or {}), tuple(outline)),
        diagnostics=tuple(diagnostics),
    )
