"""Characters with boxes become words and segments.

A file may place whole lines, words one by one without any space character, or letters one by
one; so spaces are judged by the gaps. Between two letters a gap counts as a space when it is
wider than a fifth of the font size over what is usual between the letters of that run: letter
spacing widens all gaps alike and makes no spaces.
"""

from __future__ import annotations

import itertools
import math
import statistics
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.parsing.pdf.model import Segment, Word

__all__ = ["HARD_SPACES", "SPACE", "Face", "Glyph", "gather", "gather_slanted", "tidy"]

WORD_GAP = 0.18
"""Least width of a space that is a gap only, in font sizes, over the usual gap of the run."""

SEGMENT_GAP = 0.6
"""A wider gap parts two segments: columns and cells, not words."""

SPACE = " "
"""The text of a glyph that is white space; its box may be anything."""

HARD_SPACES = "\xa0\u2007\u202f"

LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ſt", "ﬆ": "st"})


@dataclass(frozen=True, slots=True)
class Face:
    """How a run of characters looks."""

    size: float
    bold: bool = False
    italic: bool = False
    mono: bool = False
    turn: int = 0
    """Degrees clockwise from left-to-right to the direction in which the text runs, as shown."""
    font: int = 0
    """Number of the font within the reader's page."""


Glyph = tuple[str, float, float, float, float, Face]
"""Text, left, top, right, bottom, face."""


def tidy(text: str) -> str:
    """Composed characters, presentation ligatures spelled out, invisible soft hyphens left out."""
    if text.isascii():
        return text
    soft = text.endswith("\xad")
    text = unicodedata.normalize("NFC", text.translate(LIGATURES).replace("\xad", ""))
    return text + "-" if soft and text else text


def gather(glyphs: Iterable[Glyph]) -> list[Segment]:
    """Segments of upright glyphs, in drawing order."""
    made: list[Segment] = []
    run: list[Glyph] = []
    last: Glyph | None = None
    for glyph in glyphs:
        if glyph[0] == SPACE:
            if run:
                run.append(glyph)
            continue
        if last is not None and parts(last, glyph):
            made += segment(run)
            run = []
        run.append(glyph)
        last = glyph
    return made + segment(run)


def gather_slanted(glyphs: Iterable[Glyph]) -> list[Segment]:
    """Segments of slanted glyphs: letters that follow one another closely, in drawing order."""
    runs: list[list[list[Glyph]]] = []
    last: Glyph | None = None
    for glyph in glyphs:
        if glyph[0] == SPACE:
            if runs and runs[-1][-1]:
                runs[-1].append([])
            continue
        if last is None or glyph[5] is not last[5] or math.dist(middle(last), middle(glyph)) > 2.5 * glyph[5].size:
            runs.append([[]])
        runs[-1][-1].append(glyph)
        last = glyph
    found = ([word for letters in run if letters and (word := spelled(letters))] for run in runs)
    return [Segment.of(words) for words in found if words]


def middle(glyph: Glyph) -> tuple[float, float]:
    return (glyph[1] + glyph[3]) / 2, (glyph[2] + glyph[4]) / 2


def parts(last: Glyph, glyph: Glyph) -> bool:
    """Whether `glyph` begins a new segment after `last`."""
    size, other = glyph[5].size, last[5].size
    if other > size:
        size = other
    gap = glyph[1] - last[3]
    if gap > SEGMENT_GAP * size or glyph[1] < last[1] - 0.5 * size:
        return True
    return abs(last[2] + last[4] - glyph[2] - glyph[4]) > size


def segment(run: Sequence[Glyph]) -> list[Segment]:
    """At most one segment: none where the run is blank."""
    words = [word for letters in cut(run) if (word := spelled(letters))]
    return [Segment.of(words, run[-1][0] == SPACE)] if words else []


def cut(run: Sequence[Glyph]) -> list[list[Glyph]]:
    """The letters of each word."""
    words, gaps = parted(run, 0.0)
    if 2 * gaps > len(words) and 4 * len(words) > len(run):
        words, _ = parted(run, usual_gap(run))
    return words


def parted(run: Sequence[Glyph], usual: float) -> tuple[list[list[Glyph]], int]:
    """The letters of each word, and how many spaces are gaps only; gaps up to `usual` mean nothing."""
    words: list[list[Glyph]] = []
    gaps = 0
    last: Glyph | None = None
    for glyph in run:
        if glyph[0] == SPACE:
            last = None
        elif last is None:
            words.append([glyph])
            last = glyph
        else:
            if glyph[1] - last[3] > WORD_GAP * glyph[5].size + usual:
                gaps += 1
                words.append([glyph])
            elif last[5] is not glyph[5] and len(words) == 1 and noted(last, glyph):
                words.append([glyph])
            else:
                words[-1].append(glyph)
            last = glyph
    return words, gaps


def noted(last: Glyph, glyph: Glyph) -> bool:
    """Whether a small raised mark ends: the number of a footnote before its text."""
    return last[5].size < 0.8 * glyph[5].size and last[4] < glyph[4] - 0.1 * glyph[5].size and not last[0].isalpha()


def usual_gap(run: Sequence[Glyph]) -> float:
    """What letter spacing adds: the median gap between neighbouring letters, where it is wide."""
    gaps = [b[1] - a[3] for a, b in itertools.pairwise(run) if SPACE not in (a[0], b[0])]
    if len(gaps) < 3:
        return 0.0
    median = statistics.median(gaps)
    return max(0.0, median)


def spelled(letters: Sequence[Glyph]) -> Word | None:
    """The word, or nothing where hard spaces are all there is."""
    texts, lefts, tops, rights, bottoms, faces = zip(*letters, strict=True)
    text = tidy("".join(texts))
    text = text.strip(HARD_SPACES)
    if not text:
        return None
    face: Face = faces[len(faces) // 2]
    box = min(lefts), min(tops), max(rights), max(bottoms)
    return Word(text, *box, face.size, face.bold, face.italic, face.mono)
