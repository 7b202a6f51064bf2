"""Citations: what to open and what to read aloud."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.chunk import Chunk, Piece
from pincite.document import Region, Span
from pincite.retrieval.citation import cite
from tests.storage.tools import chunk_of

CHUNK = replace(
    chunk_of("handbook.pdf", 0, "You get 12 days.", ("Employee Handbook", "2. Benefits")), page_start=12, page_end=12
)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"page_label_start": "xii", "page_label_end": "xii"}, "p. 12 (xii), Employee Handbook › 2. Benefits"),
        ({}, "p. 12, Employee Handbook › 2. Benefits"),
        ({"page_label_start": "12", "page_label_end": "12"}, "p. 12, Employee Handbook › 2. Benefits"),
        ({"page_end": 13}, "pp. 12–13, Employee Handbook › 2. Benefits"),
        (
            {"page_end": 13, "page_label_start": "xii", "page_label_end": "1"},
            "pp. 12–13 (xii–1), Employee Handbook › 2. Benefits",
        ),
        ({"page_start": None, "page_end": None}, "Employee Handbook › 2. Benefits"),
        ({"heading_path": ()}, "p. 12"),
    ],
)
def test_the_line_names_file_page_and_section(changes: dict[str, object], line: str) -> None:
    """Labels stand beside the physical page where they differ from it."""
    assert cite(replace(CHUNK, **changes), 1).line == f"handbook.pdf, {line}"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("uri", "page", "target"),
    [
        ("handbook.pdf", 12, "handbook.pdf#page=12"),
        ("guide.md", None, "guide.md"),
        ("sổ tay #1.pdf", 2, "sổ tay %231.pdf#page=2"),
        ("50%.pdf", 2, "50%25.pdf#page=2"),
    ],
)
def test_the_target_opens_the_page(uri: str, page: int | None, target: str) -> None:
    """What would end the name of a file in a URL is escaped in it."""
    assert cite(replace(CHUNK, uri=uri, page_start=page), 1).target == target


def two_pages() -> Chunk:
    """A passage whose second line stands on the next page."""
    first, second = "Leave is described here.", "You get 24 days of paid holiday."
    text = f"{first}\n{second}"
    cut = len(first) + 1
    return replace(
        CHUNK,
        text=text,
        page_end=13,
        spans=(Span(100, 100 + len(text)),),
        pieces=(Piece("own", 0, len(text), Span(100, 100 + len(text))),),
        regions=(Region(Span(100, 100 + len(first)), 12), Region(Span(100 + cut, 100 + len(text)), 13)),
    )


def test_the_target_is_the_page_that_a_passage_begins_on() -> None:
    """Over a page break its first words are what a reader looks for; the regions name both pages."""
    found = cite(two_pages(), 1)
    assert found.target == "handbook.pdf#page=12"
    assert [region.page for region in found.regions] == [12, 13]
    assert (found.page_start, found.page_end) == (12, 13)


def test_the_quote_is_the_own_text_alone() -> None:
    """Overlap and repeated headers are context, not evidence."""
    text = "before. You get 12 days."
    chunk: Chunk = replace(CHUNK, text=text, pieces=(Piece("overlap", 0, 8), Piece("own", 8, len(text))))
    assert cite(chunk, 3).quote == "You get 12 days."
    assert cite(chunk, 3).number == 3
