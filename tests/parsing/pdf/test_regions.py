"""Promises of a document, and that its regions are true: the words stand where they are said to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest

from pincite.document import Document, Region

from ...promises import broken_promises
from .made import read, typeset

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.pdf"))
CASES = sorted((Path(__file__).parents[2] / "cases").glob("pdf-*/input.pdf"))
UNREADABLE = {"pdf-locked", "pdf-cut-short"}

MIXED = """#set page(width: 15cm, height: 10cm, margin: 2cm, flipped: true, header: [Head #h(1fr) Foot])
= Water
A ligature office, a com\u00adpound, a #footnote[note] and *bold* words. #lorem(120)
#table(columns: 3, [Item], [Price], [Stock], [Rope of a good length], [12.50], [4])
- an item #lorem(30)
```
code
    indented
```
#rotate(90deg, reflow: true)[Sideways words]
"""


def readable() -> list[Path]:
    return [*SAMPLES, *(path for path in CASES if path.parent.name not in UNREADABLE)]


@pytest.mark.parametrize("path", readable(), ids=lambda path: path.parent.name + "-" + path.stem)
def test_promises_hold_and_regions_are_true(path: Path) -> None:
    """Spans rise, nothing visible is outside a block, and each region's words are inside its box."""
    data = path.read_bytes()
    document = read(data)

    assert not broken_promises(document)
    assert not list(untrue(document, data))


@pytest.mark.parametrize("furniture", [False, True])
def test_regions_are_true_on_a_turned_page_of_many_kinds(furniture: bool) -> None:
    """Headings, tables, lists, code, notes and sideways words all stand where they are said to."""
    data = typeset(MIXED, "")
    document = read(data, furniture=furniture)

    assert not broken_promises(document)
    assert not list(untrue(document, data))
    assert {"heading", "paragraph", "table", "list_item", "code"} <= {block.kind for block in document.blocks}


def test_the_same_bytes_give_the_same_document() -> None:
    """Reading twice makes no difference."""
    data = typeset(MIXED, "")

    assert read(data) == read(data)


def untrue(document: Document, data: bytes) -> Iterator[str]:
    """Regions whose words the engine does not find inside their box."""
    pdf = pypdfium2.PdfDocument(data)
    pages: dict[int, tuple[object, object]] = {}
    for region in (region for block in document.blocks for region in block.regions):
        if region.page not in pages:
            page = pdf[region.page - 1]
            pages[region.page] = page, page.get_textpage()
        page, text = pages[region.page]
        wanted, found = letters(document.text[region.span.start : region.span.end]), letters(within(page, text, region))
        if wanted not in found:
            yield f"page {region.page}: {wanted!r} is not in {found!r}"
    for page, text in pages.values():
        text.close()  # type: ignore[attr-defined]
        page.close()  # type: ignore[attr-defined]
    pdf.close()


def within(page: object, text: object, region: Region) -> str:
    """What the engine reads inside a region; the tests' pages are neither turned nor cropped."""
    assert region.bbox
    height = page.get_size()[1]  # type: ignore[attr-defined]
    left, top, right, bottom = region.bbox
    return str(text.get_text_bounded(left - 1, height - bottom - 1, right + 1, height - top + 1))  # type: ignore[attr-defined]


def letters(text: str) -> str:
    """Only what is a letter or a digit, composed: rows of a diagram may be read in another order."""
    return "".join(re.findall(r"\w", unicodedata.normalize("NFKC", text.replace("\x02", "-"))))
