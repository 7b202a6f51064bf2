"""A Document into chunks: sections, atoms, breaks, context, identity, audit.

Most sections fit the budget whole. Those are counted once, as they will be embedded, in one call
for the whole document, and are done. Only the others are taken apart.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.chunk import PATH_SEPARATOR, Chunk, ChunkKind, Namer, Part, Piece, embedding_text
from pincite.chunking import pack
from pincite.chunking.atoms import Atom, Unit, continues_list, glued, is_solid, units
from pincite.chunking.audit import audit
from pincite.chunking.expand import expand
from pincite.chunking.gauge import Gauge
from pincite.chunking.outline import Section, sections, with_heading
from pincite.chunking.places import Place, Places
from pincite.chunking.quality import confidence_of, quality
from pincite.chunking.semantic import Encode, boundaries
from pincite.chunking.split import Strength
from pincite.chunking.tables import banded_atoms, schema_bits, written_atoms
from pincite.chunking.view import Bit, View, joint
from pincite.collecting import resting
from pincite.counting.counter import Counter
from pincite.document import Block, Diagnostic, Document, Span
from pincite.errors import OptionError
from pincite.options import ChunkOptions

__all__ = ["Chunked", "chunk_document"]

PER_TOKEN = 4
"""More code points a token than this and a text is taken apart without being counted whole: what
fits after all is put together again."""

PER_FOREIGN_TOKEN = 3
"""The same for text beyond ASCII."""

SEPARATORS = frozenset("-_=.*~ \t\r\n\xa0")
WHOLE = Part(1, 1)


@dataclass(frozen=True, slots=True)
class Chunked:
    """The chunks of one document, and what the audit found."""

    chunks: tuple[Chunk, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(slots=True)
class Made:
    """One chunk before it has a number."""

    section: Section
    bits: list[Bit]
    kind: ChunkKind
    path: tuple[str, ...]
    """As embedded: shortened where it had to give way."""

    embedded: str
    tokens: int = -1
    flags: tuple[str, ...] = ()
    place: Span | None = None
    """Where it stands, if it has no text of its own."""

    part: Part = WHOLE


def chunk_document(
    document: Document, options: ChunkOptions, counter: Counter, encode: Encode | None = None
) -> Chunked:
    """The chunks of a document in reading order.

    `encode` is needed for semantic boundaries only. Raises OptionError where the options cannot
    hold together, such as a prefix of the model that takes the whole budget.
    """
    gauge = Gauge(counter, options)
    if gauge.capacity < 1:
        wanted = f"more than the {counter.overhead} that special tokens and the model's prefix take"
        raise OptionError("chunk.max_tokens", options.max_tokens, wanted)
    if options.semantic and encode is None:
        raise OptionError("chunk.semantic", True, "false where no model is given that encodes blocks")
    with resting():
        chunks = finished(document, gauge, Maker(document, gauge, encode).made())
    return Chunked(tuple(chunks), tuple(audit(document, chunks, options.max_tokens, options.table_format != "source")))


class Maker:
    """Makes the texts of the chunks, section by section."""

    def __init__(self, document: Document, gauge: Gauge, encode: Encode | None) -> None:
        self.document, self.gauge, self.encode = document, gauge, encode
        self.options = gauge.options
        self.view = View(document)
        self.paged = bool(document.pages) and not gauge.options.cross_pages

    def made(self) -> list[Made]:
        """All chunks in order; sections that fit whole are counted together."""
        found: deque[Made | Section] = deque()
        tried: list[Made] = []
        for section in sections(self.document):
            whole = self.whole(section)
            if whole is None:
                found.append(section)
            elif whole.embedded:
                found.append(whole)
                tried.append(whole)
        for made, size in zip(tried, self.gauge.counter.units_many([m.embedded for m in tried]), strict=True):
            made.tokens = size
        del tried
        result: list[Made] = []
        while found:
            each = found.popleft()
            if isinstance(each, Section):
                result += self.taken_apart(each)
            elif self.fits(each):
                each.tokens = self.gauge.counter.tokens(each.tokens + self.gauge.counter.overhead)
                result.append(each)
            else:
                result += self.taken_apart(each.section)
        return result

    def fits(self, made: Made) -> bool:
        units, text = made.tokens, made.embedded
        if not self.options.count_prefix and made.path:
            units = self.gauge.counter.units(text_of(made.bits))
        longest = self.gauge.longest
        return units <= self.gauge.capacity and (longest is None or len(text) <= longest)

    def whole(self, section: Section) -> Made | None:
        """The section as one chunk, if it may be one and is not plainly too large.

        A section without anything to say gives a chunk without text, which is left out.
        """
        body = section.blocks
        first, last = body[0], body[-1]
        start, end = first.span.start, last.span.end
        if self.plainly_large(start, end, self.options.max_tokens):
            return None
        if self.options.semantic or (len(body) > 1 and self.stands_alone(body)):
            return None
        if any(block.table and self.rewritten(block) for block in body):
            return None
        if self.paged and self.turns(body):
            return None
        bits = self.view.bits(start, end)
        text = text_of(bits)
        path = section.path if self.options.heading_prefix else ()
        if section.body and SEPARATORS.issuperset(text):
            if not section.heading or body[0] is section.heading:
                return Made(section, [], "text", (), "")
            return self.whole(with_heading(section))
        kind = "heading" if not section.body else kind_of(body)
        return Made(section, bits, kind, path, embedding_text(path, text))

    def plainly_large(self, start: int, end: int, tokens: int) -> bool:
        """Whether a range is so long that counting it whole would most likely be for nothing."""
        size = end - start
        if size <= PER_FOREIGN_TOKEN * tokens:
            return False
        return size > PER_TOKEN * tokens or not self.document.text[start:end].isascii()

    def stands_alone(self, body: Sequence[Block]) -> bool:
        """Whether the options want a block of this section in a chunk without others."""
        if not self.options.isolate:
            return False
        return sum(1 for _ in self.runs(body)) > 1

    def rewritten(self, block: Block) -> bool:
        """Whether a table is written otherwise than as it stands."""
        assert block.table is not None
        return (
            self.options.table_format != "source"
            or self.options.table_schema
            or block.table.columns > self.options.wide_table_columns
        )

    def taken_apart(self, section: Section) -> list[Made]:
        """A section in as many chunks as it needs."""
        path = section.path if self.options.heading_prefix else ()
        kept = self.gauge.trimmed(path, self.least_room(section.blocks, path))
        room = self.gauge.capacity - self.gauge.path_cost(kept)
        flags = ("path_trimmed",) if kept != path else ()
        counted = PATH_SEPARATOR.join(kept) if self.options.count_prefix else ""
        body = section.blocks
        found: list[Made] = []
        before = self.gauge.path_cost(kept)
        self.gauge.raised = not self.options.count_prefix
        for run in self.runs(body):
            for piece in self.pieces(run, room, counted):
                text = text_of(piece.bits)
                if not any(bit.role for bit in piece.bits):
                    continue
                inside = touched(body, piece.start, piece.end)
                if SEPARATORS.issuperset(text) and all(whole_in(block, piece) for block in inside):
                    continue
                kind: ChunkKind = "heading" if not section.body else kind_of(inside)
                place = None
                if piece.bits[0].role == "generated":
                    kind, place = "table_schema", Span(piece.start, piece.end)
                made = Made(
                    section, piece.bits, kind, kept, embedding_text(kept, text), -1, (*flags, *piece.flags), place
                )
                if piece.units >= 0:
                    made.tokens = self.gauge.counter.tokens(piece.units + before + self.gauge.counter.overhead)
                found.append(made)
        if self.gauge.raised:
            for made in found:
                made.tokens = -1
        for number, made in enumerate(found, 1):
            made.part = Part(number, len(found))
        return found

    def least_room(self, body: Sequence[Block], path: tuple[str, ...]) -> int:
        """The most that a table's header takes with one of its rows, as far as both fit at all.

        Not counted where even two units a character would fit beside the path.
        """
        least, free = 0, self.gauge.capacity - self.gauge.path_cost(path)
        for block in body:
            table = block.table
            if not table or not table.header_span or self.options.table_format != "source":
                continue
            header, rows = table.header_span, [row.span for row in table.rows]
            if 2 * (len(header) + max(map(len, rows), default=0)) <= free:
                continue
            said = self.view.own(header.start, header.end)
            whole = self.gauge.costs([f"{said}\n{self.view.own(row.start, row.end)}" for row in rows])
            least = max([least, *(cost for cost in whole if cost <= self.gauge.capacity)])
        return least

    def pieces(self, run: Sequence[Block], room: int, path: str) -> list[pack.Piece]:
        """The pieces of blocks that may share chunks."""
        atoms: list[Atom] = []
        grouped = units(self.view, run)
        large = [self.divisible(unit, room) for unit in grouped]
        texts = ["" if skip else self.view.own(unit.start, unit.end) for unit, skip in zip(grouped, large, strict=True)]
        costs = [room + 1 if skip else cost for skip, cost in zip(large, self.gauge.costs(texts), strict=True)]
        taken = 0
        for unit, cost in zip(grouped, costs, strict=True):
            found = self.atoms(unit, cost, room if unit.kind == "table" else room - taken)
            if unit.strength == Strength.GLUE and atoms and found:
                found = self.joined(atoms, found, room)
            atoms += found
            taken = 0
            if unit.kind == "heading" and found and 2 * found[-1].cost < room:
                taken = found[-1].cost + self.gauge.blank("\n\n")
        if self.paged:
            starts = {run[number].span.start for number in self.turns(run)}
            for atom in atoms:
                atom.turn = atom.start in starts
        return pack.pack(self.view, self.gauge, atoms, room, path)

    def divisible(self, unit: Unit, room: int) -> bool:
        """Whether a unit is counted part by part at once, since it has parts and is plainly too large."""
        if self.options.oversize == "keep" or (unit.kind == "table" and self.rewritten(unit.blocks[0])):
            return False
        return self.plainly_large(unit.start, unit.end, room)

    def atoms(self, unit: Unit, cost: int, room: int) -> list[Atom]:
        """A unit as one atom where it fits, else taken apart; tables as the options want them."""
        block = unit.blocks[0]
        if unit.kind == "table" and block.table and self.rewritten(block):
            found = []
            if self.options.table_schema:
                found = self.schema(block, room)
            if self.options.table_format != "source":
                return found + written_atoms(self.view, self.gauge, block, room, unit.strength)
            if block.table.columns > self.options.wide_table_columns:
                return found + banded_atoms(self.view, self.gauge, block, room, unit.strength)
            return found + self.plain(unit, cost, room)
        return self.plain(unit, cost, room)

    def joined(self, before: list[Atom], atoms: list[Atom], room: int) -> list[Atom]:
        """The next atoms, of a unit that belongs to the one before: the caption of a rewritten table is written into it."""
        left, right = before[-1], atoms[0]
        if bool(left.ready) == bool(right.ready) or (left.ready and len(atoms) > 1):
            return atoms
        bits = (*self.bits_of(left), joint("\n\n"), *self.bits_of(right))
        cost = self.gauge.cost(text_of(bits))
        if cost > room or any(bit.role == "generated" for bit in bits):
            return atoms
        before.pop()
        flags = (*left.flags, *right.flags)
        return [Atom(left.start, right.end, cost, left.strength, ready=bits, flags=flags), *atoms[1:]]

    def bits_of(self, atom: Atom) -> tuple[Bit, ...]:
        return atom.ready or tuple(self.view.bits(atom.start, atom.end))

    def plain(self, unit: Unit, cost: int, room: int) -> list[Atom]:
        if cost <= room:
            return [Atom(unit.start, unit.end, cost, unit.strength, solid=is_solid(unit.blocks))]
        return expand(self.view, self.gauge, unit, room)

    def schema(self, block: Block, room: int) -> list[Atom]:
        """The description of a table's columns, cut at lines where it is too large."""
        assert block.table is not None
        bit = schema_bits(self.view, block.table, block.attributes.get("label", ""))[0]
        found: list[Atom] = []
        lines: list[str] = []
        for line in [*bit.text.split("\n"), None]:
            more = "\n".join([*lines, line]) if line is not None else ""
            if lines and (line is None or self.gauge.cost(more) > room):
                text = "\n".join(lines)
                ready = (Bit("generated", text),)
                found.append(Atom(block.span.start, block.span.end, 0, Strength.BLOCK, ready=ready))
                lines = []
            if line is not None and self.gauge.cost(line) <= room:
                lines.append(line)
        return found

    def runs(self, body: Sequence[Block]) -> Iterator[list[Block]]:
        """Blocks that may share chunks: parted at isolated kinds and at changes of meaning."""
        changes = self.changes(body)
        run: list[Block] = []
        held = ""
        for number, block in enumerate(body):
            if run and number in changes:
                yield run
                run, held = [], ""
            kind = isolation(block, self.options.isolate)
            kept = stays(run, held, block, kind) if run else 0
            if kept < len(run):
                if run[: len(run) - kept]:
                    yield run[: len(run) - kept]
                run, held = run[len(run) - kept :], ""
            run.append(block)
            held = held or kind
        if run:
            yield run

    def turns(self, body: Sequence[Block]) -> list[int]:
        """Positions of blocks that begin on another page than the one before them ends on.

        A chunk cites one page where it can: only a block that itself runs over a page, a list, and
        what belongs together make a chunk of two pages.
        """
        found = []
        for number in range(1, len(body)):
            before, block = body[number - 1], body[number]
            if not before.regions or not block.regions or before.regions[-1].page == block.regions[0].page:
                continue
            within = before.kind == "list_item" or before.level
            if (within and continues_list(block)) or glued(self.view, [Unit(before.kind, [before])], block):
                continue
            found.append(number)
        return found

    def changes(self, body: Sequence[Block]) -> set[int]:
        """Positions of blocks before which meaning changes."""
        if not self.options.semantic or self.encode is None:
            return set()
        texts = [(number, self.view.own(b.span.start, b.span.end)) for number, b in enumerate(body)]
        shown = [(number, text) for number, text in texts if text.strip() and not SEPARATORS.issuperset(text)]
        found = boundaries([text for _, text in shown], self.encode, self.options.semantic_threshold)
        return {shown[each][0] for each in found}


def text_of(bits: Sequence[Bit]) -> str:
    return "".join(bit.text for bit in bits) if len(bits) != 1 else bits[0].text


def isolation(block: Block, alone: Sequence[str]) -> str:
    """The isolated kind that a block belongs to, or nothing."""
    kind = "list" if block.kind == "list_item" or (block.level and block.kind != "heading") else block.kind
    return kind if kind in alone else ""


def stays(run: Sequence[Block], held: str, block: Block, kind: str) -> int:
    """How many blocks at the end of a run share chunks with the block after it.

    `held` is the kind in the run that stands alone, `kind` that of the block, empty where there is
    none. What announces such a block or names it stays with it: a caption, a heading, the paragraph
    before a list or an equation.
    """
    if not held and not kind:
        return len(run)
    if held:
        caption = block.kind == "caption" and run[-1].kind != "caption"
        same_list = kind == held == "list" and continues_list(block)
        return len(run) if caption or same_list else 0
    before = run[-1].kind
    announces = before in ("caption", "heading") or (before == "paragraph" and kind in ("list", "equation"))
    kept = int(announces)
    while announces and kept < len(run) and run[-kept - 1].kind == "heading":
        kept += 1
    return kept


def whole_in(block: Block, piece: pack.Piece) -> bool:
    return piece.start <= block.span.start and block.span.end <= piece.end


def touched(body: Sequence[Block], start: int, end: int) -> Sequence[Block]:
    """The blocks that share a character with a range."""
    first = bisect_right(body, start, key=lambda block: block.span.end)
    last = bisect_left(body, end, key=lambda block: block.span.start)
    return body[first:last]


KINDS: dict[str, ChunkKind] = {
    "list_item": "list",
    "table": "table",
    "code": "code",
    "equation": "equation",
    "figure": "figure",
}


def kind_of(blocks: Sequence[Block]) -> ChunkKind:
    """What a chunk of these blocks is: their one kind, leaving aside what only leads into it."""
    kinds = {KINDS.get(block.kind, block.kind) for block in blocks}
    if len(kinds) == 1:
        only = kinds.pop()
        return only if only in KINDS.values() else "text"  # type: ignore[return-value]
    if "list" in kinds and all(block.kind == "list_item" or block.level for block in blocks[1:]):
        return "list"
    if "equation" in kinds and kinds <= {"equation", "paragraph"}:
        return "equation"
    special = kinds - {"caption"}
    if len(special) == 1 and special <= {"table", "figure", "code"}:
        return special.pop()  # type: ignore[return-value]
    return "text"


def finished(document: Document, gauge: Gauge, made: list[Made]) -> list[Chunk]:
    """Chunks with exact counts, ids, places and qualities.

    A section that was tried whole was counted as it is embedded. Of the others, a text whose parts
    meet at white space only, by a counter whose sums are exact there, has its sum for a count;
    every other one is counted here. `made` is used up, so that no text is held twice for long.
    """
    late = [each for each in made if each.tokens < 0]
    counter = gauge.counter
    for each, size in zip(late, counter.units_many([m.embedded for m in late]), strict=True):
        each.tokens = counter.tokens(size + counter.overhead)
    del late
    places = Places(document) if document.pages else None
    doubtful = any(block.confidence != 1.0 for block in document.blocks)
    name = Namer(document.id)
    title, source, limit = document.metadata.title, document.source, gauge.limit
    chunks = []
    made.reverse()
    for index in range(len(made)):
        each = made.pop()
        path = each.section.path
        text, pieces, spans = joined(each.bits)
        place = places.of(spans or ((each.place,) if each.place else ())) if places else NOWHERE
        flags = each.flags
        if each.tokens > limit and gauge.options.count_prefix and "over_budget" not in flags:
            flags = (*flags, "over_budget")
        sure = quality(text, each.kind, confidence(each.section, spans) if doubtful else 1.0)
        chunks.append(
            Chunk(
                name(path, each.embedded), index, each.kind, document.id, source.uri, title, source.sha256, path, text,
                each.embedded, each.tokens, spans, pieces, place.regions, place.page_start, place.page_end,
                place.label_start, place.label_end, each.part, sure, flags,
            )
        )  # fmt: skip
    return chunks


NOWHERE = Place()


def joined(bits: Sequence[Bit]) -> tuple[str, tuple[Piece, ...], tuple[Span, ...]]:
    """The text of a chunk, its pieces and its own spans."""
    if len(bits) == 1 and bits[0].role == "own":
        _, text, start, end = bits[0]
        whole = Span(start, end)
        return text, (Piece("own", 0, len(text), whole),), (whole,)
    at = 0
    pieces: list[Piece] = []
    spans: list[Span] = []
    for role, text, start, end in bits:
        if role:
            source = Span(start, end) if start >= 0 else None
            pieces.append(Piece(role, at, at + len(text), source))
            if role == "own" and source:
                spans.append(source)
        at += len(text)
    return text_of(bits), tuple(pieces), tuple(spans)


def confidence(section: Section, spans: Sequence[Span]) -> float | None:
    """Mean confidence of the blocks under the spans, weighted by length."""
    body = section.blocks
    parts = []
    for span in spans:
        for block in touched(body, span.start, span.end):
            length = min(block.span.end, span.end) - max(block.span.start, span.start)
            parts.append((length, block.confidence))
    return confidence_of(parts) if parts else 1.0
