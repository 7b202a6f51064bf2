"""Taking apart what is too large: a list into items, a fence into lines, a table into rows, prose into sentences.

What repeats at the start of a piece (the paragraph that announces a list, the item above nested
ones) is a frame around the atoms; it is left out where it would take too much of the room.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.chunk import PieceRole
from pincite.chunking.atoms import Atom, Frame, Unit, from_slices, is_solid, line_atoms
from pincite.chunking.fences import fence_atoms
from pincite.chunking.gauge import Gauge
from pincite.chunking.split import Strength, cut_text
from pincite.chunking.tables import row_atoms
from pincite.chunking.view import Bit, View, joint
from pincite.document import Block

__all__ = ["expand"]

WORD = re.compile(r"\w")
DEEPEST = 24
"""Lists nested deeper than this are taken apart level by level no more."""


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
        return row_atoms(view, gauge, block, room, strength, frame)
    if block.body is not None and "fence" in block.attributes:
        return fence_atoms(view, gauge, block, room, strength, frame)
    if block.kind in ("code", "html"):
        return line_atoms(view, gauge, block.span.start, block.span.end, inside, strength, frame)
    cuts = cut_text(view, gauge, block.span.start, block.span.end, inside, gauge.options.cut_at, strength)
    return from_slices(cuts, frame)


def list_atoms(view: View, gauge: Gauge, unit: Unit, room: int) -> list[Atom]:
    """Items, each whole where it fits; the paragraph that announces the list is said again."""
    frame = None
    if unit.lead_in:
        said = view.bits(unit.lead_in.span.start, unit.lead_in.span.end)
        frame = repeated("list", "lead_in", said, "\n\n", unit, gauge, room, room // 4, None)
    return item_atoms(view, gauge, unit.blocks, room, unit.strength, frame, Strength.ITEM, 1)


def repeated(
    kind: str,
    role: PieceRole,
    said: Sequence[Bit],
    space: str,
    unit: Unit,
    gauge: Gauge,
    room: int,
    allowance: int,
    parent: Frame | None,
) -> Frame | None:
    """A frame that says `said` again at the start of a piece; none where that takes too much room."""
    if not any(bit.role and WORD.search(bit.text) for bit in said):
        return parent
    opening = (*(bit._replace(role=role if bit.role else None) for bit in said), joint(space))
    cost = gauge.cost("".join(bit.text for bit in said)) + gauge.blank(space)
    if cost > allowance or cost + (parent.cost if parent else 0) > room // 2:
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
    under = repeated("item", "lead_in", said, "\n", parent, gauge, room, room // 8, frame)
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
