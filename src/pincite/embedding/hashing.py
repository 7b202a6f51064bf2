"""`hash-N`: words hashed into N numbers. It knows no meaning and needs no weights.

It is for tests and for trials without a model: the same words give the same vector on every
machine, more shared words give a higher cosine, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pincite.counting import Counter
from pincite.counting.models import model_counter
from pincite.errors import OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["HashEmbedder", "hash_embedder"]

MOST: Final = 4096
NO_LIMIT: Final = 10**9


@dataclass(frozen=True, slots=True)
class HashEmbedder:
    """An embedder whose vectors depend on the words alone, letter case aside."""

    dimensions: int
    counter: Counter
    limit: int = NO_LIMIT

    @property
    def name(self) -> str:
        return f"hash-{self.dimensions}"

    @property
    def fingerprint(self) -> str:
        return f"hash-{self.dimensions}#1"

    def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> NDArray[np.float32]:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[:] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The sum of the words' vectors, made as long as one; a text without words points along the first axis."""
        import numpy as np
        from blake3 import blake3

        total = np.zeros(self.dimensions, np.float64)
        for word in text.casefold().split():
            data = blake3(word.encode("utf-8", "surrogatepass")).digest(length=self.dimensions)
            total += np.frombuffer(data, np.uint8) - 127.5
        length = float(np.linalg.norm(total))
        if not length:
            total[0] = length = 1.0
        return (total / length).astype(np.float32)


def hash_embedder(name: str) -> HashEmbedder:
    """The embedder that `hash-N` names."""
    size = name.removeprefix("hash-")
    if not (size.isascii() and size.isdecimal() and 1 <= int(size) <= MOST and str(int(size)) == size):
        raise OptionError("embed.model", name, f"hash-N with N from 1 to {MOST}, such as hash-16")
    return HashEmbedder(int(size), model_counter(name))
