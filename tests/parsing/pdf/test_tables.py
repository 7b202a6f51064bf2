"""Tables: with rules, without, over pages; and what is no table."""

from __future__ import annotations

import pytest

from .made import Sheet, cells, drawn, read, texts, typeset

ROWS = [["Item", "Price", "Stock"], ["Rope", "12.50", "4"], ["Lamp oil", "3.20", "17"], ["Chart", "8.00", "2"]]


def source(rows: list[list[str]], options: str = "") -> str:
    return (
        f"#table(columns: {len(rows[0])}, {options}\n" + ",\n".join(f"[{cell}]" for row in rows for cell in row) + ")\n"
    )


@pytest.mark.parametrize(
    "options",
    ["", "stroke: (x: none),", "stroke: none, column-gutter: 2em,", "fill: (_, y) => if calc.odd(y) { luma(230) },"],
)
def test_a_table_has_its_rows_and_cells(options: str) -> None:
    """Full rules, level rules alone, no rules and shaded rows all give the same cells."""
    document = read(typeset(f"Before the table.\n\n{source(ROWS, options)}\nAfter the table."))

    assert cells(document) == ROWS
    assert texts(document, "paragraph") == ["Before the table.", "After the table."]


def test_headers_that_nest_are_joined() -> None:
    """A header over two columns is part of both names, since a pipe table has one header row."""
    document = read(
        typeset(
            "#table(columns: 3, table.cell(rowspan: 2)[Place], table.cell(colspan: 2)[Water], [high], [low], [Mole], [4.1], [0.3], [Pier], [3.9], [0.2])"
        )
    )
    table = next(block.table for block in document.blocks if block.table)
    header = [
        (document.text[c.span.start : c.span.end], c.column, c.row_span, c.column_span)
        for row in table.header
        for c in row.cells
    ]

    assert header == [("Place", 0, 1, 1), ("Water: high", 1, 1, 1), ("Water: low", 2, 1, 1)]
    assert len(table.rows) == 2


def test_a_cell_of_several_lines_is_one_text() -> None:
    """Lines of a cell join as lines of a paragraph do."""
    long = "a rope of forty fathoms that was bought in the spring of the year before last"
    document = read(typeset(source([["Item", "Remark"], ["Rope", long], ["Oil", "none"]], "")))

    assert cells(document)[1] == ["Rope", long]


def test_a_table_over_pages_is_one_table_with_one_header() -> None:
    """The header that each page repeats is there once, and the regions name all pages."""
    rows = ", ".join(f"[Item {n}], [{n * 3}.50]" for n in range(60))
    document = read(typeset(f"#table(columns: 2, table.header([Item], [Price]), {rows})"))
    found = cells(document)

    assert len(document.pages) > 2
    assert found == [["Item", "Price"], *([f"Item {n}", f"{n * 3}.50"] for n in range(60))]
    assert {region.page for block in document.blocks for region in block.regions} == {p.number for p in document.pages}


def test_prose_in_columns_is_no_table() -> None:
    """Two columns of short lines are read as columns."""
    pieces = [(72.0, 780.0 - 14 * n, f"left line {n} goes on") for n in range(20)]
    pieces += [(300.0, 780.0 - 14 * n, f"right line {n} goes on") for n in range(20)]
    document = read(drawn(Sheet(pieces)))

    assert not any(block.table for block in document.blocks)


def test_code_with_aligned_parts_is_no_table() -> None:
    """Assignments and comments in columns stay code."""
    code = "\n".join(f"name_{n}    = {n}      # the {n}th" for n in range(8))
    document = read(typeset(f"Text before.\n\n```\n{code}\n```\n"))

    assert [block.kind for block in document.blocks] == ["paragraph", "code"]


def test_a_list_of_terms_is_no_table() -> None:
    """Numbers or bullets beside their text are list items."""
    document = read(typeset("\n".join(f"+ short item {n}" for n in range(1, 8))))

    assert {block.kind for block in document.blocks} == {"list_item"}


def test_a_frame_around_text_is_no_table() -> None:
    """One box with a paragraph in it has no cells."""
    document = read(
        typeset("#rect(width: 100%)[" + "A remark in a frame that is longer than one line of the page. " * 3 + "]")
    )

    assert [block.kind for block in document.blocks] == ["paragraph"]


def test_a_caption_that_says_continued_does_not_part_a_table() -> None:
    """The rows below it belong to the table of the page before."""
    part = source(ROWS)
    document = read(
        typeset(
            f"Table 1: Stores\n\n{part}#pagebreak()\nTable 1 (continued)\n\n{source([ROWS[0], ['Anchor', '90.00', '1']])}"
        )
    )

    assert cells(document) == [*ROWS, ["Anchor", "90.00", "1"]]
