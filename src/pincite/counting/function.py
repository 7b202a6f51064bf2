"""Any function from a text to a number of tokens, as a counter.

Nothing is known of the function, so no sum is trusted: chunking counts what it emits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite.counting.lengths import CHARS_PER_TOKEN

__all__ = ["FunctionCounter"]


@dataclass(frozen=True, slots=True)
class FunctionCounter:
    """Counts with `function`, which must be safe to call from several threads."""

    function: Callable[[str], int]
    """Tokens of a text; never negative."""

    name: str = "function"
    fingerprint: str = "function"
    """Give each function its own, or results of one pass for results of another."""

    overhead: int = 0
    exact_sums: bool = False
    chars_per_token: int | None = CHARS_PER_TOKEN

    def units(self, text: str) -> int:
        return self.function(text)

    def units_many(self, texts: Sequence[str]) -> list[int]:
        return list(map(self.function, texts))

    def blank(self, space: str) -> int:
        return self.function(space) if space else 0

    def tokens(self, units: int) -> int:
        return units

    def capacity(self, max_tokens: int) -> int:
        return max(0, max_tokens)
