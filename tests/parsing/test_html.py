"""Web pages: what of them is text, and how it is written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.document import Document
from pincite.errors import LimitError
from pincite.options import ParseOptions
from pincite.parsing.html import parse
from tests.effort import GROWTH, growth
from tests.promises import broken_promises


def read(page: str | bytes, **options: object) -> Document:
    """The document, with all promises kept."""
    data = page.encode() if isinstance(page, str) else page
    document = parse(data, "page.html", ParseOptions(**options))  # type: ignore[arg-type]
    assert broken_promises(document) == []
    return document


def text(page: str) -> str:
    return read(page).text


def kinds(document: Document) -> list[tuple[str, int]]:
    return [(block.kind, block.level) for block in document.blocks]


def codes(document: Document) -> list[str]:
    return [diagnostic.code for diagnostic in document.diagnostics]


# Running text


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<p>un<b>believ</b>able", "unbelievable"),
        ("<p>super<wbr>man hand&shy;book", "superman handbook"),
        ("<p>one<br>two", "one\ntwo"),
        ("<p>one<br> <br>two", "one\n\ntwo"),
        ("<p>  a \n\t b  <i> c</i> ", "a b c"),
        ("<p>a&nbsp; b", "a\u00a0 b"),
        ("<p>x&amp;lt;y &lt;b&gt; &eacute; &#233;", "x&lt;y <b> é é"),
        ("<p>10<sup>6</sup> H<sub>2</sub>O 1<sup>st</sup>", "10⁶ H2O 1st"),
        ("<div>a<div>b</div>c</div>d", "a\n\nb\n\nc\n\nd"),
        ("a<!-- x -->b<script>s</script>c<style>t</style>d", "abcd"),
        ("<p>He said <q>yes</q>", "He said “yes”"),
        ("<button>Send</button><label>Name</label>", "Send Name"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<p>now <del>900</del><ins>750</ins> <s>old</s>", "now 750 old"),
        ("<details><summary>More</summary>Inside</details>", "More\n\nInside"),
        ("<p>a<template>b</template><noscript>c</noscript>d", "ad"),
        ("<noscript>Only this</noscript>", "Only this"),
        ('<p>a<span hidden>b</span><span style="display:none">c</span><i aria-hidden="true">d</i>e', "ae"),
        ('<p hidden="until-found">found', "found"),
    ],
)
def test_running_text_is_what_a_browser_shows(page: str, shown: str) -> None:
    """Inline tags never part a word, blocks and breaks always do, what is hidden is no text."""
    assert text(page) == shown


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ('<p>the <a href="/form">form</a>.', "the [form](/form)."),
        ('<p><a href="#x">up</a> <a href="javascript:go()">go</a> <a name=y>y</a>', "up go y"),
        ('<p><a href="https://example.org">https://example.org</a>', "https://example.org"),
        ('<p><a href="mailto:a@b.vn">a@b.vn</a>', "a@b.vn"),
        ('<p>un<a href="u">believ</a>able', "[unbelievable](u)"),
        ('<p><a href="a b (c)">x</a>', "[x](<a b (c)>)"),
        ('<a href="u"><p>one<p>two</a>', "[one](u)\n\n[two](u)"),
    ],
)
def test_links_keep_targets_that_lead_somewhere(page: str, shown: str) -> None:
    """Absolute and relative targets are kept, anchors and scripts are not, words are never parted."""
    assert text(page) == shown


# Headings


def test_headings_have_levels_and_plain_titles() -> None:
    """Markup, permalinks and pictures' addresses are no part of a title; empty headings are none."""
    page = (
        '<h1>Sổ <b>tay</b><a class="headerlink" href="#s">¶</a></h1><h2></h2><h3><img alt="Logo" src="x.png"> Plan</h3>'
    )
    document = read(page + '<div role="heading" aria-level="4">Deep</div>')

    assert [(b.level, b.attributes["title"]) for b in document.blocks] == [(1, "Sổ tay"), (3, "Logo Plan"), (4, "Deep")]


def test_a_list_of_sections_is_no_list() -> None:
    """Where items hold headings the list only places sections."""
    assert text("<ul><li><h2>A</h2><p>a</li><li><h2>B</h2><p>b</li></ul>") == "## A\n\na\n\n## B\n\nb"


def test_a_heading_in_a_quotation_opens_no_section() -> None:
    """It is a line of the quotation."""
    assert [b.kind for b in read("<blockquote><h2>Said</h2><p>so</p></blockquote>").blocks] == ["quote", "quote"]


# Lists


def test_lists_are_kept_through_wrappers_in_order() -> None:
    """Depth, markers and order survive spans and divisions between list and item."""
    page = "<ol><li><span>Open</span><div><div><ul><li>Use</li><li>Turn</li></ul></div></div></li><li>Lift</li></ol>"
    document = read(page)

    assert document.text == "1. Open\n  - Use\n  - Turn\n2. Lift"
    assert [b.level for b in document.blocks] == [1, 2, 2, 1]
    assert [b.attributes.get("list") for b in document.blocks] == ["1", None, None, None]


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<ol start=3><li>c<li value=7>g<li>h</ol>", "3. c\n7. g\n8. h"),
        ("<ol type=i><li>a<li>b</ol>", "i. a\nii. b"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ul><li></li><li>b</li></ul>", "- b"),
        ("<ul><li>a<ul><li>b</ul></ul><ul><li>c</ul>", "- a\n  - b\n\n- c"),
        ("<ul><li><ul><li>only deep</ul></ul>", "- only deep"),
        ("<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>", "- [x] done\n- [ ] open"),
        ("<li>alone", "- alone"),
    ],
)
def test_items_have_the_markers_that_are_shown(page: str, shown: str) -> None:
    """Numbers start, jump and count down as the page says; empty items are none."""
    assert text(page) == shown


def test_what_continues_an_item_has_its_depth() -> None:
    """Paragraphs, code and tables inside an item belong to it."""
    document = read("<ul><li><p>a</p><p>b</p><pre>c</pre><table><tr><th>d<th>e<tr><td>f<td>g</table></li></ul><p>h")

    assert kinds(document) == [("list_item", 1), ("paragraph", 1), ("code", 1), ("table", 1), ("paragraph", 0)]


def test_a_term_and_its_description_stay_together() -> None:
    """A description is an item directly below its term, and its further paragraphs belong to it."""
    page = "<dl><dt>Leave</dt><dd>Twelve days.</dd><dt>Pay</dt><dd><p>Monthly.</p><p>In arrears.</p></dd></dl>"
    document = read(page)

    assert kinds(document) == [("list_item", 1), ("list_item", 2)] * 2 + [("paragraph", 2)]
    assert document.text == "- Leave\n  - Twelve days.\n- Pay\n  - Monthly.\n\nIn arrears."
    assert text("<dl><div><dt>A<dt>B<dd>c<dd>d</div></dl>") == "- A\n- B\n  - c\n  - d"
    assert text("<dl><dt>A<dd>see<ul><li>b</ul></dl>") == "- A\n  - see\n    - b"


def test_a_description_without_a_term_is_a_paragraph() -> None:
    """Old pages set text further in by it, and a question may stand in a heading."""
    assert text("<dl><dd>set in</dd></dl><dd>alone</dd>") == "set in\n\nalone"
    assert text("<dl><dt><h3>Q</h3></dt><dd>answer</dd></dl>") == "### Q\n\nanswer"


# Tables


def test_spans_of_cells_are_kept_and_values_written_once() -> None:
    """Rows and columns are counted as browsers do."""
    page = (
        "<table><caption>Pay</caption><thead><tr><th rowspan=2>Name<th colspan=2>Range<tr><th>Min<th>Max</thead>"
        "<tfoot><tr><td>Sum<td>3<td>9</tfoot><tbody><tr><td>A|B<td>1<br>to<td rowspan=2>5<tr><td>C<td>2</tbody></table>"
    )
    document = read(page)
    found = document.blocks[1].table

    assert document.text == (
        "Pay\n\n| Name | Range: Min | Range: Max |\n| --- | --- | --- |\n| A\\|B | 1 to | 5 |\n| C | 2 | |\n| Sum | 3 | 9 |"
    )
    assert document.blocks[0].kind == "caption"
    assert found is not None
    assert [(c.column, c.row_span, c.column_span) for c in found.header[0].cells] == [(0, 1, 1), (1, 1, 1), (2, 1, 1)]
    assert found.rows[0].cells[2].row_span == 2


@pytest.mark.parametrize(
    ("page", "rows"),
    [
        ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", 1),
        ("<table><tr><td>A<td>B<tr><td>1<td>2</table>", 1),
        ("<table><tr><th>A<td>1<tr><th>B<td>2</table>", 0),
        ("<table><thead><tr><td>A<td>B</thead><tr><td>1<td>2</table>", 1),
    ],
)
def test_header_rows_are_those_that_name_columns(page: str, rows: int) -> None:
    """The head, rows of header cells, none where header cells name rows, else the first row."""
    table = read(page).blocks[0].table

    assert table is not None
    assert sum(1 for row in table.header if row.cells) == rows


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("<ul><li>x<li>y</ul>", "x; y"),
        ("<p>One</p><p>Two</p>", "One / Two"),
        ("Buy:<ol><li>x<li>y</ol>later", "Buy: 1. x; 2. y; later"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "a; b; c"),
        ("<div><p><b>on</b>ly</p></div>", "only"),
        ("1<br>to", "1 to"),
        ("<p>see</p><table><tr><td>b<td>c<tr><td>d<td>e</table>", "see / b, c; d, e"),
        ("<select><option>a<option>b</select>", "a / b"),
    ],
)
def test_parts_of_a_cell_are_parted(cell: str, shown: str) -> None:
    """A cell is one line: items, paragraphs, and the cells of a table in it stay apart."""
    assert text(f"<table><tr><th>K<th>V<tr><td>k<td>{cell}</table>").endswith(f"| k | {shown} |")


def test_several_header_rows_become_one() -> None:
    """A pipe table has one header row; a header over all columns is the table's caption."""
    page = (
        "<table><thead><tr><th colspan=4>Rates<tr><th rowspan=2>Kind<th colspan=3>Price"
        "<tr><th>Hour<th>Day<th>(VND)</thead><tbody><tr><td>A<td>1<td>2<td>3</table>"
    )
    document = read(page)

    assert document.text == (
        "Rates\n\n| Kind | Price: Hour | Price: Day | Price (VND) |\n| --- | --- | --- | --- |\n| A | 1 | 2 | 3 |"
    )
    assert kinds(document) == [("caption", 0), ("table", 0)]


def test_a_head_of_many_rows_names_columns_by_its_first() -> None:
    """Where every row is in the head, all but the first are data; nothing is repeated without end."""
    rows = "".join(f"<tr><td>{n}<td>v{n}" for n in range(9))

    assert text(f"<table><thead>{rows}</thead></table>").startswith("| 0 | v0 |\n| --- | --- |\n| 1 | v1 |\n")
    long = "x" * 1000
    page = f"<table><thead><tr><th colspan=50>{long}<th>e<tr>{'<th>a' * 50}</thead><tr>{'<td>b' * 51}</table>"
    assert text(page).count(long) == 1


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<p>Size<select><option>S<option selected>M</select>now", "Size S / M now"),
        ("<select><optgroup label=Asia><option>VN<option>KR</optgroup></select>", "Asia: VN / KR"),
        ("<p>Note<textarea>Write\nhere</textarea>end", "Note Write here end"),
        ("<p>a<input type=submit value=Send><input type=hidden value=no>b", "a Send b"),
        ("<p>$<math><mi>x</mi></math><svg><text>label</text></svg>y", "$$x$ label y"),
        ("<p>a<svg><text>b<tspan x=1>c</tspan><tspan>d</tspan></text><title>no</title></svg>", "a b cd"),
        ("<svg><foreignObject><div>one</div><p>two</foreignObject></svg>", "one two"),
    ],
)
def test_words_of_forms_and_drawings_are_read(page: str, shown: str) -> None:
    """Choices, fields and labels are text that a reader sees, and they stick to nothing."""
    assert text(page) == shown


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<html><body><p>a</body></html>after", "a\n\nafter"),
        ("<html><body><p>a</body ></HTML><p>b</p> c", "a\n\nb\n\nc"),
        ("<html><body><p>a</body></html><html><body><p>b</body></html>", "a\n\nb"),
    ],
)
def test_what_follows_the_end_of_a_page_is_read(page: str, shown: str) -> None:
    """Browsers show it, and a file may hold several pages one after the other."""
    assert text(page) == shown


def test_dollars_in_the_text_are_no_formula() -> None:
    """Only what the page marks as a formula is one."""
    assert [block.kind for block in read("<p>$body$</p>").blocks] == ["paragraph"]
    assert [block.kind for block in read("<p><math><mi>x</mi></math></p>").blocks] == ["equation"]


@pytest.mark.parametrize(
    ("page", "code"),
    [
        ("<p>a<iframe src=x></iframe>", "embedded_objects"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d<video><source src=x>old</video></table>", "embedded_objects"),
        ("<p>a<span aria-hidden=true>b</span>", "dropped_hidden"),
        ("<pre>a<button>Copy</button></pre>", "dropped_gutters"),
        ("<p>a<span aria-hidden=true>*</span><iframe src=x width=1></iframe>", ""),
    ],
)
def test_what_is_left_out_is_said(page: str, code: str) -> None:
    """Nothing that a reader may see is left out without a diagnostic."""
    assert codes(read(page)) == ([code] if code else [])


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<table role=presentation><tr><td>left<td><p>right</table>", "left\n\nright"),
        ("<table><tr><td><h2>T</h2><p>x<td>y</table>", "## T\n\nx\n\ny"),
        ("<table><tr><td>a<td><table><tr><th>b<tr><td>c</table></table>", "a\n\n| b |\n| --- |\n| c |"),
        (
            "<table><tr><th>K<th>V<tr><td>a<td><table><tr><td>b<td>c<tr><td>d<td>e</table></table>",
            "| K | V |\n| --- | --- |\n| a | b, c; d, e |",
        ),
        (
            "<table><caption>c<caption>d</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
            "c / d\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
        ),
        ("<table>stray<tr><td>a<td>b</table>", "stray\n\n| a | b |\n| --- | --- |"),
    ],
)
def test_tables_that_only_place_things_are_read_through(page: str, shown: str) -> None:
    """Layout tables are no tables; a table within a table of data stays in its cell; nothing is lost."""
    assert text(page) == shown


def test_a_thousand_columns_that_nothing_stands_in_are_not_written() -> None:
    """Spans are cut to the columns that some cell begins at."""
    assert text("<table><tr><td colspan=1000>a<tr><td>b<td>c</table>") == "| a | |\n| --- | --- |\n| b | c |"


# Code, formulas, figures, quotations


def test_program_text_keeps_its_lines_and_language() -> None:
    """Indents stay, the language comes from the classes that highlighters write."""
    document = read(
        '<pre><code class="hljs language-python">\ndef f():\n    <span>return</span> 1\n</code><button>Copy</button></pre>'
    )

    assert document.text == "```python\ndef f():\n    return 1\n```"
    assert (
        text('<div class="highlight-rust notranslate"><div class="highlight"><pre>let x;</pre></div></div>')
        == "```rust\nlet x;\n```"
    )


def test_formulas_are_tex_or_made_linear() -> None:
    """TeX that the page carries goes first; a displayed formula is a block."""
    page = (
        "<p>as <math><mi>x</mi><mo>≤</mo><mn>3</mn></math>"
        "<math display=block><semantics><mi>y</mi><annotation encoding='application/x-tex'>y^2</annotation></semantics></math>"
        "<script type='math/tex; mode=display'>z</script>"
    )

    assert text(page) == "as $x≤3$\n\n$$\ny^2\n$$\n\n$$\nz\n$$"


def test_pictures_are_their_alternative_texts() -> None:
    """Payloads never reach the text; ornaments stand for nothing; pictures without words are reported."""
    page = '<figure><img src="a.png" alt="A map"><figcaption>Figure 1</figcaption></figure><p>See <img src="data:image/png;base64,AAAA" alt="icon">'
    document = read(page + '<img src=x alt=""><img src=y>')

    assert document.text == "![A map](a.png)\n\nFigure 1\n\nSee ![icon]()"
    assert [b.kind for b in document.blocks] == ["figure", "caption", "paragraph"]
    assert codes(document) == ["pictures_without_text"]


def test_quotations_say_how_deep_they_are() -> None:
    """Each paragraph of a quotation is a quote, lines and all."""
    document = read("<blockquote><p>a<br>b</p><blockquote>c</blockquote></blockquote>d")

    assert document.text == "> a\n> b\n\n> c\n\nd"
    assert [b.attributes.get("quote") for b in document.blocks] == ["1", "2", None]


# The page around the text

FRAME = (
    "<header><a href=/>Home</a><nav><a href=/a>About us</a></nav></header>{}"
    "<aside>Buy now</aside><div class='cookie-banner'>We use cookies</div><footer>© 2026 <a href=/t>Terms</a></footer>"
)


def test_navigation_and_frame_are_left_out_and_named() -> None:
    """What the page says is furniture goes, and one diagnostic quotes it."""
    document = read(FRAME.format("<main><h1>Leave</h1><p>Twelve days.</main>"))

    assert document.text == "# Leave\n\nTwelve days."
    assert codes(document) == ["dropped_furniture"]
    assert "Buy now" in document.diagnostics[0].message


def test_furniture_is_kept_on_request() -> None:
    """The option keeps all of the page."""
    document = read(FRAME.format("<main><p>Twelve days.</main>"), furniture=True)

    assert all(words in document.text for words in ("About us", "Buy now", "We use cookies", "Terms", "Twelve days."))
    assert codes(document) == []


@pytest.mark.parametrize(
    "page",
    [
        "<div id=nav><a href=1>Home</a> | <a href=2>News</a></div><p>Text.<div id=footer>© 2026</div>",
        "<ul class=breadcrumbs><li><a href=1>Home</a><li>Here</ul><p>Text.",
        "<article><p>Text.</article><aside><h2>Related</h2><a href=1>Other</a></aside>",
        "<body><nav>Home About Contact</nav><p>Text.<footer>Copyright</footer>",
        "<main><p>Text.</main><nav><ul><li><a href=1>Many more words in links</a><li><a href=2>than text</a></ul></nav>",
    ],
)
def test_small_pages_lose_their_frame_too(page: str) -> None:
    """Furniture is known by what it is, not by how much else there is."""
    assert text(page) == "Text."


@pytest.mark.parametrize(
    "page",
    [
        "<aside>The whole page is an aside, without any links in it.</aside>",
        "<nav><a href=1>The whole page is an aside</a></nav>",
        "<footer>" + "The whole page is an aside. " * 100 + "</footer><p>x",
        "<main><p>x<aside>The whole page is an aside: a note within the text.</aside></main>",
        "<article><header>The whole page is an aside</header><p>x</article>",
        "<p>x<p>y<div class='sidebar'>The whole page is an aside, and prose not links</div>",
    ],
)
def test_doubt_keeps_the_text(page: str) -> None:
    """An element that says it is furniture and holds the text is read."""
    assert "The whole page is an aside" in text(page)


def test_title_and_language_come_from_the_page() -> None:
    """They are metadata, not text."""
    document = read("<html lang=vi-VN><head><title> Sổ\n tay </title></head><body><p>x")

    assert (document.metadata.title, document.metadata.language, document.text) == ("Sổ tay", "vi-VN", "x")


@pytest.mark.parametrize(
    ("data", "option"),
    [
        ("<p>Điều 1 — 휴가".encode(), None),
        ("\ufeff<p>Điều 1 — 휴가".encode("utf-8"), None),
        ("<p>Điều 1 — 휴가".encode("utf-16"), None),
        ("<meta charset=utf-8><p>Điều 1 — 휴가".encode(), None),
        ("<meta charset=iso-8859-1><p>Điều 1 — 휴가".encode(), None),
        ("<p>Điều 1 — 휴가".encode("utf-16-le"), "utf-16-le"),
    ],
)
def test_the_encoding_is_found(data: bytes, option: str | None) -> None:
    """By mark, by what the caller or the page says, and by UTF-8 where the page is mistaken."""
    assert read(data, encoding=option).text == "Điều 1 — 휴가"


def test_declared_legacy_encodings_are_read() -> None:
    """Names mean what the Encoding Standard says: euc-kr and iso-8859-1 are Windows pages."""
    assert (
        read('<meta http-equiv=Content-Type content="text/html; charset=euc-kr"><p>휴가'.encode("cp949")).text == "휴가"
    )
    assert read("<?xml version='1.0' encoding='iso-8859-1'?><p>“x”".encode("cp1252")).text == "“x”"


@pytest.mark.parametrize("page", ["", " \n", "<!-- x -->", "<html></html>", "<p></p>"])
def test_an_empty_page_says_so(page: str) -> None:
    """No text is no error, but it is never silent."""
    document = read(page)

    assert document.text == ""
    assert codes(document) == ["empty_document"]


# Hostile pages


def test_nesting_without_end_is_a_limit() -> None:
    """What the parser would cut off in silence is an error."""
    with pytest.raises(LimitError, match="nested too deeply"):
        read("<div>" * 5000 + "x")


@pytest.mark.parametrize(
    "tags",
    [
        ("<div>", "</div>"),
        ("<blockquote>", "</blockquote>"),
        ("<ul><li>a", "</li></ul>"),
        ("<table><tr><td>", "</td></tr></table>"),
    ],
)
def test_deep_nesting_is_read_without_recursion(tags: tuple[str, str]) -> None:
    """A page nested 600 deep keeps its text."""
    assert "deep" in text(tags[0] * 600 + "deep" + tags[1] * 600)


@pytest.mark.parametrize(
    "unit",
    ["<p>a</p>", "x<b>a</b>y", "a<br>", "<li>a", "<tr><td rowspan=60000>a<td>b</tr>", "<a href=u>a</a>b", "![", "`"],
)
def test_twice_the_page_takes_about_twice_the_work(unit: str) -> None:
    """Reading is linear in what the page repeats; a square would take four times the steps."""

    def work(count: int) -> None:
        data = ("<table>" + unit * count if unit.startswith("<tr") else unit * count).encode()
        parse(data, "page.html", ParseOptions())

    assert growth(work, 200) <= GROWTH
    work(20_000)


TAGS = st.sampled_from(
    [
        "p",
        "div",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "tr",
        "td",
        "th",
        "thead",
        "h1",
        "h2",
        "blockquote",
        "pre",
        "code",
        "a",
        "b",
        "sup",
        "br",
        "hr",
        "img",
        "nav",
        "aside",
        "main",
        "figure",
        "figcaption",
        "math",
        "svg",
        "q",
        "ruby",
        "rt",
        "del",
        "section",
        "script",
        "template",
        "span",
        "caption",
    ]
)
PAGES = st.recursive(
    st.sampled_from(["word", " ", "Đường", "휴가", "a|b", "x y", "¶", "-", "# no"]),
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", TAGS, st.lists(inner, max_size=4)),
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PAGES, max_size=6).map("".join))
def test_every_page_keeps_the_promises_of_a_parser(page: str) -> None:
    """Spans rise and cover the text, whatever nests in what; the same page reads the same again."""
    assert read(page) == read(page)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["p", "div", "ul", "li", "table", "tr", "td", "h2", "blockquote", "b", "dd", "section"]),
        max_size=8,
    )
)
def test_no_nesting_loses_a_word(tags: list[str]) -> None:
    """A word in any nest of elements that show text is in the text, once."""
    page = "".join(f"<{tag}>" for tag in tags) + "needle" + "".join(f"</{tag}>" for tag in reversed(tags))

    assert text(f"<p>before</p>{page}<p>after</p>").count("needle") == 1
