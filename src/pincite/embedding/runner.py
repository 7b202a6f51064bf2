"""Runs a model over many texts: limits, order, threads, and checks of what comes back.

Each text is one call of the model, and several calls run side by side. On a processor that
costs less than padded batches (nothing is spent on padding, and a call's numbers stay in the
cache: 110 ms a text against 220 in batches of 16), and a vector cannot depend on the texts that happened
to be embedded beside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.counting import Counter
from pincite.errors import EmbeddingError, OversizeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TextEmbedder"]


@dataclass(frozen=True, slots=True)
class TextEmbedder:
    """An embedder over a tokenizer and a model that takes token ids."""

    name: str
    fingerprint: str
    dimensions: int
    limit: int
    counter: Counter
    tokenize: Callable[[str], list[int]]
    """Ids of a text, special tokens included."""

    run: Callable[[Sequence[int]], NDArray[np.float32]]
    """The vector of one text's ids; safe for threads."""

    passage_prefix: str = ""
    query_prefix: str = ""
    threads: int = 1

    def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> NDArray[np.float32]:
        rows = [self.tokenize(self.passage_prefix + text) for text in texts]
        return self.vectors(rows, names or [f"text {number}" for number in range(1, len(texts) + 1)])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.vectors([self.tokenize(self.query_prefix + text)], ["the question"])[0]
        return vector

    def vectors(self, rows: Sequence[Sequence[int]], names: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of token rows, in order; the longest are begun first, so that no thread ends late."""
        import numpy as np

        for row, name in zip(rows, names, strict=True):
            if len(row) > self.limit:
                raise OversizeError(name, len(row), self.limit, self.name)
        found = np.zeros((len(rows), self.dimensions), np.float32)
        order = sorted(range(len(rows)), key=lambda index: -len(rows[index]))

        def embed(index: int) -> None:
            found[index] = self.checked(self.run(rows[index]), names[index])

        if len(order) < 2 or self.threads == 1:
            list(map(embed, order))
        else:
            with ThreadPoolExecutor(min(self.threads, len(order))) as pool:
                list(pool.map(embed, order))
        return found

    def checked(self, vector: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        """The vector made as long as one, or an error that names the text that went wrong."""
        import numpy as np

        if vector.shape != (self.dimensions,):
            raise EmbeddingError(
                f"{self.name} gave an array of shape {vector.shape} for {name}, where {self.dimensions} numbers were due"
            )
        length = float(np.linalg.norm(vector.astype(np.float64)))
        if not 0 < length < float("inf"):
            raise EmbeddingError(f"{self.name} gave no finite vector for {name}; nothing was stored for it")
        unit: NDArray[np.float32] = (vector / length).astype(np.float32)
        return unit


def workers(threads: int) -> int:
    """The option's number of threads; 0 stands for every core that this process may use."""
    if threads:
        return threads
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
