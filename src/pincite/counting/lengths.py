"""Counters that need no tokenizer: code points, bytes by three, words by 1.33.

They are for those who know only the length that a service accepts, and for the presets that
reproduce earlier chunkers. Their sums are always exact, since each unit belongs to one character
or one word. White space between two texts is measured as the LF form that chunks are written in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["LENGTH_COUNTERS", "ByteCounter", "CharCounter", "WordCounter"]

BYTES_PER_TOKEN: Final = 3
TOKENS_PER_WORD: Final = 1.33
CHARS_PER_TOKEN: Final = 16
"""A word of any length counts the same, so length is bounded beside the words."""


@dataclass(frozen=True, slots=True)
class CharCounter:
    """One unit and one token a code point."""

    name: str = "chars"
    fingerprint: str = "chars"
    overhead: int = 0
    exact_sums: bool = True
    chars_per_token: int | None = None

    def units(self, text: str) -> int:
        return len(text)

    def units_many(self, texts: Sequence[str]) -> list[int]:
        return list(map(len, texts))

    def blank(self, space: str) -> int:
        return len(line_feeds(space))

    def tokens(self, units: int) -> int:
        return units

    def capacity(self, max_tokens: int) -> int:
        return max(0, max_tokens)


@dataclass(frozen=True, slots=True)
class ByteCounter:
    """One unit a byte of UTF-8; a token for every three, and for what remains."""

    name: str = "bytes/3"
    fingerprint: str = "bytes/3"
    overhead: int = 0
    exact_sums: bool = True
    chars_per_token: int | None = None

    def units(self, text: str) -> int:
        return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))

    def units_many(self, texts: Sequence[str]) -> list[int]:
        return list(map(self.units, texts))

    def blank(self, space: str) -> int:
        return self.units(line_feeds(space))

    def tokens(self, units: int) -> int:
        return -(-units // BYTES_PER_TOKEN)

    def capacity(self, max_tokens: int) -> int:
        return max(0, max_tokens) * BYTES_PER_TOKEN


@dataclass(frozen=True, slots=True)
class WordCounter:
    """One unit a word between white space; 1.33 tokens each, rounded down, at least one."""

    name: str = "words*1.33"
    fingerprint: str = "words*1.33"
    overhead: int = 0
    exact_sums: bool = True
    chars_per_token: int | None = CHARS_PER_TOKEN

    def units(self, text: str) -> int:
        return len(text.split())

    def units_many(self, texts: Sequence[str]) -> list[int]:
        return list(map(self.units, texts))

    def blank(self, space: str) -> int:
        return 0

    def tokens(self, units: int) -> int:
        return max(1, int(units * TOKENS_PER_WORD)) if units else 0

    def capacity(self, max_tokens: int) -> int:
        """Found by trial about the quotient, since the product is rounded in binary."""
        if max_tokens < 1:
            return 0
        units = int((max_tokens + 1) / TOKENS_PER_WORD) + 2
        while self.tokens(units) > max_tokens:
            units -= 1
        return units


LENGTH_COUNTERS: Final = {counter.name: counter for counter in (CharCounter(), ByteCounter(), WordCounter())}


def line_feeds(space: str) -> str:
    """White space as it stands in a chunk: each line end is one LF."""
    return space.replace("\r\n", "\n").replace("\r", "\n")
