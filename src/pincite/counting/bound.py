"""A bound on the tokens of any tokenizer, for models whose own is out of reach.

A byte-level tokenizer has at most one token a byte. Those that work on characters have at most one a
character of the text as they normalise it, and those that fall back to bytes at most one a byte of
that; normalising may lengthen a text (ﷺ becomes 18 letters). The largest of these is never too small.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from pincite.counting.function import FunctionCounter

__all__ = ["bound", "bound_counter"]

SPECIAL: Final = 4
"""Tokens that a model puts around a text: begin, end, and a mark for the first word, with one to spare."""


def bound(text: str) -> int:
    """At least as many as the tokens of the text by any common tokenizer, special tokens left out."""
    composed, parted = unicodedata.normalize("NFKC", text), unicodedata.normalize("NFKD", text)
    return max(
        len(text.encode("utf-8", "surrogatepass")),
        len(composed.encode("utf-8", "surrogatepass")),
        len(parted),
        len(composed.casefold().encode("utf-8", "surrogatepass")),
    )


def bound_counter(prefix: str = "") -> FunctionCounter:
    """The bound as a counter, for texts that get `prefix` before them."""
    overhead = SPECIAL + bound(prefix)
    return FunctionCounter(bound, "model", f"bound#1:{prefix}", overhead=overhead, chars_per_token=None)
