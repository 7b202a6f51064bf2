"""Blocks in reading order: columns, paragraphs, lists, code, captions, footnotes, furniture."""

from __future__ import annotations

import random

import pytest

from pincite.document import Document

from ...effort import GROWTH, growth
from .made import PAGE, Sheet, codes, drawn, read, text_of, texts, typeset

LOREM = "The keeper of the lighthouse wrote down the height of the water each morning and again at night. "


def kinds(document: Document) -> list[str]:
    return [block.kind for block in document.blocks]


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_columns_are_read_one_after_the_other_below_their_title(columns: int) -> None:
    """A title over the whole width comes first, then each column from top to bottom."""
    body = "\n\n".join(f"Paragraph {n} begins. " + LOREM * 2 + f"Paragraph {n} ends." for n in range(1, 13))
    document = read(
        typeset(f"#align(center, text(18pt)[*The Tide Book*])\n#columns({columns})[#set par(justify: true)\n{body}]")
    )
    words = document.text.split()
    numbers = [
        int(words[at + 1]) for at in range(len(words)) if words[at] == "Paragraph" and words[at + 2] == "begins."
    ]

    assert document.text.startswith("# The Tide Book")
    assert numbers == list(range(1, 13))
    assert texts(document, "paragraph")[0].endswith("Paragraph 1 ends.")


def test_a_table_over_both_columns_parts_the_text_above_from_the_text_below() -> None:
    """Columns above something that spans them are read before it, columns below after it."""
    pieces = [(72.0, 780.0 - 14 * n, f"left above, line {n} of the text") for n in range(6)]
    pieces += [(320.0, 780.0 - 14 * n, f"right above, line {n} of the text") for n in range(6)]
    pieces += [(72, 660, "One line over both columns, which is set in the middle of the page as a remark.")]
    pieces += [(72.0, 620.0 - 14 * n, f"left below, line {n} of the text") for n in range(6)]
    pieces += [(320.0, 620.0 - 14 * n, f"right below, line {n} of the text") for n in range(6)]
    text = read(drawn(Sheet(pieces))).text
    order = [
        "left above, line 5",
        "right above, line 0",
        "One line over both",
        "left below, line 0",
        "right below, line 0",
    ]

    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_drawing_does_not_matter(seed: int) -> None:
    """The same lines drawn in any order make the same document."""
    pieces = [(72.0, 780.0 - 14 * n, f"{LOREM[:40]} {n}") for n in range(30)]
    pieces += [(330.0, 780.0 - 14 * n, f"{LOREM[40:75]} {n}") for n in range(30)]
    shuffled = random.Random(seed).sample(pieces, len(pieces))

    assert read(drawn(Sheet(shuffled))).text == read(drawn(Sheet(pieces))).text


def test_paragraphs_are_one_block_and_one_line_of_text() -> None:
    """Lines of a paragraph join with spaces; a blank line's worth of room parts paragraphs."""
    document = read(typeset(LOREM * 4 + "\n\n" + LOREM * 3))

    assert texts(document) == [(LOREM * 4).strip(), (LOREM * 3).strip()]


def test_indented_paragraphs_without_room_between_them_are_parted() -> None:
    """A first line that is indented begins a paragraph."""
    source = "#set par(first-line-indent: 1.5em, spacing: 0.65em, justify: true)\n" + "\n\n".join([LOREM * 3] * 3)
    document = read(typeset(source))

    assert texts(document) == [(LOREM * 3).strip()] * 3


def test_a_paragraph_that_runs_over_a_page_is_one_block_with_regions_on_both() -> None:
    """Its sentence is whole and its regions name both pages."""
    document = read(typeset("#set page(height: 6cm)\n" + "and so it went on from day to day " * 40 + "until the end."))
    (block,) = document.blocks

    assert sorted({region.page for region in block.regions}) == list(range(1, len(document.pages) + 1))
    assert len(document.pages) > 1
    assert "\n" not in document.text


def test_a_footnote_does_not_cut_the_sentence_that_runs_over_the_page() -> None:
    """The note at the foot follows the paragraph whose lines it stands between."""
    source = (
        "#set page(height: 7cm)\n"
        + "and so it went on#footnote[Except in winter, when nobody came.] from day to day "
        + "and from year to year " * 60
    )
    document = read(typeset(source))

    assert kinds(document) == ["paragraph", "footnote"]
    assert "Except in winter" in texts(document, "footnote")[0]
    assert "Except in winter" not in texts(document, "paragraph")[0]


def test_lists_have_markers_and_depth() -> None:
    """Bullets, numbers and letters are items; an item set further in is deeper; wrapped lines belong to their item."""
    source = f"Before.\n\n- first\n- second {LOREM}\n  - inner\n- third\n\nBetween.\n\n+ one\n+ two\n\nAfter."
    document = read(typeset(source))
    items = [block for block in document.blocks if block.kind == "list_item"]

    assert [(block.attributes["marker"], block.level) for block in items] == [
        ("-", 1), ("-", 1), ("-", 2), ("-", 1), ("1.", 1), ("2.", 1),
    ]  # fmt: skip
    assert text_of(document, items[1]) == "- second " + LOREM.strip()
    assert [block.attributes.get("list") for block in items] == ["1", None, None, None, "2", None]
    assert texts(document, "paragraph") == ["Before.", "Between.", "After."]


def test_a_paragraph_after_a_list_is_no_part_of_the_last_item() -> None:
    """Text that stands left of the item's text ends the item even without more room between them."""
    document = read(
        typeset("#set par(spacing: 0.65em)\n- an item that ends here.\n\nA paragraph at the margin follows at once.")
    )

    assert kinds(document) == ["list_item", "paragraph"]


def test_monospaced_lines_are_code_with_their_indents() -> None:
    """Indents and blank lines of code are kept, and prose around it is not code."""
    code = "def keep(level):\n    if level > 3:\n        return level\n\n    return 0"
    document = read(typeset(f"Before the code.\n\n```python\n{code}\n```\n\nAfter the code."))
    (block,) = [block for block in document.blocks if block.kind == "code"]

    assert kinds(document) == ["paragraph", "code", "paragraph"]
    assert block.body
    assert document.text[block.body.start : block.body.end] == code


def test_names_from_code_inside_a_sentence_do_not_cut_it() -> None:
    """Inline code, even a whole line of it, belongs to its paragraph."""
    source = "Call " + " and ".join(f"`a_function_with_a_long_name_{n}`" for n in range(12)) + " in this order, please."
    document = read(typeset(source))

    assert kinds(document) == ["paragraph"]


def test_a_caption_is_told_from_a_sentence_about_it() -> None:
    """`Figure 1: …` is a caption, `Figure 1 shows …` is not, and neither is a heading."""
    source = "#figure(rect(width: 4cm, height: 2cm), caption: [The harbour at low water])\n\nFigure 1 shows the harbour at low water, seen from the mole."
    document = read(typeset(source))

    assert texts(document, "caption") == ["Figure\xa01: The harbour at low water"]
    assert len(texts(document, "paragraph")) == 1
    assert "heading" not in kinds(document)


CHAPTERS = "#pagebreak()\n".join(f"Chapter {n} speaks of water.\n" for n in ("one", "two", "three", "four"))

HEADS = (
    PAGE
    + "#set page(header: [Tide Book #h(1fr) Edition 3], footer: context align(center)[Page #counter(page).display()])\n"
)


def test_running_heads_and_feet_are_left_out_and_said() -> None:
    """What repeats at the edge of the pages is in no block; each page says what it left out."""
    document = read(typeset(CHAPTERS, HEADS))

    assert "Tide Book" not in document.text
    assert "Page" not in document.text
    assert codes(document) == ["furniture"] * 4
    assert "Page 2" in next(d.message for d in document.diagnostics if d.page == 2)


def test_running_heads_are_kept_on_request() -> None:
    """With `furniture` they are blocks of their own kind, and nothing is said."""
    document = read(typeset(CHAPTERS, HEADS), furniture=True)

    assert texts(document, "page_header") == ["Tide Book Edition 3"] * 4
    assert texts(document, "page_footer")[:2] == ["Page 1", "Page 2"]
    assert not document.diagnostics


def test_the_title_of_a_chapter_in_a_running_head_is_furniture() -> None:
    """Heads that change from chapter to chapter are left out where most pages have one there."""
    head = (
        PAGE
        + "#set page(header: context emph(query(heading).filter(it => it.location().page() <= here().page()).last().body))\n"
    )
    names = ("Water", "Wind", "Ice", "Sand", "Fog", "Rain")
    body = "".join(
        f"= {name}\nThis chapter has two pages.\n#pagebreak()\nIt ends on this one.\n#pagebreak(weak: true)\n"
        for name in names
    )
    document = read(typeset(body + "= Last\nA chapter of one page.", head))

    assert [document.text.count(name) for name in (*names, "Last")] == [1] * 7


def test_what_repeats_in_the_body_of_pages_is_text() -> None:
    """A form with the same lines on each page keeps them: they are not set apart from the rest."""
    sheets = [
        Sheet(
            [
                (72, 752, f"Record sheet {n} of the survey."),
                (72, 738, "All values are means."),
                (72, 724, f"Level {n * n}"),
            ]
        )
        for n in range(1, 6)
    ]
    document = read(drawn(*sheets))

    assert document.text.count("All values are means.") == 5
    assert document.text.count("Record sheet") == 5
    assert not document.diagnostics


def test_a_table_of_contents_has_one_entry_a_line() -> None:
    """Dots are cut short, entries are apart, and no entry is a heading or a list item."""
    source = '#outline(title: "Contents")\n#set heading(numbering: "1.1")\n= Water\n== Salt water\n#pagebreak()\n= Wind\nText.'
    document = read(typeset(source))
    contents = next(block for block in document.blocks if block.attributes.get("role") == "contents")

    assert text_of(document, contents).splitlines() == ["1 Water … 1", "1.1 Salt water … 1", "2 Wind … 2"]
    assert texts(document, "heading") == ["# Contents", "# 1 Water", "## 1.1 Salt water", "# 2 Wind"]


def test_vietnamese_and_korean_pages_keep_their_words() -> None:
    """Vietnamese comes out composed, Korean lines join inside words."""
    vietnamese = "Người quản lý duyệt đơn xin nghỉ phép trong hai ngày làm việc. " * 3
    korean = (
        "모든 전일제 직원은 한 해에 이십사 일의 유급 연차휴가를 받으며 입사한 해에는 일한 달에 따라 나누어 받는다. " * 3
    )
    document = read(typeset(f"{vietnamese}\n\n{korean}"))

    assert texts(document) == [vietnamese.strip(), korean.strip()]


def test_the_number_of_a_single_page_is_furniture() -> None:
    """A page number needs no second page to be known, if it is the number of its page."""
    document = read(drawn(Sheet([(72, 700, "The only page of a letter."), (290, 30, "Page 1 of 1")])))
    other = read(drawn(Sheet([(72, 700, "The only page of a letter."), (290, 30, "42")])))

    assert texts(document) == ["The only page of a letter."]
    assert texts(other) == ["The only page of a letter.", "42"]


def test_a_piece_at_the_right_margin_is_read_with_its_line() -> None:
    """A word that a tabulator sets at the margin is no column of its own."""
    pieces = [(72, 700, "Open the valve"), (480, 700, "Step"), (72, 686, "and wait."), (72, 672, "Then close it.")]

    assert read(drawn(Sheet(pieces))).text.startswith("Open the valve Step")


@pytest.mark.parametrize("kind", ["letters", "pages"])
def test_twice_the_text_takes_about_twice_the_work(kind: str) -> None:
    """Neither a page of single letters nor a long document is read in quadratic time."""

    def work(size: int) -> None:
        letters = Sheet([(20 + at % 100 * 5.5, 820 - at // 100 * 8.0, "a") for at in range(size)])
        pages = [Sheet([(72, 800, "A head"), (72, 700, f"Text {n}."), (290, 30, f"{n}")]) for n in range(size // 10)]
        read(drawn(letters) if kind == "letters" else drawn(*pages))

    assert growth(work, 1000) <= GROWTH
    work(8000)


def test_the_mark_of_a_footnote_is_a_word_of_its_own() -> None:
    """A raised number and the note's first word are two words."""
    document = read(typeset(LOREM + "A note.#footnote[Except in winter.]"))

    assert texts(document, "footnote") == ["1 Except in winter."]


def test_a_table_at_the_top_of_a_page_does_not_cut_the_sentence_around_it() -> None:
    """The sentence is whole and the table follows it."""
    lines = [(72.0, 200.0 - 14 * n, "and so it went on from day to day and from year to year") for n in range(5)]
    below = [(72.0, 600.0 - 14 * n, "and so it went on from day to day and from year to year") for n in range(4)]
    table = [
        (80.0, 742, "Year"),
        (180.0, 742, "Level"),
        (80.0, 722, "2019"),
        (180.0, 722, "4.1"),
        (80.0, 702, "2020"),
        (180.0, 702, "4.3"),
    ]
    grid = "".join(f"72 {y} m 272 {y} l S " for y in (756, 736, 716, 696)) + "".join(
        f"{x} 756 m {x} 696 l S " for x in (72, 172, 272)
    )
    document = read(drawn(Sheet(lines), Sheet([*table, *below], grid)))

    assert kinds(document) == ["paragraph", "table"]
    assert document.blocks[0].regions[-1].page == 2


def test_slanted_text_stays_out_of_the_lines_that_it_crosses() -> None:
    """A watermark is furniture where it repeats, and else a paragraph of its own, never a heading."""
    mark = "BT /F1 60 Tf 0.7 0.7 -0.7 0.7 150 500 Tm (FIRST DRAFT) Tj ET"
    lines = [(72.0, 740.0 - 14 * n, f"Line {n} of the text that the mark runs over.") for n in range(30)]
    single, double = read(drawn(Sheet(lines, mark))), read(drawn(Sheet(lines, mark), Sheet(lines, mark)))

    assert texts(single)[1:] == ["FIRST DRAFT"]
    assert kinds(single) == ["paragraph", "paragraph"]
    assert "DRAFT" not in double.text
    assert codes(double) == ["furniture", "furniture"]


def led(x: float, y: float, title: str, number: int) -> list[tuple[float, float, str]]:
    """An entry of a table of contents, its dots drawn one by one from the right."""
    start = x + 6.2 * len(title)
    return [(x, y, title), *((float(at), y, ".") for at in range(500, int(start), -9)), (512.0, y, str(number))]


def test_dots_drawn_one_by_one_keep_titles_and_page_numbers_together() -> None:
    """Each entry of a table of contents is one line: its title, a sign for the dots, its page."""
    titles = ["Contents", "1. Lights", "1.1 The oil", "1.2 The wick of the lamp", "2. Boats", "2.1 Oars", "3. Storms"]
    pieces = [(72.0, 780.0, "Keeper Manual")]
    for n, title in enumerate(titles):
        pieces += led(84.0 if title[1:3].strip(".").isdigit() else 72.0, 740.0 - 16 * n, title, n + 1)
    document = read(drawn(Sheet(pieces)))
    lines = [line for line in document.text.split("\n") if "…" in line]

    assert lines == [f"{title} … {n + 1}" for n, title in enumerate(titles)]
    assert ". ." not in document.text


FULL = "The keeper wrote down the height of the water each morning and night."


@pytest.mark.parametrize("dash", ["-", "\u2013", "\u2014"])
def test_a_dash_inside_a_paragraph_makes_no_list(dash: str) -> None:
    """A line that begins with the dash between two sentences belongs to its paragraph, dash and all."""
    lines = [FULL, FULL, f"{dash} {FULL}", FULL, FULL]
    source = "#set par(justify: false)\n" + " \\\n".join("\\" + line if line[0] == "-" else line for line in lines)
    document = read(typeset(source))

    assert texts(document, "list_item") == []
    assert texts(document, "paragraph") == [" ".join(lines)]


def test_a_list_of_dashes_right_below_a_full_line_is_a_list() -> None:
    """Items are known by the items below them, though nothing parts the first from the paragraph."""
    lines = [FULL, FULL, "- Oil the lamp.", "- Trim the wick.", "- Wind the clock."]
    document = read(drawn(Sheet([(72.0, 780.0 - 14 * n, line) for n, line in enumerate(lines)])))

    assert texts(document, "list_item") == ["- Oil the lamp.", "- Trim the wick.", "- Wind the clock."]
