"""Document → chunks. One module a step: outline, atoms, split, tables, pack, identity, audit."""

from __future__ import annotations

from pincite.chunking.chunker import Chunked, chunk_document

__all__ = ["Chunked", "chunk_document"]
