"""The one place that starts ONNX Runtime, on the processor, with one thread a session.

Calls of several threads share a session, so that a session's own threads, which wait by spinning,
would only take the processor from each other.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any, Final

from pincite.errors import DependencyError, EmbeddingError

__all__ = ["require", "session"]

INSTALL: Final = "pip install 'pincite[local]'"
ERRORS_ONLY: Final = 3


def require(module: str) -> ModuleType:
    """An optional module, or the sentence that says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise DependencyError(f"{module}, which runs embedding models,", INSTALL) from None


def session(model: bytes | str, name: str) -> Any:
    """An inference session over the bytes or the path of an ONNX model."""
    runtime = require("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS_ONLY
    options.enable_mem_pattern = False  # it pays only where all texts have one length
    try:
        return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime raises its own classes, which differ between versions
        raise EmbeddingError(f"{name} cannot be run by onnxruntime {runtime.__version__}: {error}") from error
