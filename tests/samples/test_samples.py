"""The sample documents are what the demo, the manual and other tests take them for."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

HANDBOOKS = {
    # name: pages at least, Roman front pages, physical page of the leave sentence, the sentence
    "handbook.pdf": (30, 6, 9, "Every full-time employee receives 24 days of paid annual leave per calendar year."),
    "handbook-vi.pdf": (
        10,
        5,
        7,
        "Mỗi nhân viên toàn thời gian được hưởng 24 ngày nghỉ phép năm có lương trong một năm dương lịch.",
    ),
    "handbook-ko.pdf": (10, 5, 7, "모든 전일제 직원은 한 해에 24일의 유급 연차휴가를 받는다."),
}

ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii")


def page_texts(document: pypdfium2.PdfDocument) -> list[str]:
    """The text of each page with runs of white space as one space."""
    return [re.sub(r"\s+", " ", page.get_textpage().get_text_range()) for page in document]


@pytest.fixture(params=HANDBOOKS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def document(name: str) -> Iterator[pypdfium2.PdfDocument]:
    with pypdfium2.PdfDocument(SAMPLES / name) as opened:
        yield opened


def test_front_pages_are_labelled_in_roman_and_the_body_begins_at_1(name: str, document: pypdfium2.PdfDocument) -> None:
    """Physical and printed page numbers differ, as in most handbooks."""
    least, front, _, _ = HANDBOOKS[name]

    labels = [document.get_page_label(index) for index in range(len(document))]

    assert len(labels) >= least
    assert labels[:front] == list(ROMAN[:front])
    assert labels[front:] == [str(number) for number in range(1, len(labels) - front + 1)]


def test_the_days_of_leave_stand_on_one_page_under_benefits(name: str, document: pypdfium2.PdfDocument) -> None:
    """The answer to the demo's question stands once, on the page that the outline gives to chapter 2."""
    *_, page, sentence = HANDBOOKS[name]

    found = [number for number, text in enumerate(page_texts(document), 1) if sentence in text]
    chapter = next(mark for mark in document.get_toc() if mark.get_title().startswith("2. "))

    assert found == [page]
    assert chapter.get_dest().get_index() + 1 == page


def test_the_outline_has_chapters_and_sections(document: pypdfium2.PdfDocument) -> None:
    """Two levels, in reading order."""
    marks = list(document.get_toc())
    pages = [mark.get_dest().get_index() for mark in marks]

    assert {mark.level for mark in marks} == {0, 1}
    assert pages == sorted(pages)


def test_the_salary_table_runs_over_a_page_and_repeats_its_header() -> None:
    """The header row stands on each page of the table."""
    with pypdfium2.PdfDocument(SAMPLES / "handbook.pdf") as document:
        texts = page_texts(document)

    with_header = [number for number, text in enumerate(texts, 1) if "Step A Step B Step C Step D" in text]

    assert with_header == [14, 15, 16]


def test_running_heads_and_feet_stand_on_the_body_pages_only() -> None:
    """Furniture repeats with the chapter's title and the printed page number."""
    with pypdfium2.PdfDocument(SAMPLES / "handbook.pdf") as document:
        texts = page_texts(document)

    body = texts[6:]

    assert all(text.startswith("Employee Handbook ") for text in body)
    assert all(re.search(r"Edition 2026 ?\d+\b", text) for text in body)
    assert not any("Edition 2026 1 " in text for text in texts[:6])


def test_the_samples_stay_small() -> None:
    """They travel with the package."""
    for path in SAMPLES.iterdir():
        if path.is_file():
            assert path.stat().st_size < 500_000, path.name


def test_the_policy_holds_what_word_processors_hide() -> None:
    """Automatic heading numbers, a footnote, merged cells and a tracked change."""
    with zipfile.ZipFile(SAMPLES / "policy.docx") as archive:
        body = archive.read("word/document.xml").decode()
        notes = archive.read("word/footnotes.xml").decode()
        numbering = archive.read("word/numbering.xml").decode()
        dates = {entry.date_time for entry in archive.infolist()}

    assert 'w:pStyle w:val="Heading1"' in numbering
    assert "1. Purpose" not in body
    assert "signature is on the loan card" in notes
    assert "w:vMerge" in body
    assert "w:gridSpan" in body
    assert re.search(r"<w:del .*<w:delText>14</w:delText>", body, re.DOTALL)
    assert re.search(r"<w:ins .*<w:t>21</w:t>", body, re.DOTALL)
    assert len(dates) == 1
