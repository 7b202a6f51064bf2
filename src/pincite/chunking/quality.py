"""How well a chunk's text was read, from 0 to 1, judged by its kind.

Confidence of the blocks, weighted by their length; less for characters that no text is made of,
where running text is expected; a little more for text that ends like a sentence. Tables, code
and equations are full of signs, so signs do not count against them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["confidence_of", "quality"]

SENTENCE_END = re.compile(r"[.!?:\"”」』。！？…।]\W{0,2}\Z")
ODD = re.compile(r"[^\w\s.,;:!?'\"()\[\]{}<>/\\|*_`#~+=&%$€£¥₩₫°§–—‐‑…·•“”‘’«»、。，；：！？「」『』（）।^-]")
ASCII_ODD = re.compile(r"[@\x00-\x08\x0e-\x1f\x7f]")
NOISE_COST = 0.5
ENDING = 0.05
UNKNOWN = 0.5
"""The quality of a text of which no block is known."""


def confidence_of(parts: Sequence[tuple[int, float]]) -> float | None:
    """Mean confidence, weighted by length; None without parts."""
    total = sum(length for length, _ in parts)
    return sum(length * confidence for length, confidence in parts) / total if total else None


def quality(text: str, kind: str, confidence: float | None) -> float:
    """The quality of a chunk of `kind`, with four decimals."""
    if confidence is None:
        return UNKNOWN
    score = confidence
    if kind in ("text", "list", "heading", "figure"):
        score -= NOISE_COST * noise(text)
        if SENTENCE_END.search(text[-8:].rstrip()):
            score += ENDING
    return round(min(1.0, max(0.0, score)), 4)


def noise(text: str) -> float:
    """Share of characters that are neither letters, digits, marks nor ordinary punctuation."""
    if text.isascii():
        return len(ASCII_ODD.findall(text)) / max(1, len(text))
    odd = ODD.findall(text)
    strange = sum(1 for c in odd if unicodedata.category(c)[0] not in "LMN" and c not in "\u200d\ufe0f")
    return strange / max(1, len(text))
