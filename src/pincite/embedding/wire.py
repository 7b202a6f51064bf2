"""The reply of an embeddings endpoint, read with suspicion."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pincite.errors import ReplyError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["fault", "read_rows", "unit"]


def read_rows(found: Any, count: int, url: str) -> list[Array]:
    """The vectors of a reply in the order of the texts, which `index` tells and not their place."""
    data = found.get("data") if isinstance(found, dict) else None
    if not isinstance(data, list) or not all(isinstance(each, dict) and "embedding" in each for each in data):
        raise ReplyError(url, "the reply holds no embeddings", "check the address and the name of the model")
    order = [each.get("index", at) for at, each in enumerate(data)]
    if sorted(order, key=str) != sorted(range(count), key=str) or any(type(each) is not int for each in order):
        raise ReplyError(url, f"{len(data)} vectors came for {count} texts, or twice for one", "try another endpoint")
    rows: list[Array | None] = [None] * count
    for at, each in zip(order, data, strict=True):
        rows[at] = read_row(each["embedding"], url)
    return [row for row in rows if row is not None]


def read_row(value: Any, url: str) -> Array:
    """Numbers from a list, or from base64 of 32-bit floats, little end first."""
    import numpy as np

    try:
        if isinstance(value, str):
            return np.frombuffer(base64.b64decode(value, validate=True), "<f4").astype(np.float32)
        return numbers(value)
    except (ValueError, TypeError, OverflowError, binascii.Error):
        raise ReplyError(url, "an embedding is neither a list of numbers nor base64", "try another format") from None


def numbers(value: Sequence[Any]) -> Array:
    """A list of numbers; `null`, which some servers write for what is no number, is not finite."""
    import numpy as np

    if not isinstance(value, list) or any(isinstance(each, str | list | dict | bool) for each in value):
        raise TypeError
    with np.errstate(over="ignore"):
        return np.array([np.nan if each is None else each for each in value], np.float64).astype(np.float32)


def fault(row: Array, dimensions: int) -> str:
    """Why a vector cannot be kept; empty where it can."""
    import numpy as np

    if row.shape != (dimensions,):
        return f"gave {row.size} numbers where {dimensions} were due"
    length = float(np.linalg.norm(row.astype(np.float64)))
    return "" if 0 < length < float("inf") else "gave no finite vector"


def unit(row: Array) -> Array:
    """The vector made as long as one."""
    import numpy as np

    made: Array = (row / np.linalg.norm(row.astype(np.float64))).astype(np.float32)
    return made
