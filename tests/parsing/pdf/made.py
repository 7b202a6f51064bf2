"""PDFs for the tests: typeset by a real producer, or drawn by hand where places matter."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
import typst

from pincite.document import Block, Document
from pincite.options import ParseOptions
from pincite.parsing.pdf import parse

PAGE = """#set page(width: 15cm, height: 21cm, margin: 2cm)
#set text(font: ("Libertinus Serif", "NanumMyeongjo", "NanumGothic"), size: 10pt)
"""


@functools.cache
def typeset(source: str, preamble: str = PAGE) -> bytes:
    """A PDF of Typst source; Korean needs a Nanum font, which scripts/system.sh installs."""
    if re.search("[가-힣]", source) and not any("Nanum" in family for family in typst.Fonts().families()):
        pytest.fail("no Nanum font is installed; run scripts/system.sh, or apt-get install fonts-nanum")
    return bytes(typst.compile((preamble + source).encode()))


def read(data: bytes, **options: object) -> Document:
    """The document, without recognition unless asked for."""
    return parse(data, "made.pdf", ParseOptions(**{"ocr": "off", **options}))  # type: ignore[arg-type]


def texts(document: Document, *kinds: str) -> list[str]:
    """The text of each block, of these kinds where any are given."""
    return [text_of(document, block) for block in document.blocks if not kinds or block.kind in kinds]


def text_of(document: Document, block: Block) -> str:
    return document.text[block.span.start : block.span.end]


def codes(document: Document, page: int | None = None) -> list[str]:
    return [d.code for d in document.diagnostics if page is None or d.page == page]


def cells(document: Document) -> list[list[str]]:
    """The cells of the first table, row by row, the header first."""
    table = next(block.table for block in document.blocks if block.table)
    rows = (*table.header, *table.rows)
    return [[document.text[cell.span.start : cell.span.end] for cell in row.cells] for row in rows]


@dataclass(frozen=True)
class Sheet:
    """One page drawn by hand; x and y of its pieces run from the lower left corner, in points."""

    pieces: Sequence[tuple[float, float, str]] = ()
    """Text in 11 point Helvetica and its place."""

    drawing: str = ""
    """More content, as PDF operators."""

    entries: str = ""
    """Entries of the page dictionary, such as /Rotate 90."""

    box: str = "0 0 595 842"


def drawn(*sheets: Sheet, catalog: str = "") -> bytes:
    """A PDF of these pages, with a sound table of objects."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(sheets)))
    bodies = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        f"<< /Type /Pages /Count {len(sheets)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, sheet in enumerate(sheets):
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{sheet.box}] /Contents {5 + 2 * number} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> >> {sheet.entries} >>"
        )
        shown = "".join(f"BT /F1 11 Tf 1 0 0 1 {x} {y} Tm ({escaped(text)}) Tj ET\n" for x, y, text in sheet.pieces)
        content = shown + sheet.drawing
        bodies.append(f"<< /Length {len(content.encode('latin-1'))} >>\nstream\n{content}\nendstream")
    return framed(bodies)


def escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def framed(bodies: Sequence[str]) -> bytes:
    """Objects numbered from 1, with header, cross-reference table and trailer."""
    data, places = b"%PDF-1.7\n", []
    for number, body in enumerate(bodies, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    tail = (
        f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(bodies) + 1} /Root 1 0 R >>\n"
    )
    return data + f"{tail}startxref\n{len(data)}\n%%EOF\n".encode("latin-1")


def picture(width: int = 200, height: int = 100) -> str:
    """A dark rectangle as an inline image of one grey pixel."""
    return f"q {width} 0 0 {height} 72 600 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x40 EI Q\n"
