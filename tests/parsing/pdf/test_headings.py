"""Headings and their levels over the whole document."""

from __future__ import annotations

import pytest

from pincite.document import Document

from .made import PAGE, read, typeset

TEXT = "The keeper of the lighthouse wrote down the height of the water each morning and again at night.\n\n"

PLAIN = PAGE + "#set heading(bookmarked: false)\n"
"""No outline in the file: levels have to be seen."""


def headings(document: Document) -> list[tuple[int, str]]:
    return [(block.level, block.attributes["title"]) for block in document.blocks if block.kind == "heading"]


@pytest.mark.parametrize("preamble", [PAGE, PLAIN], ids=["outline", "no-outline"])
@pytest.mark.parametrize("numbering", ["", '#set heading(numbering: "1.1")\n'], ids=["plain", "numbered"])
def test_levels_are_those_of_the_source(preamble: str, numbering: str) -> None:
    """Sizes and numbers give the levels, with the file's outline or without it."""
    source = f"{numbering}= Water\n{TEXT}== Salt\n{TEXT}=== Brine\n{TEXT}== Fresh\n{TEXT}#pagebreak()\n= Wind\n{TEXT}== Storms\n{TEXT}"

    assert [level for level, _ in headings(read(typeset(source, preamble)))] == [1, 2, 3, 2, 1, 2]


@pytest.mark.parametrize("preamble", [PAGE, PLAIN], ids=["outline", "no-outline"])
def test_a_title_larger_than_all_headings_is_above_them(preamble: str) -> None:
    """The title on the first page is level 1, and the sections below it begin at level 2."""
    source = f"#align(center, text(22pt)[The Tide Book])\n\n= Water\n{TEXT}== Salt\n{TEXT}= Wind\n{TEXT}"

    assert headings(read(typeset(source, preamble))) == [(1, "The Tide Book"), (2, "Water"), (3, "Salt"), (2, "Wind")]


def test_headings_of_one_size_take_their_levels_from_numbers() -> None:
    """Bold lines of body size with numbers of two depths are of two levels."""
    lines = ["*1 Water*", TEXT, "*1.1 Salt*", TEXT, "*1.2 Fresh*", TEXT, "*2 Wind*", TEXT]

    assert headings(read(typeset("\n\n".join(lines)))) == [
        (1, "1 Water"),
        (2, "1.1 Salt"),
        (2, "1.2 Fresh"),
        (1, "2 Wind"),
    ]


@pytest.mark.parametrize(
    "names",
    [
        ("Chương I Quy định chung", "Điều 1. Phạm vi", "Điều 2. Đối tượng", "Chương II Tổ chức"),
        ("제1장 총칙", "제1조 목적", "제2조 정의", "제2장 조직"),
        ("Part I General", "Chapter 1 Scope", "Chapter 2 Terms", "Part II Bodies"),
    ],
    ids=["vietnamese", "korean", "english"],
)
def test_legal_divisions_are_ranked_by_their_words(names: tuple[str, ...]) -> None:
    """A chapter is above an article in each language, though both look alike."""
    source = "\n\n".join(f"*{name}*\n\n{TEXT}" for name in names)

    assert headings(read(typeset(source))) == list(zip((1, 2, 2, 1), names, strict=True))


def test_emphasis_captions_and_notes_are_no_headings() -> None:
    """Bold words in a sentence, a note, a sentence of large type and table text make no section."""
    source = f"= Water\n{TEXT}*Careful* with the tide.\n\nNote 1. This line is no heading.\n\n{TEXT}"

    assert headings(read(typeset(source, PLAIN))) == [(1, "Water")]


def test_a_heading_of_two_lines_is_one_heading() -> None:
    """A long title that wraps is whole."""
    title = "On the heights of water that were measured at the old lighthouse in the north"
    source = f"= {title}\n{TEXT}= Wind\n{TEXT}"

    assert headings(read(typeset(source, PLAIN))) == [(1, title), (1, "Wind")]


def test_the_outline_is_kept_and_the_title_declared() -> None:
    """Metadata hold the file's own outline and title."""
    document = read(typeset(f'#set document(title: "Tides")\n= Water\n{TEXT}#pagebreak()\n= Wind\n{TEXT}'))

    assert [(entry.title, entry.level, entry.page) for entry in document.metadata.outline] == [
        ("Water", 1, 1),
        ("Wind", 1, 2),
    ]
    assert document.metadata.title == "Tides"


def test_an_article_whose_text_follows_on_the_line_is_a_heading() -> None:
    """The number and title of a Korean article, and a bold numbered name, part from the text that follows."""
    korean = read(
        typeset(
            "#align(center)[*제1장 총칙*]\n\n제1조(목적) 이 규칙은 회사 직원의 근로조건을 정한다.\n\n제2조(적용 범위) 이 규칙은 모든 직원에게 적용한다."
        )
    )
    english = read(typeset(f"*Chapter 1 Scope*\n\n*Article 1. Purpose* The rules say what holds at work.\n\n{TEXT}"))

    assert headings(korean) == [(1, "제1장 총칙"), (2, "제1조(목적)"), (2, "제2조(적용 범위)")]
    assert headings(english) == [(1, "Chapter 1 Scope"), (2, "Article 1. Purpose")]
    assert "이 규칙은 회사 직원의 근로조건을 정한다." in korean.text


def test_a_division_that_a_sentence_mentions_is_no_heading() -> None:
    """A line of a paragraph that happens to begin with a number of a division stays in it."""
    source = "#set page(width: 8cm)\nWhat is said of these cases is written down in full in\\ Section 5 of this book, and what is said of others\\ Chapter 2 repeats."

    assert headings(read(typeset(source))) == []
