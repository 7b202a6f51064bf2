"""The smallest units worth keeping whole, and what belongs together.

A section's blocks are grouped into units (a paragraph, a whole list, a table, a fence). A unit
that fits its room is one atom and is never cut. Only a larger one is taken apart: a list into
items, code at blank lines and then at lines, a table into rows, prose into sentences, words and
graphemes. Atoms from inside a container carry its `Frame`: what has to be said again where a
chunk begins or ends inside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.chunk import PieceRole
from pincite.chunking.gauge import Gauge
from pincite.chunking.split import Slice, Strength, cut_text, line_ends
from pincite.chunking.view import Bit, View, joint
from pincite.document import Block

__all__ = ["Atom", "Frame", "Unit", "expand", "units"]

LEAD_IN = re.compile(r"[:：﹕︰]\W{0,3}\Z")
WORD = re.compile(r"\w")
DEEPEST = 24
"""Lists nested deeper than this are taken apart level by level no more."""


@dataclass(slots=True, eq=False)
class Frame:
    """A container that was taken apart, and what its pieces repeat."""

    kind: str
    start: int
    """Where its first atom begins: a chunk that begins there needs no opening."""

    end: int
    """Where its last atom ends: a chunk that ends there needs no closing."""

    opening: tuple[Bit, ...] = ()
    closing: tuple[Bit, ...] = ()
    own_closing: tuple[Bit, ...] = ()
    """Closes a piece that holds the container's own opening line, in the indentation of that line."""

    open_cost: int = 0
    close_cost: int = 0
    parent: Frame | None = None
    indent: str = ""
    """White space for a piece that begins with the opening line of a fence behind a list marker."""

    inner: str = ""
    """Quote marks for a piece that begins in the middle of a line."""

    @property
    def cost(self) -> int:
        """Units that it and its parents cost at most."""
        parent = self.parent.cost if self.parent else 0
        return self.open_cost + self.close_cost + parent


@dataclass(slots=True)
class Atom:
    """A range that stays whole, or a piece that was written ready (`ready`) and stands alone."""

    start: int
    end: int
    cost: int
    strength: int
    frame: Frame | None = None
    gap: int = 0
    """Units of the white space before it, where an atom of the same chunk precedes."""

    ready: tuple[Bit, ...] = ()
    flags: tuple[str, ...] = ()
    last: bool = False
    """Whether nothing may follow it in its chunk."""

    turn: bool = False
    """Whether a page turns before it, so that nothing may precede it in its chunk."""

    solid: bool = False
    """Whether an overlap may take it whole only: tables, code and the like are not quoted in part."""


SOLID = frozenset({"table", "code", "equation", "html", "figure"})


def is_solid(blocks: Iterable[Block]) -> bool:
    """Whether one of the blocks makes no sense in part."""
    return any(block.kind in SOLID for block in blocks)


@dataclass(slots=True)
class Unit:
    """Blocks that form one thing."""

    kind: str
    blocks: list[Block]
    strength: int = Strength.BLOCK
    lead_in: Block | None = None
    """The paragraph that announces it."""

    @property
    def start(self) -> int:
        return self.blocks[0].span.start

    @property
    def end(self) -> int:
        return self.blocks[-1].span.end


def units(view: View, blocks: Sequence[Block]) -> list[Unit]:
    """Blocks grouped into units, with the strength of the break before each."""
    found: list[Unit] = []
    for block in blocks:
        last = found[-1] if found else None
        if last and last.kind == "list" and continues_list(block):
            last.blocks.append(block)
            continue
        kind = "list" if block.kind == "list_item" else block.kind
        unit = Unit(kind, [block])
        if last:
            announced = block.kind in ANNOUNCED and leads_in(view, last.blocks[-1], block)
            if announced:
                unit.lead_in = last.blocks[-1]
            if block.kind == "rule" or last.kind == "rule":
                unit.strength = Strength.BLOCK if block.kind == "rule" else Strength.RULE
            elif announced or belongs(view, found, block):
                unit.strength = Strength.GLUE
        found.append(unit)
    return found


def continues_list(block: Block) -> bool:
    """Whether a block belongs to the list that stands before it."""
    if block.kind == "list_item":
        return not (block.level == 1 and "list" in block.attributes)
    return block.level > 0 and block.kind != "heading"


ANNOUNCED = frozenset({"list_item", "table", "code", "equation", "figure", "quote"})


def leads_in(view: View, before: Block, block: Block) -> bool:
    """Whether the paragraph before a block announces it: it ends with a colon, or touches a list."""
    if before.kind not in ("paragraph", "quote") or block.kind not in ANNOUNCED:
        return False
    if LEAD_IN.search(view.text[max(before.span.start, before.span.end - 8) : before.span.end]):
        return True
    touching = view.space(before.span.end, block.span.start)
    return block.kind == "list_item" and view.lf(touching).count("\n") == 1


NAMED = frozenset({"table", "figure", "code", "equation"})


def glued(view: View, found: Sequence[Unit], block: Block) -> bool:
    """Whether a block belongs to the unit before it: captions, lead-ins, equations, headings."""
    return leads_in(view, found[-1].blocks[-1], block) or belongs(view, found, block)


def belongs(view: View, found: Sequence[Unit], block: Block) -> bool:
    """Whether a block belongs to the unit before it for another reason than being announced by it."""
    before = found[-1].blocks[-1]
    if before.kind == "heading":
        return True
    if before.kind == "caption" and block.kind in NAMED:
        return not (len(found) > 1 and found[-1].strength == Strength.GLUE and found[-2].kind == block.kind)
    if block.kind == "caption":
        return before.kind in NAMED
    if block.kind == "equation":
        return before.kind in ("paragraph", "equation")
    return before.kind == "equation" and block.kind == "paragraph" and view.text[block.span.start].islower()


def expand(view: View, gauge: Gauge, unit: Unit, room: int) -> list[Atom]:
    """The atoms of a unit that is larger than `room`."""
    if gauge.options.oversize == "keep":
        cost = gauge.cost(view.own(unit.start, unit.end))
        return [Atom(unit.start, unit.end, cost, unit.strength, flags=("over_budget",))]
    if unit.kind == "list":
        return list_atoms(view, gauge, unit, room)
    return block_atoms(view, gauge, unit.blocks[0], room, unit.strength, None)


def block_atoms(view: View, gauge: Gauge, block: Block, room: int, strength: int, frame: Frame | None) -> list[Atom]:
    """The atoms of one block inside `frame`; the first one has `strength` before it."""
    inside = room - (frame.cost if frame else 0)
    if block.kind == "table" and block.table:
        from pincite.chunking.tables import row_atoms

        return row_atoms(view, gauge, block, room, strength, frame)
    if block.body is not None and "fence" in block.attributes:
        from pincite.chunking.fences import fence_atoms

        return fence_atoms(view, gauge, block, room, strength, frame)
    if block.kind in ("code", "html"):
        return line_atoms(view, gauge, block.span.start, block.span.end, inside, strength, frame)
    cuts = cut_text(view, gauge, block.span.start, block.span.end, inside, gauge.options.cut_at, strength)
    return from_slices(cuts, frame)


def from_slices(cuts: Iterable[Slice], frame: Frame | None) -> list[Atom]:
    return [
        Atom(cut.start, cut.end, cut.cost, cut.strength, frame, flags=("grapheme_cut",) if cut.hard else ())
        for cut in cuts
    ]


def list_atoms(view: View, gauge: Gauge, unit: Unit, room: int) -> list[Atom]:
    """Items, each whole where it fits; the paragraph that announces the list is said again."""
    frame = None
    if unit.lead_in:
        said = view.bits(unit.lead_in.span.start, unit.lead_in.span.end)
        frame = repeated("list", "lead_in", said, "\n\n", unit, gauge, room // 4, None)
    return item_atoms(view, gauge, unit.blocks, room, unit.strength, frame, Strength.ITEM, 1)


def repeated(
    kind: str,
    role: PieceRole,
    said: Sequence[Bit],
    space: str,
    unit: Unit,
    gauge: Gauge,
    allowance: int,
    parent: Frame | None,
) -> Frame | None:
    """A frame that says `said` again at the start of a piece; none where that takes too much room."""
    if not any(bit.role and WORD.search(bit.text) for bit in said):
        return parent
    opening = (*(bit._replace(role=role if bit.role else None) for bit in said), joint(space))
    cost = gauge.cost("".join(bit.text for bit in said)) + gauge.blank(space)
    if cost > allowance:
        return parent
    return Frame(kind, unit.start, unit.end, opening, open_cost=cost, parent=parent)


def item_atoms(
    view: View,
    gauge: Gauge,
    blocks: Sequence[Block],
    room: int,
    strength: int,
    frame: Frame | None,
    between: int,
    depth: int,
) -> list[Atom]:
    """Atoms of the blocks of a list, or of one item's inside, grouped by their top-level items."""
    inside = room - (frame.cost if frame else 0)
    groups = grouped(blocks, depth)
    costs = gauge.costs([view.own(group[0].span.start, group[-1].span.end) for group in groups])
    found: list[Atom] = []
    for group, cost in zip(groups, costs, strict=True):
        before = between if found else strength
        start, end = group[0].span.start, group[-1].span.end
        if cost <= inside:
            found.append(Atom(start, end, cost, before, frame, solid=is_solid(group)))
        elif len(group) == 1:
            found += block_atoms(view, gauge, group[0], room, before, frame)
        else:
            found += nested_atoms(view, gauge, group, room, before, frame, depth)
    return found


def nested_atoms(
    view: View, gauge: Gauge, group: Sequence[Block], room: int, strength: int, frame: Frame | None, depth: int
) -> list[Atom]:
    """One item that is too large: its own text, then what is nested in it under its first words."""
    head, rest = group[0], group[1:]
    inside = room - (frame.cost if frame else 0)
    cost = gauge.cost(view.own(head.span.start, head.span.end))
    if cost <= inside:
        found = [Atom(head.span.start, head.span.end, cost, strength, frame)]
    else:
        found = block_atoms(view, gauge, head, room, strength, frame)
    if depth >= DEEPEST:
        return found + item_atoms(view, gauge, rest, room, Strength.GLUE, frame, Strength.INNER, 10**9)
    parent = Unit("list", list(group))
    said = view.bits(head.span.start, head.span.end)
    under = repeated("item", "lead_in", said, "\n", parent, gauge, room // 8, frame)
    return found + item_atoms(view, gauge, rest, room, Strength.GLUE, under, Strength.INNER, depth + 1)


def grouped(blocks: Sequence[Block], depth: int) -> list[list[Block]]:
    """Blocks by the items of `depth` that they belong to."""
    groups: list[list[Block]] = []
    for block in blocks:
        opens = block.level <= depth and (block.kind == "list_item" or block.level < depth)
        if not groups or opens or depth > DEEPEST or groups[-1][0].kind != "list_item":
            groups.append([block])
        else:
            groups[-1].append(block)
    return groups


def line_atoms(
    view: View, gauge: Gauge, start: int, end: int, room: int, strength: int, frame: Frame | None
) -> list[Atom]:
    """Groups of lines between blank lines where they fit, else lines, else words and graphemes."""
    text = view.text[start:end]
    lines = line_ranges(text, start)
    costs = gauge.costs([view.own(*line) for line in lines])
    groups: list[list[int]] = []
    for number, line in enumerate(lines):
        new = not groups or view.lf(view.text[lines[number - 1][1] : line[0]]).count("\n") > 1
        if new:
            groups.append([])
        groups[-1].append(number)
    found: list[Atom] = []
    for group in groups:
        begin, stop = lines[group[0]][0], lines[group[-1]][1]
        before = Strength.ITEM if found else strength
        whole = gauge.cost(view.own(begin, stop)) if len(group) > 1 else costs[group[0]]
        if whole <= room:
            found.append(Atom(begin, stop, whole, before, frame))
            continue
        for number in group:
            at = (Strength.INNER if number > group[0] else before) if found else strength
            if costs[number] <= room:
                found.append(Atom(*lines[number], costs[number], at, frame))
            else:
                found += from_slices(cut_text(view, gauge, *lines[number], room, ("words",), at), frame)
    return found


def line_ranges(text: str, start: int) -> list[tuple[int, int]]:
    """The lines that hold something, indentation kept, without white space at their ends."""
    found, begin = [], 0
    for stop in line_ends(text):
        line = text[begin:stop].rstrip()
        if line:
            found.append((start + begin, start + begin + len(line)))
        begin = stop
    return found
