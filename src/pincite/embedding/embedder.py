"""What indexing and search ask of an embedding model, whatever runs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pincite.counting import Counter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Embedder"]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of length one. Implementations are safe to share between threads."""

    @property
    def name(self) -> str:
        """What the option said, such as `multilingual-e5-small`."""

    @property
    def fingerprint(self) -> str:
        """Vectors of one fingerprint can be compared, others never: weights, quantisation, prefixes."""

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""

    @property
    def limit(self) -> int:
        """Most tokens of a text by `counter`, overhead included."""

    @property
    def counter(self) -> Counter:
        """The model's own tokenizer, prefix and special tokens as overhead."""

    def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> NDArray[np.float32]:
        """One row a text, in order. A text over the limit is an OversizeError that names it by `names`."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question."""
