"""The numbers of a text with those that are spelled in parts: 1만 2천 is 12,000 and 1 triệu 200 nghìn is 1,200,000."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from decimal import Decimal

from pincite.wording import SCALE, SCALES, SPELLED, ascii_digit, readings

__all__ = ["figures", "values"]

Figure = tuple[str, frozenset[Decimal]]
"""What is written, and all that it may mean."""


def figures(text: str) -> list[Figure]:
    """Each number of a text once, parts of one number together."""
    found: list[Figure] = []
    for run in runs(plain(text)):
        if len(run) == 1:
            found.append((run[0][0], run[0][1]))
        else:
            sums = {Decimal(0)}
            for _, meant, _ in run:
                sums = {total + value for total in sums for value in meant}
            found.append((" ".join(spelled for spelled, _, _ in run), frozenset(sums)))
    return found


def values(text: str) -> frozenset[Decimal]:
    """All that the numbers of a text may mean, whole and in parts."""
    parts = {value for run in runs(plain(text)) for _, meant, _ in run for value in meant}
    bare = {value for found in SPELLED.finditer(plain(text)) for value in readings(found[0])}
    return frozenset(parts | bare | {value for _, meant in figures(text) for value in meant})


def plain(text: str) -> str:
    return "".join(map(ascii_digit, unicodedata.normalize("NFKC", text))).casefold()


def runs(text: str) -> Iterator[list[tuple[str, frozenset[Decimal], int]]]:
    """Numbers that follow one another, each with a smaller scale than the one before: spelling, values, scale."""
    run: list[tuple[str, frozenset[Decimal], int]] = []
    end = -1
    for found in SPELLED.finditer(text):
        scale = SCALE.match(text, found.end())
        factor = SCALES[scale[0].strip()] if scale else 1
        meant = readings(found[0])
        one = frozenset(value * factor for value in meant) if factor > 1 else frozenset(meant)
        joined = run and end >= 0 and not text[end : found.start()].strip(" ") and found.start() - end <= 1
        if not (joined and run[-1][2] > factor and max(meant) * factor < run[-1][2]):
            if run:
                yield run
            run = []
        stop = scale.end() if scale else found.end()
        run.append((text[found.start() : stop], one, factor))
        end = stop
    if run:
        yield run
