"""Comparing what people and models write, in every script.

Two spellings of one text are equal here: composed and decomposed marks, full-width letters, case,
white space, characters of no width. Numbers are compared by value, since 1,000 and 1000 are one
number. Citations are no part of an answer's words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

__all__ = [
    "PAGE",
    "Number",
    "blank",
    "contains_words",
    "folded",
    "numbers",
    "same_wording",
    "without_citations",
    "words",
]

UNSEEN: Final = frozenset({"Cf", "Cc", "Zl", "Zp", "Zs"})
LIKE: Final = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "′": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "\u00ad": "",
    }
)  # fmt: skip
"""Signs that mean the same in prose."""


def blank(text: str) -> bool:
    """Whether nothing of a text is seen: white space and characters of no width only."""
    return all(unicodedata.category(character) in UNSEEN for character in text)


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """The text for comparing: NFKC, case folded, one space for white space, nothing of no width."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold().translate(LIKE))
    shown = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return " ".join(shown.split())


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a text by ICU, folded; punctuation left out."""
    return tuple(word for _, _, word in placed_words(folded(text)))


def placed_words(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and letters of each word, by ICU's rules for all scripts."""
    from icu4py.breakers import WordBreaker

    at = 0
    for segment in WordBreaker(text, "root"):
        word = str(segment)
        if any(c.isalnum() for c in word):
            yield at, at + len(word), word
        at += len(word)


def contains_words(text: str, phrase: str) -> bool:
    """Whether a phrase stands in a text as whole words: no letter or digit of a word goes on at either end.

    In scripts that glue particles to words, and in those without spaces, a word ends where the
    script does not part words anyway: 24일 stands in 24일입니다, and 휴가 in 휴가는.
    """
    shown, wanted = folded(text), folded(phrase)
    at = shown.find(wanted)
    while wanted and at >= 0:
        end = at + len(wanted)
        if not (goes_on(shown, at) or goes_on(shown, end)):
            return True
        at = shown.find(wanted, at + 1)
    return False


GLUED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003fffd]"
)
"""Letters of scripts in which a space is no sign of a word's end."""


def goes_on(text: str, at: int) -> bool:
    """Whether a word runs over the place between two characters."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if unicodedata.category(after).startswith("M"):
        return True
    if GLUED.match(before) or GLUED.match(after):
        return False
    return lettered(before) and lettered(after)


def lettered(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


# Numbers ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written, and what it may mean: 1.000 is one in English and a thousand in Vietnamese."""

    text: str
    start: int
    values: frozenset[Decimal]

    def means(self, other: Number) -> bool:
        """Whether one value is common to both."""
        return not self.values.isdisjoint(other.values)


SPELLED: Final = re.compile(r"\d+(?:[.,'’\u00a0\u202f\u2009]\d+|[ ]\d{3}(?!\d))*")
SCALES: Final = {
    "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000,
    "nghìn": 1_000, "ngàn": 1_000, "triệu": 1_000_000, "tỷ": 1_000_000_000, "tỉ": 1_000_000_000,
    "천": 1_000, "만": 10_000, "백만": 1_000_000, "천만": 10_000_000, "억": 100_000_000, "조": 1_000_000_000_000,
    "千": 1_000, "万": 10_000, "萬": 10_000, "億": 100_000_000, "亿": 100_000_000,
}  # fmt: skip
SCALE: Final = re.compile(r"\s?(?:" + "|".join(sorted(SCALES, key=len, reverse=True)) + r")(?![a-z])")


def numbers(text: str) -> list[Number]:
    """The numbers that stand in a text, in any script's digits."""
    text = "".join(ascii_digit(c) for c in unicodedata.normalize("NFKC", text)).casefold()
    return [read_number(text, found) for found in SPELLED.finditer(text)]


def ascii_digit(character: str) -> str:
    value = unicodedata.digit(character, None)
    return character if value is None or character.isascii() else str(value)


def read_number(text: str, found: re.Match[str]) -> Number:
    values = readings(found[0])
    if scale := SCALE.match(text, found.end()):
        factor = SCALES[scale[0].strip()]
        values |= {value * factor for value in values}
    return Number(found[0], found.start(), frozenset(values))


def readings(spelled: str) -> set[Decimal]:
    """What digits with separators may mean: parted in thousands, or with a decimal mark."""
    parts = re.split(r"(\D)", spelled)
    marks, groups = parts[1::2], parts[0::2]
    meant = set()
    if not marks:
        return {Decimal(spelled)}
    thousands = all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3
    if thousands and len(set(marks)) == 1:
        meant.add(Decimal("".join(groups)))
    if marks[-1] in ".," and marks.count(marks[-1]) == 1 and len(set(marks[:-1])) <= 1:
        whole = groups[:-1]
        if all(len(group) == 3 for group in whole[1:]):
            meant.add(Decimal(f"{''.join(whole)}.{groups[-1]}"))
    return meant or set(map(Decimal, groups))


# Citations --------------------------------------------------------------------------------------

PAGE: Final = r"(?:page|pages|pp?\.|trang|tr\.|쪽|페이지|頁|页)"
CITATION: Final = re.compile(
    r"\s*【[^】]*】"
    r"|\s*\[(?:\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*|[A-Za-z]{2,12}[-_ ]?\d+|[^\[\]\n]{1,80}?(?:" + PAGE + r")\s*\d+[^\[\]\n]{0,20})\]"
    r"|\s*\((?:see\s+|xem\s+|cf\.\s+)?(?:[^()\n]{0,60}?,\s*)?" + PAGE + r"\s*\d+(?:\s*[–-]\s*\d+)?\)"
    r"|\s*\((?:[^()\n]{0,60}?,\s*)?\d+\s*(?:쪽|페이지|頁|页)(?:\s*참조)?\)"
    r"|,?\s*\(?(?:see|cf\.|xem|source:|nguồn:|출처:)\s+(?:[^.\n()]{0,60}?,\s*)?" + PAGE + r"\s*\d+(?:\s*[–-]\s*\d+)?\)?",
    re.IGNORECASE,
)  # fmt: skip


def without_citations(text: str) -> str:
    """An answer without the marks and words that only say where it stands."""
    return CITATION.sub("", text)


def same_wording(left: str, right: str) -> bool:
    """Whether two short texts say the same in the same words: citations, case, spelling of numbers aside."""
    return spelled_alike(left) == spelled_alike(right) != ()


def spelled_alike(text: str) -> tuple[str, ...]:
    """Words of a text in which each number has one spelling."""
    text = unicodedata.normalize("NFKC", without_citations(text))
    text = "".join(map(ascii_digit, text))
    return words(SPELLED.sub(one_spelling, text))


def one_spelling(found: re.Match[str]) -> str:
    try:
        return format(max(readings(found[0])).normalize(), "f")
    except InvalidOperation:
        return found[0]
