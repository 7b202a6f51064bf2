"""The values of a chunker by headings whose large chunks are cut at lines: the preset `md-heading-v2`.

It counts a token for every three bytes of UTF-8, cuts at line ends, and inside a longer line
between characters.
"""

from __future__ import annotations

from typing import Any

import pytest

from pincite.chunk import Chunk, chunk_id, document_id
from pincite.document import Document
from pincite.errors import OptionError
from pincite.options import chunk_options
from pincite.parsing.writer import Run, Writer

from .building import chunks, paged, words


def cut(text: str, **options: Any) -> tuple[Chunk, ...]:
    return chunks(text, preset="md-heading-v2", **options)


def test_lines_fill_a_piece() -> None:
    """60 lines of 41 bytes under 50 tokens: 20 pieces of 3 lines, 42 tokens at most, joined they are the source."""
    lines = "\n".join(f"log line {number:03d}: some event description here" for number in range(60))

    found = cut(lines, max_tokens=50)

    assert len(lines) == 2519
    assert [chunk.text.count("\n") for chunk in found] == [2] * 20
    assert max(chunk.tokens for chunk in found) == 42
    assert "\n".join(chunk.text for chunk in found) == lines


def test_a_line_of_korean_is_cut_between_characters() -> None:
    """420 syllables without a line end under 20: 21 pieces of 20 syllables, 20 tokens each."""
    text = "가나다라마바사아자차카타파하" * 30

    found = cut(text, max_tokens=20)

    assert [len(chunk.text) for chunk in found] == [20] * 21
    assert {chunk.tokens for chunk in found} == {20}
    assert "".join(chunk.text for chunk in found) == text


def test_code_is_cut_between_lines_and_fenced_in_every_piece() -> None:
    """30 lines of code of 799 bytes under 50: 6 pieces of 5 lines, each in fences."""
    lines = [f"    let x{number:02d} = compute({number});" for number in range(30)]

    found = cut("```rust\n" + "\n".join(lines) + "\n```\n", max_tokens=50)

    assert len("\n".join(lines)) == 799
    assert [len(chunk.text.split("\n")) for chunk in found] == [7] * 6
    assert [line for chunk in found for line in chunk.text.split("\n")[1:-1]] == lines
    assert all(chunk.text.startswith("```rust\n") and chunk.text.endswith("\n```") for chunk in found)


def test_a_long_line_beside_a_picture_is_cut_by_its_own_length() -> None:
    """A picture, then 3,078 characters on one line, under 200: pieces of at most 600, nothing lost."""
    sentence = "The dense picture shows how a pump is set into its case. "
    assert len(sentence) == 57

    found = cut(f"![dense](dense.png)\n\n{sentence * 54}", max_tokens=200)

    assert "dense" in found[0].text
    assert len(found) == 7
    assert all(chunk.tokens <= 200 and len(chunk.text) <= 600 for chunk in found)
    assert "".join("".join(c.text.split()) for c in found[1:]) == "".join((sentence * 54).split())


@pytest.mark.parametrize("budget", [-1, 0, 1, 3, 15])
def test_a_budget_that_no_character_fits_is_refused(budget: int) -> None:
    """Two emoji under a budget of 1 gave two pieces of 2 tokens: the bound was broken without a word."""
    with pytest.raises(OptionError, match="max_tokens"):
        cut("😀😀", max_tokens=budget)


def test_a_long_line_is_cut_and_its_neighbours_are_left_alone() -> None:
    """Under 2 tokens `ab`, ten x and `cd` give ab, xxxxxx, xxxx, cd."""
    assert [chunk.text for chunk in cut("ab\nxxxxxxxxxx\ncd", max_tokens=2, floor=1)] == ["ab", "xxxxxx", "xxxx", "cd"]


def test_spans_do_not_drift_over_line_ends() -> None:
    """Three lines in three pieces: 0 to 4, 5 to 9, 10 to 14."""
    found = cut("aaaa\nbbbb\ncccc", max_tokens=2, floor=1)

    assert [(span.start, span.end) for chunk in found for span in chunk.spans] == [(0, 4), (5, 9), (10, 14)]


GUIDE = "# A\n\nShort text.\n\n```\ncode\n```\n\n## B\n\n" + "\n".join(
    f"line {n} with several words" for n in range(60)
)


def test_a_budget_that_is_not_reached_changes_nothing() -> None:
    """Text and spans under 4,000 are those under a million."""
    assert [(c.text, c.spans) for c in cut(GUIDE)] == [(c.text, c.spans) for c in cut(GUIDE, max_tokens=10**6)]


def test_a_smaller_budget_leaves_chunks_that_fit_as_they_were() -> None:
    """From 4,000 to 200: what fitted has the same text and the same id, so its vector can be kept."""
    large, small = cut(GUIDE), cut(GUIDE, max_tokens=200)

    kept = {(chunk.id, chunk.text) for chunk in large if chunk.tokens <= 200}
    assert kept
    assert kept <= {(chunk.id, chunk.text) for chunk in small}
    assert len(small) > len(large)


def test_ids_are_the_same_in_every_run_and_differ_within_one() -> None:
    """Two hundred runs, one set of ids."""
    runs = [[chunk.id for chunk in cut(GUIDE, max_tokens=50)] for _ in range(200)]

    assert all(run == runs[0] for run in runs)
    assert len(set(runs[0])) == len(runs[0]) > 10


def test_ids_are_pinned() -> None:
    """An id may never change from one release to the next without everyone's index being made anew."""
    assert document_id("notes/test.md") == PINNED_DOCUMENT
    assert chunk_id(PINNED_DOCUMENT, ["A", "B"], "A > B\ntext", 0) == PINNED_CHUNK


PINNED_DOCUMENT = "a1850c2d573608fbb68eb29b3a5a8672"
PINNED_CHUNK = "9ae5dea0fbf07c09cc9479b172726b16"


def three_pages() -> Document:
    writer = Writer()
    for number, text in enumerate(("page one", "page two", "page three"), 1):
        writer.block("paragraph", [Run(text, number)])
    return paged(writer, 3)


def test_a_page_is_a_boundary() -> None:
    """Three pages of a few words under 500: three chunks of 8, 8 and 10 characters, each on its page."""
    found = chunks(three_pages(), counter="chars", max_tokens=500)

    assert [chunk.text for chunk in found] == ["page one", "page two", "page three"]
    assert [(chunk.page_start, chunk.page_end) for chunk in found] == [(1, 1), (2, 2), (3, 3)]
    assert [sum(map(len, chunk.spans)) for chunk in found] == [8, 8, 10]


def test_pages_are_joined_where_that_is_asked_for() -> None:
    """With `cross_pages` they share a chunk on pages 1 to 3, with a region for each page's words."""
    document = three_pages()

    (only,) = chunks(document, counter="chars", max_tokens=500, cross_pages=True)

    assert (only.page_start, only.page_end) == (1, 3)
    assert [region.page for region in only.regions] == [1, 2, 3]
    assert [document.text[r.span.start : r.span.end] for r in only.regions] == ["page one", "page two", "page three"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("> Quoted words.\n>\n> - first item\n> - second item\n", ["Quoted words.", "first item", "second item"]),
        ("Before ![a red dot](dot.png) after.\n", ["Before", "a red dot", "after."]),
    ],
)
def test_a_list_in_a_quote_and_a_picture_in_a_line_are_kept(text: str, kept: list[str]) -> None:
    """Both were dropped."""
    whole = "\n".join(chunk.text for chunk in cut(text))

    assert all(each in whole for each in kept)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"max_tokens": 8}, "max_tokens"),
        ({"max_tokens": 100, "overlap_tokens": 100}, "overlap_tokens"),
        ({"max_tokens": 100, "overlap_tokens": 90}, "overlap_tokens"),
        ({"max_tokens": 100, "min_tokens": 60}, "min_tokens"),
    ],
)
def test_options_that_exclude_each_other_are_refused(options: dict[str, int], name: str) -> None:
    """A target of 8, an overlap as large as the chunk, a minimum over half of it: errors that name the option."""
    with pytest.raises(OptionError, match=name):
        chunk_options(**options)


def test_code_tables_and_pictures_stand_alone() -> None:
    """A heading, code, tables and pictures are boundaries; paragraphs and lists share a chunk."""
    text = f"# A\n\n{words(5)}\n\n- item\n\n```\ncode\n```\n\nafter\n\n| a |\n|---|\n| 1 |\n\n![dot](dot.png)\n\nend\n"

    found = cut(text)

    assert [chunk.kind for chunk in found[1:]] == ["code", "text", "table", "figure", "text"]
    assert found[0].text == f"{words(5)}\n\n- item"
