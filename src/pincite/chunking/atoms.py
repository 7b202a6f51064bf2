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

from pincite.chunking.gauge import Gauge
from pincite.chunking.split import Slice, Strength, cut_text, line_ends
from pincite.chunking.view import Bit, View
from pincite.document import Block

__all__ = ["Atom", "Frame", "Unit", "from_slices", "line_atoms", "units"]

LEAD_IN = re.compile(r"[:：﹕︰]\W{0,3}\Z")


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
    mark: str = ""
    """What closes the container's own opening line where that line stands behind quote marks alone."""

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

    loose: bool = False
    """Whether no white space stands before it, so that counts do not add up there."""

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
    return not SOLID.isdisjoint([block.kind for block in blocks])


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


def from_slices(cuts: Iterable[Slice], frame: Frame | None) -> list[Atom]:
    return [
        Atom(cut.start, cut.end, cut.cost, cut.strength, frame, flags=("grapheme_cut",) if cut.hard else ())
        for cut in cuts
    ]


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
