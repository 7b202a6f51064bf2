"""The values of a chunker that packs blocks towards a target of words: the preset `packing-target`.

It counts 1.33 tokens a word. Where it broke its own budget, lost a value, glued a heading to the
wrong section or took prose for a formula, the value here is the right one, and the docstring
says what the earlier one was.
"""

from __future__ import annotations

from typing import Any

import pytest

from pincite.chunk import Chunk
from pincite.counting import count, counter_for
from pincite.document import Diagnostic, Document
from pincite.options import chunk_options
from pincite.parsing.writer import Run, Writer

from .building import cells, chunks, numbered, paged, paragraphs, words


def cut(document: Document | str, **options: Any) -> tuple[Chunk, ...]:
    """Chunks under the preset; its smallest budget is lifted, since the published rows use tiny ones."""
    return chunks(document, preset="packing-target", floor=1, **options)


def shown(found: tuple[Chunk, ...]) -> str:
    return "\n".join(chunk.text for chunk in found)


ESTIMATES = [
    (1, 1),
    (2, 2),
    (3, 3),
    (4, 5),
    (5, 6),
    (10, 13),
    (15, 19),
    (20, 26),
    (22, 29),
    (30, 39),
    (90, 119),
    (500, 665),
]


@pytest.mark.parametrize(("many", "tokens"), ESTIMATES)
def test_a_word_is_1_33_tokens_rounded_down(many: int, tokens: int) -> None:
    """At least one where there is a word."""
    assert count(counter_for("words*1.33"), words(many)) == tokens


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_no_word_is_no_token(text: str) -> None:
    """The earlier estimate was 1."""
    assert count(counter_for("words*1.33"), text) == 0


def test_a_short_paragraph_is_one_chunk_although_below_the_minimum() -> None:
    """Five words of page 1: one chunk, 6 tokens."""
    (only,) = cut(paragraphs(("This is a test paragraph.", 1)))

    assert (only.text, only.tokens, only.page_start, only.page_end) == ("This is a test paragraph.", 6, 1, 1)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "------", "____", "====", "...."])
def test_separators_and_blanks_make_no_chunk(text: str) -> None:
    """A line of rules is no text, as Markdown and as a paragraph of a paged document."""
    assert cut(text) == ()
    assert cut(paragraphs((text, 1))) == ()


def test_two_paragraphs_over_the_budget_are_two_chunks() -> None:
    """20 words on page 1 and 20 on page 2 under 50: 26 and 26 tokens on their pages."""
    found = cut(paragraphs((words(20), 1), (words(20, "v"), 2)), max_tokens=50, min_tokens=5)

    assert [chunk.tokens for chunk in found] == [26, 26]
    assert numbered(found) == [(1, 1), (2, 2)]


def test_a_small_tail_is_not_merged_over_the_budget() -> None:
    """20 words and 2 words under 27: the earlier chunker made one chunk of 29 tokens."""
    found = cut(paragraphs((words(20), 1), (words(2, "v"), 2)), max_tokens=27, min_tokens=5)

    assert all(chunk.tokens <= 27 for chunk in found)
    assert shown(found).split() == [*words(20).split(), *words(2, "v").split()]


THREE = ((words(30, "a"), 1), (words(30, "b"), 2), (words(30, "c"), 3))


def test_three_pages_are_three_chunks() -> None:
    """30 words on each of three pages under 50: 39 tokens each, each on its page."""
    found = cut(paragraphs(*THREE), max_tokens=50, min_tokens=5)

    assert [chunk.tokens for chunk in found] == [39, 39, 39]
    assert numbered(found) == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize("overlap", [10, 12, 40])
def test_overlap_stays_within_the_budget_and_off_the_pages(overlap: int) -> None:
    """The earlier chunker grew to 79 of 50; here overlap is trimmed, marked, and its page is not the chunk's."""
    found = cut(paragraphs(*THREE), max_tokens=50, min_tokens=5, overlap_tokens=overlap)

    assert all(chunk.tokens <= 50 for chunk in found)
    assert numbered(found) == [(1, 1), (2, 2), (3, 3)]
    laps = [[piece for piece in chunk.pieces if piece.role == "overlap"] for chunk in found]
    assert [bool(pieces) for pieces in laps] == [False, True, True]
    for before, chunk, pieces in zip(found, found[1:], laps[1:], strict=False):
        lap = chunk.text[pieces[0].start : pieces[-1].end]
        assert before.text.endswith(lap)
        assert count(counter_for("words*1.33"), lap) <= overlap


def test_a_large_paragraph_is_kept_whole_and_says_so() -> None:
    """500 words under a target of 512: one chunk of 665 tokens, flagged, as the preset promises."""
    (only,) = cut(paragraphs((words(500), 1)))

    assert only.tokens == 665
    assert "over_budget" in only.flags


def test_a_large_paragraph_is_split_where_that_is_asked_for() -> None:
    """The same with `oversize` split: at least two chunks of at most 512, every word once and in order."""
    found = cut(paragraphs((words(500), 1)), oversize="split")

    assert len(found) >= 2
    assert all(chunk.tokens <= 512 for chunk in found)
    assert shown(found).split() == words(500).split()


@pytest.mark.parametrize(("first", "pages"), [(1, [(1, 1), (2, 3)]), (2, [(2, 2), (2, 3)])])
def test_a_formula_takes_its_sentence_along_with_its_page(first: int, pages: list[tuple[int, int]]) -> None:
    """20 words, 15 words on page 2, a formula on page 3, under 50.

    The sentence before the formula stands with it, and the pages of both chunks are recomputed:
    the earlier chunker left the sentence's page with the first chunk.
    """
    writer = Writer()
    writer.block("paragraph", [Run(words(20), first)])
    writer.block("paragraph", [Run(words(15, "v"), 2)])
    writer.equation([Run("α + β = γ", 3)])

    found = cut(paged(writer), max_tokens=50, min_tokens=5)

    assert numbered(found) == pages
    assert "α + β = γ" in found[1].text
    assert words(15, "v") in found[1].text


# Tables ------------------------------------------------------------------------------------------

FRUIT = [("apple", "10"), ("pear", "20"), ("plum", "30"), ("kiwi", "40")]


def inventory(page: int = 3) -> Writer:
    writer = Writer()
    writer.heading([Run("Inventory", page)], 1)
    writer.table([cells("Name", "Value", page=page), *(cells(*row, page=page) for row in FRUIT)], 2)
    return writer


def test_rows_are_records_in_batches() -> None:
    """Four rows under 12 tokens: two chunks of two records each, on their page, under their heading."""
    found = cut(paged(inventory()), max_tokens=12, min_tokens=0, table_schema=False)

    assert [chunk.text for chunk in found] == [
        "Row 1: Name=apple; Value=10\nRow 2: Name=pear; Value=20",
        "Row 3: Name=plum; Value=30\nRow 4: Name=kiwi; Value=40",
    ]
    assert numbered(found) == [(3, 3), (3, 3)]
    assert {chunk.heading_path for chunk in found} == {("Inventory",)}


def test_cells_are_written_by_column_whatever_their_order() -> None:
    """Cells that a parser lists from right to left give the same records."""
    writer = Writer()
    writer.table([list(reversed(cells("Name", "Value"))), list(reversed(cells("apple", "10")))], 2)

    (only,) = cut(paged(writer), table_schema=False)

    assert only.text == "Row 1: Name=apple; Value=10"


def test_a_schema_chunk_describes_the_columns() -> None:
    """It comes before the table, names each column with its kind and its share of gaps, and counts rows and columns."""
    schema, table = cut(paged(inventory()))

    assert (schema.kind, table.kind) == ("table_schema", "table")
    assert "Name (string, 0% null)" in schema.text
    assert "Value (number, 0% null)" in schema.text
    assert "4 rows, 2 columns" in schema.text


def test_pipes_repeat_the_header_in_every_batch() -> None:
    """`Name | Value`, then the rows."""
    found = cut(paged(inventory()), max_tokens=12, min_tokens=0, table_schema=False, table_format="pipe")

    assert len(found) > 1
    assert all(chunk.text.startswith("Name | Value\n") for chunk in found)
    rows = [line for chunk in found for line in chunk.text.split("\n")[1:]]
    assert rows == [" | ".join(row) for row in FRUIT]


@pytest.mark.parametrize("form", ["row_record", "pipe"])
def test_batches_stay_within_the_budget(form: str) -> None:
    """20 rows under 30: the earlier chunker reached 31 and 39; here every row comes once, in order, within 30."""
    rows = [(f"name-{number}", str(number)) for number in range(20)]
    writer = Writer()
    writer.table([cells("Name", "Value"), *(cells(*row) for row in rows)], 2)

    found = cut(paged(writer), max_tokens=30, min_tokens=0, table_schema=False, table_format=form)

    assert len(found) > 1
    assert all(chunk.tokens <= 30 for chunk in found)
    lines = [line for chunk in found for line in chunk.text.split("\n") if line != "Name | Value"]
    records = [f"Row {n}: Name={name}; Value={value}" for n, (name, value) in enumerate(rows, 1)]
    assert lines == (records if form == "row_record" else [" | ".join(row) for row in rows])


def test_a_wide_table_is_cut_into_bands_under_its_key() -> None:
    """30 columns where 25 are wide: three chunks, each with the key, all 30 values in them.

    The earlier release lost the values 13 to 29.
    """
    writer = Writer()
    writer.table([cells(*(f"c{n}" for n in range(30))), cells(*(f"value-{n}" for n in range(30)))], 30)

    found = cut(paged(writer), table_schema=False)

    assert len(found) == 3
    assert all("value-0" in chunk.text.replace(";", " ").replace("=", " ").split() for chunk in found)
    assert all(f"value-{n}" in shown(found).replace(";", " ").replace("=", " ").split() for n in range(30))


def test_a_table_of_a_header_alone_is_a_chunk() -> None:
    """The earlier chunker made none of it."""
    writer = Writer()
    writer.table([cells("Name", "Value")], 2)

    found = cut(paged(writer), table_schema=False)

    assert len(found) == 1
    assert "Name" in found[0].text
    assert "Value" in found[0].text


@pytest.mark.parametrize(("above", "below", "pages"), [(3, 3, (3, 3)), (2, 4, (2, 4))])
def test_captions_stand_with_their_table(above: int, below: int, pages: tuple[int, int]) -> None:
    """Caption, table, caption: one chunk in that order with blank lines between, on the pages of all three."""
    writer = Writer()
    writer.block("caption", [Run("Table 1: fruit", above)])
    writer.table([cells("Name", "Value", page=3), *(cells(*row, page=3) for row in FRUIT)], 2)
    writer.block("caption", [Run("Source: the farm", below)])

    (only,) = cut(paged(writer), table_schema=False)

    assert only.text.startswith("Table 1: fruit\n\nRow 1:")
    assert only.text.endswith("\n\nSource: the farm")
    assert (only.page_start, only.page_end) == pages


# What else is kept together, or apart --------------------------------------------------------------


def test_page_furniture_is_left_out() -> None:
    """Header and footer make no text, the body does."""
    writer = Writer()
    drops = []
    for kind, text in (
        ("page_header", "Document header"),
        ("paragraph", "Body text"),
        ("page_footer", "Document footer"),
    ):
        writer.block(kind, [Run(text, 1)])  # type: ignore[arg-type]
        if kind != "paragraph":
            drops.append(Diagnostic("dropped_page_furniture", "info", text, 1, writer.blocks[-1].span))

    assert [chunk.text for chunk in cut(paged(writer, diagnostics=drops))] == ["Body text"]


def test_page_furniture_that_is_kept_is_text() -> None:
    """With `parse.furniture` it comes as paragraphs: one chunk of all three, blank lines between."""
    kept = paragraphs(("Document header", 1), ("Body text", 1), ("Document footer", 1))

    assert [chunk.text for chunk in cut(kept)] == ["Document header\n\nBody text\n\nDocument footer"]


def test_a_list_in_two_chunks_says_its_lead_in_twice() -> None:
    """The earlier chunker said it in the first chunk only; later ones mark it as context here."""
    writer = Writer()
    writer.block("paragraph", [Run("You need the following:", 1)])
    for number in range(12):
        writer.list_item([Run(words(5, f"item{number}x"), 1)], first=number == 0)

    found = cut(paged(writer), max_tokens=50, min_tokens=0, oversize="split")

    assert len(found) > 1
    assert all(chunk.tokens <= 50 for chunk in found)
    assert all(chunk.text.startswith("You need the following:") for chunk in found)
    assert [any(piece.role == "lead_in" for piece in chunk.pieces) for chunk in found] == [False] + [True] * (
        len(found) - 1
    )
    own = [chunk.text[p.start : p.end] for chunk in found for p in chunk.pieces if p.role == "own"]
    assert [line[:2] for line in "\n".join(own).split("\n") if "item" in line] == ["- "] * 12


def test_a_formula_and_what_leads_into_it_are_one_chunk() -> None:
    """A sentence, then the formula that it announces."""
    writer = Writer()
    writer.block("paragraph", [Run("The expression is defined as", 1)])
    writer.equation([Run("α + β = γ", 1)])

    (only,) = cut(paged(writer))

    assert only.kind == "equation"
    assert "defined as" in only.text
    assert "α + β = γ" in only.text


@pytest.mark.parametrize(
    "text",
    [
        "The price is a fixed amount, defined as a flat fee.",
        "where x is the number of a b c",
        "± 5 °C → 10 °C",
        "Η άδεια χορηγείται κατόπιν αιτήσεως του υπαλλήλου.",
    ],
)
def test_prose_is_never_taken_for_a_formula(text: str) -> None:
    """All four were, by the share of signs and Greek letters."""
    (only,) = cut(paragraphs((text, 1)))

    assert only.kind == "text"


@pytest.mark.parametrize("counter", ["words*1.33", "bytes/3", "chars"])
def test_a_script_without_spaces_is_cut_too(counter: str) -> None:
    """20,000 Hangul syllables without a space were one chunk of one token; no word is a licence here."""
    found = chunks("가" * 20_000, counter=counter, max_tokens=512, min_tokens=0)

    assert all(chunk.tokens <= 512 and len(chunk.text) <= 16 * 512 for chunk in found)
    assert "".join(chunk.text for chunk in found) == "가" * 20_000
    assert len(found) > 2


@pytest.mark.parametrize("sizes", [(1, 20), (20, 1)])
def test_a_chunk_below_the_minimum_joins_its_neighbour(sizes: tuple[int, int]) -> None:
    """1 and 20 words with a minimum of 10, either way round: one chunk, a blank line between, pages of both."""
    parts = [words(size, stem) for size, stem in zip(sizes, "ab", strict=True)]

    (only,) = cut(paragraphs((parts[0], 1), (parts[1], 2)), max_tokens=40, min_tokens=10)

    assert only.text == "\n\n".join(parts)
    assert (only.page_start, only.page_end) == (1, 2)


@pytest.mark.parametrize("sizes", [(1, 20), (20, 1)])
def test_sections_are_never_joined(sizes: tuple[int, int]) -> None:
    """The earlier chunker joined a small chunk to its neighbour in another section."""
    found = cut(
        "\n\n".join(f"# {name}\n\n{words(size)}" for name, size in zip("AB", sizes, strict=True)), min_tokens=10
    )

    assert [chunk.heading_path for chunk in found] == [("A",), ("B",)]


def test_a_heading_opens_its_own_section() -> None:
    """`2 Benefits` after section 1 begins section 2; the earlier chunker glued it to the end of section 1."""
    writer = Writer()
    writer.heading([Run("1 Leave", 1)], 1)
    writer.block("paragraph", [Run(words(20), 1)])
    writer.heading([Run("2 Benefits", 1)], 1)
    writer.block("paragraph", [Run(words(20, "v"), 2)])

    first, second = cut(paged(writer))

    assert (first.heading_path, second.heading_path) == (("1 Leave",), ("2 Benefits",))
    assert "Benefits" not in first.text


# Quality -------------------------------------------------------------------------------------------


def judged(text: str, *confidences: float, kind: str = "paragraph") -> float:
    """Quality of the one chunk of blocks with these confidences, the text cut evenly over them."""
    writer = Writer()
    step = len(text) // len(confidences)
    for number, confidence in enumerate(confidences):
        part = text[number * step : (number + 1) * step if number + 1 < len(confidences) else None]
        writer.block(kind, [Run(part, 1)], confidence=confidence)  # type: ignore[arg-type]
    (only,) = cut(paged(writer))
    return only.quality


def test_quality_is_confidence_less_noise_and_a_little_for_an_ending() -> None:
    """Certain text that ends with a stop 1.0; confidence .8 with a stop .85, without .80; noise alone .5; never below 0."""
    assert judged("It ends here.", 1.0) == 1.0
    assert judged("It ends here.", 0.8) == pytest.approx(0.85)
    assert judged("It ends here", 0.8) == pytest.approx(0.80)
    assert judged("@" * 10, 1.0) == pytest.approx(0.5)
    assert judged("@" * 10, 0.1) == 0.0


def test_confidence_is_weighted_by_length() -> None:
    """.2 on 4 characters and .8 on 8 characters are .6."""
    writer = Writer()
    writer.block("paragraph", [Run("abcd", 1)], confidence=0.2)
    writer.block("paragraph", [Run("abcdefgh", 1)], confidence=0.8)

    (only,) = cut(paged(writer))

    assert only.quality == pytest.approx(0.6, abs=0.001)


def test_signs_of_a_table_are_no_noise() -> None:
    """A table that was read well was rated .1 to .4 for its pipes."""
    (only,) = chunks("| a | b |\n| --- | --- |\n| 1 | 2 |\n", counter="chars")

    assert only.quality == 1.0


# Bounds --------------------------------------------------------------------------------------------


def test_the_preset_is_what_its_rows_say() -> None:
    """512 as a target, 100 as the least, words by 1.33, records with a schema chunk."""
    options = chunk_options(preset="packing-target")

    assert (options.counter, options.max_tokens, options.min_tokens, options.overlap_tokens) == (
        "words*1.33",
        512,
        100,
        0,
    )
    assert (options.table_format, options.table_schema, options.wide_table_columns, options.band_columns) == (
        "row_record",
        True,
        25,
        12,
    )
