"""Pages of text formats: form feeds, and the marks that converters leave where a page begins or ends.

Converters write comments (`<!-- page 3 -->`, `<!-- PageBreak -->`, `<!-- Slide number: 3 -->`),
numbers in braces before a row of dashes, `--- end of page=3 ---`, TeX's `\\newpage`, or a `div` that
asks a printer for a new page. All of them say the same, so they become the pages of the document,
and the marks themselves are declared drops. In code a mark is text like any other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from pincite.document import Block, Diagnostic, Page, Region, Span

__all__ = ["Mark", "Pages", "find_marks", "paginate", "with_regions"]

MarkKind = Literal["begin", "end", "break", "label", "furniture"]

COMMENT_LIMIT: Final = 200
"""Code points of the longest comment that can be a mark."""

HINT: Final = re.compile(r"pag|pág|pg|slide|sheet|seite|trang|페이지|쪽|form", re.I)
"""What every comment that is a mark holds."""

NUMBERED: Final = re.compile(
    r"""(?:start\ of\ |begin\ |page[ _-]?break\s*:?\s*)?
        (?:page|pg|slide|sheet|trang|페이지|쪽|seite|página|pagina)\.?
        [ _-]?(?:number|num|no|id|start|begin|idx)?\.?\s*[:=\#]?\s*
        ["']?(?:page\s+)?(?P<number>\d{1,6})(?:\s*(?:of|de|/)\s*\d{1,6})?["']?
        (?:\s*(?:start|begin)s?)?""",
    re.X | re.I,
)
ENDING: Final = re.compile(
    r"""(?:end\ of\ page|page[ _-]?end|end[ _-]?page)\s*[:=\#]?\s*["']?(?P<number>\d{1,6})["']?
        |page\s+(?P<later>\d{1,6})\s+ends?""",
    re.X | re.I,
)
BREAK: Final = re.compile(
    r"(?:page|slide)[ _-]?break|new[ _-]?page|next[ _-]?page|end[ _-]?of[ _-]?page|form[ _-]?feed", re.I
)
LABEL: Final = re.compile(r"""page[ _-]?(?:number|label)\s*[=:]\s*["']?(?P<label>[^"'<>]{1,60}?)["']?""", re.I)
FURNITURE: Final = re.compile(r"""page[ _-]?(?:header|footer)\s*[=:]\s*.*""", re.I | re.S)

TEX: Final = re.compile(r"\\(?:newpage|pagebreak|clearpage|cleardoublepage)(?:\[\d\]|\{\})?(?![A-Za-z])")
BRACES: Final = re.compile(r"\{(\d{1,6})\}-{20,}")
DASHES: Final = re.compile(
    r"-{2,20}[ \t]*(?:(end of )page[ =:.#]*(\d{1,6})|page[ =:.#]*(\d{1,6})(?: of \d+)?)[ \t]*-{2,20}", re.I
)
PRINTED: Final = re.compile(
    r"""<(?P<tag>div|p|br|hr|span)\b[^<>]{0,200}?\b(?:page-)?break-(?:after|before)\s*:\s*(?:always|page)\b[^<>]{0,200}>
        (?:(?:\s|&nbsp;)*</(?P=tag)\s*>)?
        |<page-?break\s*/?>(?:\s*</page-?break>)?
        |\{\{<\s*pagebreak\s*>\}\}""",
    re.X | re.I,
)

PRINTED_HINTS: Final = ("break-", "page-break", "pagebreak", "<PageBreak")
"""One of them is in all that `PRINTED` finds, but in few texts that break something else."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the text where a page begins or ends, or is named."""

    start: int
    end: int
    kind: MarkKind
    number: int | None = None
    label: str | None = None
    family: str = ""
    """Marks of one family count alike, from 0 or from 1."""

    first: bool = False
    """Nothing but white space, quote marks and other marks stands before it in its line."""

    alone: bool = False
    """Nor after it."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Where each page begins."""

    pages: tuple[Page, ...] = ()
    starts: tuple[int, ...] = ()
    """Offset where the text of each page begins; the first is 0."""

    cuts: tuple[int, ...] = ()
    """Offset where the mark before each page begins: where the page before it ends; the first is 0."""

    diagnostics: tuple[Diagnostic, ...] = ()


def find_marks(text: str) -> list[Mark]:
    """All that looks like a mark, in order, wherever it stands; form feeds included."""
    marks: list[Mark] = []
    if "<" in text:
        if "<!--" in text:
            marks += comments(text)
        if "reak" in text and any(hint in text for hint in PRINTED_HINTS):
            marks += (Mark(m.start(), m.end(), "break", family="printed") for m in PRINTED.finditer(text))
    if "\\" in text and ("\\newpage" in text or "\\pagebreak" in text or "\\clear" in text):
        marks += (Mark(m.start(), m.end(), "break", family="tex") for m in TEX.finditer(text))
    if "}--------------------" in text:
        marks += (Mark(m.start(), m.end(), "begin", int(m[1]), family="braces") for m in BRACES.finditer(text))
    if "-- " in text and ("-- page" in text or "-- Page" in text or "-- PAGE" in text or "-- end of" in text):
        marks += dashes(text)
    if "\f" in text:
        marks += (Mark(m.start(), m.end(), "break", family="form feed") for m in re.finditer("\f", text))
    if not marks:
        return marks
    marks.sort(key=lambda mark: mark.start)
    return [mark for mark in placed(text, marks) if mark.alone or mark.family in ("comment", "form feed", "printed")]


def comments(text: str) -> Iterator[Mark]:
    """HTML comments that are marks."""
    at = text.find("<!--")
    while at >= 0:
        close = text.find("-->", at + 4, at + COMMENT_LIMIT)
        if close >= 0 and HINT.search(text, at, close):
            mark = comment(text[at + 4 : close].strip(" \t\r\n-"), at, close + 3)
            if mark:
                yield mark
        at = text.find("<!--", at + 4)


def comment(said: str, start: int, end: int) -> Mark | None:
    """The mark that a comment is, by what it says."""
    if ending := ENDING.fullmatch(said):
        return Mark(start, end, "end", int(ending["number"] or ending["later"]), family="comment")
    labelled = LABEL.fullmatch(said)
    if numbered := NUMBERED.fullmatch(said):
        label = numbered["number"] if labelled else None
        return Mark(start, end, "begin", int(numbered["number"]), label, "comment")
    if labelled:
        return Mark(start, end, "label", label=labelled["label"].strip(), family="comment")
    if BREAK.fullmatch(said):
        return Mark(start, end, "break", family="comment")
    return Mark(start, end, "furniture", family="comment") if FURNITURE.fullmatch(said) else None


def dashes(text: str) -> Iterator[Mark]:
    """Lines such as `--- Page 3 ---` and `--- end of page=3 ---`."""
    for found in DASHES.finditer(text):
        if found[1]:
            yield Mark(found.start(), found.end(), "end", int(found[2]), family="dashes")
        else:
            yield Mark(found.start(), found.end(), "begin", int(found[3]), family="dashed page")


def placed(text: str, marks: Sequence[Mark]) -> list[Mark]:
    """The marks with what stands beside them in their lines."""
    firsts: list[bool] = []
    before = 0
    for index, mark in enumerate(marks):
        line = max(text.rfind(end, before, mark.start) for end in "\n\r\f")
        begins = line >= 0 or before == 0 or firsts[-1] or marks[index - 1].family == "form feed"
        firsts.append(begins and not text[line + 1 if line >= 0 else before : mark.start].strip("> \t\ufeff"))
        before = mark.end
    result: list[Mark] = []
    stop, ends_well = len(text), True
    for mark, first in zip(reversed(marks), reversed(firsts), strict=True):
        rest = LINE_REST.match(text, mark.end, stop)
        alone = first and rest is not None and (rest.end() < stop or ends_well)
        result.append(Mark(mark.start, mark.end, mark.kind, mark.number, mark.label, mark.family, first, alone))
        stop, ends_well = mark.start, alone or mark.family == "form feed"
    return result[::-1]


LINE_REST: Final = re.compile(r"[ \t]*(?=[\r\n\f]|\Z)|[ \t]*\Z")


def paginate(marks: Iterable[Mark], text: str, start: int = 0) -> Pages:
    """The pages that marks make.

    A number begins that page and must rise; a break begins the next one. What stands before the
    first mark is page 1, or the page before the first number. Numbers that count from 0 are
    raised by one, since pages are counted from 1. The text begins at `start`, after front matter.
    """
    counted = normalised(list(marks))
    if not any(mark.kind in ("begin", "end", "break") for mark in counted):
        return Pages()
    diagnostics: list[Diagnostic] = []
    numbers, starts, cuts = [opening_page(counted)], [0], [0]
    labels: dict[int, str] = {}
    blank, named, last = True, False, start
    for mark in counted:
        blank = blank and not text[last : mark.start].strip(" \t\r\n\f>\ufeff")
        last = mark.end
        if mark.kind == "label" and mark.label:
            labels[numbers[-1]] = mark.label
        if mark.kind not in ("begin", "end", "break"):
            continue
        if mark.kind == "begin" and mark.number is not None and not named:
            before = numbers[-2] if len(numbers) > 1 else 0
            if mark.number > before and (blank or (before == 0 and mark.number == numbers[0])):
                numbers[-1], named = mark.number, True
                continue
        following = numbers[-1] + 1
        if mark.number is not None:
            wanted = mark.number + (mark.kind == "end")
            if wanted < following:
                said = f"a mark says page {mark.number} after page {numbers[-1]}; counting goes on with {following}"
                diagnostics.append(Diagnostic("page_order", "warning", said, span=Span(mark.start, mark.end)))
            following = max(following, wanted)
        numbers.append(following)
        starts.append(mark.end)
        cuts.append(mark.start)
        blank, named = True, mark.kind == "begin"
    if len(numbers) > 1 and not text[starts[-1] :].strip(" \t\r\n\f>\ufeff") and counted_end(counted):
        numbers.pop(), starts.pop(), cuts.pop()
    pages = tuple(Page(number, labels.get(number)) for number in numbers)
    return Pages(pages, tuple(starts), tuple(cuts), tuple(diagnostics))


def counted_end(marks: Sequence[Mark]) -> bool:
    """Whether the last mark closes a page, so that nothing behind it is no page of its own."""
    last = [mark for mark in marks if mark.kind in ("begin", "end", "break")][-1]
    return last.kind == "end" or last.family == "form feed"


def normalised(marks: list[Mark]) -> list[Mark]:
    """Numbers from 1, and page numbers as labels where breaks do the counting."""
    from_zero = {mark.family for mark in marks if mark.number == 0}
    breaks = any(mark.kind == "break" and mark.family == "comment" for mark in marks)
    result = []
    for mark in marks:
        if mark.label and mark.kind == "begin" and breaks:
            mark = replace(mark, kind="label", number=None)
        elif mark.number is not None and mark.family in from_zero:
            mark = replace(mark, number=mark.number + 1)
        result.append(mark)
    return result


def opening_page(marks: Sequence[Mark]) -> int:
    """The number of the page that the text begins on."""
    first = next(mark for mark in marks if mark.kind in ("begin", "end", "break"))
    if first.number is None:
        return 1
    return max(1, first.number - (first.kind == "begin"))


def with_regions(blocks: Sequence[Block], pages: Pages, shown: str) -> list[Block]:
    """The blocks with a region for each page that they stand on; `shown` is the text with marks blanked."""
    return [replace(block, regions=regions(block.span, pages, shown)) for block in blocks]


def regions(span: Span, pages: Pages, shown: str) -> tuple[Region, ...]:
    index = bisect_right(pages.cuts, span.start) - 1
    made: list[Region] = []
    start = span.start
    while start < span.end:
        stop = pages.cuts[index + 1] if index + 1 < len(pages.cuts) else span.end
        piece = shown[start : min(stop, span.end)]
        kept = piece.strip()
        if kept:
            begin = start + len(piece) - len(piece.lstrip())
            if not made:
                begin = span.start
            made.append(Region(Span(begin, start + len(piece.rstrip())), pages.pages[index].number))
        index += 1
        if index >= len(pages.starts):
            break
        start = pages.starts[index]
    return tuple(made)


def outside_code(marks: Iterable[Mark], blocks: Sequence[Block], inline: Callable[[Block, Mark], bool]) -> list[Mark]:
    """The marks that do not stand in code; `inline` judges those amid running text."""
    starts = [block.span.start for block in blocks]
    kept = []
    for mark in marks:
        index = bisect_right(starts, mark.start) - 1
        block = blocks[index] if index >= 0 and blocks[index].span.end > mark.start else None
        if block is not None:
            if block.kind == "code" or (block.body is not None and mark.start >= block.body.start):
                continue
            if not mark.first and mark.family != "form feed" and not inline(block, mark):
                continue
        kept.append(mark)
    return kept
