"""`hf:OWNER/NAME`: a model of the hub, from the local cache.

Using a model opens no connection: it must have been fetched before, by `pincite model fetch` or any
other tool that fills the same cache. The commit of the repository is part of the fingerprint.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Final

from pincite.embedding.folder import model_embedder, model_file
from pincite.embedding.runner import TextEmbedder
from pincite.errors import DependencyError, MissingError, OptionError, RefusedError, UnreachableError
from pincite.options import EmbedOptions

__all__ = ["cached", "fetch", "hub_embedder"]

NAME: Final = re.compile(r"[\w.-]+/[\w.-]+(?:@[\w./-]+)?", re.ASCII)
FORM: Final = "hf:OWNER/NAME or hf:OWNER/NAME@REVISION, such as hf:intfloat/multilingual-e5-base"
FILES: Final = (
    "*.json",
    "*.txt",
    "*.model",
    "onnx/model.onnx",
    "onnx/model.onnx_data",
    "model.onnx",
    "model.onnx_data",
)
"""What an ONNX model is run from; weights in other forms are left where they are."""

WEIGHTS: Final = ("*.safetensors",)
"""What sentence-transformers needs beside them."""


def hub_embedder(options: EmbedOptions) -> TextEmbedder:
    """The model that the option names, out of the cache."""
    name = options.model.removeprefix("hf:")
    folder = cached(name)
    if model_file(folder) is None:
        raise OptionError("embed.model", options.model, "a model whose repository holds model.onnx or onnx/model.onnx")
    return model_embedder(options, folder, f"hf:{name.partition('@')[0]}@{folder.name}")


def cached(name: str) -> Path:
    """The folder of a model in the cache, named by its commit; a MissingError where it is not there."""
    repository, revision = parts(name)
    try:
        return Path(
            library().snapshot_download(
                repository, revision=revision, allow_patterns=list(FILES), local_files_only=True
            )
        )
    except (FileNotFoundError, ValueError) as error:  # the library's own class is one or the other by version
        raise MissingError(
            f"hf:{name}", "the model is not in the local cache", f"run: pincite model fetch {name}"
        ) from error


def fetch(name: str, weights: bool = False) -> Path:
    """Download a model into the cache; its folder there. `weights` takes those for sentence-transformers as well."""
    repository, revision = parts(name)
    hub = library()
    wanted = [*FILES, *(WEIGHTS if weights else ())]
    try:
        return Path(hub.snapshot_download(repository, revision=revision, allow_patterns=wanted))
    except (OSError, ValueError) as error:  # the errors of the library and of its transport are of these
        status = refused_by(error)
        if status is None:
            advice = "check the connection, or HF_ENDPOINT"
            raise UnreachableError(f"hf:{name}", f"the hub cannot be reached ({error})", advice) from error
        advice = "check the name; a private model needs HF_TOKEN in the environment"
        raise RefusedError(f"hf:{name}", f"the hub refuses it (status {status})", advice, status) from error


def refused_by(error: BaseException | None) -> int | None:
    """The HTTP status that an error, or one that it came from, stands for."""
    while error is not None:
        status = getattr(getattr(error, "response", None), "status_code", None)
        if isinstance(status, int):
            return status
        error = error.__cause__
    return None


def parts(name: str) -> tuple[str, str | None]:
    if not NAME.fullmatch(name):
        raise OptionError("embed.model", f"hf:{name}", FORM)
    repository, _, revision = name.partition("@")
    return repository, revision or None


def library() -> ModuleType:
    try:
        import huggingface_hub
    except ImportError:
        raise DependencyError("huggingface_hub, which keeps models,", "pip install 'pincite[hub]'") from None
    return huggingface_hub
