"""`sentence-transformers:NAME_OR_FOLDER`: models of that library, run by it and by PyTorch.

It cuts what is too long and says nothing, so texts are counted before it sees them.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pincite.counting import count
from pincite.counting.function import FunctionCounter
from pincite.counting.models import sentence_prompts
from pincite.embedding.folder import digest_of
from pincite.embedding.hub import cached
from pincite.embedding.wire import fault, unit
from pincite.errors import DependencyError, EmbeddingError, OversizeError
from pincite.options import EmbedOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["SentenceEmbedder", "sentence_embedder"]

PREFIX: Final = "sentence-transformers:"
PARTS: Final = ("**/*.safetensors", "**/*.bin", "**/*.json")


def sentence_embedder(options: EmbedOptions) -> SentenceEmbedder:
    """The model of a folder, or of the cache where there is no such folder; nothing is downloaded."""
    name = options.model.removeprefix(PREFIX)
    folder = Path(name) if Path(name).is_dir() else cached(name)
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise DependencyError("sentence-transformers", "pip install 'pincite[sentence-transformers]'") from None
    try:
        model = SentenceTransformer(str(folder), local_files_only=True, device="cpu")
    except Exception as error:  # the library raises whatever its own libraries raise
        raise EmbeddingError(f"{options.model} cannot be loaded by sentence-transformers: {error}") from error
    return SentenceEmbedder(options, model, folder)


def length_of(model: Any) -> int:
    """Numbers in a vector; the library has renamed the method."""
    ask = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
    return int(ask())


class SentenceEmbedder:
    """An embedder over a `SentenceTransformer`; one call at a time, which uses every core by itself."""

    def __init__(self, options: EmbedOptions, model: Any, folder: Path) -> None:
        passage, query = sentence_prompts(folder)
        self.options, self.model, self.name = options, model, options.model
        self.passage_prefix = options.passage_prefix or passage
        self.query_prefix = options.query_prefix or query
        self.limit: int = int(model.max_seq_length)
        self.dimensions: int = length_of(model)
        self.fingerprint = f"{PREFIX}{digest_of(folder, PARTS, (self.passage_prefix, self.query_prefix))}"
        self.counter = FunctionCounter(self.tokens, "model", f"{self.fingerprint}:tokens")
        self.one = threading.Lock()

    def tokens(self, text: str) -> int:
        """Tokens of a passage by the model's own tokenizer, prefix and special tokens included; nothing is cut."""
        clean = (self.passage_prefix + text).encode("utf-8", "replace").decode("utf-8")
        return len(self.model.tokenizer(clean, truncation=False, verbose=False)["input_ids"])

    def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> Array:
        called = names or [f"text {number}" for number in range(1, len(texts) + 1)]
        for name, text in zip(called, texts, strict=True):
            if (size := count(self.counter, text)) > self.limit:
                raise OversizeError(name, size, self.limit, self.name)
        return self.encoded([self.passage_prefix + text for text in texts], called)

    def embed_query(self, text: str) -> Array:
        row: Array = self.encoded([self.query_prefix + text], ["the question"])[0]
        return row

    def encoded(self, texts: Sequence[str], names: Sequence[str]) -> Array:
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        with self.one:
            found = self.model.encode(
                clean, prompt="", batch_size=self.options.batch_size, show_progress_bar=False, convert_to_numpy=True
            )
        rows = np.asarray(found, np.float32)
        if len(rows) != len(texts):
            raise EmbeddingError(f"{self.name} gave {len(rows)} vectors for {len(texts)} texts")
        for row, name in zip(rows, names, strict=True):
            if wrong := fault(row, self.dimensions):
                raise EmbeddingError(f"{self.name} {wrong} for {name}; nothing was stored for it")
        made: Array = np.stack([unit(row) for row in rows])
        return made
