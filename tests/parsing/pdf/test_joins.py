"""Line ends: hyphens, scripts without spaces, Korean."""

from __future__ import annotations

import pytest

from pincite.parsing.pdf.hyphens import Joiner


def joined(first: str, second: str, *elsewhere: str, spaces: tuple[bool, ...] = ()) -> str:
    """Two lines as one text, in a document that has other lines too."""
    lines = [(text, bool(spaces) and spaces[0]) for text in (*elsewhere, first, second)]
    text, between = Joiner([lines]).join(first, second, False)
    return text + between + second


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("the inter-", "national agreement", "the international agreement"),
        ("from 2019-", "2021 and later", "from 2019-2021 and later"),
        ("the years 2019–", "2021", "the years 2019–2021"),
        ("the Anglo-", "Saxon tongue", "the Anglo-Saxon tongue"),
        ("a well-", "known person", "a well-known person"),
        ("an up-", "to-date list", "an up-to-date list"),
        ("one word", "another", "one word another"),
        ("a dash -", "then more", "a dash - then more"),
        ("漢字の", "文章です", "漢字の文章です"),
        ("ภาษา", "ไทย", "ภาษาไทย"),
        ("tiếng", "Việt", "tiếng Việt"),
    ],
)
def test_the_end_of_a_line_joins_as_the_words_ask_for(first: str, second: str, wanted: str) -> None:
    """A printer's hyphen goes, a hyphen of the word stays, and scripts without spaces get none."""
    assert joined(first, second) == wanted


def test_a_compound_that_the_document_knows_keeps_its_hyphen() -> None:
    """The hyphenated form elsewhere decides for the hyphen, the joined form elsewhere against it."""
    assert joined("a cost-", "plus contract", "every cost-plus contract is") == "a cost-plus contract"
    assert joined("a cost-", "plus contract", "this costplus thing is") == "a costplus contract"


def test_two_words_that_the_document_knows_apart_keep_their_hyphen() -> None:
    """Both parts elsewhere and never the whole: a compound."""
    assert joined("the tenant-", "owner pays", "each owner pays what a tenant owes") == "the tenant-owner pays"


def test_korean_lines_follow_the_spaces_that_the_file_keeps() -> None:
    """Where line ends carry a space, one without a space is inside a word."""
    kept = [("모두에게 적용되는", True)] * 4
    joiner = Joiner([[*kept, ("수위를 재는 기", False), ("기를 만든다", False)]])

    assert joiner.join("수위를 재는 기", "기를 만든다", False) == ("수위를 재는 기", "")
    assert joiner.join("모두에게 적용되는", "규정이다", True) == ("모두에게 적용되는", " ")


def test_korean_lines_without_kept_spaces_follow_the_words_of_the_document() -> None:
    """Where no line end carries a space, a syllable pair that stands inside words joins."""
    lines = [("연차휴가는 쉬는 것이다 연차휴가를 쓴다", False), ("모든 사람은 연차휴가를 받는다", False)]
    joiner = Joiner([lines])

    assert joiner.join("모든 직원은 연차휴", "가를 받는다", False) == ("모든 직원은 연차휴", "")
    assert joiner.join("모든 사람은", "연차휴가를 쓴다", False) == ("모든 사람은", " ")
