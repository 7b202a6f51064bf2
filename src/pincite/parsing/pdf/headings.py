"""Which paragraphs are headings, and of which level, judged over the whole document.

Evidence, best first: an entry of the document's own outline; numbering; size, weight and capitals
against the body text. Levels come from the outline where it matches, else from classes of style,
largest first, parted by the depth of numbers inside a class. A title on the first page that is
larger than every other heading is level 1 alone, and all others are below it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pincite.document import OutlineEntry
from pincite.parsing.pdf.model import OBLIQUE, Draft
from pincite.parsing.pdf.numbering import KNOWN_TITLE, number_of
from pincite.parsing.pdf.paragraphs import LEADER, MARKER

__all__ = ["with_headings"]

CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|chart|graph|exhibit|map|plate|photo|bảng|hình|biểu đồ|표|그림)\s*[\dIVX]",
    re.IGNORECASE,
)
ASIDE = re.compile(
    r"(?:source|sources|note|notes|credit|photo|keywords?|received|doi|www|http|nguồn|ghi chú|주|출처)\b", re.IGNORECASE
)

ENOUGH = 0.7
"""Evidence from which a paragraph is a heading."""

DEEPEST = 6


class Style(NamedTuple):
    """How a heading looks: what levels are ranked by."""

    size: float
    weight: int
    slanted: bool


def with_headings(drafts: Sequence[Draft], outline: Sequence[OutlineEntry], body: float) -> list[Draft]:
    """The drafts, with headings marked and levelled. `body` is the size of the text."""
    given = outlined(drafts, outline)
    scale = Scale(drafts, body)
    seen = [
        i
        for i, draft in enumerate(drafts)
        if draft.kind == "heading" or (draft.kind == "paragraph" and scale.evidence(i) >= ENOUGH)
    ]
    chosen = sorted({*seen, *given})
    levels = ranked([(i, drafts[i]) for i in chosen], given)
    return [replace(draft, kind="heading", level=levels[i]) if i in levels else draft for i, draft in enumerate(drafts)]


def outlined(drafts: Sequence[Draft], outline: Sequence[OutlineEntry]) -> dict[int, int]:
    """Positions of drafts that are entries of the outline, and their levels there."""
    places: dict[str, list[int]] = defaultdict(list)
    for i, draft in enumerate(drafts):
        if draft.kind in ("paragraph", "heading") and len(draft.lines) <= 4:
            places[bare(draft.text)].append(i)
    found: dict[int, int] = {}
    for entry in outline:
        spots = [i for i in places.get(bare(entry.title), ()) if i not in found]
        near = [i for i in spots if entry.page is None or drafts[i].page == entry.page]
        if near:
            found[near[0]] = entry.level
    return found


def bare(text: str) -> str:
    """Letters and digits only, without the number in front: outlines often leave it out."""
    text = re.sub(r"^[\d.]+\s+(?=\D)", "", text)
    return "".join(char for char in text.casefold() if char.isalnum())


class Scale:
    """What is usual in this document, and how far a paragraph is from it."""

    def __init__(self, drafts: Sequence[Draft], body: float) -> None:
        self._drafts, self._body = drafts, body
        lines = [line for draft in drafts if draft.kind == "paragraph" for line in draft.lines]
        total = sum(len(line.text) for line in lines)
        self._mostly_bold = 2 * sum(len(line.text) for line in lines if line.bold) > total

    def evidence(self, index: int) -> float:
        """About 0 for running text, 0.7 and more for headings."""
        draft = self._drafts[index]
        text = draft.text
        if self._excluded(draft, text):
            return 0.0
        return self._looks(draft, text) + wording(text) + self._surroundings(index)

    def _excluded(self, draft: Draft, text: str) -> bool:
        """What cannot be a heading, whatever it looks like."""
        letters = sum(char.isalpha() for char in text)
        if (
            LEADER.search(text)
            or len(draft.lines) > 4
            or len(text) > 200
            or letters < 2
            or letters < 0.4 * len(text.replace(" ", ""))
        ):
            return True
        if draft.lines[0].layer.turn == OBLIQUE:
            return True
        ratio = draft.size / self._body
        if self._at_edge(draft) and ratio < 1.6 and len(draft.lines) == 1:
            return True
        if CAPTION.match(text) and not re.match(r"(table|chart) of", text, re.IGNORECASE):
            return True
        if (
            text[-1] in ".,;。"
            and not (draft.bold and len(text) < 90)
            and ratio < 1.18
            and not re.fullmatch(r"[A-Z0-9 .]+", text)
        ):
            return True
        if "=" in text or re.search(r"\(\d{1,3}\)$", text) or ASIDE.match(text):
            return True
        return len(text.split()) == 1 and text[0].islower()

    def _at_edge(self, draft: Draft) -> bool:
        height = draft.lines[0].layer.height
        return draft.lines[-1].bottom < 0.075 * height or draft.lines[0].top > 0.925 * height

    def _looks(self, draft: Draft, text: str) -> float:
        ratio = draft.size / self._body
        capitals = is_capitals(text)
        score = 0.0
        if ratio >= 1.5:
            score = 1.2
        elif ratio >= 1.18:
            score = 0.9
        elif ratio >= 1.08:
            score = 0.5
        elif ratio < 0.93:
            small = draft.bold or (capitals and not self._at_edge(draft))
            score = (-0.1 if ratio > 0.75 else -0.4) if small else -0.8
        if draft.bold and not self._mostly_bold:
            score += 0.75
        return score + 0.45 * capitals

    def _surroundings(self, index: int) -> float:
        draft = self._drafts[index]
        score = 0.0
        if not any(other.kind == "paragraph" for other in self._drafts[index + 1 : index + 40]):
            score -= 0.35
        after = self._drafts[index + 1] if index + 1 < len(self._drafts) else None
        if after and LEADER.search(after.text) and KNOWN_TITLE.fullmatch(draft.text):
            score += 0.3
        before = self._drafts[index - 1] if index else None
        if before and before.kind == "paragraph" and before.page == draft.page:
            gap = draft.lines[0].top - before.lines[-1].bottom
            score += 0.15 * (gap > 0.8 * self._body)
        return score


def wording(text: str) -> float:
    """What the words of a paragraph say for or against a heading."""
    number = number_of(text)
    score = 0.0
    if number:
        score += 0.55 if number.strong and not text.endswith((".", ";", ",")) and len(text) < 120 else 0.4
    if KNOWN_TITLE.fullmatch(text):
        score += 0.5
    if text.endswith(":"):
        score -= 0.25
    if len(text) > 110:
        score -= 0.4
    if MARKER.match(text) and not number:
        score -= 0.5
    if text[0].islower():
        score -= 0.5
    return score


def is_capitals(text: str) -> bool:
    return text.upper() == text and text.lower() != text and sum(char.isalpha() for char in text) >= 4


def ranked(headings: Sequence[tuple[int, Draft]], given: Mapping[int, int]) -> dict[int, int]:
    """Level of each heading, by its position."""
    title = title_of(headings)
    rest = [(i, draft) for i, draft in headings if i != title]
    levels = by_style(rest)
    if given:
        levels = by_outline(rest, levels, {i: level for i, level in given.items() if i != title})
    if title is not None:
        below = min((level for i, level in levels.items()), default=2)
        shift = max(0, 2 - below)
        levels = {i: level + shift for i, level in levels.items()}
        levels[title] = 1
    return {i: max(1, min(DEEPEST, level)) for i, level in levels.items()}


def title_of(headings: Sequence[tuple[int, Draft]]) -> int | None:
    """The heading of the first page that is larger than every other heading of the document."""
    if len(headings) < 2:
        return None
    first = headings[0][1].page
    index, draft = max(headings, key=lambda item: item[1].size)
    others = max(other.size for i, other in headings if i != index)
    early = [i for i, other in headings if other.page == first][:3]
    if index in early and draft.size > 1.08 * others and number_of(draft.text) is None:
        return index
    return None


def by_style(headings: Iterable[tuple[int, Draft]]) -> dict[int, int]:
    """Levels from style classes, parted by the depth of numbers inside a class."""
    groups = style_groups(headings)
    levels: dict[int, int] = {}
    above = 0
    for group in groups:
        depths: dict[int, tuple[str, int] | None] = {}
        for i, draft in group:
            number = number_of(draft.text)
            depths[i] = (number.scheme, number.depth) if number else None
        steps = sorted({depth[1] for depth in depths.values() if depth})
        for i, depth in depths.items():
            levels[i] = above + 1 + (steps.index(depth[1]) if depth else 0)
        above += max(1, len(steps))
    return without_gaps(consistent(groups, levels))


def without_gaps(levels: dict[int, int]) -> dict[int, int]:
    """The same order of levels, from 1, with none left out."""
    used = sorted(set(levels.values()))
    return {i: used.index(level) + 1 for i, level in levels.items()}


def style_groups(headings: Iterable[tuple[int, Draft]]) -> list[list[tuple[int, Draft]]]:
    """Headings of one look, largest and heaviest first; sizes that differ little are one look."""
    looks: dict[Style, list[tuple[int, Draft]]] = defaultdict(list)
    for i, draft in headings:
        slanted = all(line.italic for line in draft.lines)
        looks[Style(round(draft.size * 2) / 2, draft.bold + is_capitals(draft.text), slanted)].append((i, draft))
    groups: list[list[tuple[int, Draft]]] = []
    last: Style | None = None
    for style in sorted(looks, key=lambda s: (-s.size, -s.weight, s.slanted)):
        if last and last.size - style.size < 0.75 and style[1:] == last[1:]:
            groups[-1] += looks[style]
        else:
            groups.append(list(looks[style]))
        last = style
    return groups


def consistent(groups: Iterable[list[tuple[int, Draft]]], levels: dict[int, int]) -> dict[int, int]:
    """Headings numbered to one depth have one level, and deeper numbers a deeper one."""
    votes: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    numbered: dict[int, tuple[str, int]] = {}
    for group in groups:
        for i, draft in group:
            number = number_of(draft.text)
            if number:
                numbered[i] = number.scheme, number.depth
                votes[numbered[i]][levels[i]] += 1
    settled: dict[tuple[str, int], int] = {}
    for scheme, depth in sorted(votes):
        level = votes[scheme, depth].most_common(1)[0][0]
        shallower = [settled[key] + 1 for key in settled if key[0] == scheme]
        settled[scheme, depth] = max([level, *shallower])
    return {i: settled[numbered[i]] if i in numbered else level for i, level in levels.items()}


def by_outline(
    headings: Sequence[tuple[int, Draft]], levels: Mapping[int, int], given: Mapping[int, int]
) -> dict[int, int]:
    """The outline's levels; a heading that it leaves out takes that of a like one, else it is below the last."""
    alike = {levels[i]: level for i, level in given.items() if i in levels}
    made: dict[int, int] = {}
    last = 0
    for i, _ in headings:
        if i in given:
            last = given[i]
            made[i] = last
        else:
            made[i] = alike.get(levels[i], last + 1)
    return made
