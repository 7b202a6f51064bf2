"""Papers in two columns, whose title and figures span both and whose notes stand below one."""

from __future__ import annotations

import re

import pytest

from .made import read, texts, typeset

SHEET = '#set page(columns: 2, width: 18cm, height: 24cm, margin: 2cm, numbering: "1")\n#set text(size: 10pt)\n'

TITLE = """#place(top + center, scope: "parent", float: true)[
  #text(18pt, weight: "bold")[On the Keeping of Lights] \\ A. Lee, B. Tran]
"""

TABLE = """#figure(placement: {place}, scope: "parent", caption: [Nights at the three lights],
  table(columns: 3, [Light], [Nights], [Oil], [north], [361], [full], [south], [298], [half], [east], [112], [low]))
"""


def sentences(first: int, last: int) -> str:
    return " ".join(f"Sentence {n} tells of water and of oil, each night once more." for n in range(first, last))


def numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"Sentence\s(\d+)\stells", text)]


@pytest.mark.parametrize("heading", ["Introduction", "1 Introduction to the keeping of all lights of this coast"])
@pytest.mark.parametrize("count", [20, 45, 80])
def test_a_title_over_both_columns_comes_first(heading: str, count: int) -> None:
    """The title and its authors are narrower than the page; the columns below follow one another whole."""
    document = read(typeset(f"{TITLE}= {heading}\n{sentences(0, count)}", SHEET))
    blocks = texts(document, "heading", "paragraph")

    assert blocks[0].endswith("On the Keeping of Lights")
    assert blocks[1] == "A. Lee, B. Tran"
    assert blocks[2].endswith(heading)
    assert numbers(document.text) == list(range(count))
    assert len(blocks) == 4


def test_a_note_below_the_first_column_does_not_tear_the_sentence_over_it() -> None:
    """The note is a footnote and comes after the paragraph that goes on in the second column."""
    note = "#footnote[Measured with a brass gauge.]"
    document = read(typeset(f"{TITLE}= Water\nThe gauge{note} is old. {sentences(0, 70)}", SHEET))

    assert texts(document, "footnote") == ["1 Measured with a brass gauge."]
    assert [numbers(text) for text in texts(document, "paragraph")][1:] == [list(range(70))]


@pytest.mark.parametrize("place", ["top", "bottom"])
def test_a_table_over_both_columns_stays_out_of_their_sentences(place: str) -> None:
    """A table that floats over both columns is one table, and no sentence of either column is torn."""
    source = f"{TITLE}= Nights\n{sentences(0, 30)}\n{TABLE.format(place=place)}\n{sentences(30, 90)}"
    document = read(typeset(source, SHEET))

    assert len(texts(document, "table")) == 1
    assert numbers(document.text) == list(range(90))
    assert texts(document, "caption") == ["Table\xa01: Nights at the three lights"]
