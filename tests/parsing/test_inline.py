"""Running text with links and emphasis: no letter is lost, and no word is parted."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.parsing.inline import Piece, plain, superscript, written

TEXTS = st.text("ab 휴가Đ.\n", min_size=1, max_size=5)
PIECES = st.lists(
    st.builds(Piece, TEXTS, st.booleans(), st.booleans(), st.sampled_from(["", "u", "v"]), st.booleans()), max_size=8
)


@given(PIECES)
def test_marks_and_targets_are_all_that_is_added(pieces: list[Piece]) -> None:
    """Without its marks and link targets the Markdown is the text, letter for letter."""
    assert re.sub(r"\]\([uv]\)|[\[*`]", "", written(pieces)) == plain(pieces)


@given(PIECES)
def test_no_mark_stands_inside_a_word(pieces: list[Piece]) -> None:
    """Between two letters of a word there is never a mark."""
    words = plain(pieces).split()
    shown = re.sub(r"\]\([uv]\)", "]", written(pieces))

    for word in words:
        for letters in re.findall(r"\w+", word):
            assert letters in shown


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        ([Piece("Xin ", bold=True), Piece("chào", bold=True), Piece(".")], "**Xin chào**."),
        ([Piece("a", bold=True), Piece(" "), Piece("b", bold=True)], "**a b**"),
        ([Piece("a", bold=True), Piece("!", italic=True)], "a!"),
        ([Piece("a", bold=True, italic=True), Piece(" b")], "***a*** b"),
        ([Piece("중요", bold=True), Piece("한 것")], "중요한 것"),
        ([Piece("重要", bold=True), Piece("的")], "**重要**的"),
        ([Piece("see "), Piece("this ", bold=True, link="u"), Piece("page", link="u")], "see [**this** page](u)"),
        ([Piece("…", bold=True), Piece(" a")], "… a"),
        ([Piece("2*3", bold=True)], "2*3"),
    ],
)
def test_marks_stand_around_whole_words(pieces: list[Piece], shown: str) -> None:
    """Examples of each rule."""
    assert written(pieces) == shown


def test_raised_digits_stay_raised() -> None:
    """Ten to the sixth is not 106, and letters stay as they are."""
    assert ("10" + superscript("−6"), "1" + superscript("st")) == ("10⁻⁶", "1st")
