"""What a paragraph is beside running text: list item, caption, footnote or lines of a table of contents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.parsing.pdf.model import Draft
from pincite.parsing.pdf.paragraphs import LEADER, marker_of

__all__ = ["with_kinds"]

CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|chart|exhibit|plate|bảng|hình|biểu đồ|sơ đồ|표|그림)\s*\d+(?:[.\-]\d+)*(?:\s*[.:)–—|-]\s|\s+[^\Wa-z\d_]|$)",
    re.IGNORECASE,
)
LOWER_AFTER = re.compile(r"\S+\s*[\d.\-]+\s+[a-zà-ỹ]")

FOOTNOTE = re.compile(r"(?:\d{1,3}|[*†‡§]{1,3}|\[\d{1,3}\]|\(\d{1,3}\)|[¹²³⁴⁵⁶⁷⁸⁹⁰]+)[.)]?\s*\S")

SMALL = 0.93
"""Footnotes are set in a size below this share of the body's."""

FOOT = 0.6
"""Share of the page's height below which footnotes stand."""


def with_kinds(drafts: Sequence[Draft], body: float) -> list[Draft]:
    """The drafts, with paragraphs that are something else named so."""
    notes = footnotes(drafts, body)
    made: list[Draft] = []
    for i, draft in enumerate(drafts):
        if draft.kind != "paragraph":
            made.append(draft)
        elif LEADER.search(draft.text):
            made.append(replace(draft, kind="contents"))
        elif i in notes:
            made.append(replace(draft, kind="footnote"))
        elif CAPTION.match(draft.text) and not LOWER_AFTER.match(draft.text) and len(draft.text) < 400:
            made.append(replace(draft, kind="caption"))
        else:
            made.append(listed(draft))
    return depths(made)


def footnotes(drafts: Sequence[Draft], body: float) -> set[int]:
    """Small numbered paragraphs that are the last text of their page."""
    found: set[int] = set()
    below: set[int] = set()
    for i in range(len(drafts) - 1, -1, -1):
        draft = drafts[i]
        if draft.page in below or draft.kind in ("page_header", "page_footer"):
            continue
        low = bool(draft.lines) and draft.lines[0].top > FOOT * draft.lines[0].layer.height
        if draft.kind == "paragraph" and low and draft.size < SMALL * body and FOOTNOTE.match(draft.text):
            found.add(i)
        else:
            below.add(draft.page)
    return found


def listed(draft: Draft) -> Draft:
    """The paragraph as a list item without its marker, where it has one."""
    marker, line = marker_of(draft.lines[0])
    return replace(draft, kind="list_item", marker=marker, lines=(line, *draft.lines[1:])) if marker else draft


def depths(drafts: Sequence[Draft]) -> list[Draft]:
    """List items with their depth, by how far they are indented against the items above."""
    made: list[Draft] = []
    lefts: list[float] = []
    for draft in drafts:
        if draft.kind == "list_item":
            left = draft.lines[0].left
            while lefts and left < lefts[-1] - draft.size * 0.6:
                lefts.pop()
            if not lefts or left > lefts[-1] + draft.size * 0.6:
                lefts.append(left)
            draft = replace(draft, level=len(lefts))
        elif draft.kind not in ("page_header", "page_footer", "footnote"):
            lefts = []
        made.append(draft)
    return made
