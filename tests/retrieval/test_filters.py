"""What a caller may write as a filter, and what is refused."""

from __future__ import annotations

import unicodedata

import pytest

from pincite.errors import OptionError
from pincite.retrieval.filters import LAST, make_filter


@pytest.mark.parametrize(
    ("given", "ranges"),
    [
        (12, ((12, 12),)),
        ("12", ((12, 12),)),
        ("3-7", ((3, 7),)),
        ("3-7, 12", ((3, 7), (12, 12))),
        ("40-", ((40, LAST),)),
        ("-5", ((1, 5),)),
        ([1, "3-4"], ((1, 1), (3, 4))),
        (["3-7,12", "20"], ((3, 7), (12, 12), (20, 20))),
    ],
)
def test_pages_are_numbers_and_ranges(given: object, ranges: tuple[tuple[int, int], ...]) -> None:
    assert make_filter(pages=given).pages == ranges  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given", ["", "x", "7-3", "0", "-", "1-2-3", "1.5", "1-9999999999", "9" * 20, "9" * 5000, 10**30]
)
def test_pages_that_are_none_are_refused(given: str | int) -> None:
    """The message shows what pages look like."""
    with pytest.raises(OptionError, match="pages"):
        make_filter(pages=given)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(OptionError, match="table_schema"):
        make_filter(kind="tables")


def test_headings_are_compared_folded_and_level_by_level() -> None:
    """Case and marks do not count; ` > ` parts levels."""
    assert make_filter(heading="Sổ Tay > Nghỉ phép").headings == ("so tay\x1fnghi phep",)


def test_no_condition_is_no_filter() -> None:
    assert not make_filter(folder=".")
    assert make_filter(document="a.md")


def test_documents_and_folders_are_spelled_as_an_index_spells_them() -> None:
    """Decomposed marks, a dot before and a slash behind change nothing; bytes that are no text are spelled out."""
    assert make_filter(document=unicodedata.normalize("NFD", "Sổ.md")).documents == ("Sổ.md",)
    assert make_filter(folder="./docs//sub/").folders == ("docs/sub",)
    assert make_filter(document="caf\udce9.md").documents == ("caf\\xe9.md",)
