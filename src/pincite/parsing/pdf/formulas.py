"""Formulas: what is set above and below a sum or on both sides of a fraction's bar stays in its line.

Everything else of a formula stands on a base line and needs no help. No sign is added or left out:
the limits of an operator follow it, and a denominator follows its numerator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pincite.parsing.pdf.model import Line, Placed, Rule, Segment, Word

__all__ = ["is_formula", "with_formulas"]

MATHS = re.compile(r"[\u2200-\u22ff\u2a00-\u2aff\U0001d400-\U0001d7ff]")
"""Operators and the letters that are made for formulas."""

OPERATOR = re.compile(r"(?:.*[\u220f-\u2211\u222b-\u2233\u22c0-\u22c3\u2a00-\u2a1c].{0,3}|lim|max|min|sup|inf)$")
"""A word that ends with a sign that takes limits, and perhaps one of them, or is the name of one."""

PROSE = re.compile(r"[^\W\d_\U0001d400-\U0001d7ff]{4,}")
"""A word of a language in a formula."""

SMALL = 0.85
"""Limits are lower than this share of their operator's height."""

NEAR = 0.5
"""Room between a bar and its sides, in font sizes, at most."""

MOST_WORDS = 8
"""Words of a limit, at most."""

LONGEST_BAR = 20.0
"""Length of a fraction's bar, in font sizes, at most."""


def is_formula(line: Line) -> bool:
    """Whether a line has signs of a formula and no word of a sentence."""
    return bool(MATHS.search(line.text)) and not PROSE.search(line.text)


def with_formulas(segments: Sequence[Segment], rules: Iterable[Rule]) -> list[Segment]:
    """The segments, with limits and the sides of fractions in the segment that they belong to."""
    made = list(segments)
    if not MATHS.search("\n".join([segment.text for segment in made])):
        return made
    for rule in sorted((rule for rule in rules if rule.level), key=lambda rule: rule.right - rule.left):
        fraction(made, rule)
    operators = [word for segment in made for word in segment.words if OPERATOR.match(word.text)]
    short = [segment for segment in made if len(segment.words) <= MOST_WORDS]
    for limit in [segment for segment in short if any(limits(segment, word) for word in operators)]:
        attached(made, limit)
    return made


def fraction(made: list[Segment], bar: Rule) -> None:
    """Put what stands over and under a bar together, and into the segment that ends before it."""
    near = [s for s in made if held(s, bar)]
    above = [s for s in near if middle(s) < bar.top < s.bottom + NEAR * s.size]
    below = [s for s in near if middle(s) > bar.top > s.top - NEAR * s.size]
    sides = [*above, *below]
    if len(above) != 1 or len(below) != 1 or not any(MATHS.search(s.text) for s in sides):
        return
    if bar.right - bar.left > LONGEST_BAR * above[0].size:
        return
    words = [*above[0].words, *below[0].words]
    before = [s for s in made if s not in sides and s.top < bar.top < s.bottom and -1 < bar.left - s.right < s.size]
    if before:
        words = [*before[0].words, *words]
        made.remove(before[0])
    place = made.index(above[0])
    made[place] = Segment.of(words, below[0].space_after)
    made.remove(below[0])


def held(segment: Segment, bar: Rule) -> bool:
    """Whether a segment is over or under a bar, and not longer."""
    return segment.left > bar.left - 2 and segment.right < bar.right + 2


def attached(made: list[Segment], limit: Segment) -> None:
    """Put a limit behind its operator."""
    for place, host in enumerate(made):
        if host is limit or host.right < limit.left - host.size or host.left > limit.right:
            continue
        for number, word in enumerate(host.words):
            if limits(limit, word):
                after = number + 1
                while after < len(host.words) and height(host.words[after]) < SMALL * height(word):
                    after += 1  # behind the upper limit
                words = (*host.words[:after], *limit.words, *host.words[after:])
                made[place] = Segment.of(words, host.space_after, host.confidence)
                made[:] = [segment for segment in made if segment is not limit]
                return


def limits(limit: Segment, word: Word) -> bool:
    """Whether a segment is a limit of the operator that a word of a formula ends with."""
    if height(limit) >= SMALL * height(word) or not OPERATOR.match(word.text):
        return False
    size = min(height(word), 2 * limit.size)
    left, right = max(word.left, word.right - 1.6 * size), word.right
    if limit.left > right + 0.3 * size or limit.right < left - 0.3 * size or limit.left < left - 3 * size:
        return False
    return apart(limit, word) < 0.3 * size and abs(middle(limit) - middle(word)) > 0.3 * size


def apart(one: Placed, other: Placed) -> float:
    """Room between two boxes, in height; below zero where they overlap."""
    return max(one.top, other.top) - min(one.bottom, other.bottom)


def middle(thing: Placed) -> float:
    return (thing.top + thing.bottom) / 2


def height(thing: Placed) -> float:
    return thing.bottom - thing.top
