"""Numbers of lists and headings, as word processors print them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.parsing.numerals import FORMATS, numeral


@pytest.mark.parametrize(
    ("form", "number", "shown"),
    [
        ("upperRoman", 1994, "MCMXCIV"),
        ("lowerRoman", 4000, "4000"),
        ("lowerLetter", 28, "bb"),
        ("decimalZero", 7, "07"),
        ("ordinal", 112, "112th"),
        ("ordinalText", 21, "Twenty-first"),
        ("cardinalText", 13, "Thirteen"),
        ("ganada", 3, "다"),
        ("koreanCounting", 21, "이십일"),
        ("chineseCounting", 101, "一百零一"),
        ("japaneseCounting", 21, "二十一"),
        ("decimalEnclosedCircle", 3, "③"),
        ("decimalEnclosedCircle", 21, "21"),
        ("vietnameseCounting", 25, "hai mươi lăm"),
        ("none", 3, ""),
        ("no such format", 3, "3"),
        ("upperRoman", 0, "0"),
    ],
)
def test_each_format_counts_as_its_readers_do(form: str, number: int, shown: str) -> None:
    """One example of each kind, and decimal where a format cannot hold the number."""
    assert numeral(number, form) == shown


@given(st.sampled_from(sorted(FORMATS)), st.integers(-5, 10**7))
def test_every_number_is_written(form: str, number: int) -> None:
    """No format is ever without an answer, however large the number, and none is long."""
    assert 0 < len(numeral(number, form)) < 80
