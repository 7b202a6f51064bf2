"""The demo answers from the right page, and the words that it quotes stand there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from pincite.cli import main
from pincite.cli.demo import QUESTIONS, excerpt, samples
from pincite.cli.terminal import width, wrapped

pytestmark = pytest.mark.timeout(300)
"""The first test of all waits for the index of the samples, some 30 seconds of work."""

EXPECTED = {
    # question: what to open, the chapter, the section, words of the answer
    QUESTIONS[0]: ("handbook.pdf#page=9", "2. Benefits", "2.1 Annual Leave", "24 days of paid annual leave"),
    QUESTIONS[1]: ("handbook-vi.pdf#page=7", "2. Phúc lợi", "2.1 Nghỉ phép năm", "24 ngày nghỉ phép năm"),
    QUESTIONS[2]: ("handbook-ko.pdf#page=7", "2. 복리후생", "2.1 연차휴가", "24일의 유급 연차휴가"),
}


@pytest.fixture
def printed(demo_index: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What `pincite demo --json FOLDER` prints where the index is up to date."""
    capsys.readouterr()
    code = main(["demo", "--json", str(demo_index)])
    out = capsys.readouterr().out

    assert code == 0
    value: dict[str, Any] = json.loads(out)
    return value


def letters(text: str) -> str:
    """The text without white space, hyphens at line ends and marks of Markdown."""
    return re.sub(r"[\s\u00ad\ufffe*_|`-]+", "", text)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_first_passage_is_the_one_about_annual_leave(question: str, printed: dict[str, Any]) -> None:
    """The page is the physical one, the label the printed one, and the section that of the answer."""
    target, chapter, section, words = EXPECTED[question]
    (search,) = [each for each in printed["searches"] if each["question"] == question]
    citation = search["passages"][0]["citation"]

    assert citation["target"] == target
    assert citation["heading_path"][-2:] == [chapter, section]
    assert citation["page_label_start"] == ("3" if target == "handbook.pdf#page=9" else "2")
    assert words in " ".join(citation["quote"].split())


def test_the_quoted_words_stand_on_the_cited_pages(printed: dict[str, Any]) -> None:
    """Each line of each quotation, read again from the file by the library alone."""
    folder = samples()[0].parent
    for search in printed["searches"]:
        citation = search["passages"][0]["citation"]
        with pypdfium2.PdfDocument(folder / citation["uri"]) as document:
            cited = range(citation["page_start"] - 1, citation["page_end"])
            page = letters("".join(document[index].get_textpage().get_text_range() for index in cited))

        lines = [line for line in citation["quote"].splitlines() if letters(line)]

        assert lines
        for line in lines:
            assert letters(line.lstrip("#-*• ")) in page


def test_every_sample_is_indexed(printed: dict[str, Any]) -> None:
    """None fails, and none is skipped in silence."""
    assert printed["sync"]["failed"] == 0
    assert {each["uri"] for each in printed["sync"]["documents"]} == {path.name for path in samples()}


def test_what_is_piped_is_plain_text(demo_index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Question, citation and words, without a control character."""
    capsys.readouterr()
    code = main(["demo", str(demo_index)])
    out = capsys.readouterr().out

    assert code == 0
    assert "\x1b" not in out
    for question, (target, _, section, words) in EXPECTED.items():
        assert f"? {question}" in out
        assert f"open {target}" in out
        assert section in out
        assert letters(words) in letters(out.replace("│", ""))


def test_an_excerpt_is_short_and_says_when_there_is_more() -> None:
    """A passage of a page does not push the next question off the screen."""
    assert list(excerpt("one\ntwo")) == ["one", "two"]
    assert list(excerpt("\n".join("abcdefgh"))) == [*"abcdef", "…"]


def test_lines_of_korean_are_as_wide_as_lines_of_english() -> None:
    """Letters that take two places count two."""
    lines = list(wrapped("모든 전일제 직원은 한 해에 24일의 유급 연차휴가를 받는다. " * 10, 92))

    assert len(lines) > 2
    assert all(width(line) <= 92 for line in lines)
