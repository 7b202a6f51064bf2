"""From characters to words: spaces, spacing, ligatures, marks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.parsing.pdf.glyphs import Face, Glyph, gather, tidy

from .made import Sheet, drawn, read, texts

PLAIN = Face(10.0)


def placed(text: str, spacing: float = 0.0, space: float = 3.0, spaces: bool = False) -> list[Glyph]:
    """Letters five points wide; a space moves on by `space`, as a glyph or not."""
    glyphs: list[Glyph] = []
    x = 0.0
    for letter in text:
        if letter == " ":
            if spaces:
                glyphs.append((" ", 0.0, 0.0, 0.0, 0.0, PLAIN))
            x += space
        else:
            glyphs.append((letter, x, 0.0, x + 5, 10.0, PLAIN))
            x += 5 + spacing
    return glyphs


WORDS = st.lists(st.text("abcdefgh", min_size=2, max_size=9), min_size=1, max_size=9).map(" ".join)


@settings(deadline=None)
@given(WORDS, st.booleans())
def test_gaps_and_space_characters_both_part_words(text: str, spaces: bool) -> None:
    """Words are the same whether the file draws spaces or only leaves room for them."""
    (segment,) = gather(placed(text, spaces=spaces))

    assert segment.text == text


@settings(deadline=None)
@given(st.lists(st.text("abcdefgh", min_size=4, max_size=9), min_size=1, max_size=9).map(" ".join), st.floats(0.0, 3.0))
def test_letter_spacing_makes_no_words(text: str, spacing: float) -> None:
    """Letters set apart evenly stay one word, and the spaces between words are found still."""
    (segment,) = gather(placed(text, spacing=spacing, space=2.0, spaces=True))

    assert segment.text == text


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("ofﬁce ﬂow", "office flow"),
        ("co\xadoperate", "cooperate"),
        ("inter\xad", "inter-"),
        ("Tie\u0302\u0301ng Vie\u0323\u0302t", "Tiếng Việt"),
        ("10\xa0km", "10\xa0km"),
        ("½", "½"),
    ],
)
def test_text_is_composed_and_ligatures_are_spelled_out(given: str, wanted: str) -> None:
    """Marks join their letters, ligatures become letters, soft hyphens go unless a line ends there; the rest stays."""
    assert tidy(given) == wanted


def test_pieces_of_a_word_that_were_drawn_apart_are_one_word() -> None:
    """Letters drawn from right to left make the word that they show."""
    pieces = [(72 + 8 * place, 700.0, letter) for place, letter in enumerate("HANDBOOK")]
    document = read(drawn(Sheet(pieces[::-1])))

    assert texts(document) == ["HANDBOOK"]


def test_a_wide_gap_in_a_justified_line_parts_no_columns() -> None:
    """Words far apart in one line of a paragraph are read in that line."""
    pieces = [
        (72, 700, "A line of ordinary words that runs to the right edge of it"),
        (72, 686, "stretched"), (140, 686, "words"), (190, 686, "stand"), (240, 686, "in one line"), (310, 686, "here."),
        (72, 672, "The last line of the paragraph closes what was begun."),
    ]  # fmt: skip
    document = read(drawn(Sheet(pieces)))

    assert "right edge of it stretched words stand in one line here. The last" in document.text
