"""Characters that mean nothing are not passed off as text.

A font without a map to Unicode gives the numbers of its glyphs for letters: control characters,
private-use code points, U+FFFD or plausible nonsense. Where a good part of what a font draws is
of that kind, nothing it draws can be trusted and all of it is left out; elsewhere only the bad
characters are. Bullets that symbol fonts keep in the private-use area are known and read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from pincite.parsing.pdf.glyphs import Glyph

__all__ = ["legible", "meaningless"]

BULLETS = dict.fromkeys(map(ord, "\uf06c\uf06e\uf075\uf076\uf09f\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc\uf0de"), "•")
"""Symbol and Wingdings put 0xF000 before the code of their bullets, squares, arrows and ticks."""

MEANINGLESS = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd-\uffff\ue000-\uf8ff\U000f0000-\U0010ffff]")
"""Controls, U+FFFD, non-characters and private use."""

WORST = 0.05
"""Share of meaningless characters from which a font is not believed."""


def meaningless(text: str) -> bool:
    """Whether a character stands for nothing that can be read."""
    return bool(MEANINGLESS.match(text))


def legible(glyphs: Sequence[Glyph], unmapped: Collection[int]) -> tuple[Sequence[Glyph], int]:
    """The glyphs that can be believed, and how many cannot.

    `unmapped` holds positions in `glyphs` that the engine itself has no meaning for.
    """
    text = "".join([glyph[0] for glyph in glyphs])
    if not unmapped and not MEANINGLESS.search(text):
        return glyphs, 0
    glyphs = [known_bullet(glyph) for glyph in glyphs]
    bad = {i for i, glyph in enumerate(glyphs) if i in unmapped or meaningless(glyph[0])}
    drawn = Counter(glyph[5].font for glyph in visible(glyphs))
    wrong = Counter(glyphs[i][5].font for i in bad)
    lost = {font for font, number in wrong.items() if number >= 3 and number > WORST * drawn[font]}
    kept = [
        glyph for i, glyph in enumerate(glyphs) if i not in bad and (glyph[5].font not in lost or glyph[0].isspace())
    ]
    return kept, sum(1 for _ in visible(glyphs)) - sum(1 for _ in visible(kept))


def known_bullet(glyph: Glyph) -> Glyph:
    text = BULLETS.get(ord(glyph[0][0]))
    return (text, *glyph[1:]) if text else glyph


def visible(glyphs: Iterable[Glyph]) -> Iterable[Glyph]:
    return (glyph for glyph in glyphs if not glyph[0].isspace())
