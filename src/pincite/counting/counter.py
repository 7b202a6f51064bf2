"""What chunking asks of a counter, whatever tokenizer is behind it.

A counter measures text in whole *units* that add up, and turns units into tokens: for a
tokenizer a unit is a token, for `bytes/3` it is a byte, for `words*1.33` a word. So the packer
counts each text once, adds, and still obeys a bound that rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

__all__ = ["Counter", "count"]


@runtime_checkable
class Counter(Protocol):
    """Counts texts. Implementations are immutable and safe to share between threads."""

    @property
    def name(self) -> str:
        """What the option said, such as `chars`."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever a count may change: name, tokenizer file, prefix."""

    @property
    def overhead(self) -> int:
        """Units that each embedded text costs beside its own: special tokens, the model's prefix."""

    @property
    def exact_sums(self) -> bool:
        """Whether `units(a + w + b) == units(a) + blank(w) + units(b)` for white space `w`
        between texts without white space at their ends. Where not, a sum is an estimate."""

    @property
    def chars_per_token(self) -> int | None:
        """Most code points a token of the budget may stand for; a tokenizer that sees one
        unknown piece in a word of 60,000 letters is no licence. None where length is counted."""

    def units(self, text: str) -> int:
        """Units of one text, without overhead; 0 for white space only, unless white space counts."""

    def units_many(self, texts: Sequence[str]) -> list[int]:
        """`units` of each text, in one call."""

    def blank(self, space: str) -> int:
        """Units of white space between two texts that are counted apart."""

    def tokens(self, units: int) -> int:
        """Tokens of so many units; grows with them."""

    def capacity(self, max_tokens: int) -> int:
        """The most units whose tokens are at most `max_tokens`."""


def count(counter: Counter, text: str) -> int:
    """Tokens of an embedding text, overhead included: the figure that a budget bounds."""
    return counter.tokens(counter.units(text) + counter.overhead)
