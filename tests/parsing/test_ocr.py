"""Text in pictures: what is read, where it stands, and what is said when something is missing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import typst

from pincite.errors import DependencyError, LimitError, ReadError
from pincite.parsing import ocr
from pincite.parsing.ocr import RecognisedLine, recognise


def picture(text: str) -> bytes:
    """A PNG of `text` at 200 dots an inch."""
    source = f'#set page(width: 15cm, height: 6cm)\n#set text(font: ("DejaVu Sans", "NanumGothic"), size: 11pt)\n{text}'
    return bytes(typst.compile(source.encode(), format="png", ppi=200.0))


def program(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Puts a program called tesseract, and nothing else, on the path."""
    path = folder / "tesseract"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")
    monkeypatch.setattr(shutil, "which", lambda name: str(path) if name == "tesseract" else None)
    ocr.languages_of.cache_clear()


def row(line: int, word: int, left: int, width: int, text: str, confidence: float = 90.0) -> str:
    """A word of the engine's table, on a line 20 pixels high."""
    return f"5\t1\t1\t1\t{line}\t{word}\t{left}\t{line * 30}\t{width}\t20\t{confidence}\t{text}\n"


def test_english_lines_are_read_with_their_places() -> None:
    """Each line has its words, a box inside the picture and a confidence."""
    lines = recognise(picture("Leave is twelve days a year. \\ Pay day is Friday."), ["eng"])

    assert [line.text for line in lines] == ["Leave is twelve days a year.", "Pay day is Friday."]
    assert lines[0].bbox[3] <= lines[1].bbox[1] + 4
    assert all(0 <= line.bbox[0] < line.bbox[2] <= 1182 for line in lines)
    assert all(0.8 < line.confidence <= 1 for line in lines)


def test_vietnamese_is_read_without_naming_the_language() -> None:
    """Marks come out whole when the languages are detected."""
    lines = recognise(picture("Người lao động được nghỉ mười hai ngày phép mỗi năm."))

    assert " ".join(line.text for line in lines) == "Người lao động được nghỉ mười hai ngày phép mỗi năm."


def test_an_empty_picture_has_no_lines() -> None:
    """White paper gives an empty list, no error."""
    assert recognise(picture("")) == []


def test_a_missing_language_names_its_package() -> None:
    """The error says which package brings the language."""
    with pytest.raises(DependencyError, match="tesseract-ocr-xyz") as caught:
        recognise(b"", ["xyz"])

    assert "'xyz'" in str(caught.value)


def test_bytes_that_are_no_picture_are_a_read_error() -> None:
    """The engine's own complaint is passed on with the name of the document."""
    with pytest.raises(ReadError, match=r"scan\.pdf: tesseract could not read"):
        recognise(b"not a picture", ["eng"], uri="scan.pdf")


def test_a_missing_program_names_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the program the error lists what to install."""
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(DependencyError, match="apt-get install tesseract-ocr tesseract-ocr-vie tesseract-ocr-kor"):
        recognise(b"")


def test_no_known_language_names_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program with the script detection only cannot read anything by default."""
    program(tmp_path, monkeypatch, 'echo "List of available languages (1):"; echo osd')

    with pytest.raises(DependencyError, match="none of the Tesseract languages"):
        recognise(b"")


def test_a_slow_picture_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time limit is kept, and the error says that time ran out."""
    program(tmp_path, monkeypatch, '[ "$1" = --list-langs ] && { echo "List (1):"; echo eng; exit; }; exec sleep 20')

    with pytest.raises(LimitError, match=r"more than 0\.2 seconds"):
        recognise(b"", ["eng"], timeout=0.2)


@pytest.mark.parametrize(("language", "segmentation"), [("eng", "3"), ("kor", "4")])
def test_korean_is_segmented_as_one_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, segmentation: str
) -> None:
    """Automatic segmentation reads Korean as vertical text, so it gets another one."""
    said = row(1, 1, 0, 20, "$*")
    program(tmp_path, monkeypatch, f'[ "$1" = --list-langs ] && {{ echo x; echo eng; echo kor; exit; }}; echo "{said}"')

    assert f"--psm {segmentation}" in recognise(b"", [language])[0].text


def test_syllables_that_touch_are_one_word() -> None:
    """A gap below a third of the height joins Hangul; a wider one stays a space."""
    table = row(1, 1, 0, 20, "휴") + row(1, 2, 22, 20, "가") + row(1, 3, 52, 20, "매년") + row(1, 4, 80, 20, "a")

    assert [line.text for line in ocr.lines_of(table)] == ["휴가 매년 a"]


def test_latin_words_never_join() -> None:
    """However close the boxes are, words of an alphabet keep their space."""
    assert [line.text for line in ocr.lines_of(row(1, 1, 0, 20, "ab") + row(1, 2, 20, 20, "cd"))] == ["ab cd"]


def test_confidence_is_weighed_by_length() -> None:
    """A long sure word outweighs a short doubtful one, and unknown counts as none."""
    table = row(1, 1, 0, 20, "abc", 100.0) + row(1, 2, 30, 20, "d", -1.0)

    assert list(ocr.lines_of(table)) == [RecognisedLine("abc d", (0, 30, 50, 50), 0.75)]


def test_korean_is_read_without_naming_the_language() -> None:
    """Script detection finds Hangul, and words are not torn into syllables."""
    png = picture("직원은 매년 열두 일의 휴가를 받습니다. 급여는 매월 마지막 날에 지급됩니다.")

    assert "휴가를 받습니다" in " ".join(line.text for line in recognise(png))
