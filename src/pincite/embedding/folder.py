"""`onnx:FOLDER`: any encoder that was exported to ONNX, from a local folder.

The folder holds `model.onnx` and `tokenizer.json`; `pincite.json` may name the prefixes and the
limit. A model that gives a vector a token is pooled by the mean, one that gives a vector a text is
taken as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pincite.counting.huggingface import load_tokenizer
from pincite.counting.models import FolderSettings, folder_settings, model_counter
from pincite.embedding.runner import TextEmbedder, workers
from pincite.embedding.runtime import session
from pincite.errors import EmbeddingError, OptionError
from pincite.options import EmbedOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["file_tokenizer", "folder_embedder"]

USUAL_LIMIT: Final = 512
POOLED: Final = ("sentence_embedding", "pooled")
"""Outputs that hold a vector a text, by the names that exporters give them."""


def folder_embedder(options: EmbedOptions) -> TextEmbedder:
    """The model of the folder that the option names."""
    folder = Path(options.model.removeprefix("onnx:"))
    for name in ("model.onnx", "tokenizer.json"):
        if not (folder / name).is_file():
            raise OptionError("embed.model", options.model, f"onnx:FOLDER, a folder that holds {name}")
    settings = folder_settings(folder)
    run, dimensions = loaded(options.model, folder)
    return TextEmbedder(
        name=options.model,
        fingerprint=f"onnx:{digest(folder, settings)}",
        dimensions=dimensions,
        limit=settings.max_tokens or limit(folder),
        counter=model_counter(options.model),
        tokenize=file_tokenizer(options.model, folder),
        run=run,
        passage_prefix=settings.passage_prefix,
        query_prefix=settings.query_prefix,
        threads=workers(options.threads),
    )


def file_tokenizer(model: str, folder: Path) -> Callable[[str], list[int]]:
    """Ids of a text by the folder's tokenizer.json, special tokens included; nothing is cut."""
    encode = load_tokenizer(model, (folder / "tokenizer.json").read_bytes()).encode

    def tokenize(text: str) -> list[int]:
        try:
            ids: list[int] = encode(text).ids
        except (UnicodeEncodeError, TypeError):  # half a surrogate pair, which no UTF-8 holds
            ids = encode(text.encode("utf-8", "replace").decode("utf-8")).ids
        return ids

    return tokenize


def loaded(name: str, folder: Path) -> tuple[Callable[[Sequence[int]], Array], int]:
    """The model as a function from the ids of a text to its vector, and the length of this."""
    import numpy as np

    model = session(str(folder / "model.onnx"), name)
    wanted = {each.name for each in model.get_inputs()}
    if wanted - {"input_ids", "attention_mask", "token_type_ids"} or "input_ids" not in wanted:
        found = ", ".join(sorted(wanted))
        raise EmbeddingError(
            f"{name} takes {found}; it must take input_ids and may take attention_mask, token_type_ids"
        )
    outputs = [each.name for each in model.get_outputs()]
    output = next((each for each in outputs if each in POOLED), outputs[0])

    def vector(ids: Sequence[int]) -> Array:
        row = np.array([ids], np.int64)
        inputs = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        found = np.asarray(model.run([output], {key: inputs[key] for key in wanted})[0], np.float32)[0]
        pooled: Array = found.mean(axis=0) if found.ndim == 2 else found
        return pooled

    return vector, vector([0]).shape[-1]


def limit(folder: Path) -> int:
    """Tokens that the model accepts, by the files that usually lie beside it."""
    for file, key in (("sentence_bert_config.json", "max_seq_length"), ("config.json", "max_position_embeddings")):
        try:
            found = json.loads((folder / file).read_text(encoding="utf-8")).get(key)
        except (OSError, ValueError, AttributeError):
            continue
        if isinstance(found, int) and found > 0:
            return found
    return USUAL_LIMIT


def digest(folder: Path, settings: FolderSettings) -> str:
    """Of all that a vector depends on: weights, also those beside the model file, tokenizer, prefixes."""
    from blake3 import blake3

    hasher = blake3(repr((settings.passage_prefix, settings.query_prefix)).encode())
    parts = [folder / "tokenizer.json", *sorted(folder.glob("*.onnx*")), *sorted(folder.glob("*.data"))]
    for part in parts:
        hasher.update(f"{part.name}\0{part.stat().st_size}\0".encode())
        hasher.update_mmap(part)
    return hasher.hexdigest(length=16)
