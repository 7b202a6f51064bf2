"""Inputs that once broke a law or took the square of their length: each is held to the laws now."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.chunking import chunk_document
from pincite.chunking.fences import without_markers
from pincite.counting import counter_for
from pincite.document import Document
from pincite.options import ParseOptions, chunk_options
from pincite.parsing import parse_bytes

from ..effort import GROWTH, growth
from ..laws.laws import violations

PAYLOAD = "|a|b|\n|-|-|\n|![a](data:image/png;base64," + "B" * 300 + ")|2|"

DEEP = "\n".join("  " * depth + f"- item {depth} text" for depth in range(50))

TOUCHING = (
    "foo-bar/baz" * 3 + "员工每年享有十五天带薪年假。従業員は年に十日の休暇を取得できます。员工每年享有十五天带薪年假。"
    "ไม่มีช่องว่างfoo-bar/bazไม่มีช่องว่างไม่มีช่องว่างhttps://example.org/a/b-c?d=eไม่มีช่องว่างfoo-bar/baz"
)

INDENTED = "".join("  " * depth + "- a\n" for depth in range(7)) + ("\n" + " " * 14 + "x\n") * 900

BROKEN: dict[str, tuple[str, dict[str, Any]]] = {
    "slices that touch, with overlap": (
        "ects t ain(tnthlt-ied)r b](s/developer.oa.g/n-S/ocs/b/ipt/Referc/Gl_bjO",
        {"counter": "model", "max_tokens": 32, "overlap_tokens": 16},
    ),
    "sentences that touch": (TOUCHING, {"counter": "model", "max_tokens": 33}),
    "little text in much indentation": (INDENTED, {"counter": "model", "max_tokens": 400}),
    "bands of a table in a quote": (
        "> > | a | b | c | d | e |\n> > | --- | --- | --- | --- | --- |\n> > | 1 | 2 | 3 | 4 | 5 |\n",
        {"counter": "chars", "max_tokens": 60, "wide_table_columns": 4, "band_columns": 2},
    ),
    "the end of a cell is a full stop": (
        "y|ty|||||\n-|-|-|-|-|-\n|| A value used by the messaging system as an identifier, represented as a string.",
        {"counter": "chars", "max_tokens": 16, "cut_at": ("lines",), "wide_table_columns": 5},
    ),
    "parents of a deep list": (DEEP, {"counter": "words*1.33", "max_tokens": 40}),
    "indentation that no token counts": (DEEP, {"counter": "model", "max_tokens": 40, "overlap_tokens": 24}),
    "a cluster longer than a window": ("\u0600" * 400, {"counter": "model", "max_tokens": 16}),
    "white space longer than the budget": (
        "em 1 text\n                      -",
        {"counter": "chars", "max_tokens": 16, "cut_at": ()},
    ),
    "an unclosed fence behind cut text": (
        "` là một ct k cho p bạn g ký vào ore.\n```js\nct snapshoore(subscribe, getSnapshot, getSe",
        {"counter": "words*1.33", "max_tokens": 16, "cut_at": ()},
    ),
    "a marker before a word without end": ("\ufeff* " + "é" * 300 + "\n", {"counter": "chars", "max_tokens": 40}),
    "a form feed between overlap and text": ("c\x0c- x", {"counter": "chars", "max_tokens": 30, "overlap_tokens": 8}),
    "a fence in a quote in an item": (
        "- 1. > ~~~c++\n     > | a | b |\n     > > quoted\n     > " + "long " * 60 + "\n     > ~~~\n",
        {"counter": "chars", "max_tokens": 120},
    ),
    "a table in a quote after a byte order mark": (
        "\ufeff> a | b | c | d | e\n> --- | --- | --- | --- | ---\n> 1 | 2 | 3 | 4 | 5\n",
        {"counter": "chars", "max_tokens": 16, "wide_table_columns": 4},
    ),
    "a heading without text but a rule": ("# 1\n===\n", {"counter": "chars", "max_tokens": 32}),
}


def read(text: str) -> Document:
    return parse_bytes(text.encode(), "page.md", ParseOptions())


@pytest.mark.parametrize("name", BROKEN)
def test_the_laws_hold(name: str) -> None:
    """No law is broken, and nothing is over its budget."""
    text, given = BROKEN[name]
    document, options, counter = read(text), chunk_options(**given), counter_for(given["counter"])

    made = chunk_document(document, options, counter)

    assert violations(document, made.chunks, options, counter, made.diagnostics) == []
    assert not [found for found in made.diagnostics if found.code in ("over_budget", "lost_text")]


@pytest.mark.parametrize("table_format", ["source", "pipe", "row_record"])
def test_a_payload_in_a_cell_is_left_out_in_every_form(table_format: str) -> None:
    """Slices that hold nothing but a dropped payload make no chunk, and the next cell is there."""
    options = chunk_options(counter="chars", max_tokens=16, table_format=table_format)

    made = chunk_document(read(PAYLOAD), options, counter_for("chars"))

    assert all(chunk.spans for chunk in made.chunks)
    assert not any("BBBB" in chunk.text for chunk in made.chunks)
    assert any("2" in chunk.text for chunk in made.chunks)


def test_the_bands_of_a_rewritten_table_hold_every_value_in_order() -> None:
    """Each cell stands in a chunk as own text, also that of the key column alone."""
    text = "k|a|b|c\n-|-|-|-\nonly||||\nx|1|2|3\n"
    options = chunk_options(counter="chars", max_tokens=60, table_format="pipe", wide_table_columns=2, band_columns=1)

    made = chunk_document(read(text), options, counter_for("chars"))

    own = [chunk.text[p.start : p.end] for chunk in made.chunks for p in chunk.pieces if p.role == "own"]
    assert sorted(own) == ["1", "2", "3", "only", "x"]
    starts = [chunk.spans[0].start for chunk in made.chunks]
    assert starts == sorted(starts)
    assert not [found for found in made.diagnostics if found.code == "lost_text"]


GROWING: dict[str, tuple[str, dict[str, Any]]] = {
    "rules between isolated kinds": ("---\n", {"isolate": ("table", "code", "list"), "max_tokens": 40}),
    "captions without a table": ("Table 1: a\n\n", {"isolate": ("table", "code"), "max_tokens": 40}),
    "items, then fences in them": ("- a\n  ```\n  x = 1\n  y = 2\n  ```\n", {"max_tokens": 20}),
}


@pytest.mark.parametrize("name", GROWING)
def test_twice_the_text_is_at_most_about_twice_the_work(name: str) -> None:
    """Sections of many blocks are gone through once."""
    unit, given = GROWING[name]
    options, counter = chunk_options(**{"counter": "chars", **given}), counter_for("chars")

    def work(times: int) -> object:
        return chunk_document(read(unit * times), options, counter)

    assert growth(work, 300) <= GROWTH


@pytest.mark.parametrize("table_format", ["source", "pipe", "row_record"])
def test_twice_the_columns_are_at_most_about_twice_the_work(table_format: str) -> None:
    """A wide table is looked through once a cell, however it is written."""
    options, counter = chunk_options(counter="chars", table_format=table_format), counter_for("chars")

    def work(columns: int) -> object:
        text = "|" + "a|" * columns + "\n|" + "-|" * columns + "\n|" + "b|" * columns
        return chunk_document(read(text), options, counter)

    assert growth(work, 200) <= GROWTH


class Watched(str):
    """A text that tells how far back it is searched."""

    looked = 0

    def rfind(self, wanted: str, start: Any = 0, end: Any = None) -> int:
        end = len(self) if end is None else end
        Watched.looked = max(Watched.looked, end - start)
        return super().rfind(wanted, start, end)


def test_the_line_of_a_fence_is_looked_up_near_it() -> None:
    """However long the document is before it; a search back to its start would make each fence cost a document."""
    text = Watched("word " * 100_000 + "\n- > ```\n")

    assert without_markers(text, text.index("```")) == "  > "
    assert 0 < Watched.looked < 1000


def test_bands_of_a_quoted_table_have_as_many_columns_in_each_row() -> None:
    """Header, delimiter row and body of a band answer to each other, quote marks before the pipes or not."""
    text, given = BROKEN["bands of a table in a quote"]

    made = chunk_document(read(text), chunk_options(**given), counter_for("chars"))

    assert len(made.chunks) > 1
    for chunk in made.chunks:
        assert len({line.count("|") for line in chunk.text.split("\n")}) == 1, chunk.text
