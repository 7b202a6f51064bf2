"""A model that needs no weights, and small helpers for flows over files."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from blake3 import blake3
from numpy.typing import NDArray

from pincite.counting.lengths import LENGTH_COUNTERS
from pincite.options import ChunkOptions, IndexOptions, Options
from pincite.pipeline import Index


class WordModel:
    """Hashes words into numbers; texts that share words are alike. Counts what it is asked."""

    def __init__(self, dimensions: int = 64, name: str = "", limit: int = 100_000) -> None:
        self.dimensions = dimensions
        self.name = name or f"words-{dimensions}"
        self.fingerprint = f"{self.name}@1"
        self.limit = limit
        self.counter = LENGTH_COUNTERS["chars"]
        self.embedded: list[str] = []
        self.queries: list[str] = []

    def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> NDArray[np.float32]:
        self.embedded += texts
        return np.stack([self.vector(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.queries.append(text)
        return self.vector(text)

    def vector(self, text: str) -> NDArray[np.float32]:
        made = np.zeros(self.dimensions, dtype=np.float32)
        for word in re.findall(r"\w+", text.casefold()):
            made[int.from_bytes(blake3(word.encode()).digest(length=4)) % self.dimensions] += 1
        size = math.sqrt(float(made @ made))
        return made / np.float32(size) if size else made


def index_of(path: Path, model: Any = None, **chunk: Any) -> Index:
    """An index at a path, with a model of words and chunks counted in characters."""
    options = Options(
        chunk=ChunkOptions(**{"counter": "chars", "max_tokens": 400, **chunk}), index=IndexOptions(workers=1)
    )
    return Index(path, options, model or WordModel())


def write(folder: Path, **files: str) -> None:
    """Write Markdown files, named without their ending."""
    for name, text in files.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
