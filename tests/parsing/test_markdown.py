"""Markdown block by block: what each construct becomes, and what is left out with a declaration."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest

from pincite.document import Block, Document
from pincite.parsing import parse_bytes

from ..effort import GROWTH, growth
from ..promises import broken_promises


def read(text: str) -> Document:
    document = parse_bytes(text.encode(), "x.md")
    assert broken_promises(document) == []
    return document


def shown(text: str) -> list[tuple[str, str]]:
    """Kind and text of each block."""
    document = read(text)
    return [(block.kind, document.text[block.span.start : block.span.end]) for block in document.blocks]


def only(text: str) -> Block:
    (block,) = read(text).blocks
    return block


def dropped(document: Document) -> list[tuple[str, str]]:
    return [(d.code, document.text[d.span.start : d.span.end]) for d in document.diagnostics if d.drops and d.span]


@pytest.mark.parametrize(
    ("source", "title", "level"),
    [
        ("# A *b* `c` ##\n", "A b c", 1),
        ("One\ntwo\n---\n", "One two", 2),
        ("#\tTab &amp; entity\n", "Tab & entity", 1),
        ("## ![Logo](l.png) Name\n", "Logo Name", 2),
        ("### Set {#set .wide}\n", "Set", 3),
        ("### Set {a, b}\n", "Set {a, b}", 3),
        ("# <img alt='Brand'>\n", "Brand", 1),
        ("# Cost $x_1$\n", "Cost $x_1$", 1),
        ("\ufeff# After a mark\n", "After a mark", 1),
        ("\f# After a feed\n", "After a feed", 1),
        ("#\n", "", 1),
    ],
)
def test_a_title_is_plain_text(source: str, title: str, level: int) -> None:
    """Markup, hashes and identifiers are gone; pictures speak by their text."""
    block = only(source)

    assert (block.kind, block.attributes["title"], block.level) == ("heading", title, level)


def test_headings_stand_only_at_top_level() -> None:
    """In a quote or a list item a heading is part of what is quoted or listed."""
    assert shown("> # Q\n\n- # L\n\n  # M\n") == [("quote", "> # Q"), ("list_item", "- # L"), ("paragraph", "  # M")]


def test_lists_are_flat() -> None:
    """An item ends where its first inner block begins; inner blocks keep their kind and the item's depth."""
    document = read("- a\n  more\n  1. b\n\n     second\n\n     ```sh\n     x\n     ```\n- [x] c\n\n* new\n")
    blocks = [(b.kind, b.level, b.attributes.get("marker"), b.attributes.get("list")) for b in document.blocks]

    assert blocks == [
        ("list_item", 1, "-", "1"),
        ("list_item", 2, "1.", "2"),
        ("paragraph", 2, None, None),
        ("code", 2, None, None),
        ("list_item", 1, "-", None),
        ("list_item", 1, "*", "3"),
    ]
    assert document.text[document.blocks[0].span.start : document.blocks[0].span.end] == "- a\n  more"


def test_quotes_keep_inner_kinds_and_tell_their_depth() -> None:
    """Paragraphs become quotes; lists, code and tables stay what they are."""
    document = read("> a\n>\n> - b\n>\n> > c\n>\n> ```\n> d\n> ```\n")

    assert [(b.kind, b.attributes["quote"]) for b in document.blocks] == [
        ("quote", "1"), ("list_item", "1"), ("quote", "2"), ("code", "1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "fence", "language", "body", "unclosed"),
    [
        ("```py\na\nb\n```\n", "```", "py", "a\nb", False),
        ("~~~~ {.python}\na\n~~~~~\n", "~~~~", "python", "a", False),
        ("```\r\na\r\n```\r\n", "```", None, "a", False),
        ("```\n```\n", "```", None, "", False),
        ("```sh\na\n\n# b\n", "```", "sh", "a\n\n# b", True),
        ("   ```\n   a\n   ```\n", "```", None, "   a", False),
    ],
)
def test_fenced_code(source: str, fence: str, language: str | None, body: str, unclosed: bool) -> None:
    """The body lies between the fences; a fence that is never closed runs to the end and says so."""
    document = read(source)
    (block,) = document.blocks

    assert block.kind == "code"
    assert block.body is not None
    assert document.text[block.body.start : block.body.end] == body
    assert block.attributes["fence"] == fence
    assert block.attributes.get("language") == language
    assert ("unclosed" in block.attributes) == unclosed


def test_indented_code_begins_with_its_line() -> None:
    assert shown("a\n\n    x\n      y\n\nb\n") == [("paragraph", "a"), ("code", "    x\n      y"), ("paragraph", "b")]


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("$$\na\n\n- b\n=\n$$\n", "a\n\n- b\n="),
        ("\\[\nx\n+ y\n\\]\n", "x\n+ y"),
        ("$$ x + y $$\n", " x + y "),
        ("$$\r\na\r\n$$\r\n", "a"),
        ("```math\nx\n```\n", "x"),
    ],
)
def test_displayed_equations(source: str, body: str) -> None:
    """Delimiters alone make an equation, and what looks like structure inside them is none."""
    document = read(source)
    (block,) = document.blocks

    assert block.kind == "equation"
    assert block.body is not None
    assert document.text[block.body.start : block.body.end] == body


@pytest.mark.parametrize("source", ["It costs $$ and\n\nmore $$\n", "a $x$ b\n", "x = y + 1\n", "see $$x$$ here\n"])
def test_prose_is_never_retyped(source: str) -> None:
    assert {kind for kind, _ in shown(source)} == {"paragraph"}


def test_tables_have_rows_and_cells() -> None:
    """Padding is outside; escaped pipes and pipes in code stay in the cell; cells beyond the last column stay."""
    source = "| Đơn vị | `a\\|b` |\n|---|:-:|\n| x \\| y |  |\n| 1 | 2 | spare |\n| short |\n"
    document = read(source)
    (block,) = document.blocks
    table = block.table
    assert table is not None
    assert table.header_span is not None

    def cells(row: int) -> list[str]:
        return [source[c.span.start : c.span.end] for c in (*table.header, *table.rows)[row].cells]

    assert source[table.header_span.start : table.header_span.end] == "| Đơn vị | `a\\|b` |\n|---|:-:|"
    assert [cells(row) for row in range(4)] == [
        ["Đơn vị", "`a\\|b`"], ["x \\| y", ""], ["1", "2", "spare"], ["short"],
    ]  # fmt: skip
    assert table.columns == 3


@pytest.mark.parametrize(
    "caption",
    [
        "Table 3: Pay",
        "Figure 2. Map",
        "**Bảng 1** – Lương",
        "Hình 2",
        "표 1. 급여",
        "<그림 2> 지도",
        "표 1 급여",
        unicodedata.normalize("NFD", "Bảng 1: a"),
    ],
)
def test_captions_stand_beside_tables_and_figures(caption: str) -> None:
    """Before or after, with a blank line between."""
    assert [kind for kind, _ in shown(f"{caption}\n\n| a |\n|---|\n| b |\n")] == ["caption", "table"]
    assert [kind for kind, _ in shown(f"![p](q)\n\n{caption}\n")] == ["figure", "caption"]


@pytest.mark.parametrize(
    "prose", ["Table 3 shows the pay of all.", "Tables are fine: yes", "Figures: none", "표준 문서"]
)
def test_a_sentence_about_a_table_is_no_caption(prose: str) -> None:
    assert [kind for kind, _ in shown(f"{prose}\n\n| a |\n|---|\n| b |\n")] == ["paragraph", "table"]


def test_other_kinds() -> None:
    """HTML, footnotes, rules, figures; link definitions are paragraphs, since nothing visible is left out."""
    source = "<div>\nx\n</div>\n\n<!-- note -->\n\n[^1]: foot\n\n    more\n\n***\n\n![a](b)\n\n[r]: /u\n[s]: /v\n"

    assert [kind for kind, _ in shown(source)] == [
        "html",
        "html",
        "footnote",
        "footnote",
        "rule",
        "figure",
        "paragraph",
    ]


def test_front_matter_is_metadata() -> None:
    """YAML is read to values that JSON holds, gives title and language, and is declared as left out."""
    document = read("---\ntitle: Rules\nlang: vi\ndate: 2024-05-01\ntags: [a, b]\n---\n\n# Heading\n")

    assert document.metadata.title == "Rules"
    assert document.metadata.language == "vi"
    assert document.metadata.front_matter["date"] == "2024-05-01"
    assert [code for code, _ in dropped(document)] == ["dropped_front_matter"]
    assert [block.kind for block in document.blocks] == ["heading"]


def test_toml_front_matter() -> None:
    document = read('+++\ntitle = "T"\nwhen = 2024-05-01T10:00:00Z\n+++\ntext\n')

    assert document.metadata.title == "T"
    assert len(document.blocks) == 1


@pytest.mark.parametrize(
    "source", ["---\n\nSome words.\n\n---\n\nMore.\n", "---\nprose only\n---\n", "---\n# no end: here\n"]
)
def test_a_rule_at_the_top_swallows_nothing(source: str) -> None:
    document = read(source)

    assert dropped(document) == []
    assert document.metadata.front_matter == {}


@pytest.mark.parametrize("inner", ["a: [1\nb: c", "date: 2024-13-45", "a: &x [*x]\nb: *y", "a: " + "[" * 3000])
def test_bad_front_matter_is_kept_as_it_stands(inner: str) -> None:
    """It is reported, its text is in the metadata, and the rest of the file is read."""
    document = read(f"---\n{inner}\n---\n\n# Heading\n")

    assert (
        "bad_front_matter" in [diagnostic.code for diagnostic in document.diagnostics] or document.metadata.front_matter
    )
    assert document.blocks[-1].kind == "heading"


def test_payloads_are_declared_drops() -> None:
    """Only the letters of the payload; what stands around them stays; code is text."""
    payload = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
    document = read(f"![Plan](data:image/png;base64,{payload})\n\n```\ndata:image/png;base64,{payload}\n```\n")

    assert dropped(document) == [("dropped_payload", payload)]


MARKED = "First.\n\n{0}\n\nSecond.\n"


@pytest.mark.parametrize(
    ("mark", "pages"),
    [
        ("<!-- page 2 -->", [1, 2]),
        ("<!-- page: 7 -->", [6, 7]),
        ("<!-- PAGE_BREAK -->", [1, 2]),
        ("<!-- PageBreak -->", [1, 2]),
        ('<!-- PageNumber="5" -->', [4, 5]),
        ("<!-- Slide number: 2 -->", [1, 2]),
        ("\\newpage", [1, 2]),
        ("{1}" + "-" * 48, [1, 1]),
        ("--- end of page=0 ---", [1, 2]),
        ("--- Page 2 ---", [1, 2]),
        ('<div style="page-break-after: always;"></div>', [1, 2]),
        ("\f", [1, 2]),
    ],
)
def test_page_marks(mark: str, pages: list[int]) -> None:
    """A mark parts pages, is in no block, and is a declared drop if it can be seen."""
    document = read(MARKED.format(mark))

    assert [block.regions[0].page for block in document.blocks] == pages
    assert [text for _, text in dropped(document)] == [mark] * (mark != "\f")


def test_numbers_from_zero_are_raised() -> None:
    """A converter that counts pages from 0 still gives physical pages from 1."""
    document = read("".join(f"{{{n}}}{'-' * 48}\n\nText {n}.\n\n" for n in range(3)))

    assert [block.regions[0].page for block in document.blocks] == [1, 2, 3]


def test_a_printed_number_is_a_label_where_breaks_count() -> None:
    """`PageNumber` says what is printed on the page; `PageBreak` parts pages."""
    document = read('A\n\n<!-- PageNumber="ii" -->\n<!-- PageBreak -->\n\nB\n\n<!-- PageNumber="1" -->\n')

    assert [(page.number, page.label) for page in document.pages] == [(1, "ii"), (2, "1")]


def test_a_number_that_does_not_rise_is_doubted() -> None:
    document = read("<!-- page 4 -->\nA\n\n<!-- page 2 -->\nB\n")

    assert [block.regions[0].page for block in document.blocks] == [4, 5]
    assert "page_order" in [diagnostic.code for diagnostic in document.diagnostics]


def test_a_block_over_a_mark_stands_on_both_pages() -> None:
    """One region a page; the mark is in neither."""
    document = read("one <!-- page 2 --> two\n")
    (block,) = document.blocks

    assert [(r.page, document.text[r.span.start : r.span.end]) for r in block.regions] == [(1, "one"), (2, "two")]


@pytest.mark.parametrize(
    "source", ["```\n<!-- page 3 -->\n```\n", "use `<!-- page 3 -->` here\n", "    \\newpage\n", "plain\n"]
)
def test_a_mark_in_code_is_text(source: str) -> None:
    assert read(source).pages == ()


HOSTILE: dict[str, Callable[[int], str]] = {
    "no space": lambda n: "x" * 40 * n,
    "quotes": lambda n: "> " * n + "x",
    "brackets": lambda n: "[" * n,
    "pipes": lambda n: "|" * 2 * n,
    "hashes": lambda n: "#" * 10 * n,
    "lists": lambda n: "- " * n + "x",
    "both": lambda n: "> - " * n + "x",
    "fences": lambda n: "```\n" * n,
    "marks": lambda n: "<!-- page 3 -->\n" * n,
    "marks in a line": lambda n: "a <!-- PageBreak --> " * n,
    "math": lambda n: "\\[\n" * n,
    "dollars": lambda n: "$$\n" * n,
    "tables": lambda n: "a|b\n-|-\n" * n,
    "empty quotes": lambda n: "> a\n>\n" * n,
    "feeds": lambda n: "a\f" * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_takes_about_twice_the_work(name: str) -> None:
    """Reading is linear in what the text repeats; a square would take four times the steps."""

    def work(count: int) -> None:
        parse_bytes(HOSTILE[name](count).encode(), "x.md")

    assert growth(work, 400) <= GROWTH
    work(20_000)


def test_very_deep_nesting_is_read() -> None:
    """100,000 quotes or list marks within each other end neither in an error nor in a wait."""
    for text in (">" * 100_000 + "x", "- " * 100_000 + "x", "[" * 100_000):
        assert parse_bytes(text.encode(), "x.md").blocks


def test_attributes_of_a_title_are_read_in_one_pass() -> None:
    """Braces that are nearly attributes of a heading are its text, without a search that doubles with each name."""
    braces = "{" + ".a" * 10_000 + " x}"

    assert only(f"# Title {braces}\n").attributes["title"] == f"Title {braces}"
