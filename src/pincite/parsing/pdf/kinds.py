"""What a paragraph is beside running text: list item, caption, footnote or lines of a table of contents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.parsing.pdf.model import Draft, Line, Segment
from pincite.parsing.pdf.paragraphs import DASH, LEADER, marker_of

__all__ = ["with_kinds"]

CAPTION = re.compile(
    r"(?i:fig(?:ure|\.)?|table|tab\.|chart|exhibit|plate|bảng|hình|biểu đồ|sơ đồ|표|그림)"
    r"\s*\d+(?:[.\-]\d+)*(?:\s*[.:)–—|-]\s|\s*\(|\s+[^\W\d_]|$)"
)
"""A word for a figure or table, its number, and then a mark, a bracket or a capital, not a verb."""


FOOTNOTE = re.compile(r"(?:\d{1,3}|[*†‡§]{1,3}|\[\d{1,3}\]|\(\d{1,3}\)|[¹²³⁴⁵⁶⁷⁸⁹⁰]+)[.)]?\s*\S")

GLUED = re.compile(r"(\d{1,3}|[*†‡§]{1,3})([^\W\d_].*)")
"""A mark and the first word of its note without a space between."""

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
            made.append(replace(draft, kind="footnote", lines=(with_mark(draft.lines[0]), *draft.lines[1:])))
        elif is_caption(draft.text):
            made.append(replace(draft, kind="caption"))
        elif lone_dash(drafts, i):
            made.append(draft)
        else:
            made.append(listed(draft))
    return depths(made)


def lone_dash(drafts: Sequence[Draft], place: int) -> bool:
    """Whether a paragraph begins with the dash of a sentence: its lines do not hang, and no item is near."""
    draft = drafts[place]
    if not DASH.match(draft.text) or len(draft.lines) < 2:
        return False
    first, second = draft.lines[:2]
    if abs(second.left - first.left) > 0.5 * first.size:
        return False
    near = [other for other in drafts[max(0, place - 1) : place + 2] if other is not draft and other.lines]
    if any(DASH.match(other.text) for other in near):
        return False
    before = drafts[place - 1] if place else None
    return not (
        before and before.lines and (before.text.endswith(":") or first.left > before.lines[-1].left + first.size)
    )


def footnotes(drafts: Sequence[Draft], body: float) -> set[int]:
    """Small numbered paragraphs that are the last text of their page, or of a column of it."""
    found: set[int] = set()
    below: set[int] = set()
    for i in range(len(drafts) - 1, -1, -1):
        draft = drafts[i]
        if i + 1 < len(drafts) and column_ends(draft, drafts[i + 1]):
            below.discard(draft.page)
        if draft.page in below or draft.kind in ("page_header", "page_footer"):
            continue
        low = bool(draft.lines) and draft.lines[0].top > FOOT * draft.lines[0].layer.height
        if draft.kind == "paragraph" and low and draft.size < SMALL * body and FOOTNOTE.match(draft.text):
            found.add(i)
        else:
            below.add(draft.page)
    return found


def column_ends(draft: Draft, following: Draft) -> bool:
    """Whether the text goes on higher up and to the right."""
    if draft.page != following.page or not draft.lines or not following.lines:
        return False
    last, first = draft.lines[-1], following.lines[0]
    return first.bottom < last.top and first.left > max(line.right for line in draft.lines) - last.size


def is_caption(text: str) -> bool:
    """Whether a paragraph is a caption and not a sentence about a figure or table."""
    found = CAPTION.match(text)
    return found is not None and len(text) < 400 and not found[0][-1].islower()


def with_mark(line: Line) -> Line:
    """The first line of a note, with its raised number as a word of its own."""
    words = [word for segment in line.segments for word in segment.words]
    found = GLUED.fullmatch(words[0].text)
    if not found:
        return line
    mark, text = found.groups()
    first = words[0]
    cut = first.left + (first.right - first.left) * len(mark) / len(first.text)
    parts = (replace(first, text=mark, right=cut), replace(first, text=text, left=cut))
    return Line.of([Segment.of((*parts, *words[1:]), line.space_after, line.confidence)], line.page, line.layer)


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
