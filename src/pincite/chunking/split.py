"""Cutting running text that is too large: lines or sentences, then words, then graphemes.

Boundaries are those of ICU (UAX #29 and UAX #14), for every language alike. Text is cut a
window at a time, so that the work grows with its length and not with its square.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from icu4py.breakers import CharacterBreaker, LineBreaker, SentenceBreaker, WordBreaker

from pincite.chunking.gauge import Gauge
from pincite.chunking.view import View

__all__ = ["Slice", "Strength", "cut_text", "graphemes", "sentence_ends", "word_ends"]

SURROGATES = dict.fromkeys(range(55296, 57344), "�")
LINE_ENDS = str.maketrans({"\n": " ", "\r": " "})
LONGEST_CLUSTER = 4096
"""Code points within which a grapheme cluster has to end."""

WINDOW = 6
"""Code points of a window for each unit of room."""


class Strength:
    """How much a break says, strongest first."""

    RULE = 0
    BLOCK = 1
    ITEM = 2
    INNER = 3
    SENTENCE = 4
    WORD = 5
    GRAPHEME = 6
    GLUE = 7
    """Between what belongs together."""


class Slice(NamedTuple):
    """A range that fits its room."""

    start: int
    end: int
    cost: int
    strength: int
    """Of the break before it."""

    hard: bool = False
    """Whether a grapheme had to be cut to make it."""


def segments(kind: type, text: str) -> Iterator[str]:
    """ICU's segments of `text`."""
    try:
        return iter(kind(text, "en"))
    except UnicodeEncodeError:
        return iter(kind(text.translate(SURROGATES), "en"))


def graphemes(text: str) -> Iterator[str]:
    """User-perceived characters (extended grapheme clusters)."""
    return segments(CharacterBreaker, text)


def ends(kind: type, text: str) -> Iterator[int]:
    return accumulate(map(len, segments(kind, text)))


def sentence_ends(text: str) -> list[int]:
    """Offsets after each sentence; a line end inside a paragraph ends none."""
    return list(ends(SentenceBreaker, text.translate(LINE_ENDS)))


def word_ends(text: str) -> list[int]:
    """Offsets where words end and a line may be broken, white space going with the word before."""
    lines = set(ends(LineBreaker, text))
    return [end for end in ends(WordBreaker, text) if end in lines]


def line_ends(text: str) -> list[int]:
    """Offsets after each line end, and the end."""
    found, at = [], 0
    for line in text.splitlines(keepends=True) if not has_odd_line_ends(text) else lf_lines(text):
        at += len(line)
        found.append(at)
    return found


def has_odd_line_ends(text: str) -> bool:
    """Whether `str.splitlines` would also split where no line of a text file ends."""
    return any(odd in text for odd in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")


LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def lf_lines(text: str) -> list[str]:
    """Lines with their ends, where only CR, LF and CRLF end one."""
    return LINE.findall(text)


def ranges(text: str, start: int, stops: Sequence[int]) -> list[tuple[int, int]]:
    """The non-blank pieces between stops, without white space at their ends, in document offsets."""
    found, begin = [], 0
    for stop in stops:
        piece = text[begin:stop]
        bare = piece.strip()
        if bare:
            left = begin + len(piece) - len(piece.lstrip())
            found.append((start + left, start + left + len(bare)))
        begin = stop
    return found


def cut_text(
    view: View, gauge: Gauge, start: int, end: int, room: int, levels: Sequence[str], strength: int
) -> list[Slice]:
    """The range as slices of at most `room`, cut at the best level that makes them fit.

    `levels` are `lines`, `sentences` and `words`, best first; graphemes come last. The first
    slice gets `strength`, since the break before it is that of the whole.
    """
    found = cut_at_level(view, gauge, start, end, max(1, room), levels, strength)
    shown = [cut for cut in found if not view.own(cut.start, cut.end).isspace() and view.kept(cut.start, cut.end)]
    if shown and shown[0].strength != strength:
        shown[0] = shown[0]._replace(strength=strength)
    return shown


def cut_at_level(
    view: View, gauge: Gauge, start: int, end: int, room: int, levels: Sequence[str], strength: int
) -> list[Slice]:
    """The slices of `cut_text`, those without anything visible among them."""
    if not levels:
        return cut_graphemes(view, gauge, start, end, room, strength)
    if levels[0] == "words":
        return cut_words(view, gauge, start, end, room, strength)
    text = view.text[start:end]
    stops = line_ends(text) if levels[0] == "lines" else sentence_ends(text)
    parts = ranges(text, start, stops)
    costs = gauge.costs([view.own(*part) for part in parts])
    between = Strength.INNER if levels[0] == "lines" else Strength.SENTENCE
    found: list[Slice] = []
    for (begin, stop), cost in zip(parts, costs, strict=True):
        before = between if found else strength
        if cost <= room:
            found.append(Slice(begin, stop, cost, before))
        else:
            found += cut_at_level(view, gauge, begin, stop, room, levels[1:], before)
    return found


def cut_words(view: View, gauge: Gauge, start: int, end: int, room: int, strength: int) -> list[Slice]:
    """Slices filled from the front with whole words; a longer word is cut between graphemes."""
    found: list[Slice] = []
    text, width = view.text, WINDOW * room + 64
    at = start
    while (at := after_space(text, at, end)) < end:
        before = Strength.WORD if found else strength
        window = text[at : min(end, at + width)]
        stops = word_ends(window)
        if at + len(window) < end:
            stops.pop()
        words = ranges(window, at, stops)
        fitted = fit_words(view, gauge, at, words, room)
        long = next_is_long(gauge, view, words, fitted, room)
        if fitted is None or long:
            stop = long or (words[0][1] if words else min(end, at + width))
            pieces = cut_graphemes(view, gauge, at, stop, room, before)
            if len(pieces) > 1 and stop < end:
                pieces.pop()
            found += pieces
            at = pieces[-1].end
        else:
            found.append(Slice(at, fitted[0], fitted[1], before))
            at = fitted[0]
    return found


def next_is_long(
    gauge: Gauge, view: View, words: list[tuple[int, int]], fitted: tuple[int, int] | None, room: int
) -> int:
    """The end of the next word, where it has to be cut anyway and little stands before it; else 0.

    A list marker before a word of a thousand letters is no slice of its own.
    """
    if fitted is None or fitted[1] * 4 > room:
        return 0
    following = next((word for word in words if word[1] > fitted[0]), None)
    return following[1] if following and gauge.cost(view.own(*following)) > room else 0


def after_space(text: str, at: int, end: int) -> int:
    """The first offset from `at` on that holds no white space; `end` where there is none."""
    while at < end and text[at].isspace():
        at += 1
    return at


def fit_words(view: View, gauge: Gauge, at: int, words: list[tuple[int, int]], room: int) -> tuple[int, int] | None:
    """Where the last word that fits ends, and the cost up to there; None where not even one fits."""
    if not words:
        return None
    costs = gauge.costs([view.own(*word) for word in words])
    used, many = 0, 0
    for many, ((begin, _), cost) in enumerate(zip(words, costs, strict=True)):
        space = gauge.blank(view.lf(view.text[words[many - 1][1] : begin])) if many else 0
        if used + space + cost > room and many:
            break
        used += space + cost
    else:
        many = len(words)
    while many:
        cost = gauge.cost(view.own(at, words[many - 1][1]))
        if cost <= room:
            return words[many - 1][1], cost
        many = min(many - 1, many * room // cost)
    return None


def cut_graphemes(view: View, gauge: Gauge, start: int, end: int, room: int, strength: int) -> list[Slice]:
    """Slices filled from the front with whole graphemes.

    A single grapheme over the room (a letter under a hundred marks) is cut between code points:
    the budget is the harder law.
    """
    found: list[Slice] = []
    at, share, inside = start, 1.0, False
    while at < end:
        stop, cost, hard = fit_graphemes(view, gauge, at, end, room, share)
        share = (stop - at) / max(1, cost)
        found.append(Slice(at, stop, cost, Strength.GRAPHEME if found else strength, hard or inside))
        at, inside = stop, hard
    return found


def fit_graphemes(view: View, gauge: Gauge, at: int, end: int, room: int, share: float) -> tuple[int, int, bool]:
    """The end of a slice from `at` that fits, its cost, and whether a grapheme was cut.

    Tries a length, scales it by what it cost, and keeps the longest that fits; the number of
    tries is bounded, since a count is not always monotone.
    """
    best: tuple[int, int] | None = None
    length = min(end - at, max(1, int(room * share)))
    for attempt in range(12):
        stop = whole_graphemes(view.text, at, min(end, at + length))
        if stop == at:
            break
        cost = gauge.cost(view.own(at, stop))
        if cost <= room:
            if best is None or stop > best[0]:
                best = (stop, cost)
            grown = min(end - at, length * room // max(1, cost))
            if stop == end or grown <= length or attempt > 5:
                break
            length = grown
        else:
            if best is not None:
                break
            length = min(length - 1, max(1, length * room // cost) if attempt < 3 else length // 2)
            if length < 1:
                break
    if best is not None:
        return best[0], best[1], False
    first = at + len(next(graphemes(view.text[at : at + LONGEST_CLUSTER])))
    beyond, first = first > end, min(first, end)
    cost = gauge.cost(view.own(at, first))
    if cost <= room or first == at + 1:
        return first, cost, beyond
    stop = first
    while stop > at + 1 and cost > room:
        stop = at + max(1, (stop - at) // 2)
        cost = gauge.cost(view.own(at, stop))
    if view.text[stop - 1 : stop + 1] == "\r\n":
        stop += 1
    return stop, gauge.cost(view.own(at, stop)), True


def whole_graphemes(text: str, at: int, stop: int) -> int:
    """The last grapheme boundary in (at, stop]; `at` where the first grapheme is longer."""
    piece = text[at : stop + 64]
    if piece.isascii() and "\r" not in piece:
        return stop
    last = at
    for end in ends(CharacterBreaker, piece):
        if at + end > stop:
            break
        last = at + end
    return last
