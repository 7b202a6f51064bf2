"""The laws of a chunk, each as a function that tells how a list of chunks breaks it.

Nothing here calls the chunker or shares a line with it: sections, coverage, pages, ids and
graphemes are worked out again from the `Document` alone, by the plainest means. `violations`
runs all that can be seen in one result; the laws that compare two runs (the same again, an
edit, twice the text) are in the tests.

Every function takes a `Case` and returns sentences; an empty list means that the law holds.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from pincite.chunk import Chunk, Piece, chunk_id, embedding_text
from pincite.counting.counter import Counter, count
from pincite.document import Block, Diagnostic, Document, Row, Span
from pincite.options import ChunkOptions

__all__ = ["LAWS", "Case", "Section", "violations"]

SPACE: Final = re.compile(r"[\s\ufeff]+")
"""White space and the byte order mark: what no reader sees."""

STRUCTURE: Final = frozenset(" \t\n|-:`~>…")
"""What may stand between pieces: white space, and the marks of tables, fences and of what was cut off."""


@dataclass(frozen=True, slots=True)
class Section:
    """What stands between one top-level heading and the next."""

    start: int
    end: int
    path: tuple[str, ...]
    heading: Block | None
    """Absent for what comes before the first heading."""


@dataclass(frozen=True)
class Case:
    """One result of chunking, with what it was made from."""

    document: Document
    chunks: Sequence[Chunk]
    options: ChunkOptions
    counter: Counter
    diagnostics: Sequence[Diagnostic] = ()
    """What chunking itself reported; the document carries those of parsing."""

    @cached_property
    def sections(self) -> list[Section]:
        return list(sections(self.document))

    @cached_property
    def starts(self) -> list[int]:
        return [section.start for section in self.sections]

    @cached_property
    def own(self) -> list[tuple[Span, Chunk]]:
        """Every own span with its chunk, in the order of the chunks."""
        return [(span, chunk) for chunk in self.chunks for span in chunk.spans]

    @cached_property
    def sorted_own(self) -> list[tuple[int, int, Chunk]]:
        """The same by position in the text."""
        return sorted(((s.start, s.end, chunk) for s, chunk in self.own), key=lambda each: each[:2])

    def section_at(self, position: int) -> Section:
        return self.sections[max(bisect_right(self.starts, position) - 1, 0)]

    def touching(self, span: Span) -> Iterator[Chunk]:
        """Chunks with an own span that shares a character with `span`, in text order."""
        at = bisect_left(self.sorted_own, (span.start,), key=lambda each: each[:1])
        while at and self.sorted_own[at - 1][1] > span.start:
            at -= 1
        seen: set[int] = set()
        for start, end, chunk in self.sorted_own[at:]:
            if start >= span.end:
                return
            if end > span.start and id(chunk) not in seen:
                seen.add(id(chunk))
                yield chunk


def violations(
    document: Document,
    chunks: Sequence[Chunk],
    options: ChunkOptions,
    counter: Counter,
    diagnostics: Sequence[Diagnostic] = (),
) -> list[str]:
    """How these chunks break the laws, as sentences that begin with the law; empty where they hold."""
    case = Case(document, chunks, options, counter, diagnostics)
    return [f"{law}: {line}" for law, check in LAWS.items() for line in check(case)]


def squeeze(text: str) -> str:
    """Without white space: line ends and white space are what a chunk's text may change."""
    return SPACE.sub("", text)


def name(chunk: Chunk) -> str:
    return f"chunk {chunk.index} {' '.join(chunk.text.split())[:40]!r}"


def sections(document: Document) -> Iterator[Section]:
    """Sections by the titles at the top level of the document; a heading without a title opens none."""
    start, heading = 0, None
    path: tuple[str, ...] = ()
    stack: list[tuple[int, str]] = []
    for block in document.blocks:
        if opens_section(block):
            yield Section(start, block.span.start, path, heading)
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            stack.append((block.level, block.attributes["title"]))
            start, heading = block.span.start, block
            path = tuple(title for _, title in stack)
    yield Section(start, len(document.text), path, heading)


def opens_section(block: Block) -> bool:
    return block.kind == "heading" and bool(block.attributes.get("title"))


# L1 ----------------------------------------------------------------------------------------------


def budget(case: Case) -> Iterator[str]:
    """No embedding text exceeds the budget, and `tokens` is its exact count."""
    keep = case.options.oversize == "keep"
    longest = case.counter.chars_per_token
    for chunk in case.chunks:
        tokens = count(case.counter, chunk.embedding_text)
        shown = shown_path(chunk)
        bounded = tokens
        if shown and not case.options.count_prefix:
            bounded = count(case.counter, chunk.text)
        if chunk.tokens not in (tokens, bounded):
            yield f"{name(chunk)} says {chunk.tokens} tokens and has {tokens}"
        if bounded > case.options.max_tokens and not (keep and "over_budget" in chunk.flags):
            yield f"{name(chunk)} has {bounded} tokens, the budget is {case.options.max_tokens}"
        if longest is not None and len(chunk.embedding_text) > longest * case.options.max_tokens and not keep:
            yield f"{name(chunk)} has {len(chunk.embedding_text)} characters, {longest} a token are allowed"
        if shown is None:
            yield f"{name(chunk)}: the embedding text is not a tail of the path and the text"
        elif case.options.heading_prefix and shown != chunk.heading_path and "path_trimmed" not in chunk.flags:
            yield f"{name(chunk)} shows the path {shown} of {chunk.heading_path} and does not say so"
        elif not case.options.heading_prefix and shown:
            yield f"{name(chunk)} has a heading path in its embedding text although none was asked for"


def shown_path(chunk: Chunk) -> tuple[str, ...] | None:
    """The part of the path that the embedding text shows: a tail of it, or None where it is neither."""
    for drop in range(len(chunk.heading_path) + 1):
        if embedding_text(chunk.heading_path[drop:], chunk.text) == chunk.embedding_text:
            return chunk.heading_path[drop:]
    return None


# L2 ----------------------------------------------------------------------------------------------


def truth(case: Case) -> Iterator[str]:
    """Every piece shows the text at its source; own pieces together are the text at the own spans."""
    text = case.document.text
    for chunk in case.chunks:
        position = 0
        for piece in chunk.pieces:
            if not position <= piece.start <= piece.end <= len(chunk.text):
                yield f"{name(chunk)}: piece {piece} overlaps the one before it or leaves the text"
            elif not STRUCTURE.issuperset(chunk.text[position : piece.start]):
                yield f"{name(chunk)}: {chunk.text[position : piece.start]!r} is in no piece"
            position = max(position, piece.end)
            if piece.source and not verbatim(case, chunk, piece):
                shown, there = chunk.text[piece.start : piece.end], text[piece.source.start : piece.source.end]
                yield f"{name(chunk)}: the {piece.role} piece {shown[:60]!r} is {there[:60]!r} in the source"
            if piece.role == "own" and piece.source is None:
                yield f"{name(chunk)}: an own piece without a source: {chunk.text[piece.start : piece.end][:60]!r}"
            if piece.role == "generated" and piece.source is not None:
                yield f"{name(chunk)}: a generated piece cannot have a source"
        if not STRUCTURE.issuperset(chunk.text[position:]):
            yield f"{name(chunk)}: {chunk.text[position:][:60]!r} is in no piece"
        own = "".join(text[p.source.start : p.source.end] for p in chunk.pieces if p.role == "own" and p.source)
        spans = "".join(text[span.start : span.end] for span in chunk.spans)
        if squeeze(own) != squeeze(spans):
            yield f"{name(chunk)}: own pieces and spans differ: {own[:60]!r}, {spans[:60]!r}"
        if "\r" in chunk.text:
            yield f"{name(chunk)}: the text has a carriage return"
        if any(not 0 <= span.start < span.end <= len(text) for span in chunk.spans):
            yield f"{name(chunk)}: a span is empty or outside the text: {chunk.spans}"


def verbatim(case: Case, chunk: Chunk, piece: Piece) -> bool:
    assert piece.source is not None
    if case.options.table_format != "source" and chunk.kind in ("table", "table_schema"):
        return True
    there = case.document.text[piece.source.start : piece.source.end]
    return squeeze(chunk.text[piece.start : piece.end]) == squeeze(there)


# L3 ----------------------------------------------------------------------------------------------


def nothing_lost(case: Case) -> Iterator[str]:
    """Every visible character is in an own span, in a heading whose title is in a path, or declared dropped."""
    text = case.document.text
    covered = bytearray(len(text))
    for span, _ in case.own:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    for found in (*case.document.diagnostics, *case.diagnostics):
        if found.drops and found.span:
            covered[found.span.start : found.span.end] = b"\1" * len(found.span)
    paths = {chunk.heading_path for chunk in case.chunks}
    in_a_path = {path[:depth] for path in paths for depth in range(1, len(path) + 1)}
    for section in case.sections:
        if section.heading and section.path in in_a_path:
            covered[section.heading.span.start : section.heading.span.end] = b"\1" * len(section.heading.span)
    for gap in gaps(covered, text):
        yield f"{text[gap.start : gap.end][:60]!r} at {gap.start} is in no chunk"
    yield from cells_lost(case)


def gaps(covered: bytearray, text: str) -> Iterator[Span]:
    """Runs of uncovered text that hold a visible character, trimmed to what is visible."""
    for found in re.finditer(b"\0+", bytes(covered)):
        run = text[found.start() : found.end()]
        if squeeze(run):
            visible = [at for at, char in enumerate(run) if not SPACE.match(char)]
            yield Span(found.start() + visible[0], found.start() + visible[-1] + 1)


def cells_lost(case: Case) -> Iterator[str]:
    """Every value of a table is in the text of a chunk of its section, whole or in pieces that follow each other."""
    for block in case.document.blocks:
        if block.table is None:
            continue
        whole = squeeze("".join(chunk.text for chunk in case.touching(block.span)))
        for row in (*block.table.header, *block.table.rows):
            for cell in row.cells:
                value = squeeze(case.document.text[cell.span.start : cell.span.end])
                if value and value not in whole and not in_pieces(case, cell.span):
                    yield f"the cell {value[:60]!r} at {cell.span.start} appears in no chunk"


def in_pieces(case: Case, span: Span) -> bool:
    """Whether own spans cover all that is visible in `span`, for a cell that had to be cut."""
    covered = bytearray(len(span))
    for chunk in case.touching(span):
        for own in chunk.spans:
            low, high = max(own.start, span.start), min(own.end, span.end)
            if low < high:
                covered[low - span.start : high - span.start] = b"\1" * (high - low)
    return not list(gaps(covered, case.document.text[span.start : span.end]))


# L4 ----------------------------------------------------------------------------------------------


def order(case: Case) -> Iterator[str]:
    """`index` counts from 0; own spans rise within a chunk, chunks begin one after the other, and none overlap.

    Bands of a wide table are slices of the same rows, so a chunk may end after the next begins.
    """
    for number, chunk in enumerate(case.chunks):
        if chunk.index != number:
            yield f"{name(chunk)} stands at position {number}"
        if not chunk.spans and chunk.kind not in ("heading", "table_schema"):
            yield f"{name(chunk)} has no span of its own"
        if not squeeze(chunk.text) and chunk.kind != "heading":
            yield f"{name(chunk)} has no text"
        for before, after in pairwise(chunk.spans):
            if after.start < before.end:
                yield f"span {after} of {name(chunk)} does not follow {before}"
    first = [chunk for chunk in case.chunks if chunk.spans]
    for left, right in pairwise(first):
        if right.spans[0].start < left.spans[0].start:
            yield f"{name(right)} begins at {right.spans[0].start}, before {name(left)}"
    for (_, end, left), (start, _, right) in pairwise(case.sorted_own):
        if start < end:
            yield f"{name(left)} and {name(right)} both have what stands at {start}"


# L5 ----------------------------------------------------------------------------------------------


def one_section(case: Case) -> Iterator[str]:
    """A chunk lies in one section, carries its path, and no heading stands alone at its end."""
    by_section: defaultdict[int, list[Chunk]] = defaultdict(list)
    following: list[Section] = []
    for chunk in reversed(case.chunks):
        found = {section.start: section for section in sections_of(case, chunk)} if chunk.spans else {}
        if not chunk.spans and following:
            found = {following[0].start: following[0]}
        following = list(found.values())
        if len(found) > 1:
            yield f"{name(chunk)} lies in the sections {[s.path for s in found.values()]}"
        for section in found.values():
            by_section[section.start].insert(0, chunk)
            if chunk.heading_path != section.path:
                yield f"{name(chunk)} has the path {chunk.heading_path} in the section {section.path}"
    yield from lonely_headings(case, by_section)
    yield from wrong_parts(by_section)
    yield from unfindable(case)


def sections_of(case: Case, chunk: Chunk) -> Iterator[Section]:
    for span in chunk.spans:
        section = case.section_at(span.start)
        yield section
        while span.end > section.end:
            section = case.section_at(section.end)
            yield section


def lonely_headings(case: Case, by_section: dict[int, list[Chunk]]) -> Iterator[str]:
    """Chunks that hold nothing but the heading of a section that has more to say, and have room for it."""
    for section in case.sections:
        if section.heading is None:
            continue
        body = [b for c in by_section[section.start] for b in c.spans if b.start >= section.heading.span.end]
        for chunk in by_section[section.start]:
            alone = bool(chunk.spans) and all(span.end <= section.heading.span.end for span in chunk.spans)
            if body and alone and 2 * chunk.tokens <= case.options.max_tokens:
                yield f"{name(chunk)} is only a heading although its section has text"


def wrong_parts(by_section: dict[int, list[Chunk]]) -> Iterator[str]:
    for chunks in by_section.values():
        numbers = [(chunk.part.number, chunk.part.of) for chunk in chunks]
        if numbers != [(n, len(chunks)) for n in range(1, len(chunks) + 1)]:
            yield f"{name(chunks[0])} and its neighbours have the parts {numbers}"


def unfindable(case: Case) -> Iterator[str]:
    """Headings whose title is in no chunk's path and no chunk's text."""
    chunked = {case.section_at(span.start).start for span, _ in case.own}
    last = len(case.sections) - 1
    for number, section in enumerate(case.sections):
        if section.heading is None:
            continue
        at = number
        while at <= last and (at == number or is_below(case.sections[at], section)):
            if case.sections[at].start in chunked:
                break
            at += 1
        else:
            yield f"the heading {section.path} is in no chunk"


def is_below(inner: Section, outer: Section) -> bool:
    assert inner.heading is not None
    assert outer.heading is not None
    return inner.heading.level > outer.heading.level


# L6 ----------------------------------------------------------------------------------------------


def whole_characters(case: Case) -> Iterator[str]:
    """No own span begins or ends inside a grapheme cluster, which CR and LF are one of.

    A cluster that is larger than the budget is cut all the same; the chunk says so.
    """
    text = case.document.text
    told = {edge for span, chunk in case.own if "grapheme_cut" in chunk.flags for edge in (span.start, span.end)}
    for chunk in case.chunks:
        for span in chunk.spans:
            for position in (span.start, span.end):
                inside_line_end = text[position - 1 : position + 1] == "\r\n" if position else False
                if inside_line_end or (position not in told and not is_boundary(text, position)):
                    yield f"{name(chunk)} cuts a character at {position}: {text[max(position - 3, 0) : position + 3]!r}"


def is_boundary(text: str, position: int) -> bool:
    """Whether ICU sees a grapheme boundary there; looks at the neighbourhood only."""
    from icu4py.breakers import CharacterBreaker

    if position <= 0 or position >= len(text) or (text[position - 1] < "\x7f" and "\n" < text[position] < "\x7f"):
        return True
    start, end = max(position - 64, 0), min(position + 64, len(text))
    while start > 0 and not fresh_start(text[start]) and position - start < 4096:
        start -= 1
    for cluster in CharacterBreaker(text[start:end], "en"):
        if start >= position:
            break
        start += len(cluster)
    return start == position


def fresh_start(char: str) -> bool:
    """Whether a cluster certainly begins at this character."""
    return char.isascii() and char.isalnum()


# L7 ----------------------------------------------------------------------------------------------


def tables(case: Case) -> Iterator[str]:
    """Rows are whole where they fit, and every piece of a table's body begins with its header."""
    for block in case.document.blocks:
        if block.table is None or block.table.header_span is None:
            continue
        header, banded = block.table.header_span, block.table.columns > case.options.wide_table_columns
        for row in block.table.rows:
            holders = list(case.touching(row.span))
            fits = not banded and together(case, header, row)
            if fits and len(holders) > 1 and case.options.oversize == "split":
                shown = case.document.text[row.span.start : row.span.end][:60]
                yield f"the row {shown!r} fits with its header and is cut into {len(holders)}"
            for chunk in holders:
                yield from headless(case, chunk, header, row, fits)


def headless(case: Case, chunk: Chunk, header: Span, row: Row, fits: bool) -> Iterator[str]:
    """A chunk that begins with this row but not with the header before it; a header too large is shortened."""
    if any(span.start <= header.start < span.end for span in chunk.spans):
        return
    wanted = words_only(case.document.text[header.start : header.end])
    before = ""
    for piece in chunk.pieces:
        if piece.role == "own" and piece.source and header.end <= piece.source.start:
            admitted = "header_trimmed" in chunk.flags
            found = wanted in words_only(before) if fits else before or admitted or "-" in chunk.text[: piece.start]
            if row.span.start <= piece.source.start < row.span.end and not found:
                yield f"{name(chunk)} starts inside a table without its header {wanted[:60]!r}"
            return
        if piece.role == "table_header":
            before += chunk.text[piece.start : piece.end]


def words_only(text: str) -> str:
    """Without white space and the marks that tables and quotes are written with."""
    return "".join(char for char in squeeze(text) if char not in STRUCTURE)


def together(case: Case, header: Span, row: Row) -> bool:
    """Whether header and row fit the budget; the path gives way before a row is cut."""
    text = case.document.text
    begin = line_start(text, header.start)
    named = text[begin : header.end].replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    alone = f"{named}\n{text[line_start(text, row.span.start) : row.span.end]}"
    limit = case.counter.chars_per_token
    if limit is not None and len(alone) > limit * case.options.max_tokens:
        return False
    return count(case.counter, alone) <= case.options.max_tokens


def line_start(text: str, at: int) -> int:
    """Where the line begins, if nothing but white space and quote marks stands before `at` on it."""
    while at and text[at - 1] in " \t>":
        at -= 1
    return at


# L8 ----------------------------------------------------------------------------------------------


def fences(case: Case) -> Iterator[str]:
    """Read again as Markdown, each piece of a fenced block is code, and nothing else has become code."""
    blocks = [b for b in case.document.blocks if b.kind == "code" and b.body and b.attributes.get("fence")]
    starts = [block.span.start for block in blocks]
    for chunk in case.chunks:
        code: list[Piece] = []
        for piece in chunk.pieces:
            at = bisect_right(starts, piece.source.start) - 1 if piece.source else -1
            body = blocks[at].body if at >= 0 else None
            if piece.role == "own" and piece.source and body and overlap(piece.source, body):
                code.append(piece)
        if not code or "fence_dropped" in chunk.flags:
            continue
        ranges = code_ranges(chunk.text)
        for piece in code:
            block = blocks[bisect_right(starts, source_start(piece)) - 1]
            inner = body_part(case.document.text, chunk, piece, block)
            if inner is None:
                continue
            around = fenced_around(chunk.text, inner, ranges)
            if around is None:
                yield f"{name(chunk)}: the code {chunk.text[inner.start : inner.end][:60]!r} is not fenced"
            elif not CLOSED.search(around) and is_closed(block):
                yield f"{name(chunk)}: the fence of {around[:60]!r} is not closed"


def fenced_around(text: str, inner: Span, ranges: Sequence[tuple[int, int]]) -> str | None:
    """The fenced code that holds `inner`, read as the text stands or else without the marks of quotes and lists.

    A chunk that begins inside a list item keeps its indentation, by which Markdown would know the
    item; a reader knows the fence by its own line all the same.
    """
    for low, high in ranges:
        if low <= inner.start and inner.end <= high:
            return text[low:high]
    bare, code = uncontained(text), squeeze(uncontained(text[inner.start : inner.end]))
    return next((bare[low:high] for low, high in code_ranges(bare) if code in squeeze(bare[low:high])), None)


def uncontained(text: str) -> str:
    """Lines without the indentation and the marks of quotes and list items before them."""
    return re.sub(r"^(?:[ \t>]|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)*", "", text, flags=re.M)


CLOSED: Final = re.compile(r"\n[ \t>]*(?:`{3,}|~{3,})[ \t]*\n?\Z")


def is_closed(block: Block) -> bool:
    """Whether the source closes the fence, as the end of the document or of a quote may do in its place."""
    return block.body is not None and block.span.end > block.body.end


def overlap(left: Span, right: Span) -> bool:
    return left.start < right.end and right.start < left.end


def source_start(piece: Piece) -> int:
    assert piece.source is not None
    return piece.source.start


def body_part(text: str, chunk: Chunk, piece: Piece, block: Block) -> Span | None:
    """Where the visible characters of the block's body stand in the chunk's text, within one piece.

    A piece and its source hold the same visible characters in the same order, so the n-th one here
    is the n-th one there.
    """
    assert piece.source is not None
    assert block.body is not None
    low = len(squeeze(text[piece.source.start : max(block.body.start, piece.source.start)]))
    inside = text[max(block.body.start, piece.source.start) : min(block.body.end, piece.source.end)]
    quoted = block.attributes.get("quote")
    lines = [re.sub(r"^[\s>]+", "", line) if quoted else line for line in inside.splitlines()]
    if not squeeze("".join(lines)):
        return None
    marks = len(squeeze(inside)) - len(squeeze(inside.lstrip("> \t"))) if quoted else 0
    high = low + len(squeeze(inside))
    visible = [at for at in range(piece.start, piece.end) if not SPACE.match(chunk.text[at])]
    if high > len(visible):
        return None
    return Span(visible[min(low + marks, high - 1)], visible[high - 1] + 1)


def code_ranges(text: str) -> list[tuple[int, int]]:
    """Ranges of the fenced code blocks of a Markdown text, by code points, fences included."""
    import pyromark

    data = text.encode()
    found: list[tuple[int, int]] = []
    for event, where in pyromark.events_with_range(text, options=pyromark.Options.ENABLE_TABLES):
        kind = event.get("Start") if isinstance(event, dict) else None
        if isinstance(kind, dict) and isinstance(kind.get("CodeBlock"), dict):
            found.append((len(data[: where["start"]].decode()), len(data[: where["end"]].decode())))
    return found


# L9 ----------------------------------------------------------------------------------------------


def identity(case: Case) -> Iterator[str]:
    """Ids follow from document, path, embedding text and occurrence, and no two are equal."""
    seen: Tally[tuple[tuple[str, ...], str]] = Tally()
    ids: set[str] = set()
    for chunk in case.chunks:
        key = (chunk.heading_path, chunk.embedding_text)
        wanted = chunk_id(case.document.id, chunk.heading_path, chunk.embedding_text, seen[key])
        seen[key] += 1
        if chunk.id != wanted:
            yield f"{name(chunk)} has the id {chunk.id}, its content gives {wanted}"
        if chunk.id in ids:
            yield f"{name(chunk)} has the id of an earlier chunk"
        ids.add(chunk.id)
        if (chunk.document_id, chunk.uri, chunk.sha256) != (
            case.document.id,
            case.document.source.uri,
            case.document.source.sha256,
        ):
            yield f"{name(chunk)} names another document"


# L10 ---------------------------------------------------------------------------------------------


def pages(case: Case) -> Iterator[str]:
    """First and last page are those of the regions under the own spans; labels are those of the pages."""
    regions = sorted(
        ((r.span.start, r.span.end, r.page) for block in case.document.blocks for r in block.regions),
        key=lambda r: r[:2],
    )
    starts = [start for start, _, _ in regions]
    labels = {page.number: page.label for page in case.document.pages}
    for chunk in case.chunks:
        if not chunk.spans:
            continue
        numbers = set()
        for span in chunk.spans:
            at = max(bisect_right(starts, span.start) - 1, 0)
            for start, end, page in regions[at : bisect_left(starts, span.end)]:
                if start < span.end and span.start < end:
                    numbers.add(page)
        expected = (min(numbers), max(numbers)) if numbers else (None, None)
        if (chunk.page_start, chunk.page_end) != expected:
            yield f"{name(chunk)} is on pages {expected} and says {chunk.page_start} to {chunk.page_end}"
            continue
        if chunk.page_start is not None and chunk.page_start < 1:
            yield f"{name(chunk)} has the page {chunk.page_start}; pages count from 1"
        said = (chunk.page_label_start, chunk.page_label_end)
        there = tuple(labels.get(page) if page is not None else None for page in expected)
        if said != there:
            yield f"{name(chunk)} has the labels {said}, its pages have {there}"


# -------------------------------------------------------------------------------------------------


def clean_unicode(case: Case) -> Iterator[str]:
    """No lone surrogate and no replacement character that the source does not have."""
    stand_in = "\ufffd" in case.document.text or any("\ufffd" in t for s in case.sections for t in s.path)
    for chunk in case.chunks:
        for text in (chunk.text, chunk.embedding_text, *chunk.heading_path):
            if any(unicodedata.category(char) == "Cs" for char in set(text)):
                yield f"{name(chunk)} has a lone surrogate"
            if "\ufffd" in text and not stand_in:
                yield f"{name(chunk)} has U+FFFD, which the source has not"


Check = Callable[[Case], Iterable[str]]

LAWS: Final[dict[str, Check]] = {
    "L1 budget": budget,
    "L2 truth": truth,
    "L3 nothing lost": nothing_lost,
    "L4 order": order,
    "L5 section": one_section,
    "L6 whole characters": whole_characters,
    "L6 clean text": clean_unicode,
    "L7 tables": tables,
    "L8 fences": fences,
    "L9 identity": identity,
    "L10 pages": pages,
}
