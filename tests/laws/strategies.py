"""Documents and options to try the laws on: Markdown of every construct, documents with pages, and what counts.

Texts are Vietnamese (composed and decomposed), Korean, Thai, Chinese, Japanese, Hindi, Greek,
English, emoji of several code points, words without end and base64, since each script breaks
other assumptions.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from pincite.chunk import document_id
from pincite.counting import counter_for
from pincite.counting.counter import Counter
from pincite.document import Diagnostic, Document, Metadata, Page, Source, Span
from pincite.options import ChunkOptions, ParseOptions, build
from pincite.parsing import parse_bytes
from pincite.parsing.writer import GridCell, Run, Writer

__all__ = ["Rounding", "chunking", "documents", "markdown", "read", "texts", "wordpiece_file", "written"]

VIETNAMESE: Final = "Người lao động được nghỉ hằng năm mười hai ngày, hưởng nguyên lương."
SENTENCES: Final = (
    "Leave is granted on request.",
    "The pump stops when the pressure falls below 3.5 bar, e.g. at night.",
    VIETNAMESE,
    unicodedata.normalize("NFD", VIETNAMESE),
    "직원은 일 년에 15일의 휴가를 받습니다.",
    "พนักงานมีสิทธิลาพักร้อนได้ปีละสิบวันทำการ",
    "员工每年享有十五天带薪年假。主管批准后生效。",
    "従業員は年に十日の休暇を取得できます。",
    "कर्मचारी को वर्ष में पंद्रह दिन की छुट्टी मिलती है।",
    "Ο υπάλληλος δικαιούται α + β = γ ημέρες.",
    "The family 👨‍👩‍👧‍👦 waves 🏳️‍🌈 and 👍🏽 at 🇻🇳🇰🇷.",
    "See [the guide](https://example.org/guide?a=1&b=2) and `x | y`.",
    "It is **very** _important_ to read \\* this \\| twice.",
    "Mail <a@example.org> or <https://example.org>.",
    "a ̈b c\u200bd e\u00adf g\u00a0h.",
    "One two three four five six seven eight nine ten eleven twelve thirteen fourteen.",
    "x",
)
UNBROKEN: Final = (
    "가나다라마바사" * 40,
    "ไม่มีช่องว่าง" * 30,
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo" * 20,
    "a" * 900,
    "é" * 300,
    "x" + "\u0301" * 90,
    "👨‍👩‍👧‍👦" * 40,
    "https://example.org/" + "path/" * 80,
)
TITLES: Final = (
    "Leave", "Leave", "2. Benefits", "Phần I", unicodedata.normalize("NFD", "Nghỉ phép"), "휴가 규정", "年假",
    "A > B", "Use `code` here", "**Bold** title", "[Linked](https://example.org) title", "Closed ##", "# 1",
    "A very long title that goes on and on, " * 5, "🏳️‍🌈",
)  # fmt: skip
LANGUAGES: Final = ("", "python", "c++", "{.yaml hl_lines=3}")
PAYLOAD: Final = "![a red dot](data:image/png;base64," + "iVBORw0KGgo" * 30 + ")"


def one_of(values: Sequence[str]) -> st.SearchStrategy[str]:
    """One of some long texts; a strategy that lists them would print them all where it is shown."""
    return st.integers(0, len(values) - 1).map(lambda number: values[number])


def words() -> st.SearchStrategy[str]:
    return one_of(SENTENCES)


def texts(most: int = 6) -> st.SearchStrategy[str]:
    """Running text on one line or several."""
    plain = st.builds(str.join, st.sampled_from((" ", " ", "\n", "  \n")), st.lists(words(), min_size=1, max_size=most))
    return st.one_of(plain, plain, plain, one_of(UNBROKEN))


@st.composite
def headings(draw: st.DrawFn) -> str:
    title = draw(one_of(TITLES))
    form = draw(st.integers(0, 9))
    if form == 0:
        return f"{title}\n{draw(st.sampled_from(('===', '---')))}"
    if form == 1:
        return "#" * draw(st.integers(1, 6))
    tail = " ##" if form == 2 else ""
    return f"{'#' * draw(st.integers(1, 6))} {title}{tail}"


@st.composite
def fences(draw: st.DrawFn) -> str:
    mark = draw(st.sampled_from(("```", "~~~", "````")))
    line = st.one_of(
        st.sampled_from(("x = 1", "    return y", "# not a heading", "", "| a | b |", "``", "> quoted", "\tindented")),
        one_of(SENTENCES),
        one_of(("long " * 120, "z" * 700)),
    )
    lines = draw(st.lists(line, max_size=12))
    closing = [] if draw(st.integers(0, 11)) == 0 else [mark]
    return "\n".join([mark + draw(st.sampled_from(LANGUAGES)), *lines, *closing])


CELLS: Final = ("", "1", "20", "a \\| b", "`x`", "ngày phép", "휴가", "an ordinary value", "9999")
NAMES: Final = ("Name", "Value", "ngày", "", "Days of leave")


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Values are picked by one drawn number, since a draw a cell would take most of the time."""
    columns, rows = draw(st.one_of(st.integers(1, 4), st.integers(1, 30))), draw(st.integers(0, 12))
    pick = Random(draw(st.integers(0, 999)))
    body = [[pick.choice(CELLS) for _ in range(columns)] for _ in range(rows)]
    if body and draw(st.integers(0, 5)) == 0:
        body[0][pick.randrange(columns)] = draw(texts(12)).replace("\n", " ").replace("|", "\\|")
    edge = "|" if columns == 1 or draw(st.booleans()) else ""

    def line(cells: list[str]) -> str:
        return f"{edge} {' | '.join(cells)} {edge}".strip() or "|"

    return "\n".join([line([pick.choice(NAMES) for _ in range(columns)]), line(["---"] * columns), *map(line, body)])


@st.composite
def lists(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    lead = draw(st.sampled_from(("", "", "You need:\n\n", "You need:\n")))
    ordered = draw(st.booleans())
    gap = draw(st.sampled_from(("\n", "\n\n")))
    items = []
    for number, body in enumerate(draw(st.lists(st.one_of(texts(3), inner), min_size=1, max_size=6)), 1):
        mark = f"{number}. " if ordered else draw(st.sampled_from(("- ", "* ", "- [ ] ")))
        items.append(mark + indented(body, len(mark) if not mark.startswith("- [") else 2))
    return lead + gap.join(items)


def indented(text: str, by: int) -> str:
    return text.replace("\n", "\n" + " " * by)


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def leaves() -> st.SearchStrategy[str]:
    """Blocks without blocks inside."""
    return st.one_of(
        headings(),
        headings(),
        texts(),
        texts(),
        tables(),
        fences(),
        one_of(SENTENCES).map(lambda s: f"Note[^1].\n\n[^1]: {s}"),
        one_of(
            (
                "$$\n\\sum_{i=1}^{n} x_i = \\frac{a}{b}\n$$",
                "<div class='note'>\nkept <b>bold</b>\n</div>",
                "<!-- a comment\nof two lines -->",
                "<!-- page: 2 -->",
                "---",
                "***",
                "[ref]: https://example.org/x 'Title'",
                "    indented code\n\n    more of it",
                PAYLOAD,
                f"Text around {PAYLOAD} the picture.",
                "![caption](figure.png)",
                "Table 1: values",
                "\\# no heading",
                "#NoSpace",
                "* * *",
                "&nbsp;&lt;tag&gt;",
            )
        ),
        st.text(alphabet="#>-*+`~|[]()!\\$&<:_=. \t\nab1ệ가👍\u0301\u200d", max_size=80),
    )


def blocks() -> st.SearchStrategy[str]:
    return st.recursive(
        leaves(),
        lambda inner: st.one_of(lists(inner), st.lists(inner, min_size=1, max_size=3).map("\n\n".join).map(quoted)),
        max_leaves=5,
    )


@st.composite
def markdown(draw: st.DrawFn, most: int = 12) -> str:
    """A whole file, with or without front matter, byte order mark, CRLF, lone CR and pages."""
    parts = draw(st.lists(blocks(), max_size=most))
    front = draw(st.sampled_from(("", "", "", "---\ntitle: Guide\ntags: [a, b]\n---\n")))
    text = front + draw(st.sampled_from(("\n\n", "\n\n", "\n"))).join(parts)
    text += draw(st.sampled_from(("", "\n", "\n\n  ")))
    ends = draw(st.sampled_from(("\n", "\n", "\n", "\r\n", "\r")))
    mark = draw(st.sampled_from(("", "", "", "\ufeff")))
    return mark + text.replace("\n", ends)


def read(text: str, uri: str = "guide.md") -> Document:
    return parse_bytes(text.encode("utf-8", "surrogatepass"), uri, ParseOptions())


@st.composite
def written(draw: st.DrawFn) -> Document:
    """A document with pages, places, labels and dropped page furniture, as a parser of a binary format writes it."""
    writer = Writer()
    page, drops = 1, []
    for line in range(1, draw(st.integers(1, 15))):
        page += draw(st.integers(0, 3)) == 0
        box = (72.0, 20.0 * line, 500.0, 20.0 * line + 12)
        run = [Run(draw(texts(4)).replace("\n", " "), page, box)]
        form = draw(st.integers(0, 10))
        if form == 0:
            writer.heading([Run(draw(one_of(TITLES)), page, box)], draw(st.integers(1, 4)))
        elif form == 1:
            grid(draw, writer, page)
        elif form == 2:
            writer.code([Run(draw(st.sampled_from(("x = 1", "", "y" * 300))), page, box) for _ in range(3)])
        elif form == 3:
            writer.equation([Run("a^2 + b^2 = c^2", page, box)])
        elif form == 4:
            for number in range(draw(st.integers(1, 4))):
                writer.list_item(run, depth=draw(st.integers(1, 3)), first=number == 0)
        elif form == 5:
            writer.block("page_footer", [Run(f"- {page} -", page, box)])
            drops.append(Diagnostic("dropped_page_furniture", "info", "A page number", page, writer.blocks[-1].span))
        elif form == 6:
            writer.block(draw(st.sampled_from(("caption", "footnote", "figure", "quote"))), run)
        elif form == 7:
            writer.block(
                "paragraph", [Run("starts here and ", page, box), Run("ends on the next page.", page + 1, box)]
            )
            page += 1
        else:
            writer.block("paragraph", run)
    labels = draw(st.booleans())
    pages = tuple(Page(n, label="ivx"[n % 3] if labels else None, width=595, height=842) for n in range(1, page + 2))
    return document_of(writer, pages, tuple(drops))


def grid(draw: st.DrawFn, writer: Writer, page: int) -> None:
    columns = draw(st.integers(1, 6))
    rows = [
        [
            GridCell(
                (Run(draw(st.sampled_from(("", "1", "a|b", "value", "ngày", "long " * 40))).strip(), page),), column
            )
            for column in range(columns)
        ]
        for _ in range(draw(st.integers(1, 8)))
    ]
    writer.table(rows, columns, header_rows=draw(st.sampled_from((1, 1, 1, 0, 2))))


def document_of(writer: Writer, pages: tuple[Page, ...] = (), diagnostics: tuple[Diagnostic, ...] = ()) -> Document:
    """What was written, as the document of a PDF."""
    source = Source("guide.pdf", "application/pdf", "0" * 64, len(writer.text))
    return Document(
        document_id("guide.pdf"), source, writer.text, tuple(writer.blocks), pages, Metadata(title="Guide"), diagnostics
    )


def documents() -> st.SearchStrategy[Document]:
    return st.one_of(markdown().map(read), markdown().map(read), markdown().map(read), written())


# Counters and options ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rounding:
    """Quarter code points, line ends dear, rounded up a text at a time: sums are only estimates."""

    name: str = "rounding"
    fingerprint: str = "rounding"
    overhead: int = 3
    exact_sums: bool = False
    chars_per_token: int | None = None

    def units(self, text: str) -> int:
        return (len(text) + 2 * text.count("\n") + 3) // 4

    def units_many(self, texts: Any) -> list[int]:
        return [self.units(text) for text in texts]

    def blank(self, space: str) -> int:
        return self.units(space)

    def tokens(self, units: int) -> int:
        return units

    def capacity(self, max_tokens: int) -> int:
        return max_tokens


@cache
def wordpiece_file() -> Path:
    """A small WordPiece tokenizer, saved with truncation and padding on, as published files often are."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    letters = sorted(
        {char for text in (*SENTENCES, *TITLES, *LANGUAGES) for char in text.lower() if not char.isspace()}
    )
    stems = ["leave", "the", "is", "value", "ing", "ed", "code", "page", "##s", "##e", "##ing", "##er", "##tion"]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *("##" + char for char in letters), *stems]
    table = {token: number for number, token in enumerate(dict.fromkeys(vocabulary))}
    made = Tokenizer(models.WordPiece(table, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", table["[CLS]"]), ("[SEP]", table["[SEP]"])]
    )
    made.enable_truncation(32)
    made.enable_padding(length=32)
    place = tempfile.mkdtemp(prefix="pincite-laws-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    path = Path(place) / "tokenizer.json"
    made.save(str(path))
    return path


@cache
def named_counter(name: str) -> Counter:
    return counter_for(f"hf:{wordpiece_file()}" if name == "hf" else name)


def counters() -> st.SearchStrategy[Counter]:
    return st.one_of(st.sampled_from(("chars", "hf", "bytes/3", "words*1.33")).map(named_counter), st.just(Rounding()))


@st.composite
def chunking(draw: st.DrawFn, /, least: int = 16, **fixed: Any) -> tuple[ChunkOptions, Counter]:
    """Options that the laws hold for, and their counter. `fixed` values are never drawn."""
    counter = draw(counters())
    budget = fixed.get("max_tokens") or draw(
        st.one_of(st.sampled_from((least, 20, 32, 64, 120, 256, 400, 600)), st.integers(least, 600))
    )
    budget = max(budget, least)
    values: dict[str, Any] = {
        "max_tokens": budget,
        "min_tokens": draw(st.integers(0, budget // 2)),
        "overlap_tokens": draw(st.sampled_from((0, 0, (budget - 16) // 4, budget - 16))),
        "heading_prefix": draw(st.booleans()),
        "isolate": tuple(sorted(draw(st.sets(st.sampled_from(("table", "code", "list", "equation", "figure")))))),
        "table_schema": draw(st.integers(0, 4)) == 0,
        "cross_pages": draw(st.booleans()),
        "wide_table_columns": draw(st.sampled_from((25, 25, 4))),
        "band_columns": draw(st.sampled_from((12, 2))),
        "cut_at": draw(st.sampled_from((("sentences", "words"), ("lines", "sentences", "words"), ("words",), ()))),
    }
    name = counter.name if not isinstance(counter, Rounding) else "chars"
    return build(ChunkOptions, {"counter": name, **values, **fixed}, "chunk"), counter


def dropped(document: Document) -> list[Span]:
    """Ranges that the document declares to be left out."""
    return [found.span for found in document.diagnostics if found.drops and found.span]
