"""The values of a chunker by headings with a budget in characters: the preset `heading-2000`.

What that chunker gave, value by value, and what is given here where it was wrong: headings that
CommonMark knows, fences that are not cut by a `#`, tables cut between rows, pages of the whole
section, and no text that begins with a line end.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Literal

import pytest

from pincite.chunk import Chunk

from .building import chunks, markdown, words

VIETNAMESE = """# Phần I

Giới thiệu.

## Mục 1

Nội dung.

### Tiểu mục 1.1

Chi tiết.

## Mục 2

Kết.
"""


def cut(text: str, max_tokens: int = 320, **options: Any) -> tuple[Chunk, ...]:
    return chunks(text, preset="heading-2000", max_tokens=max_tokens, **options)


@pytest.mark.parametrize("text", ["", "   ", "\n\n \t\n"])
@pytest.mark.parametrize("budget", [200, 2000])
def test_nothing_gives_no_chunk(text: str, budget: int) -> None:
    """An empty file and one of white space alone have no chunks under any budget."""
    assert cut(text, budget) == ()


@pytest.mark.parametrize("text", ["#NoSpace\nbody", "#KhôngSpace\nbody"])
def test_a_hash_without_a_space_is_text(text: str) -> None:
    """One chunk without a heading, holding both lines."""
    (only,) = cut(text)

    assert only.heading_path == ()
    assert only.text == text


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("letter", ["ệ", "y"])
@pytest.mark.parametrize("budget", [50, 100])
def test_a_budget_below_200_is_raised_to_200(letter: str, form: Literal["NFC", "NFD"], budget: int) -> None:
    """250 letters become 200 and 50 under a budget of 50 or 100, composed or not, and no letter is cut."""
    written = unicodedata.normalize(form, letter)

    found = cut(f"# A\n\n{written * 250}", budget)

    if len(written) == 1:
        assert [len(chunk.text) for chunk in found] == [200, 50]
    assert all(len(chunk.text) <= 200 and chunk.heading_path == ("A",) for chunk in found)
    assert "".join(chunk.text for chunk in found) == written * 250
    assert all(unicodedata.combining(chunk.text[0]) == 0 for chunk in found)


def test_paragraphs_fill_a_chunk_from_the_front() -> None:
    """Three of 150 characters under 320 give two chunks: 150 + blank line + 150, and 150."""
    found = cut("# A\n\n" + "\n\n".join(letter * 150 for letter in "abc"))

    assert [len(chunk.text) for chunk in found] == [302, 150]


def test_a_heading_below_a_bare_heading_has_both_in_its_path() -> None:
    """`# A` with nothing but `## B` below it makes one chunk, under A and B."""
    (only,) = cut("# A\n## B\n\nbody")

    assert only.heading_path == ("A", "B")
    assert only.text == "body"


def test_a_lone_title_can_be_found() -> None:
    """The earlier chunker lost a document that is one heading; here the title is a chunk."""
    (only,) = cut("# A")

    assert only.heading_path == ("A",)
    assert "A" in only.embedding_text
    assert only.kind == "heading"


def test_each_section_has_its_path() -> None:
    """Four sections of a Vietnamese text, each under its headings."""
    found = cut(VIETNAMESE)

    assert [" > ".join(chunk.heading_path) for chunk in found] == [
        "Phần I",
        "Phần I > Mục 1",
        "Phần I > Mục 1 > Tiểu mục 1.1",
        "Phần I > Mục 2",
    ]
    assert [chunk.text for chunk in found] == ["Giới thiệu.", "Nội dung.", "Chi tiết.", "Kết."]


def test_a_long_section_has_several_chunks_with_one_path() -> None:
    """With three paragraphs of 200 characters in its last section: six chunks, 3 to 5 with one path."""
    long = "\n\n".join(letter * 200 for letter in "abc")

    found = cut(VIETNAMESE.replace("Kết.", long))

    assert [chunk.index for chunk in found] == [0, 1, 2, 3, 4, 5]
    assert {chunk.heading_path for chunk in found[3:]} == {("Phần I", "Mục 2")}
    assert [(chunk.part.number, chunk.part.of) for chunk in found[3:]] == [(1, 3), (2, 3), (3, 3)]


def test_the_embedding_text_is_path_and_text() -> None:
    """Path, one line end, text; without a path nothing stands before the text."""
    assert cut(VIETNAMESE)[0].embedding_text == "Phần I\nGiới thiệu."
    assert cut("no heading")[0].embedding_text == "no heading"


def test_crlf_is_lf_in_the_text_and_stays_in_the_source() -> None:
    """Two lines that end in CRLF: the text has LF, the slice at the span has CRLF."""
    source = "# A\r\n\r\none\r\ntwo\r\n"

    (only,) = cut(source)

    assert only.text == "one\ntwo"
    (span,) = only.spans
    assert source[span.start : span.end] == "one\r\ntwo"


def test_equal_bodies_have_different_spans() -> None:
    """The body `x` under A and again under B: the second span lies after the first."""
    first, second = cut("# A\n\nx\n\n# B\n\nx\n")

    assert first.text == second.text == "x"
    assert first.spans[0].end <= second.spans[0].start
    assert first.id != second.id


def test_a_lone_carriage_return_is_a_line_end() -> None:
    """`a CR CR LF b` is shown with LF alone, and the span covers all of it."""
    source = "a\r\r\nb"

    found = cut(source)

    assert "".join("".join(chunk.text for chunk in found).split()) == "ab"
    assert "\r" not in found[0].text
    assert found[0].spans[0].start == 0
    assert found[-1].spans[-1].end == len(source)


def test_a_hash_in_a_fence_is_code() -> None:
    """The earlier chunker opened a section there."""
    (only,) = cut("# A\n\n```\n# not heading\n```\n")

    assert only.heading_path == ("A",)
    assert only.text == "```\n# not heading\n```"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("## T ##\n\nbody", ("T",)),
        ("T\n===\n\nbody", ("T",)),
        ("T\n---\n\nbody", ("T",)),
        ("#\tT\n\nbody", ("T",)),
        ("####### T\n\nbody", ()),
    ],
)
def test_headings_are_those_of_commonmark(text: str, path: tuple[str, ...]) -> None:
    """Closing hashes leave the title, setext and tabs count, seven hashes do not."""
    found = cut(text)

    assert {chunk.heading_path for chunk in found} == {path}
    assert "body" in found[-1].text


def test_a_table_is_cut_between_rows_under_its_header() -> None:
    """30 rows under 320 characters: every piece begins with header and delimiter row, every row once and whole."""
    rows = [f"| row {number:02d} | {number * 100} VND |" for number in range(30)]
    head = "| name | amount |\n| --- | --- |"

    found = cut("\n".join([head, *rows]))

    assert len(found) > 1
    assert all(chunk.text.startswith(head) and len(chunk.text) <= 320 for chunk in found)
    assert [line for chunk in found for line in chunk.text.split("\n")[2:]] == rows


PAGED = "<!-- page: 1 -->\n\nfirst words\n\n<!-- page: 2 -->\n\nsecond words\n"


def test_a_section_says_its_first_and_last_page() -> None:
    """A section that runs over a page marker is on both pages."""
    (only,) = cut(PAGED)

    assert (only.page_start, only.page_end) == (1, 2)


def test_a_chunk_behind_a_marker_is_on_the_page_that_the_marker_opens() -> None:
    """The earlier chunker said the page before."""
    found = cut(PAGED.replace("\n\nsecond", "\n\n## B\n\nsecond"))

    assert [(chunk.page_start, chunk.page_end) for chunk in found] == [(1, 1), (2, 2)]


def test_markers_alone_are_no_text() -> None:
    """A document of page markers only has no chunks."""
    assert cut("<!-- page: 1 -->\n\n<!-- page: 2 -->\n") == ()


def test_identity_changes_with_each_field() -> None:
    """Document, path and text each enter the id; an equal chunk met again gets another one."""
    from pincite.chunk import chunk_id

    base = ("document", ("A", "B"), "A > B\ntext", 0)
    others = [
        ("other", ("A", "B"), "A > B\ntext", 0),
        ("document", ("A > B",), "A > B\ntext", 0),
        ("document", ("A", "B"), "A > B\ntexts", 0),
        ("document", ("A", "B"), "A > B\ntext", 1),
    ]

    assert chunk_id(*base) == chunk_id(*base)
    assert len({chunk_id(*base), *(chunk_id(*each) for each in others)}) == 5


def test_the_default_budget_of_the_preset_is_2000_characters() -> None:
    """Text up to 2000 characters is one chunk, whatever its path is; one more makes two."""
    assert [len(chunk.text) for chunk in chunks(f"# A\n\n{'y' * 2000}", preset="heading-2000")] == [2000]
    assert [len(chunk.text) for chunk in chunks(f"# A\n\n{'y' * 2001}", preset="heading-2000")] == [2000, 1]
    assert markdown(words(3)).text == "w0 w1 w2"
