"""Fonts whose letters are all equally wide are monospaced, whatever their names and flags say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pincite.parsing.pdf.glyphs import Face, Glyph

__all__ = ["with_pitch"]

NARROW, WIDE = frozenset("fijlrtI.,;:'()[]|!"), frozenset("mwMWGOQDNH@%")

SAME = 0.03
"""Share by which the widths may differ."""


def with_pitch(glyphs: Sequence[Glyph]) -> Sequence[Glyph]:
    """The glyphs, with the faces of monospaced fonts marked so."""
    even = even_fonts(glyphs)
    if not even:
        return glyphs
    faces: dict[Face, Face] = {}
    made = []
    for glyph in glyphs:
        face = glyph[5]
        if face.font in even:
            face = faces.setdefault(face, replace(face, mono=True))
        made.append((*glyph[:5], face))
    return made


def even_fonts(glyphs: Iterable[Glyph]) -> set[int]:
    """Fonts that draw narrow and wide letters, all of one width."""
    narrow: dict[int, set[float]] = defaultdict(set)
    wide: dict[int, set[float]] = defaultdict(set)
    for text, left, _, right, _, face in glyphs:
        if face.mono or face.turn:
            continue
        if text in NARROW:
            narrow[face.font].add((right - left) / face.size)
        elif text in WIDE:
            wide[face.font].add((right - left) / face.size)
    return {font for font in narrow.keys() & wide.keys() if one_width(narrow[font] | wide[font])}


def one_width(widths: set[float]) -> bool:
    return max(widths) - min(widths) <= SAME * max(widths)
