"""all-MiniLM-L6-v2, a small English model, out of the package that carries its weights.

Semantic boundaries are defined with it. Only the package's files are read: weights in the
safetensors form (a length, a JSON directory, then the numbers) and the tokenizer.
"""

from __future__ import annotations

import functools
import hashlib
import json
import mmap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pincite.counting.models import MINILM, minilm_folder, model_counter
from pincite.embedding.bert import Encoder, Float, Layer, Norm, encoder_model, runner
from pincite.embedding.folder import file_tokenizer
from pincite.embedding.runner import TextEmbedder, workers
from pincite.errors import DependencyError, EmbeddingError
from pincite.options import EmbedOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["minilm_embedder"]

SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSTALL: Final = "pip install --force-reinstall 'pincite[semantic]'"
WIDTH: Final = 384
LAYERS: Final = 6
HEADS: Final = 12
EPSILON: Final = 1e-12
LIMIT: Final = 256
"""Tokens that the model was tuned on; its positions would reach further."""


class Safetensors:
    """A mapped safetensors file whose sha256 was checked."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise DependencyError(f"the weights of {MINILM} ({path.name})", INSTALL)
        with path.open("rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if hashlib.sha256(self.data).hexdigest() != SHA256:
            raise EmbeddingError(f"the weights of {MINILM} are not those that are known; {INSTALL}")
        size = int.from_bytes(self.data[:8], "little")
        self.start = 8 + size
        self.directory: dict[str, Any] = json.loads(self.data[8 : self.start])

    def __getitem__(self, name: str) -> Array:
        import numpy as np

        entry = self.directory[name]
        first, last = entry["data_offsets"]
        flat = np.frombuffer(self.data, "<f4", (last - first) // 4, self.start + first)
        return flat.reshape(entry["shape"])


def encoder(weights: Safetensors) -> Encoder:
    def norm(name: str) -> Norm:
        return Norm(weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"])

    def dense(name: str) -> Float:
        return Float(weights[f"{name}.weight"], weights[f"{name}.bias"])

    def layer(number: int) -> Layer:
        at = f"encoder.layer.{number}"
        return Layer(
            query=dense(f"{at}.attention.self.query"),
            key=dense(f"{at}.attention.self.key"),
            value=dense(f"{at}.attention.self.value"),
            out=dense(f"{at}.attention.output.dense"),
            out_norm=norm(f"{at}.attention.output"),
            inner=dense(f"{at}.intermediate.dense"),
            outer=dense(f"{at}.output.dense"),
            outer_norm=norm(f"{at}.output"),
        )

    positions = (
        weights["embeddings.position_embeddings.weight"][:LIMIT] + weights["embeddings.token_type_embeddings.weight"][0]
    )
    return Encoder(positions, norm("embeddings"), tuple(map(layer, range(LAYERS))), HEADS, EPSILON)


@functools.cache
def loaded() -> tuple[Callable[[Sequence[int]], Array], Callable[[str], list[int]]]:
    """The model and its tokenizer, once in a process."""
    folder = minilm_folder()
    weights = Safetensors(folder / "model.safetensors")
    words = weights["embeddings.word_embeddings.weight"]
    run = runner(encoder_model(encoder(weights)), MINILM, lambda ids: words[ids])
    return run, file_tokenizer(MINILM, folder)


def minilm_embedder(options: EmbedOptions) -> TextEmbedder:
    run, tokenize = loaded()
    return TextEmbedder(
        name=MINILM,
        fingerprint=f"{MINILM}@fp32#{SHA256[:16]}",
        dimensions=WIDTH,
        limit=LIMIT,
        counter=model_counter(MINILM),
        tokenize=tokenize,
        run=run,
        threads=workers(options.threads),
    )
