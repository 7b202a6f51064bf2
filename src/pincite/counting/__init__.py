"""Texts to tokens: a counter for each way of measuring what an embedding model accepts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pincite.counting.counter import Counter, count
from pincite.errors import OptionError

__all__ = ["Counter", "count", "counter_for"]

KNOWN = "one of model, chars, bytes/3, words*1.33, hf:FILE or tiktoken:FILE"


def counter_for(name: str | Callable[[str], int], *, model: str = "multilingual-e5-small") -> Counter:
    """The counter that the option `chunk.counter` names.

    `model` is the embedding model whose tokenizer the name `model` stands for. A function from a
    text to its tokens is taken as it is; its sums are never trusted.
    """
    if callable(name):
        from pincite.counting.function import FunctionCounter

        return FunctionCounter(name)
    from pincite.counting.lengths import LENGTH_COUNTERS

    if name in LENGTH_COUNTERS:
        return LENGTH_COUNTERS[name]
    if name == "model":
        from pincite.counting.models import model_counter

        return model_counter(model)
    kind, _, rest = name.partition(":")
    if kind == "hf" and rest:
        from pincite.counting.huggingface import tokenizer_counter

        return tokenizer_counter(name, Path(rest))
    if kind == "tiktoken" and rest:
        from pincite.counting.ranks import rank_counter

        return rank_counter(name, rest)
    raise OptionError("chunk.counter", name, KNOWN)
