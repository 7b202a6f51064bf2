"""Formulas: every sign is kept, in its sentence or in a block of its own, and what is left out is named."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from pincite.parsing.pdf.glyphs import Face, Glyph
from pincite.parsing.pdf.legibility import legible
from pincite.parsing.pdf.model import PageContent
from pincite.parsing.pdf.scans import faults_of

from .made import codes, read, texts, typeset

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.pdf"))

MATHS = r"""
= Energy
The mean $macron(x) = 1/n sum_(i=1)^n x_i$ is known, and $a^2 + b^2 = c^2$ too. We write
$ S = sum_(i=1)^n w_i s_i $
for the score of all. Then we have
$ f(x) = (a x + b)/(sqrt(c)) + integral_0^infinity e^(-t) dif t $
which tends, as before, to
$ lim_(n -> infinity) cal(L)(theta) = bb(R)^n $
where every sign has its meaning.
"""


def signs(text: str) -> Counter[str]:
    """Visible characters; list markers are the reader's own."""
    plain = unicodedata.normalize("NFKC", text)
    return Counter(char for char in plain if not char.isspace() and char not in "•·\x02\ufffe\ufeff\xad")


def engine_text(data: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(data)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_no_word_of_a_sample_vanishes(path: Path) -> None:
    """Every word that the engine finds is in the document; only heads that a table repeats are there once."""
    data = path.read_bytes()
    document = read(data, furniture=True)
    drawn = "\n".join(engine_text(data))
    squeezed = "".join(document.text.split())
    words = set(re.findall(r"[^\W\d_]+|\d+", drawn))
    lost = signs(drawn) - signs(document.text)

    assert "garbled_text" not in codes(document)
    assert {word for word in words if word not in squeezed} == set()
    assert lost.total() <= 0.003 * signs(drawn).total()


def test_no_sign_of_a_formula_vanishes() -> None:
    """The letters of formulas are beyond U+FFFF; each of them is read as often as it is drawn."""
    data = typeset(MATHS)
    document = read(data)

    assert not signs("".join(engine_text(data))) - signs(document.text)
    assert "𝑆" in document.text
    assert "ℝ" in document.text
    assert codes(document) == []


def test_formulas_stand_in_their_sentence_or_in_a_block_of_their_own() -> None:
    """Limits and the sides of a fraction stay with their formula, and displayed formulas part the text."""
    blocks = texts(read(typeset(MATHS)), "paragraph")

    assert blocks[0].endswith("∑𝑛 𝑖=1 𝑥𝑖 is known, and 𝑎2 + 𝑏2 = 𝑐2 too. We write")
    assert blocks[1] == "𝑆 = ∑ 𝑛 𝑖=1 𝑤𝑖𝑠𝑖"
    assert blocks[2] == "for the score of all. Then we have"
    assert blocks[3] == "𝑓(𝑥) = 𝑎𝑥 + 𝑏 √𝑐 + ∫ ∞ 0 𝑒−𝑡 d𝑡"
    assert blocks[5].startswith("lim 𝑛→∞ ")
    assert blocks[6] == "where every sign has its meaning."


@pytest.mark.parametrize(("bad", "severity"), [(1, "info"), (50, "warning")])
def test_every_character_left_out_is_named_with_a_way_out(bad: int, severity: str) -> None:
    """One meaningless character among many is reported as well, only less loudly."""
    face = Face(10.0)
    glyphs: list[Glyph] = [("\ufffd" if at < bad else "a", at, 0, at + 1, 1, face) for at in range(100)]
    _, lost = legible(glyphs, ())
    (fault,) = faults_of(PageContent(7, 100, 100, characters=100, illegible=lost))

    assert (fault.code, fault.severity, fault.page) == ("garbled_text", severity, 7)
    assert "left out" in fault.message
    assert "ocr = force" in fault.message
