"""Turns what the public library gives into the record that README.md describes.

Only names that `import pincite` shows are used, so that a case tests what a user has. Options
and steps that Pincite does not know make a case *not supported*, with the reason; whatever the
library raises on purpose becomes the record's `error`, and what it raises otherwise is left to
fly, since a case must fall on it.
"""

from __future__ import annotations

import codecs
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pincite

__all__ = ["NotSupportedError", "record", "source_text"]

Record = dict[str, Any]
Step = Mapping[str, Any]

SOURCE_TYPES: Final = ("text/markdown", "text/plain")
"""Where `Document.text` is the source file, so that spans point into it."""

EMBEDDER: Final = "hash-256"
"""The test embedder of the flows, where a case names none: words hashed into 256 numbers."""

CODES: Final[dict[str, str]] = {}
"""Words of Pincite whose code in README.md is another."""


class NotSupportedError(Exception):
    """The case asks for something that Pincite does not have."""


def record(folder: Path, case: Mapping[str, Any]) -> Record:
    """The record of one case."""
    given = case["input"]
    if "steps" in given:
        return Flow(folder, case.get("options") or {}).run(given["steps"])
    return document_record(folder / given["file"], case.get("options") or {}, given["media_type"])


def source_text(folder: Path, case: Mapping[str, Any]) -> str | None:
    """The decoded source file, byte order mark and line ends as they stand; None where spans have no such text."""
    given = case["input"]
    if given.get("media_type") not in SOURCE_TYPES:
        return None
    data = (folder / given["file"]).read_bytes()
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


# One document ------------------------------------------------------------------------------------


def document_record(path: Path, options: Mapping[str, Any], media_type: str) -> Record:
    """Reads and chunks one file twice; a refusal leaves no chunks."""
    parse, chunk = split_options(options, {"max_tokens", "overlap_tokens", "counter", "heading_prefix", "ocr"})
    began = time.perf_counter()
    try:
        document = pincite.parse(path, **parse)
        chunks = pincite.chunk(document, **chunk)
        took = time.perf_counter() - began
        again = pincite.chunk(pincite.parse(path, **parse), **chunk)
    except pincite.PinciteError as error:
        took = time.perf_counter() - began
        return {
            "chunks": [],
            "chunks_again": [],
            "document": {"page_count": None, "warnings": [], "error": error_record(error)},
            "elapsed_seconds": took,
        }
    in_source = media_type in SOURCE_TYPES
    return {
        "chunks": [chunk_record(each, in_source) for each in chunks],
        "chunks_again": [chunk_record(each, in_source) for each in again],
        "document": {
            "page_count": len(document.pages),
            "warnings": [{"code": code(found.code), "page": found.page} for found in document.diagnostics],
            "error": None,
        },
        "elapsed_seconds": took,
    }


def split_options(options: Mapping[str, Any], known: set[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arguments for reading and arguments for chunking."""
    unknown = sorted(set(options) - known)
    if unknown:
        raise NotSupportedError(f"no option {', '.join(unknown)}")
    if options.get("counter", "chars") != "chars":
        raise NotSupportedError(f"no counter {options['counter']!r} in the vocabulary of the cases")
    parse = {name: options[name] for name in ("ocr",) if name in options}
    chunk = {
        name: options[name] for name in ("max_tokens", "overlap_tokens", "counter", "heading_prefix") if name in options
    }
    return parse, chunk


def chunk_record(chunk: pincite.Chunk, in_source: bool) -> Record:
    """A chunk as the cases see it; spans are those of all that the text repeats from the source."""
    spans = [[p.source.start, p.source.end] for p in chunk.pieces if p.source and len(p.source)]
    return {
        "index": chunk.index,
        "id": chunk.id,
        "text": chunk.text,
        "embed_text": chunk.embedding_text,
        "tokens": chunk.tokens,
        "heading_path": list(chunk.heading_path),
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "page_label_start": chunk.page_label_start,
        "spans": spans if in_source else [],
    }


def error_record(error: pincite.PinciteError) -> Record:
    return {"code": code(error.code), "message": str(error)}


def code(word: str) -> str:
    return CODES.get(word, word)
