"""A chunk back from its wire form: `chunk_from_json(chunk_json(c)) == c` for every chunk."""

from __future__ import annotations

from typing import Any

from pincite.chunk import Chunk, Part, Piece
from pincite.document import Region, Span

__all__ = ["chunk_from_json"]


def chunk_from_json(data: dict[str, Any]) -> Chunk:
    """The chunk that `pincite.chunk/1` describes, texts included."""
    document = data["document"]
    return Chunk(
        id=data["id"],
        index=data["index"],
        kind=data["kind"],
        document_id=document["id"],
        uri=document["uri"],
        title=document["title"],
        sha256=document["sha256"],
        heading_path=tuple(data["heading_path"]),
        text=data["text"],
        embedding_text=data["embedding_text"],
        tokens=data["tokens"],
        spans=tuple(Span(*span) for span in data["spans"]),
        pieces=tuple(piece(each) for each in data["pieces"]),
        regions=tuple(region(each) for each in data["regions"]),
        page_start=data["page_start"],
        page_end=data["page_end"],
        page_label_start=data["page_label_start"],
        page_label_end=data["page_label_end"],
        part=Part(data["part"]["number"], data["part"]["of"]),
        quality=data["quality"],
        flags=tuple(data["flags"]),
    )


def piece(data: dict[str, Any]) -> Piece:
    source = Span(*data["source"]) if data["source"] is not None else None
    return Piece(data["role"], data["start"], data["end"], source)


def region(data: dict[str, Any]) -> Region:
    left_top_right_bottom = tuple(data["bbox"]) if data["bbox"] else None
    return Region(Span(*data["span"]), data["page"], left_top_right_bottom)
