"""How the end of one line joins the start of the next.

A hyphen at a line end is either the printer's, and goes, or the word's own, and stays. It stays
before a digit or a capital, where the document has the hyphenated form elsewhere, and where it has
both parts but never the joined word. Scripts that write no spaces between words get none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from pincite.parsing.pdf.hangul import HANGUL, Spacing

__all__ = ["Joiner"]

HYPHENS = "-\u2010"
DASHES = "-\u2010\u2011\u2013"

WORD = re.compile(r"[^\W_]+(?:[-\u2010\u2011'’][^\W_]+)*")

SPACELESS = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]"
)
"""Thai, Lao, Burmese, Khmer, Han, Kana and their punctuation."""

OWN = frozenset(
    ["all", "cross", "ex", "half", "high", "long", "low", "non", "part", "quasi", "self", "semi", "short", "well"]
)
"""First parts of English compounds that keep their hyphen."""


class Joiner:
    """Joins lines by what the whole document shows of its words."""

    def __init__(self, blocks: Iterable[Sequence[tuple[str, bool]]]) -> None:
        """`blocks`: the lines of each, with whether the file puts a space after the line."""
        blocks = list(blocks)
        self._spacing = Spacing(blocks)
        self._words: Counter[str] = Counter()
        for lines in blocks:
            for text, _ in lines:
                # Words at the ends may be halves; what stands between them is whole.
                self._words.update(WORD.findall(text.casefold())[1:-1])

    def join(self, last: str, following: str, space_after: bool = False) -> tuple[str, str]:
        """The text of the line without a hyphen that goes, and what stands between the two lines."""
        if not last or not following:
            return last, ""
        end, begin = last[-1], following[0]
        if end in DASHES and len(last) > 1 and not last[-2].isspace():
            return self._hyphen(last, following)
        if SPACELESS.match(end) and SPACELESS.match(begin):
            return last, ""
        if HANGUL.match(end) and HANGUL.match(begin) and not self._spacing.between(last, following, space_after):
            return last, ""
        return last, " "

    def _hyphen(self, last: str, following: str) -> tuple[str, str]:
        end, before, begin = last[-1], last[-2], following[0]
        if end not in HYPHENS or not before.isalpha() or not begin.isalpha():
            return last, "" if before.isalnum() and begin.isalnum() else " "
        if begin.isupper() and not before.isupper():
            return last, ""
        first, second = final(last[:-1]).casefold(), initial(following).casefold()
        if self._words[first + second]:
            return last[:-1], ""
        if self._words[f"{first}-{second}"] or first in OWN or "-" in second or "-" in first:
            return last, ""
        if self._words[first] and self._words[second]:
            return last, ""
        return last[:-1], ""


def final(text: str) -> str:
    found = WORD.findall(text)
    return found[-1] if found else ""


def initial(text: str) -> str:
    found = WORD.match(text)
    return found[0] if found else ""
