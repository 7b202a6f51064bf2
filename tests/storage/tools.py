"""Chunks and records made by hand, so that the store is tested without any other stage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.chunk import Chunk, Piece, chunk_id, document_id, embedding_text
from pincite.document import Region, Span
from pincite.storage.records import DocumentRecord, Entry, Words

FINGERPRINT = "model@1"


def chunk_of(uri: str, index: int, text: str, path: Sequence[str] = ("Guide",), page: int | None = None) -> Chunk:
    embedded = embedding_text(path, text)
    document = document_id(uri)
    span = Span(index * 1000, index * 1000 + len(text))
    return Chunk(
        id=chunk_id(document, path, embedded, index),
        index=index,
        kind="text",
        document_id=document,
        uri=uri,
        title=None,
        sha256="0" * 64,
        heading_path=tuple(path),
        text=text,
        embedding_text=embedded,
        tokens=len(embedded),
        spans=(span,),
        pieces=(Piece("own", 0, len(text), span),),
        regions=(Region(span, page, (1.0, 2.0, 3.0, 4.5)),) if page else (),
        page_start=page,
        page_end=page,
    )


def entries_of(uri: str, *texts: str) -> list[Entry]:
    return [
        Entry(chunk_of(uri, at, text), Words("guide", " ".join(text.lower().split()), "", "", "\x1fguide\x1f"))
        for at, text in enumerate(texts)
    ]


def record_of(uri: str, root: int, language: str | None = None) -> DocumentRecord:
    return DocumentRecord(
        id=document_id(uri),
        uri=uri,
        root=root,
        path=uri,
        stamp="1:2:3:4",
        sha256="0" * 64,
        media_type="text/markdown",
        title=None,
        language=language,
        pages=0,
        parse_signature="p",
        chunk_signature="c",
        words_signature="w",
    )


def rows_of(count: int, dimensions: int = 8, first: int = 0) -> NDArray[np.float32]:
    """Rows of length one that differ from one another."""
    made = np.zeros((count, dimensions), dtype=np.float32)
    for at in range(count):
        made[at, (first + at) % dimensions] = 1.0
    return made
