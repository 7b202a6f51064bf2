"""Pages whose words are in a picture: recognised, reported, or blank."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import typst

from pincite.errors import DependencyError, LimitError
from pincite.parsing import ocr
from pincite.parsing.ocr import RecognisedLine

from .made import Sheet, codes, drawn, picture, read, texts, typeset

SCANNED = drawn(Sheet([(72, 700, "A page of text.")]), Sheet(drawing=picture()), Sheet())
"""A page of text, a picture, a blank page."""


def missing(image_png: bytes, languages: Sequence[str], dpi: int) -> list[RecognisedLine]:
    raise DependencyError("the program tesseract", "install it")


def one_line(image_png: bytes, languages: Sequence[str], dpi: int) -> list[RecognisedLine]:
    """A line two inches from the left and one inch from the top of a picture of that resolution."""
    return [RecognisedLine("Read from the picture", (2 * dpi, dpi, 4 * dpi, dpi + 30), 0.75)]


def test_without_recognition_a_picture_is_reported_and_a_blank_page_is_not() -> None:
    """Page 2 has a picture and no text; page 3 has nothing and needs nothing."""
    document = read(SCANNED, ocr="off")

    assert [(d.code, d.page, d.severity) for d in document.diagnostics] == [("no_text_layer", 2, "warning")]
    assert len(document.pages) == 3
    assert texts(document) == ["A page of text."]


def test_automatic_recognition_reads_only_what_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture's words come with their place in points and their confidence; the page of text is left alone."""
    monkeypatch.setattr(ocr, "recognise", one_line)
    document = read(SCANNED, ocr="auto")
    block = document.blocks[1]

    assert texts(document) == ["A page of text.", "Read from the picture"]
    assert [(d.code, d.page, d.severity) for d in document.diagnostics] == [("ocr", 2, "info")]
    assert block.confidence == 0.75
    assert block.regions[0].page == 2
    assert block.regions[0].bbox == pytest.approx((144, 72, 288, 72 + 30 * 72 / 200), abs=0.5)


def test_a_missing_program_is_a_warning_where_recognition_is_automatic(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the document is read, and the page and what to install are named."""
    monkeypatch.setattr(ocr, "recognise", missing)
    document = read(SCANNED, ocr="auto")

    assert texts(document) == ["A page of text."]
    assert codes(document, page=2) == ["no_text_layer", "needs_ocr"]
    assert "install it" in document.diagnostics[-1].message


def test_a_recognition_that_takes_too_long_costs_its_page_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where recognition is automatic, a page that it cannot do is reported and the rest is read."""

    def slow(image_png: bytes, languages: Sequence[str], dpi: int) -> list[RecognisedLine]:
        raise LimitError("picture", "recognition took more than 120 seconds")

    monkeypatch.setattr(ocr, "recognise", slow)
    document = read(SCANNED, ocr="auto")

    assert texts(document) == ["A page of text."]
    assert codes(document, page=2) == ["no_text_layer", "needs_ocr"]


def test_a_missing_program_is_an_error_where_recognition_is_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who insists on recognition is told that it cannot be had."""
    monkeypatch.setattr(ocr, "recognise", missing)
    with pytest.raises(DependencyError):
        read(SCANNED, ocr="force")


def test_forced_recognition_reads_every_page_that_shows_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's own text gives way to what is recognised; a blank page is not looked at."""
    monkeypatch.setattr(ocr, "recognise", one_line)
    document = read(SCANNED, ocr="force")

    assert texts(document) == ["Read from the picture"] * 2
    assert [d.page for d in document.diagnostics] == [1, 2]


def test_a_scanned_page_is_read() -> None:
    """A page that is one picture of text gives that text, at its place."""
    page = "#set page(width: 12cm, height: 6cm)\n#set text(size: 12pt)\nThe ferry leaves the harbour at seven in the morning."
    document = read(scan_of(page), ocr="auto", ocr_languages=("eng",))

    assert "The ferry leaves the harbour at seven in the morning." in document.text
    assert codes(document) == ["ocr"]


def scan_of(page: str) -> bytes:
    """The page as a picture in a PDF."""
    image = bytes(typst.compile(page.encode(), format="png", ppi=200.0))
    listed = ", ".join(map(str, image))
    return typeset(f'#image(bytes(({listed})), format: "png")', "#set page(width: 12cm, height: 6cm, margin: 0cm)\n")


def test_a_scan_with_a_page_number_as_text_is_read_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is one picture and has a number in its text layer keeps the number and gains the words."""
    monkeypatch.setattr(ocr, "recognise", one_line)
    page = Sheet([(280, 30, "17")], drawing=picture().replace("200 0 0 100 72 600", "595 0 0 842 0 0"))

    assert texts(read(drawn(page), ocr="auto")) == ["Read from the picture", "17"]
    assert codes(read(drawn(page), ocr="off")) == ["no_text_layer"]


def test_a_rule_on_an_empty_page_asks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with a frame or a rule and no words is as good as blank."""
    monkeypatch.setattr(ocr, "recognise", missing)
    document = read(drawn(Sheet([(72, 700, "Text.")]), Sheet(drawing="72 600 m 272 600 l S")), ocr="auto")

    assert not document.diagnostics
