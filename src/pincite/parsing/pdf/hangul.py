"""Whether a space stands between two lines of Korean.

Korean has spaces between words, and its lines may break inside a word. A file that keeps the
space at the end of a line settles it. Where no line end has one, the document itself is asked how
often its syllables stand at the end of a word, at the start of one, and side by side inside one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

__all__ = ["HANGUL", "Spacing"]

HANGUL = re.compile(r"[\uac00-\ud7a3]")

LEAST = 3
"""Spaces at line ends from which the file is taken to keep them."""


class Spacing:
    """What a document shows of its spaces."""

    def __init__(self, blocks: Iterable[Sequence[tuple[str, bool]]]) -> None:
        """`blocks`: the lines of each, with whether the file puts a space after the line."""
        self._ends: Counter[str] = Counter()
        self._begins: Counter[str] = Counter()
        self._syllables: Counter[str] = Counter()
        self._pairs: Counter[str] = Counter()
        self._gaps: Counter[str] = Counter()
        kept = other = 0
        for lines in blocks:
            inner = sum(space for _, space in lines[:-1])
            kept, other = kept + inner, other + len(lines) - 1 - inner
            for text, _ in lines:
                if HANGUL.search(text):
                    self._count(text)
        self._keeps = kept >= LEAST and kept * 10 > other

    def _count(self, text: str) -> None:
        for i in range(1, len(text) - 1):
            before, char, after = text[i - 1], text[i], text[i + 1]
            if not HANGUL.match(char):
                if char == " ":
                    self._gaps[before + after] += 1
                continue
            self._syllables[char] += 1
            self._ends[char] += after == " "
            self._begins[char] += before == " "
            self._pairs[char + after] += 1

    def between(self, last: str, following: str, space_after: bool) -> bool:
        """Whether a space stands between a line that ends with one syllable and one that begins with another."""
        if space_after or self._keeps:
            return space_after
        a, b = last[-1], following[0]
        side_by_side = math.log((self._pairs[a + b] + 0.3) / (self._gaps[a + b] + 0.3))
        inside = self._odds(self._syllables[a], self._ends[a]) + self._odds(self._syllables[b], self._begins[b])
        return side_by_side + inside <= 0

    def _odds(self, all_of_it: int, at_edge: int) -> float:
        """Log odds that a syllable stands inside a word rather than at that edge of one."""
        return math.log((all_of_it - at_edge + 1) / (at_edge + 1))
