"""Characters with boxes become words and segments.

A file may place whole lines, words one by one without any space character, or letters one by
one; so spaces are judged by the gaps. Between two letters a gap counts as a space when it is
wider than a fifth of the font size over what is usual between the letters of that run: letter
spacing widens all gaps alike and makes no spaces.
"""

from __future__ import annotations

import itertools
import statistics
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.parsing.pdf.model import Segment, Word

__all__ = ["Face", "Glyph", "gather", "tidy"]

WORD_GAP = 0.18
"""Least width of a space that is a gap only, in font sizes, over the usual gap of the run."""

SEGMENT_GAP = 0.6
"""A wider gap parts two segments: columns and cells, not words."""

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
"""Text, left, top, right, bottom, face. A white-space glyph has a box that may be anything."""


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
        if is_space(glyph[0]):
            if run:
                run.append(glyph)
            continue
        if last is not None and parts(last, glyph):
            made += segment(run)
            run = []
        run.append(glyph)
        last = glyph
    return made + segment(run)


def is_space(text: str) -> bool:
    return text.isspace() and text not in HARD_SPACES


def parts(last: Glyph, glyph: Glyph) -> bool:
    """Whether `glyph` begins a new segment after `last`."""
    size = max(last[5].size, glyph[5].size)
    if abs((last[2] + last[4]) - (glyph[2] + glyph[4])) > size:
        return True
    return glyph[1] - last[3] > SEGMENT_GAP * size or glyph[1] < last[1] - 0.5 * size


def segment(run: Sequence[Glyph]) -> list[Segment]:
    """At most one segment: none where the run is blank."""
    space_after = bool(run) and is_space(run[-1][0])
    words = [word for letters in cut(run) if (word := spelled(letters))]
    return [Segment.of(words, space_after)] if words else []


def cut(run: Sequence[Glyph]) -> list[list[Glyph]]:
    """The letters of each word."""
    usual = usual_gap(run)
    words: list[list[Glyph]] = [[]]
    for glyph in run:
        if is_space(glyph[0]):
            words.append([])
            continue
        if len(words) == 1 and words[0] and noted(words[0][-1], glyph):
            words.append([])
        if words[-1] and glyph[1] - words[-1][-1][3] > (WORD_GAP * glyph[5].size + usual):
            words.append([])
        words[-1].append(glyph)
    return [letters for letters in words if letters]


def noted(last: Glyph, glyph: Glyph) -> bool:
    """Whether a small raised mark ends: the number of a footnote before its text."""
    return last[5].size < 0.8 * glyph[5].size and last[4] < glyph[4] - 0.1 * glyph[5].size and not last[0].isalpha()


def usual_gap(run: Sequence[Glyph]) -> float:
    """What letter spacing adds: the median gap between neighbouring letters, where it is wide."""
    gaps = [b[1] - a[3] for a, b in itertools.pairwise(run) if not is_space(a[0]) and not is_space(b[0])]
    if len(gaps) < 3:
        return 0.0
    median = statistics.median(gaps)
    return median if median > 0.08 * run[0][5].size else 0.0


def spelled(letters: Sequence[Glyph]) -> Word | None:
    """The word, or nothing where hard spaces are all there is."""
    text = tidy("".join(glyph[0] for glyph in letters)).strip(HARD_SPACES)
    if not text:
        return None
    face = letters[len(letters) // 2][5]
    return Word(
        text,
        min(glyph[1] for glyph in letters),
        min(glyph[2] for glyph in letters),
        max(glyph[3] for glyph in letters),
        max(glyph[4] for glyph in letters),
        face.size, face.bold, face.italic, face.mono,
    )  # fmt: skip
