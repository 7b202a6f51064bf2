"""One passage is listed once, and different facts are never taken for one."""

from __future__ import annotations

from dataclasses import replace

from pincite.chunk import Chunk, Piece
from pincite.document import Span
from pincite.retrieval.duplicates import collapse
from tests.storage.tools import chunk_of

LONG = "Every employee who has worked here for a year gets twelve days of paid leave each year."


def kept(*chunks: Chunk, limit: int = 10) -> list[int]:
    return [key for key, _, _ in collapse(enumerate(chunks), limit)]


def test_equal_texts_of_one_section_are_one() -> None:
    """The first stands for the second, and says so."""
    one, two = chunk_of("a.md", 0, "Same words."), chunk_of("a.md", 1, "Same words.")
    assert [(key, same) for key, _, same in collapse(enumerate([one, two]), 5)] == [(0, (two.id,))]


def test_equal_texts_of_two_documents_are_two() -> None:
    assert kept(chunk_of("a.md", 0, LONG), chunk_of("b.md", 0, LONG)) == [0, 1]


def test_short_equal_texts_under_different_headings_are_two() -> None:
    """ "12 days" under "Interns" and under "Managers" are two facts."""
    assert kept(chunk_of("a.md", 0, "12 days", ("Interns",)), chunk_of("a.md", 1, "12 days", ("Managers",))) == [0, 1]


def test_long_equal_texts_under_different_headings_are_one() -> None:
    assert kept(chunk_of("a.md", 0, LONG, ("A",)), chunk_of("a.md", 1, LONG, ("B",))) == [0]


def test_a_different_number_is_a_different_text() -> None:
    assert kept(chunk_of("a.md", 0, LONG), chunk_of("a.md", 1, LONG.replace("twelve", "fifteen"))) == [0, 1]


def overlapping(index: int, start: int, end: int, overlap_from: int) -> Chunk:
    """A chunk of its own range that repeats what stands before from `overlap_from` on."""
    text = "x" * (end - overlap_from) + str(index)
    pieces = (
        Piece("overlap", 0, start - overlap_from, Span(overlap_from, start)),
        Piece("own", start - overlap_from, len(text), Span(start, end)),
    )
    return replace(chunk_of("a.md", index, text), spans=(Span(start, end),), pieces=pieces)


def test_a_chunk_that_better_ones_show_already_is_left_out() -> None:
    """Sixty of its hundred characters stand in the overlap of the chunk above it in the list."""
    assert kept(overlapping(1, 100, 200, 40), overlapping(0, 0, 100, 0)) == [0]


def test_a_little_overlap_is_no_repetition() -> None:
    assert kept(overlapping(1, 100, 200, 80), overlapping(0, 0, 100, 0)) == [0, 1]


def test_the_limit_counts_what_is_kept() -> None:
    same = [chunk_of("a.md", at, "Same words.") for at in range(5)]
    assert kept(*same, chunk_of("a.md", 9, "Other words."), limit=2) == [0, 5]
