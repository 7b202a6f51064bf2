"""Ranges of pages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import OptionError
from pincite.parsing.pdf.pageset import selected

from .made import Sheet, drawn, read, texts


@pytest.mark.parametrize(
    ("pages", "wanted"),
    [
        (None, [1, 2, 3, 4, 5]),
        ("2", [2]),
        ("1-3,5", [1, 2, 3, 5]),
        ("4-", [4, 5]),
        ("-3-", [3, 4, 5]),
        ("5, 1 - 2", [1, 2, 5]),
    ],
)
def test_ranges_name_physical_pages(pages: str | None, wanted: list[int]) -> None:
    """Ranges are inclusive, may be open at the end, count from the end with a dash in front, and come sorted."""
    assert selected(pages, 5) == wanted


@pytest.mark.parametrize("pages", ["0", "6", "3-9", "4-2", "-6-", "-0-", "a", "1,,2", "", "1-2-3", "-", "--3"])
def test_an_impossible_range_is_refused_with_the_number_of_pages(pages: str) -> None:
    """The error names the option, the value and how many pages there are."""
    with pytest.raises(OptionError, match=r"parse\.pages") as caught:
        selected(pages, 5)

    assert "1 to 5" in str(caught.value)
    assert repr(pages) in str(caught.value)


@settings(deadline=None)
@given(st.sets(st.integers(1, 40), min_size=1))
def test_any_set_of_pages_can_be_named(numbers: set[int]) -> None:
    """A list of single pages gives those pages, rising."""
    assert selected(",".join(map(str, numbers)), 40) == sorted(numbers)


def test_a_part_of_a_document_keeps_its_page_numbers() -> None:
    """Pages 2 and 3 of a file are pages 2 and 3, not 1 and 2."""
    data = drawn(*(Sheet([(72, 700, f"This is sheet {name}.")]) for name in ("one", "two", "three")))
    document = read(data, pages="2-3")

    assert [page.number for page in document.pages] == [2, 3]
    assert texts(document) == ["This is sheet two.", "This is sheet three."]
    assert [block.regions[0].page for block in document.blocks] == [2, 3]
