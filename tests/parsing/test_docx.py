"""Word documents: what of them is text, and how it is written."""

from __future__ import annotations

import io

import docx
import pytest
from docx.shared import Pt

from tests.parsing.wordfile import (
    STYLES,
    cell,
    codes,
    element,
    item,
    level,
    lists,
    p,
    read,
    relationships,
    row,
    run,
    table,
    text,
    word,
    zipped,
)  # fmt: skip

BOLD, ITALIC = "<w:b/>", "<w:i/>"


def headings(body: str, **parts: str) -> list[tuple[int, str]]:
    """Level and title of each heading."""
    document = read(word(body, (), **parts))
    return [(block.level, block.attributes["title"]) for block in document.blocks if block.kind == "heading"]


# Runs


def test_runs_of_one_format_are_joined_before_they_are_marked() -> None:
    """Two bold runs get one pair of marks, and white space stays outside of it."""
    assert text(p(run("Xin ", BOLD) + run("chào", BOLD) + run("."))) == "**Xin chào**."


def test_a_file_of_python_docx_reads_the_same() -> None:
    """A file that another program made has the same runs."""
    made = docx.Document()
    paragraph = made.add_paragraph()
    paragraph.add_run("Xin ").bold = True
    paragraph.add_run("chào").bold = True
    last = paragraph.add_run(".")
    last.font.size = Pt(9)
    packed = io.BytesIO()
    made.save(packed)

    assert read(packed.getvalue()).text == "**Xin chào**."


def test_a_format_that_changes_inside_a_word_is_not_written() -> None:
    """A mark would part the word, so the paragraph has none."""
    runs = run("The com") + run("pany grew by ", BOLD) + run("eleven", ITALIC) + run(" per cent.")

    assert text(p(runs)) == "The company grew by eleven per cent."


@pytest.mark.parametrize(
    ("inner", "shown"),
    [
        ("<w:t>re</w:t><w:noBreakHyphen/><w:t>entry</w:t>", "re-entry"),
        ("<w:t>co\u2011op</w:t>", "co-op"),
        ("<w:t>hand</w:t><w:softHyphen/><w:t>book and hand\u00adbook</w:t>", "handbook and handbook"),
        ("<w:t>Price</w:t><w:tab/><w:t>5</w:t>", "Price\t5"),
        ("<w:t>one</w:t><w:br/><w:t>two</w:t><w:cr/><w:t>three</w:t>", "one\ntwo\nthree"),
        ('<w:t>end</w:t><w:br w:type="page"/><w:lastRenderedPageBreak/><w:t>start</w:t>', "end\nstart"),
        ('<w:sym w:font="Wingdings" w:char="F0FC"/><w:t xml:space="preserve"> done</w:t>', "✓ done"),
        ('<w:t>a </w:t><w:sym w:font="Symbol" w:char="F0A3"/><w:t> b</w:t>', "a ≤ b"),
        ('<w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>6</w:t>', "⁶"),
        ('<w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t>', "2"),
    ],
)
def test_special_characters_are_text(inner: str, shown: str) -> None:
    """Breaks, hyphens, tabs and symbols are what a reader sees."""
    assert text(p(f"<w:r>{inner}</w:r>")) == shown


def test_hidden_text_is_left_out_and_reported() -> None:
    """Neither runs that are hidden nor those of a hidden style are text."""
    style = '<w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>'
    runs = run("Shown") + run(" hidden", "<w:vanish/>") + run(" too", '<w:rStyle w:val="Secret"/>')
    document = read(word(p(runs + run(" again", '<w:vanish w:val="0"/>')), styles=style))

    assert document.text == "Shown again"
    assert codes(document) == ["dropped_hidden"]


def test_links_keep_their_targets() -> None:
    """External links are written with their address, places in the document are text alone."""
    body = p(
        f'<w:hyperlink r:id="out">{run("the form")}</w:hyperlink>{run(" and ")}'
        f'<w:hyperlink w:anchor="place">{run("section 2")}</w:hyperlink>'
    )
    document = read(word(body, links=(("out", "hyperlink", "https://example.org/a?b=1&c=2"),)))

    assert document.text == "[the form](https://example.org/a?b=1&c=2) and section 2"


def test_a_link_inside_a_word_grows_over_the_word() -> None:
    """A word is never parted by the brackets of a link."""
    body = p(f'{run("un")}<w:hyperlink r:id="out">{run("believ")}</w:hyperlink>{run("able")}')

    assert (
        read(word(body, links=(("out", "hyperlink", "https://example.org"),))).text
        == "[unbelievable](https://example.org)"
    )


def test_fields_show_their_results() -> None:
    """Instructions are no text; a link field keeps its address; nested fields stay apart."""

    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    def code(instruction: str) -> str:
        return f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"

    page = mark("begin") + code("PAGEREF x") + mark("separate") + run("7") + mark("end")
    link = mark("begin") + code('HYPERLINK "https://example.org"') + mark("separate") + run("home") + mark("end")
    simple = f'<w:fldSimple w:instr="AUTHOR">{run("Lan")}</w:fldSimple>'
    condition = mark("begin") + code("IF ") + mark("begin") + code("X") + mark("separate") + run("no") + mark("end")
    condition += code(" = 1") + mark("separate") + run("yes") + mark("end")

    assert text(p(run("see ") + page + run(", ") + link + run(", ") + simple + run(", ") + condition)) == (
        "see 7, [home](https://example.org), Lan, yes"
    )


def test_a_field_that_never_ends_hides_nothing() -> None:
    """A damaged field costs its own paragraph at most."""
    broken = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>'

    assert text(p(broken) + p("Still here.")) == "Still here."


def test_changes_are_read_as_accepted() -> None:
    """Insertions are in, deletions and what was moved away are out, and that is reported."""
    inner = (
        run("The fee is ")
        + f"<w:del>{run('').replace('w:t ', 'w:delText ').replace('w:t>', 'w:delText>')}<w:r><w:delText>900</w:delText></w:r></w:del>"
        + f"<w:ins>{run('750')}</w:ins>{run(' now.')}<w:moveFrom>{run(' Gone.')}</w:moveFrom><w:moveTo>{run(' Here.')}</w:moveTo>"
    )
    document = read(word(p(inner)))

    assert document.text == "The fee is 750 now. Here."
    assert codes(document) == ["dropped_revisions"]


def test_a_deleted_paragraph_mark_joins_two_paragraphs() -> None:
    """With the change accepted the text runs on."""
    body = p(run("First "), properties="<w:rPr><w:del/></w:rPr>") + p("second.") + p("Third.")

    assert text(body) == "First second.\n\nThird."


def test_deleted_rows_and_cells_are_out() -> None:
    """A table has the rows and cells that remain."""
    rows = row(cell("Name"), cell("Old", "<w:cellDel/>"), cell("Pay")) + row(cell("x"), properties="<w:del/>")

    assert text(table(rows, row(cell("Lan"), cell("7")))) == "| Name | Pay |\n| --- | --- |\n| Lan | 7 |"


def test_comments_are_left_out_and_counted() -> None:
    """Reviewers' comments are not text of the document."""
    body = p(run("Fee") + '<w:r><w:commentReference w:id="1"/></w:r>')
    document = read(word(body, comments=f'<w:comment w:id="1">{p("Too high?")}</w:comment>'))

    assert document.text == "Fee"
    assert codes(document) == ["dropped_comments"]


def test_placeholders_of_forms_are_no_text() -> None:
    """A content control shows its content, but not the prompt to fill it in."""
    filled = f"<w:sdt><w:sdtPr/><w:sdtContent>{p('Lan')}</w:sdtContent></w:sdt>"
    empty = f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{p('Click here')}</w:sdtContent></w:sdt>"

    assert text(filled + empty) == "Lan"


# Headings


def test_headings_come_from_names_bases_and_outline_levels() -> None:
    """A style built on a heading is one; a level on the paragraph goes first."""
    styles = (
        '<w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H2"/></w:style>'
        '<w:style w:styleId="Out"><w:name w:val="Out"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>'
        '<w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>'
    )
    body = (
        p("A", "Mine") + p("B", "Out") + p("C", properties='<w:outlineLvl w:val="0"/>')
        + p("D", "H2", '<w:outlineLvl w:val="9"/>') + p("E", "Loop") + p("", "H2") + p(" ", "Mine")
    )  # fmt: skip

    assert headings(body, styles=styles) == [(2, "A"), (3, "B"), (1, "C")]
    assert "D" in text(body, styles=styles)


def test_a_title_is_a_heading_and_the_title_of_the_document() -> None:
    """The first paragraph in the style Title names the document where its properties do not."""
    style = '<w:style w:styleId="T"><w:name w:val="Title"/></w:style>'
    document = read(word(p("Sổ tay", "T") + p("Text."), styles=style))

    assert document.metadata.title == "Sổ tay"
    assert document.text == "# Sổ tay\n\nText."


@pytest.mark.parametrize(
    ("styles", "levels"),
    [
        ("T 1 2 1", [1, 2, 3, 2]),
        ("T 1 5 6 1", [1, 2, 6, 6, 2]),
        ("T 1 2", [1, 1, 2]),
        ("1 T 1", [1, 1, 1]),
        ("T 1 T 1", [1, 1, 1, 1]),
        ("1 2 1", [1, 2, 1]),
    ],
)
def test_one_title_over_several_sections_holds_them(styles: str, levels: list[int]) -> None:
    """Headings go down a level below a single title at the start; anywhere else nothing moves."""
    title = '<w:style w:styleId="T"><w:name w:val="Title"/></w:style>'
    body = "".join(p(f"h{n}", name if name == "T" else f"Heading{name}") for n, name in enumerate(styles.split()))

    assert [found for found, _ in headings(body, styles=STYLES + title)] == levels


def test_headings_hold_words_only() -> None:
    """Emphasis, links, notes and breaks are not part of a title."""
    inner = run("Fire ", BOLD) + '<w:r><w:br/><w:footnoteReference w:id="1"/></w:r>' + run("drill")
    body = p(inner, "Heading1")

    assert headings(body, footnotes=f'<w:footnote w:id="1">{p("Yearly.")}</w:footnote>') == [(1, "Fire drill")]
    assert text(body, footnotes=f'<w:footnote w:id="1">{p("Yearly.")}</w:footnote>').endswith("[^1]: Yearly.")


# Numbers


OUTLINE = (
    level(0, shown="Chương %1.", form="upperRoman")
    + level(1, shown="%1.%2", more="<w:isLgl/>")
    + level(2, "lowerLetter", "(%3)")
)


def test_automatic_numbers_of_headings_are_in_their_titles() -> None:
    """Counters go on, start again below a higher level, and show as the template says."""
    body = (
        item("A", 0, style="Heading1") + item("B", 1, style="Heading2") + item("C", 1, style="Heading2")
        + item("D", 0, style="Heading1") + item("E", 1, style="Heading2")
    )  # fmt: skip

    assert [title for _, title in headings(body, numbering=lists(OUTLINE))] == [
        "Chương I. A", "1.1 B", "1.2 C", "Chương II. D", "2.1 E",
    ]  # fmt: skip


@pytest.mark.parametrize(("form", "shown"), [("none", "%1."), ("none", ""), ("decimal", "")])
def test_a_number_that_is_not_shown_is_not_written(form: str, shown: str) -> None:
    """A format of none and an empty template give no number."""
    assert headings(item("References", style="Heading1"), numbering=lists(level(0, form, shown))) == [(1, "References")]


def test_a_style_brings_its_list_and_level() -> None:
    """A heading style that a level of a list names is numbered without a word in the paragraph."""
    styles = (
        '<w:style w:styleId="Dieu"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="Sub"><w:basedOn w:val="Dieu"/></w:style>'
    )
    levels = level(0) + level(1, shown="Điều %2.", more='<w:pStyle w:val="Dieu"/>')
    body = p("Phạm vi", "Dieu") + p("Đối tượng", "Dieu") + p("Không", "Dieu", '<w:numPr><w:numId w:val="0"/></w:numPr>')

    assert [title for _, title in headings(body, styles=styles, numbering=lists(levels))] == [
        "Điều 1. Phạm vi", "Điều 2. Đối tượng", "Không",
    ]  # fmt: skip


def test_an_empty_numbered_paragraph_counts() -> None:
    """Word shows a number for it, so the next one has the number after."""
    assert text(item("a") + item("") + item("c"), numbering=lists(level(0))) == "1. a\n3. c"


def test_lists_that_share_their_definition_go_on_counting() -> None:
    """A second list of the same kind continues, one with a start of its own begins again."""
    more = (
        '<w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num>'
        '<w:num w:numId="8"><w:abstractNumId w:val="1"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    )
    body = item("a") + p("x") + item("b", list_id=7) + p("y") + item("c", list_id=8) + item("d", list_id=8)

    assert text(body, numbering=lists(level(0), more=more)) == "1. a\n\nx\n\n2. b\n\ny\n\n5. c\n6. d"


def test_a_level_may_refuse_to_start_again() -> None:
    """`lvlRestart` 0 counts through the whole document."""
    levels = level(0) + level(1, more='<w:lvlRestart w:val="0"/>')
    body = item("A") + item("a", 1) + item("B") + item("b", 1)

    assert text(body, numbering=lists(levels)) == "1. A\n  1. a\n2. B\n  2. b"


# Lists


def test_lists_are_nested_with_their_markers() -> None:
    """Numbers as shown, bullets as dashes, depth by level."""
    levels = level(0, "decimal", "%1)") + level(1, "bullet", "\uf0b7") + level(2, "ganada", "%3.")
    body = item("one") + item("dot", 1) + item("deep", 2) + item("two")
    document = read(word(body, numbering=lists(levels)))

    assert document.text == "1) one\n  - dot\n    가. deep\n2) two"
    assert [block.level for block in document.blocks] == [1, 2, 3, 1]
    assert [block.attributes.get("list") for block in document.blocks] == ["1", None, None, None]


def test_a_list_that_starts_deep_loses_nothing() -> None:
    """Depth counts from the outermost item that is there."""
    levels = "".join(level(n, "bullet", "o") for n in range(4))
    document = read(word(item("a", 2) + item("b", 3) + item("c", 2) + item("d", 0), numbering=lists(levels)))

    assert [(block.level, document.text[block.span.start : block.span.end]) for block in document.blocks] == [
        (1, "- a"), (2, "- b"), (1, "- c"), (1, "- d"),
    ]  # fmt: skip


def test_numbered_list_styles_are_depths_of_one_list() -> None:
    """`List Bullet 2` is a list of its own in the file and the second level to a reader."""
    names = {"B1": "List Bullet", "B2": "List Bullet 2", "B3": "List Bullet 3", "N2": "List Number 2"}
    styles = "".join(f'<w:style w:styleId="{key}"><w:name w:val="{name}"/></w:style>' for key, name in names.items())
    body = "".join(
        item(key, 0, list_id, style=key)
        for list_id, key in [(1, "B1"), (2, "B2"), (3, "B3"), (4, "N2"), (4, "N2"), (1, "B1")]
    )
    bullets = [level(0, "bullet", "o")] * 3
    document = read(word(body, styles=styles, numbering=lists(*bullets, level(0))))

    assert document.text == "- B1\n  - B2\n    - B3\n  1. N2\n  2. N2\n- B1"


def test_parts_of_a_cell_are_parted() -> None:
    """A cell is one line: items and paragraphs stay apart."""
    listed = item("x") + item("y")
    body = table(
        row(cell("K"), cell("V")),
        row(cell(p("one") + p("two")), cell(p("Buy:") + listed + p("later"))),
        row(cell(item("a", list_id=2) + item("b", list_id=2)), cell("c")),
    )
    shown = text(body, numbering=lists(level(0, "bullet", "o"), level(0)))

    assert shown.endswith("| one / two | Buy: x; y; later |\n| 1. a; 2. b | c |")


def test_neighbouring_lists_are_parted() -> None:
    """Another list at the same level is a list of its own."""
    document = read(word(item("a") + item("b", list_id=2), numbering=lists(level(0), level(0))))

    assert [block.attributes["list"] for block in document.blocks] == ["1", "2"]
    assert document.text == "1. a\n\n1. b"


def test_a_paragraph_as_far_in_as_the_item_belongs_to_it() -> None:
    """What continues an item has its depth; what stands at the margin ends the list."""
    levels = level(0, more='<w:pPr><w:ind w:left="720"/></w:pPr>')
    body = item("a") + p("more", properties='<w:ind w:left="720"/>') + item("b") + p("after")
    document = read(word(body, numbering=lists(levels)))

    assert [(block.kind, block.level) for block in document.blocks] == [
        ("list_item", 1), ("paragraph", 1), ("list_item", 1), ("paragraph", 0),
    ]  # fmt: skip


# Tables


def test_merged_cells_are_written_once_with_their_spans() -> None:
    """A value stands at its first cell; what it covers is empty."""
    body = table(
        row(cell("Region", '<w:vMerge w:val="restart"/>'), cell("Sales", '<w:gridSpan w:val="2"/>')),
        row(cell("", "<w:vMerge/>"), cell("2024"), cell("2025")),
        row(cell("North"), cell("10"), cell("12")),
    )
    document = read(word(body))
    found = document.blocks[0].table

    assert document.text == "| Region | Sales: 2024 | Sales: 2025 |\n| --- | --- | --- |\n| North | 10 | 12 |"
    assert found is not None
    assert [cell.column for cell in found.header[0].cells] == [0, 1, 2]
    assert len(found.rows) == 1


def test_marked_header_rows_are_the_header() -> None:
    """As many rows as say so, one where none does; a pipe table joins them."""
    marked = "<w:tblHeader/>"
    rows = [
        row(cell("A"), cell("B"), properties=marked),
        row(cell("a"), cell("b"), properties=marked),
        row(cell("1"), cell("2")),
    ]
    document = read(word(table(*rows)))

    assert document.blocks[0].table is not None
    assert len(document.blocks[0].table.header) == 1
    assert document.text == "| A: a | B: b |\n| --- | --- |\n| 1 | 2 |"


def test_a_nested_table_stays_in_its_cell() -> None:
    """Its cells are parted by commas, its rows by semicolons, and nothing is lost."""
    inner = table(row(cell("a"), cell("b")), row(cell("c"), cell("d")))

    assert text(table(row(cell("Key"), cell("Value")), row(cell("x"), cell(p("see") + inner)))) == (
        "| Key | Value |\n| --- | --- |\n| x | see / a, b; c, d |"
    )


def test_a_table_of_one_cell_is_a_frame() -> None:
    """Its content is read as if the frame were not there."""
    assert text(table(row(cell(p("Note", "Heading2") + p("Mind the step."))))) == "## Note\n\nMind the step."


def test_a_layout_table_keeps_its_headings() -> None:
    """Where a cell holds a section, the table only places it."""
    left = p("Left", "Heading1") + p("one") + p("two")

    assert text(table(row(cell(left), cell("aside")))) == "# Left\n\none\n\ntwo\n\naside"


def test_cells_hold_lists_pipes_and_breaks_on_one_line() -> None:
    """A cell is one line, whatever stands in it."""
    body = table(
        row(cell("K"), cell("V")),
        row(cell("a|b"), cell(item("x") + item("y") + p("<w:r><w:t>1</w:t><w:br/><w:t>2</w:t></w:r>"))),
    )

    assert text(body, numbering=lists(level(0))).splitlines()[-1] == "| a\\|b | 1. x; 2. y; 1 2 |"


def test_columns_that_no_cell_begins_at_are_taken_out() -> None:
    """Spans of a grid that is finer than the cells do not make empty columns."""
    wide = '<w:gridSpan w:val="3"/>'

    assert (
        text(table(row(cell("A", wide), cell("B")), row(cell("1", wide), cell("2"))))
        == "| A | B |\n| --- | --- |\n| 1 | 2 |"
    )


# Notes, boxes, pictures, formulas, furniture


def test_notes_stand_after_the_paragraph_that_refers_to_them() -> None:
    """Footnotes and endnotes are blocks of their own, with the label of the reference."""
    body = p(
        run("Leave")
        + '<w:r><w:footnoteReference w:id="5"/></w:r>'
        + run(" and pay")
        + '<w:r><w:endnoteReference w:id="2"/></w:r>'
    ) + p("Next.")
    notes = {
        "footnotes": f'<w:footnote w:type="separator" w:id="0">{p("---")}</w:footnote><w:footnote w:id="5">{p("Twelve days.")}</w:footnote>',
        "endnotes": f'<w:endnote w:id="2">{p("See law 15.")}{p("And 16.")}</w:endnote>',
    }
    document = read(word(body, (), **notes))

    assert document.text == "Leave[^1] and pay[^i]\n\n[^1]: Twelve days.\n\n[^i]: See law 15.\nAnd 16.\n\nNext."
    assert [(b.kind, b.attributes.get("label")) for b in document.blocks[1:3]] == [("footnote", "1"), ("footnote", "i")]


def test_a_text_box_is_read_once() -> None:
    """Of the two forms that Word writes of a box the first is read, after its paragraph."""
    box = f"<w:txbxContent>{p('In the box.')}</w:txbxContent>"
    drawn = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:anchor><a:graphic><wps:wsp><wps:txbx>{box}</wps:txbx></wps:wsp>"
        f"</a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>{box}</v:textbox></v:shape>"
        "</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )

    assert text(p(drawn + run("Anchor.")) + p("After.")) == "Anchor.\n\nIn the box.\n\nAfter."


def test_pictures_are_their_alternative_texts() -> None:
    """A described picture is a figure; one without a description is reported."""

    def drawn(alt: str) -> str:
        return f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="{alt}"/><a:blip r:embed="pic"/></wp:inline></w:drawing></w:r>'

    body = p(drawn("A map\n\nDescription automatically generated")) + p(drawn(""))
    document = read(word(body, links=(("pic", "image", "media/map.png"),)))

    assert document.text == "![A map](map.png)"
    assert document.blocks[0].kind == "figure"
    assert codes(document) == ["pictures_without_text"]


def test_displayed_formulas_are_blocks_and_others_stay_in_line() -> None:
    """A formula keeps its structure on one line."""
    root = "<m:rad><m:deg/><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad>"
    power = "<m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    part = f"<m:f><m:num>{power}</m:num><m:den><m:r><m:t>4</m:t></m:r></m:den></m:f>"
    body = p(run("with ") + f"<m:oMath>{root}</m:oMath>" + run(".")) + p(
        f"<m:oMathPara><m:oMath>{part}</m:oMath></m:oMathPara>"
    )
    document = read(word(body))

    assert document.text == "with $\\sqrt{x}$.\n\n$$\n\\frac{c^2}{4}\n$$"
    assert document.blocks[1].kind == "equation"


def test_headers_and_footers_are_left_out_unless_they_are_asked_for() -> None:
    """They are page furniture; the option keeps them at the ends of the text."""
    data = word(p("Body."), header=p("Company"), footer=p("Page 1"))

    assert read(data).text == "Body."
    assert codes(read(data)) == ["dropped_furniture"]
    assert read(data, furniture=True).text == "Company\n\nBody.\n\nPage 1"
    assert [b.kind for b in read(data, furniture=True).blocks] == ["page_header", "paragraph", "page_footer"]


def test_quotes_captions_and_code_have_kinds() -> None:
    """Styles by their built-in names; neighbouring code paragraphs are one block."""
    names = {"Q": "Quote", "C": "caption", "S": "HTML Preformatted"}
    styles = "".join(f'<w:style w:styleId="{k}"><w:name w:val="{v}"/></w:style>' for k, v in names.items())
    body = p("Said.", "Q") + p("Figure 1", "C") + p("a = 1", "S") + p("", "S") + p("  b = 2", "S") + p("End.")
    document = read(word(body, styles=styles))

    assert [b.kind for b in document.blocks] == ["quote", "caption", "code", "paragraph"]
    assert "```\na = 1\n\n  b = 2\n```" in document.text


def test_title_and_language_come_from_the_properties() -> None:
    """What the core properties state goes before a paragraph in the style Title."""
    core = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relationships(("a", "officeDocument", "word/document.xml")).replace(
            "</Relationships>",
            '<Relationship Id="b" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="core.xml"/></Relationships>',
        ),
        "word/document.xml": element("document", f"<w:body>{p('x')}</w:body>"),
        "core.xml": f'<c:coreProperties xmlns:c="{core}" xmlns:d="http://purl.org/dc/elements/1.1/">'
        "<d:title>Sổ tay</d:title><d:language>vi-VN</d:language></c:coreProperties>",
    }
    document = read(zipped(parts))

    assert (document.metadata.title, document.metadata.language) == ("Sổ tay", "vi-VN")


def test_strict_files_read_the_same() -> None:
    """ISO Strict names its vocabulary otherwise and means the same."""
    strict = element("document", f"<w:body>{p('Strict', 'Heading1')}</w:body>").replace(
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    )
    parts = {
        "_rels/.rels": relationships(("a", "officeDocument", "word/document.xml")).replace(
            "http://schemas.openxmlformats.org/officeDocument/2006", "http://purl.oclc.org/ooxml/officeDocument"
        ),
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": strict,
    }

    assert read(zipped(parts)).text == "Strict"


def test_an_empty_document_says_so() -> None:
    """No text is no error, but it is never silent."""
    document = read(word(p("")))

    assert document.text == ""
    assert codes(document) == ["empty_document"]


def test_pages_are_never_guessed() -> None:
    """A Word document has no pages, and asking for some is answered."""
    document = read(word(p("x")), pages="1-2")

    assert document.pages == ()
    assert codes(document) == ["no_pages"]
