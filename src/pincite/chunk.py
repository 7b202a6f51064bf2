"""What chunking yields and search returns: `Chunk`, its pieces, and the `Citation`.

Three texts, never mixed. The *source* is `document.text` at the chunk's spans, byte for byte.
The *text* is what a person reads: LF only, context pieces and own pieces. The *embedding text*
is the heading path joined by " > ", a newline, and the text; without a path just the text.
`embedding_text` below is the only function that builds it, and the budget is counted on its
result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from blake3 import blake3

from pincite.document import Region, Span

__all__ = ["Chunk", "ChunkKind", "Citation", "Namer", "Part", "Piece", "chunk_id", "document_id", "embedding_text"]

ChunkKind = Literal["text", "list", "table", "table_schema", "code", "equation", "figure", "heading"]

PieceRole = Literal["own", "overlap", "table_header", "key_column", "lead_in", "caption", "fence", "generated"]

PATH_SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of `Chunk.text` and where it comes from."""

    role: PieceRole
    """`own` is the chunk's own content; the rest is context, repeated so that the chunk can be
    understood alone; `generated` stands nowhere in the source."""

    start: int
    """Offset in `Chunk.text`, in code points."""

    end: int
    """Offset after the last code point."""

    source: Span | None = None
    """The range of `Document.text` that it shows; absent for what stands nowhere in the source."""


@dataclass(frozen=True, slots=True)
class Part:
    """Position among the chunks of one section."""

    number: int
    """From 1."""

    of: int
    """How many chunks the section has."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A citable piece of one section of one document."""

    id: str
    """Derived from content: see `chunk_id`."""

    index: int
    """Position in the document, from 0, without holes."""

    kind: ChunkKind
    document_id: str
    uri: str
    title: str | None
    """Title of the document."""

    sha256: str
    """Of the document's bytes."""

    heading_path: tuple[str, ...]
    """Plain titles, root first: the whole path, also where the embedding text shows less."""

    text: str
    embedding_text: str
    tokens: int
    """Of the embedding text by the configured counter, special tokens and prefix included."""

    spans: tuple[Span, ...]
    """Own ranges of `Document.text`; they rise and do not overlap."""

    pieces: tuple[Piece, ...]
    regions: tuple[Region, ...] = ()
    """Where the own text stands, a line at a time."""

    page_start: int | None = None
    """First physical page of the own text, from 1; absent where the format has no pages."""

    page_end: int | None = None
    page_label_start: str | None = None
    page_label_end: str | None = None
    part: Part = Part(1, 1)
    quality: float = 1.0
    """0 to 1: how much of the text looks like words that were read well, judged by kind."""

    flags: tuple[str, ...] = ()
    """`path_trimmed`, `over_budget`, `hard_cut`, …: what a reader of this chunk should know."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a passage stands, so that a reader can open the place and check the words."""

    number: int
    """Position in the list of results, from 1."""

    target: str
    """What to open: `handbook.pdf#page=12`, or the uri alone."""

    line: str
    """For people: `handbook.pdf, p. 12 (xii), Employee Handbook › 2. Benefits`."""

    uri: str
    sha256: str
    """Of the file when it was indexed."""

    heading_path: tuple[str, ...]
    page_start: int | None
    page_end: int | None
    page_label_start: str | None
    page_label_end: str | None
    spans: tuple[Span, ...]
    regions: tuple[Region, ...]
    """What to highlight."""

    quote: str
    """The own words of the passage, without repeated context."""


def embedding_text(path: Sequence[str], text: str) -> str:
    """The string that is embedded and that the budget is counted on."""
    return f"{PATH_SEPARATOR.join(path)}\n{text}" if path else text


def document_id(uri: str) -> str:
    """32 hexadecimal digits that depend on the uri alone, so that an edit renames no document."""
    return blake3(uri.encode("utf-8", "surrogatepass")).hexdigest(length=16)


def chunk_id(document: str, path: Iterable[str], embedded: str, occurrence: int) -> str:
    """32 hexadecimal digits from content: neither index nor offset, so that an insertion renames nothing.

    `occurrence` counts, from 0, earlier chunks of the document with the same path and embedding
    text. Fields are length-prefixed, so that no two different inputs run together.
    """
    fields = (document, *path, embedded, str(occurrence))
    return blake3(b"".join(map(prefixed, fields))).hexdigest(length=16)


def prefixed(field: str) -> bytes:
    """A field behind its length, so that neighbours never run together."""
    data = field.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(8, "little") + data


class Namer:
    """`chunk_id` for the chunks of one document in turn: counts occurrences, and encodes each path once."""

    def __init__(self, document: str) -> None:
        self._document = prefixed(document)
        self._paths: dict[tuple[str, ...], bytes] = {}
        self._seen: dict[str, int] = {}
        """How often each id of a first occurrence came."""

    def __call__(self, path: tuple[str, ...], embedded: str) -> str:
        before = self._paths.get(path)
        if before is None:
            before = self._paths[path] = self._document + b"".join(map(prefixed, path))
        content = before + prefixed(embedded)
        first = blake3(content + FIRST).hexdigest(length=16)
        occurrence = self._seen.get(first, 0)
        self._seen[first] = occurrence + 1
        return blake3(content + prefixed(str(occurrence))).hexdigest(length=16) if occurrence else first


FIRST = prefixed("0")


def chunk_json(chunk: Chunk, content: bool = True) -> dict[str, Any]:
    """The wire form `pincite.chunk/1`; `content=False` leaves both texts out."""
    texts = {"text": chunk.text, "embedding_text": chunk.embedding_text} if content else {}
    return {
        "schema": "pincite.chunk/1",
        "id": chunk.id,
        "index": chunk.index,
        "kind": chunk.kind,
        "document": {
            "id": chunk.document_id,
            "uri": chunk.uri,
            "title": chunk.title,
            "sha256": chunk.sha256,
        },
        "heading_path": list(chunk.heading_path),
        **texts,
        "tokens": chunk.tokens,
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "page_label_start": chunk.page_label_start,
        "page_label_end": chunk.page_label_end,
        "spans": [[span.start, span.end] for span in chunk.spans],
        "regions": [region_json(region) for region in chunk.regions],
        "pieces": [piece_json(piece) for piece in chunk.pieces],
        "part": {"number": chunk.part.number, "of": chunk.part.of},
        "quality": chunk.quality,
        "flags": list(chunk.flags),
    }


def region_json(region: Region) -> dict[str, Any]:
    """A region as it is printed: without its span where a list of regions already follows the text."""
    return {
        "page": region.page,
        "bbox": list(region.bbox) if region.bbox else None,
        "span": [region.span.start, region.span.end],
    }


def piece_json(piece: Piece) -> dict[str, Any]:
    source = [piece.source.start, piece.source.end] if piece.source is not None else None
    return {"role": piece.role, "start": piece.start, "end": piece.end, "source": source}


def quote(chunk: Chunk) -> str:
    """The chunk's own words: its text without context pieces."""
    return "\n".join(chunk.text[p.start : p.end].strip("\n") for p in chunk.pieces if p.role == "own")
