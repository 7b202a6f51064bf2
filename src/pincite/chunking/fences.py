"""Fenced blocks in pieces, each of which is fenced again.

The opening line is said again before each piece that begins inside the block, and a closing line
after each piece that ends inside it; a piece of a block in a quote keeps its quote marks. Where
both take too much of the room the opening line loses its language, then the fences are left out
and the chunks say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.chunking.atoms import Atom, Frame, from_slices, line_atoms
from pincite.chunking.gauge import Gauge
from pincite.chunking.split import Strength, cut_text
from pincite.chunking.view import Bit, View, joint
from pincite.document import Block, Span

__all__ = ["fence_atoms"]

CONTAINERS = re.compile(r"\A[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[\s>]+)*")
CLOSING = re.compile(r"`{3,}|~{3,}|\$\$|\\\]")
QUOTES = re.compile(r"\A(?:[ \t]{0,3}>)+[ ]?")
WIDEST = 400
"""Code points of a line that are looked through for containers."""

DEEP = 4
"""A closing line that is indented so far closes nothing outside its list."""


@dataclass(frozen=True, slots=True)
class Fence:
    """The two lines of a fenced block, as its pieces may say them again."""

    opening: str
    closing: str
    short: str
    """The least fence that nothing in the body closes, without a language."""

    marks: str
    """Quote marks before each line."""

    indented: str
    """The closing line as the block's own opening line needs it, list indentation included."""

    deep: bool
    """Whether the block's own closing line is indented too far to close a fence that is not."""

    unclosed: bool
    """Whether the block has no closing line and ends with its container."""


def fence_of(view: View, block: Block, body: Span) -> Fence:
    first = view.own(block.span.start, body.start)
    last = view.own(body.end, block.span.end)
    mark = block.attributes["fence"]
    closes = next((line for line in last.split("\n") if CLOSING.search(line)), "")
    found = CLOSING.search(closes)
    marks = "> " * int(block.attributes.get("quote", "0"))
    inside = QUOTES.sub("", closes) if marks else closes
    return Fence(
        marks + CONTAINERS.sub("", first).rstrip("\n"),
        marks + (found.group() if found else mark),
        marks + short_mark(view.text[body.start : body.end], mark),
        marks,
        (closes[: found.start()] if found else indentation(view.text, block.span.start))
        + (found.group() if found else mark),
        len(inside) - len(inside.lstrip(" \t")) >= DEEP or inside.startswith("\t"),
        found is None,
    )


def short_mark(body: str, mark: str) -> str:
    """The shortest fence of the same sign that nothing in the body closes, so that the block's own line closes it."""
    short = mark[:3]
    return short if mark[0] in "`~" and short not in body else mark


def without_markers(text: str, at: int) -> str:
    """What stands before `at` on its line, list markers as spaces; nothing where the line is too long for a container."""
    low = max(0, at - WIDEST)
    found = max(text.rfind("\n", low, at), text.rfind("\r", low, at))
    start = found + 1 if found >= 0 or not low else at
    return re.sub(r"[^>\s]", " ", text[start:at])


def indentation(text: str, at: int) -> str:
    """What stands before the fence on its opening line, list markers as spaces."""
    line = text[at : at + WIDEST].split("\n", 1)[0]
    before = CONTAINERS.match(line)
    return without_markers(text, at) + re.sub(r"[^>\s]", " ", before.group() if before else "")


def frame_of(
    view: View, gauge: Gauge, block: Block, body: Span, fence: Fence, room: int, parent: Frame | None
) -> Frame:
    """What pieces say again, as much of it as leaves half of the room, or else a quarter."""
    first = view.own(block.span.start, body.start).rstrip("\n")
    last = view.own(body.end, block.span.end).strip("\n")
    for opening, closing, above, share in (
        (fence.opening, fence.closing, parent, room // 2),
        (fence.short, fence.short, parent, room // 2),
        (fence.short, fence.short, None, 3 * room // 4),
    ):
        frame = Frame("fence", block.span.start, block.span.end, parent=above, inner=fence.marks, mark=fence.closing)
        begins = (block.span.start, body.start) if opening == first else (-1, -1)
        ends = (body.end, block.span.end) if closing == last else (-1, -1)
        frame.opening = (Bit("fence", opening, *begins), joint("\n"))
        frame.closing = (joint("\n"), Bit("fence", closing, *ends))
        frame.own_closing = (joint("\n"), Bit("fence", fence.indented, *(ends if fence.indented == last else (-1, -1))))
        frame.open_cost = gauge.cost(opening) + gauge.cost(fence.marks) + gauge.blank("\n") + gauge.blank(" ")
        frame.close_cost = max(gauge.cost(closing), gauge.cost(fence.indented)) + gauge.blank("\n")
        if frame.cost <= share:
            return frame
    return Frame("fence", block.span.start, block.span.end)


def fence_atoms(view: View, gauge: Gauge, block: Block, room: int, strength: int, parent: Frame | None) -> list[Atom]:
    """Groups of lines of a fenced block that is larger than `room`."""
    body = block.body
    assert body is not None
    fence = fence_of(view, block, body)
    frame = frame_of(view, gauge, block, body, fence, room, parent)
    atoms = line_atoms(view, gauge, body.start, body.end, max(1, room - frame.cost), strength, frame)
    if not atoms:
        cuts = cut_text(view, gauge, block.span.start, block.span.end, room, ("words",), strength)
        return from_slices(cuts, None)
    if not frame.opening:
        for atom in atoms:
            atom.flags = (*atom.flags, "fence_dropped")
    inside = room - (frame.parent.cost if frame.parent else 0)
    frame.indent = without_markers(view.text, block.span.start)
    if fence.deep or fence.unclosed:
        frame.end = -1
    tail = closing_atoms(view, gauge, block, body, atoms, inside, fence.unclosed)
    head = opening_atoms(view, gauge, block, body, atoms, inside)
    return [*head, *atoms, *tail]


def closing_atoms(
    view: View, gauge: Gauge, block: Block, body: Span, atoms: list[Atom], room: int, unclosed: bool
) -> list[Atom]:
    """Takes the closing line into the last atom where it fits; else it comes alone."""
    last = atoms[-1]
    frame = last.frame
    assert frame is not None
    last.last = frame.end < 0
    if last.end >= block.span.end:
        return []
    cost = gauge.cost(view.own(last.start, block.span.end))
    deep = frame.close_cost if frame.end < 0 else 0
    if cost + frame.open_cost + deep > room or (deep and frame.inner and not unclosed):
        return list(delimiter_atoms(view, gauge, body.end, block.span.end, room, Strength.GLUE))
    last.end, last.cost = block.span.end, cost
    return []


def opening_atoms(view: View, gauge: Gauge, block: Block, body: Span, atoms: list[Atom], room: int) -> list[Atom]:
    """Takes the opening line into the first atom where it fits; else it comes alone, before the others."""
    first = atoms[0]
    frame = first.frame
    assert frame is not None
    cost = gauge.cost(view.own(block.span.start, first.end)) + gauge.cost(f"{frame.indent}|")
    if cost + (frame.close_cost if first.end != frame.end else 0) <= room:
        first.start, first.cost = block.span.start, cost
        return []
    frame.start = -1
    return list(delimiter_atoms(view, gauge, block.span.start, body.start, room, first.strength))


def delimiter_atoms(view: View, gauge: Gauge, start: int, end: int, room: int, strength: int) -> Iterator[Atom]:
    """A delimiting line that does not fit beside code, each slice in fences of its own where they fit."""
    text = view.text[start:end]
    start, end = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
    mark = "~~~" if "`" in text else "```"
    inside = room - gauge.cost(f"{mark}\n\n{mark}")
    for cut in cut_text(view, gauge, start, end, inside if inside > 0 else room, ("words",), strength):
        own = view.bits(cut.start, cut.end)
        ready = (joint(f"{mark}\n"), *own, joint(f"\n{mark}")) if inside > 0 else tuple(own)
        flags = ("grapheme_cut",) if cut.hard else ()
        yield Atom(cut.start, cut.end, cut.cost, cut.strength, None, ready=ready, flags=flags)
