"""What goes into a store and what comes out of it, whatever keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pincite.chunk import Chunk

__all__ = [
    "DocumentRecord",
    "Entry",
    "Failure",
    "Filter",
    "LedgerRow",
    "Located",
    "Model",
    "Stats",
    "Words",
]


@dataclass(frozen=True, slots=True)
class Words:
    """The terms of a chunk, made by one analyser for every store; the store only splits at spaces."""

    heading: str
    """Folded terms of the heading path."""

    folded: str
    """Folded terms of the text."""

    exact: str
    """`folded|exact` for each word of path and text whose folding loses something."""

    pairs: str
    """`a~b|á~b` for each two neighbouring words of which one loses something."""

    path: str
    """Folded titles of the heading path, each between U+001F, for filters."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk with the words that find it."""

    chunk: Chunk
    words: Words


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """One document as the ledger keeps it."""

    id: str
    uri: str
    root: int
    """Key of the root that the path is relative to: see `Store.root`."""

    path: str
    """Relative to the root, as the file system spells it, with forward slashes."""

    stamp: str | None
    """Size, times and inode when it was read; None where they cannot be trusted to show a change."""

    sha256: str
    media_type: str
    title: str | None
    language: str | None
    pages: int
    parse_signature: str
    chunk_signature: str
    words_signature: str
    diagnostics: str = "[]"
    """JSON list of code, severity, message, page."""

    facts: str = ""
    """What the document says of itself, `key=value` by `key=value`, folded, each between U+001F, for filters."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """What a sync must know of a document to tell whether it is stale."""

    key: int
    id: str
    uri: str
    root: int
    path: str
    stamp: str | None
    sha256: str
    parse_signature: str
    chunk_signature: str
    words_signature: str
    chunks: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read at the last sync, and why."""

    root: int
    path: str
    uri: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Model:
    """An embedding model whose vectors the store holds."""

    key: int
    fingerprint: str
    name: str
    dimensions: int
    slots: int
    """Rows of the vector file that are in use; what lies beyond is left from a write that was cut off."""

    nonce: bytes
    """Random, and in the vector file as well: a file that was made for another copy of the index is not taken
    for its own."""

    generation: int
    """Number of the vector file; a new one is written when much of the old is unused."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which chunks may be found; each field that is given must hold, by one of its values."""

    documents: tuple[str, ...] = ()
    """Ids, uris, or glob patterns of uris."""

    folders: tuple[str, ...] = ()
    """Uris of folders, without the last slash."""

    headings: tuple[str, ...] = ()
    """Folded titles, or runs of titles joined by U+001F, that the heading path holds."""

    pages: tuple[tuple[int, int], ...] = ()
    """Ranges of physical pages, both ends included."""

    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    facts: tuple[tuple[str, ...], ...] = ()
    """Folded `key=value`; of each group one must be among the document's facts."""

    def __bool__(self) -> bool:
        return any((self.documents, self.folders, self.headings, self.pages, self.languages, self.kinds, self.facts))


@dataclass(frozen=True, slots=True)
class Located:
    """A chunk from the store with the words that found it."""

    key: int
    """Of this store and this moment only: never shown, never an order."""

    chunk: Chunk
    length: int
    """Number of terms of heading path and text."""

    heading: str
    folded: str
    exact: str


@dataclass(frozen=True, slots=True)
class Stats:
    """What a store holds."""

    documents: int
    chunks: int
    failed: int
    """Files that could not be read at the last sync."""

    model: str | None
    fingerprint: str | None
    dimensions: int | None
    vectors: int
    """Vectors of that model, those kept for texts that may come back included."""

    size: int
    """Bytes on disk."""

    languages: dict[str, int] = field(default_factory=dict)
    """Documents by language, as declared or recognised."""

    extra: dict[str, Any] = field(default_factory=dict)
