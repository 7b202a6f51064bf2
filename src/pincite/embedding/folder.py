"""`onnx:FOLDER`: any encoder that was exported to ONNX, from a local folder.

The folder holds `tokenizer.json` and `model.onnx`, or `onnx/model.onnx` as on the hub. Limit, prefixes
and pooling come from the files of sentence-transformers where they are there, and `pincite.json`
overrides them. A model that gives a vector a token is pooled, by the mean where nothing else is
said; one that gives a vector a text is taken as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pincite.counting.huggingface import load_tokenizer
from pincite.counting.models import FolderSettings, folder_settings, prefixed_counter
from pincite.embedding.runner import TextEmbedder, workers
from pincite.embedding.runtime import session
from pincite.errors import EmbeddingError, OptionError
from pincite.options import EmbedOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["digest_of", "file_tokenizer", "folder_embedder", "model_embedder", "model_file"]

USUAL_LIMIT: Final = 512
OFFSET: Final = 2
POOLED: Final = ("sentence_embedding", "pooled")
"""Outputs that hold a vector a text, by the names that exporters give them."""


def folder_embedder(options: EmbedOptions) -> TextEmbedder:
    """The model of the folder that the option names."""
    folder = Path(options.model.removeprefix("onnx:"))
    for name, there in (("model.onnx", model_file(folder)), ("tokenizer.json", (folder / "tokenizer.json").is_file())):
        if not there:
            raise OptionError("embed.model", options.model, f"onnx:FOLDER, a folder that holds {name}")
    return model_embedder(options, folder, "onnx:")


def model_embedder(options: EmbedOptions, folder: Path, origin: str) -> TextEmbedder:
    """The model of a folder; `origin` begins its fingerprint. Prefixes of the options come before the folder's own."""
    settings = folder_settings(folder)
    if options.model.startswith("hf:"):
        settings = replace(
            settings,
            passage_prefix=options.passage_prefix or settings.passage_prefix,
            query_prefix=options.query_prefix or settings.query_prefix,
        )
    run, dimensions = loaded(options.model, folder, settings.pooling)
    return TextEmbedder(
        name=options.model,
        fingerprint=f"{origin}{'' if origin.endswith(':') else '#'}{digest(folder, settings)}",
        dimensions=dimensions,
        limit=settings.max_tokens or limit(folder),
        counter=prefixed_counter(folder / "tokenizer.json", settings.passage_prefix),
        tokenize=file_tokenizer(options.model, folder),
        run=run,
        passage_prefix=settings.passage_prefix,
        query_prefix=settings.query_prefix,
        threads=workers(options.threads),
    )


def model_file(folder: Path) -> Path | None:
    """The ONNX model of a folder: beside the tokenizer, or where the hub keeps it."""
    return next((file for file in (folder / "model.onnx", folder / "onnx" / "model.onnx") if file.is_file()), None)


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


def pooled(state: Array, pooling: str) -> Array:
    """The vector of a text from those of its tokens."""
    made: Array
    if pooling == "cls":
        made = state[0]
    elif pooling == "last":
        made = state[-1]
    elif pooling == "max":
        made = state.max(axis=0)
    else:
        made = state.mean(axis=0)
    return made


def loaded(name: str, folder: Path, pooling: str) -> tuple[Callable[[Sequence[int]], Array], int]:
    """The model as a function from the ids of a text to its vector, and the length of this."""
    import numpy as np

    model = session(str(model_file(folder)), name)
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
        return pooled(found, pooling) if found.ndim == 2 else found

    return vector, vector([0]).shape[-1]


def limit(folder: Path) -> int:
    """Tokens that the model accepts, by the files that usually lie beside it."""
    for file, key in (("sentence_bert_config.json", "max_seq_length"), ("config.json", "max_position_embeddings")):
        try:
            found = json.loads((folder / file).read_text(encoding="utf-8")).get(key)
        except (OSError, ValueError, AttributeError):
            continue
        if isinstance(found, int) and found > 0:
            return found - (OFFSET if key == "max_position_embeddings" and is_roberta(folder) else 0)
    return USUAL_LIMIT


def is_roberta(folder: Path) -> bool:
    """Whether positions are counted from 2, as in the models of this family."""
    return "roberta" in str(json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type"))


def digest(folder: Path, settings: FolderSettings) -> str:
    """Of all that a vector depends on: weights, also those beside the model file, tokenizer, prefixes, pooling."""
    known = (settings.passage_prefix, settings.query_prefix, settings.pooling)
    return digest_of(folder, ("tokenizer.json", "*.onnx*", "*.data", "onnx/model.onnx*", "onnx/*.data"), known)


def digest_of(folder: Path, patterns: Sequence[str], known: tuple[str, ...]) -> str:
    """Of the files that match, with their names and sizes, and of what is known beside them."""
    from blake3 import blake3

    hasher = blake3(repr(known).encode("utf-8", "surrogatepass"))
    parts = dict.fromkeys(part for pattern in patterns for part in sorted(folder.glob(pattern)) if part.is_file())
    for part in parts:
        hasher.update(
            f"{part.relative_to(folder).as_posix()}\0{part.stat().st_size}\0".encode("utf-8", "surrogateescape")
        )
        hasher.update_mmap(part)
    return hasher.hexdigest(length=16)
