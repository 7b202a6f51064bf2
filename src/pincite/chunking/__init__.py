"""Document → chunks. One module a step: outline, atoms, split, tables, pack, identity, audit."""

from __future__ import annotations

from pincite.chunking.chunker import Chunked, chunk_document

__all__ = ["VERSION", "Chunked", "chunk_document"]

VERSION = "1"
"""Raised whenever the same document and options may give other chunks than before: indexes then make theirs again."""
