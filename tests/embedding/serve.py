"""Replies of an embeddings endpoint."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np

from ..endpoint import Answer, Asked

__all__ = ["embeddings", "vector"]


def vector(text: str, size: int = 4) -> list[float]:
    """A vector that depends on the text; not of length one."""
    return [float(sum(ord(c) * (at + n + 1) for n, c in enumerate(text)) % 97 + 1) for at in range(size)]


def embeddings(
    size: int = 4, change: Callable[[list[dict[str, Any]]], Any] | None = None, longest: int | None = None
) -> Callable[[Asked], Answer]:
    """Embeds as it is asked to; `change` spoils the list, and a text of more than `longest` letters is rejected."""

    def reply(asked: Asked) -> Answer:
        texts = asked.body["input"]
        if longest is not None and any(len(text) > longest for text in texts):
            return Answer({"error": {"message": f"maximum context length is {longest} tokens"}}, 400)
        length = asked.body.get("dimensions", size)
        data: Any = [
            {"index": at, "embedding": written(vector(text, length), asked.body["encoding_format"])}
            for at, text in enumerate(texts)
        ]
        return Answer({"object": "list", "data": change(data) if change else data, "usage": {"prompt_tokens": 1}})

    return reply


def written(values: list[float], form: str) -> Any:
    return base64.b64encode(np.array(values, "<f4").tobytes()).decode() if form == "base64" else values
