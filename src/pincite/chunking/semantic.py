"""Optional breaks where neighbouring blocks differ in meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Encode", "boundaries", "parts_that_fit"]

Encode = Callable[[Sequence[str]], Any]
"""Texts to vectors: anything that numpy reads as an array of shape (texts, dimensions)."""


def boundaries(texts: Sequence[str], encode: Encode, threshold: float) -> list[int]:
    """Positions of the texts before which meaning changes.

    A boundary stands before text `i` where the cosine of texts `i - 1` and `i` is strictly below
    `threshold`. A zero vector has cosine 0 with everything. Fewer than two texts are not encoded,
    so that no model is loaded for them.
    """
    if len(texts) < 2:
        return []
    import numpy

    vectors = numpy.asarray(encode(texts), dtype=numpy.float64)
    lengths = numpy.linalg.norm(vectors, axis=1)
    products = (vectors[:-1] * vectors[1:]).sum(axis=1)
    scale = lengths[:-1] * lengths[1:]
    cosines = numpy.divide(products, scale, out=numpy.zeros_like(products), where=scale > 0)
    return [number + 1 for number, cosine in enumerate(cosines.tolist()) if cosine < threshold]


def parts_that_fit(text: str, count: Callable[[str], int], limit: int) -> list[str]:
    """A text in parts of at most `limit` tokens, halved at white space as often as it takes."""
    waiting, found = [text], []
    while waiting:
        part = waiting.pop()
        if len(part) < 2 or count(part) <= limit:
            found.append(part)
            continue
        middle = len(part) // 2
        space = part.find(" ", middle)
        at = space if 0 < space < len(part) - 1 else middle
        waiting += [part[at:], part[:at]]
    return found
