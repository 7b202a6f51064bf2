"""What the reader hands out: words with boxes and looks on the page as shown."""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise

import pytest

from pincite.parsing.pdf.model import PageContent
from pincite.parsing.pdf.reader import opened

from .made import Sheet, drawn, picture, typeset


def page_of(data: bytes, number: int = 1) -> PageContent:
    with opened(data, "made.pdf", None) as reader:
        return reader.page(number)


def place_of(page: PageContent, text: str) -> tuple[float, float, float, float]:
    """Where a word stands on the page as shown."""
    for layer in page.layers:
        for segment in layer.segments:
            for word in segment.words:
                if word.text == text:
                    return layer.on_page((word.left, word.top, word.right, word.bottom))
    raise AssertionError(f"{text} is not on the page")


def test_boxes_run_from_the_top_left_corner() -> None:
    """A word 72 points from the left and 100 from the foot of an A4 page is near its lower left corner."""
    left, top, right, bottom = place_of(page_of(drawn(Sheet([(72, 100, "corner")]))), "corner")

    assert left == pytest.approx(72, abs=1)
    assert top < 842 - 100 < bottom
    assert right > left


@pytest.mark.parametrize(
    ("turn", "corner", "upright"),
    [(0, (72, 742), True), (90, (100, 72), False), (180, (523, 100), True), (270, (742, 523), False)],
)
def test_a_turned_page_gives_boxes_as_shown(turn: int, corner: tuple[int, int], upright: bool) -> None:
    """Whatever /Rotate says, the start of a word is where a viewer shows it, and the size is that of the shown page."""
    page = page_of(drawn(Sheet([(72, 100, "corner")], entries=f"/Rotate {turn}")))
    left, top, right, bottom = place_of(page, "corner")

    assert (page.width, page.height) == ((595, 842) if upright else (842, 595))
    assert page.rotation == turn
    assert min(abs(left - corner[0]), abs(right - corner[0])) < 4
    assert min(abs(top - corner[1]), abs(bottom - corner[1])) < 4
    assert (right - left > bottom - top) is upright


def test_a_cropped_page_measures_from_its_crop_box() -> None:
    """The origin is the corner of what is shown, not of the sheet; text outside is not on the page."""
    page = page_of(drawn(Sheet([(110, 700, "inside"), (5, 5, "outside")], entries="/CropBox [100 100 500 800]")))
    left, top, _, bottom = place_of(page, "inside")

    assert (page.width, page.height) == (400, 700)
    assert left == pytest.approx(10, abs=1)
    assert top < 100 < bottom
    assert [segment.text for layer in page.layers for segment in layer.segments] == ["inside"]


def test_words_know_weight_slant_and_pitch() -> None:
    """Bold, italic and monospaced words are told apart, and sizes are as set."""
    page = page_of(typeset('plain *bold* _slanted_ #text(font: "DejaVu Sans Mono", 9pt)[fixed]'))
    words = {word.text: word for segment in page.layers[0].segments for word in segment.words}

    assert {text: (word.bold, word.italic, word.mono) for text, word in words.items()} == {
        "plain": (False, False, False),
        "bold": (True, False, False),
        "slanted": (False, True, False),
        "fixed": (False, False, True),
    }
    assert words["plain"].size == pytest.approx(10, abs=0.1)
    assert words["fixed"].size == pytest.approx(9, abs=0.1)


def test_sideways_text_is_a_layer_of_its_own() -> None:
    """Text that runs upwards is read in its own direction, and its box is upright on the page."""
    page = page_of(drawn(Sheet([(72, 750, "level")], "BT /F1 11 Tf 0 1 -1 0 300 200 Tm (runs upwards) Tj ET")))
    left, top, right, bottom = place_of(page, "upwards")

    assert [layer.turn for layer in page.layers] == [0, 270]
    assert page.layers[1].segments[0].text == "runs upwards"
    assert bottom - top > right - left


def test_rules_of_thin_boxes_and_strokes_are_found_and_backgrounds_are_not() -> None:
    """A stroked line and a filled bar are rules; a filled area is the background of something."""
    page = page_of(drawn(Sheet([(72, 700, "x")], "72 600 m 272 600 l S 72 500 200 1 re f 72 300 200 100 re f")))

    assert sorted(round(rule.top) for rule in page.layers[0].rules) == [242, 342]


def test_outline_labels_and_title_are_read() -> None:
    """Bookmarks with level and page, printed page numbers and the title are those of the file."""
    source = '#set document(title: "The Book")\n#set page(numbering: "i")\n= One\n#pagebreak()\n== Two\n'
    with opened(typeset(source), "made.pdf", None) as reader:
        assert reader.title == "The Book"
        assert [(entry.title, entry.level, entry.page) for entry in reader.outline] == [("One", 1, 1), ("Two", 2, 2)]
        assert [reader.page(number).label for number in (1, 2)] == ["i", "ii"]


def test_a_page_is_rendered_as_a_picture() -> None:
    """A rendered page is a PNG of the asked size whose pixels show what is drawn."""
    with opened(drawn(Sheet(drawing=picture(451, 100))), "made.pdf", None) as reader:
        data = reader.render(1, 72)
    width, height = struct.unpack(">II", data[16:24])
    length = struct.unpack(">I", data[33:37])[0]
    rows = zlib.decompress(data[41 : 41 + length])
    dark = [y for y in range(height) if rows[y * (width + 1) + 1 + 300] < 128]

    assert data.startswith(b"\x89PNG")
    assert (width, height) == (595, 842)
    assert dark
    assert dark[0] == pytest.approx(142, abs=2)
    assert all(b - a == 1 for a, b in pairwise(dark))
