"""Drawn rules, put together where a file draws one in pieces."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.parsing.pdf.model import Rule

__all__ = ["merged"]


def merged(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Pieces on one straight line that touch become one rule; doubled rules become one."""
    rules = list(rules)
    flat = joined([((r.top + r.bottom) / 2, r.left, r.right) for r in rules if r.level])
    upright = joined([((r.left + r.right) / 2, r.top, r.bottom) for r in rules if not r.level])
    return (*(Rule(a, y, b, y) for y, a, b in flat), *(Rule(x, a, x, b) for x, a, b in upright))


def joined(pieces: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """(place, from, to) of pieces that lie within a point of one another and touch."""
    made: list[tuple[float, float, float]] = []
    for place, begin, end in sorted(pieces, key=lambda piece: (round(piece[0]), piece[1])):
        if made and abs(made[-1][0] - place) <= 1 and begin <= made[-1][2] + 2:
            made[-1] = (made[-1][0], made[-1][1], max(made[-1][2], end))
        else:
            made.append((place, begin, end))
    return made
