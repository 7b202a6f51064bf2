"""Numbers and words that headings begin with, and how deep they are.

`1.2`, `IV.`, `A.`; Part, Chapter, Section, Article; Phần, Chương, Mục, Điều; 제1편, 제1장, 제1절, 제1조.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["KNOWN_TITLE", "Number", "number_of"]


class Number(NamedTuple):
    """What a heading is numbered with."""

    scheme: str
    """Headings of one scheme are ranked by depth."""
    depth: int
    strong: bool
    """Whether a number of this kind begins headings and seldom anything else."""


DOTTED = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s+\S")
ROMAN = re.compile(r"[IVX]{1,5}\.\s+\S")
LETTER = re.compile(r"[A-Z]\.\s+\S")
NAMED = (
    ("en", 1, r"part\s+(?:[ivxlc]+|\d+)\b"),
    ("en", 2, r"(?:chapter|appendix|annex)\s+(?:[ivxlc]+|\d+|[a-z])\b"),
    ("en", 3, r"(?:section|article)\s+(?:[ivxlc]+|\d+)\b"),
    ("vi", 1, r"phần\s+(?:thứ\s+\w+|[ivxlc]+|\d+)\b"),
    ("vi", 2, r"(?:chương|phụ lục)\s+(?:[ivxlc]+|\d+)\b"),
    ("vi", 3, r"mục\s+(?:[ivxlc]+|\d+)\b"),
    ("vi", 4, r"điều\s+\d+\b"),
    ("ko", 1, r"제\s*\d+\s*편"),
    ("ko", 2, r"제\s*\d+\s*장"),
    ("ko", 3, r"제\s*\d+\s*절"),
    ("ko", 4, r"제\s*\d+\s*조"),
)
COMPILED = tuple((scheme, depth, re.compile(pattern, re.IGNORECASE)) for scheme, depth, pattern in NAMED)

KNOWN_TITLE = re.compile(
    r"(?:[\dIVX.]+\s+)?(?:table of contents|contents|abstract|introduction|summary|executive summary|conclusions?|references"
    r"|bibliography|acknowledge?ments?|appendix|methods?|results|discussion|background|foreword|preface|mục lục|giới thiệu"
    r"|lời nói đầu|kết luận|tài liệu tham khảo|phụ lục|목차|서론|결론|요약|참고문헌|부록)",
    re.IGNORECASE,
)
"""Titles that head a section in most documents that have them."""


def number_of(text: str) -> Number | None:
    """The number that `text` begins with, if it is one that headings have."""
    for scheme, depth, pattern in COMPILED:
        if pattern.match(text):
            return Number(scheme, depth, True)
    dotted = DOTTED.match(text)
    if dotted:
        depth = len([part for part in dotted[1].split(".") if part])
        return Number("dotted", depth, depth > 1)
    if ROMAN.match(text):
        return Number("roman", 1, False)
    if LETTER.match(text):
        return Number("letter", 1, False)
    return None
