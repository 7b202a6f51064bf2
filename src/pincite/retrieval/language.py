"""The language of a text where the document declares none: by its script, and by its letters.

Only what can be told safely is told; everything else is None and is found without the filter.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["guess"]

SAMPLE: Final = 20_000
"""Code points that are looked at."""

SCRIPTS: Final = (
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("ja", re.compile("[\u3041-\u30fa]")),
    ("th", re.compile("[\u0e01-\u0e3a]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)
"""In this order, since Korean and Japanese use Han letters beside their own."""

VIETNAMESE: Final = re.compile("[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)

LETTER: Final = re.compile(r"[^\W\d_]")

ENGLISH: Final = re.compile(r"\b(?:the|of|and|to|in|is|are|for|with|that|this|be|or|not|you|by)\b", re.IGNORECASE)

WORD: Final = re.compile(r"[^\W\d_]+")


def guess(text: str) -> str | None:
    """`vi`, `ko`, `ja`, `zh`, `th` or `en`, where enough letters say so."""
    sample = text[:SAMPLE]
    letters = len(LETTER.findall(sample))
    if not letters:
        return None
    for language, script in SCRIPTS:
        if len(script.findall(sample)) > 0.15 * letters:
            return language
    if len(VIETNAMESE.findall(sample)) > 0.06 * letters:
        return "vi"
    words = WORD.findall(sample)
    return "en" if len(ENGLISH.findall(sample)) > 0.12 * len(words) else None
