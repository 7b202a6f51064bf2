"""What made a result: when any of it changes, the result is stale and is made again.

A wrong redo costs time, a wrong skip corrupts; so whatever could change a result is in its
signature, also the versions of the libraries that read documents, and what cannot change it
(limits on time, the number of workers, everything about search) is not.
"""

from __future__ import annotations

import importlib
import json
from functools import cache
from importlib import metadata
from typing import Final

from blake3 import blake3

from pincite.options import ChunkOptions, ParseOptions, signature

__all__ = ["chunk_signature", "parse_signature", "words_signature"]

READERS: Final = ("pyromark", "pypdfium2", "lxml", "icu4py")
"""Libraries whose version may change what is read from the same bytes."""


def parse_signature(options: ParseOptions) -> str:
    """Of the Document that these options make of some bytes."""
    return digest("parse", stage("pincite.parsing"), versions(), signature(options, leave_out=("timeout", "max_bytes")))


def chunk_signature(parsed: str, options: ChunkOptions, counter: str, model: str) -> str:
    """Of the chunks that these options make of a Document; `counter` is the counter's fingerprint.

    `model` is the embedder's fingerprint where meaning decides the breaks, and counts only there.
    """
    return digest(
        "chunk", stage("pincite.chunking"), parsed, signature(options), counter, model if options.semantic else ""
    )


def words_signature(analyser: str) -> str:
    """Of the terms that an analyser makes of a chunk."""
    return digest("words", analyser)


def digest(*fields: str) -> str:
    return blake3(json.dumps(fields).encode()).hexdigest(length=16)


def stage(module: str) -> str:
    """The version that a stage gives its results: `VERSION` in its package, raised with each change of them."""
    return str(importlib.import_module(module).VERSION)


@cache
def versions() -> str:
    found = []
    for name in READERS:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(f"{name} absent")
    return ", ".join(found)
