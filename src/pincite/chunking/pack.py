"""Choosing the breaks between atoms.

In this order: never over the budget; the strongest structural break; no piece below the
minimum where a neighbour has room; fewest pieces; filled from the front. Costs are prefix sums,
so that each step is a bisection and the whole is linear in the number of atoms.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.chunking.atoms import Atom, Frame, from_slices
from pincite.chunking.gauge import Gauge
from pincite.chunking.split import Strength, after_space, cut_text, sentence_ends, word_ends
from pincite.chunking.view import Bit, View, joint

__all__ = ["Piece", "pack"]

CUTTABLE = ("sentences", "words")
WIDE = 16
"""Code points of white space that cost, where a tokenizer does not count them."""

PLAIN = frozenset(" \n\r\t")


@dataclass(slots=True)
class Piece:
    """The bits of one chunk."""

    bits: list[Bit]
    flags: tuple[str, ...] = ()
    start: int = 0
    """Where its own text begins."""

    end: int = 0
    units: int = -1
    """The sum of its parts, where that is its count; -1 where the piece has to be counted."""

    sure: bool = False
    """Whether the sum that the packer took cannot be below the count."""


@dataclass(slots=True)
class Draft:
    """Atoms [first, last) and the overlap before them."""

    first: int
    last: int
    overlap: tuple[Bit, ...] = ()
    overlap_cost: int = 0


@dataclass(slots=True)
class Run:
    """Atoms that may share chunks, with what the packer asks of them."""

    view: View
    gauge: Gauge
    atoms: Sequence[Atom]
    room: int
    sums: list[int] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)
    """The atoms before which no white space stands, and the end."""

    turns: list[int] = field(default_factory=list)
    """The atoms before which a page turns, and the end."""

    places: list[list[int]] = field(default_factory=list)
    """For each strength, the atoms that a break of that strength stands before."""

    def __post_init__(self) -> None:
        total = 0
        self.sums = [0]
        self.places = [[] for _ in range(Strength.GLUE + 1)]
        for number, atom in enumerate(self.atoms):
            total += atom.gap + atom.cost
            self.sums.append(total)
            self.places[atom.strength].append(number)
            if atom.turn:
                self.turns.append(number)
            if atom.loose:
                self.loose.append(number)
        self.turns.append(len(self.atoms))
        self.loose.append(len(self.atoms))

    def cost(self, first: int, last: int) -> int:
        """Units of atoms [first, last) as they stand together."""
        return self.sums[last] - self.sums[first] - self.atoms[first].gap if last > first else 0

    def drafts(self) -> list[Draft]:
        found: list[Draft] = []
        at = 0
        while at < len(self.atoms):
            draft = Draft(at, at, *self.overlap(found[-1], at)) if found else Draft(at, at)
            last = self.farthest(draft)
            if last <= at and draft.overlap:
                draft = Draft(at, at)
                last = self.farthest(draft)
            draft.last = max(at + 1, last)
            if draft.last < len(self.atoms) and not self.atoms[draft.last].turn:
                draft.last = self.break_in(at, draft.last)
            found.append(draft)
            at = draft.last
        return self.mended(found)

    def farthest(self, draft: Draft) -> int:
        """The most atoms that fit: the end of the widest piece that begins where the draft does."""
        first = draft.first
        free = self.room - opening_cost(self.atoms[first]) - draft.overlap_cost
        last = bisect_right(self.sums, self.sums[first] + self.atoms[first].gap + free) - 1
        last = min(last, self.turns[bisect_right(self.turns, first)])
        while last > first and self.cost(first, last) + closing_cost(self.atoms[last - 1]) > free:
            last -= 1
        return last

    def fits(self, draft: Draft) -> bool:
        return self.farthest(draft) >= draft.last

    def break_in(self, first: int, last: int) -> int:
        """The best break after `first` and not after `last`."""
        least = self.gauge.least
        for strength in range(Strength.GLUE):
            place = self.place(strength, last)
            if place > first and self.cost(first, place) >= least:
                return place
        best = max(self.place(strength, last) for strength in range(Strength.GLUE))
        return best if best > first else last

    def place(self, strength: int, last: int) -> int:
        """The last break of a strength that is not after `last`; -1 where there is none."""
        places = self.places[strength]
        at = bisect_right(places, last) - 1
        return places[at] if at >= 0 else -1

    def mended(self, drafts: list[Draft]) -> list[Draft]:
        """Pieces below the minimum joined to a neighbour that has room, or filled from it."""
        least = self.gauge.least
        if not least:
            return drafts
        found: list[Draft] = []
        for draft in drafts:
            last = found[-1] if found else None
            if last and min(self.cost(last.first, last.last), self.cost(draft.first, draft.last)) < least:
                joined = Draft(last.first, draft.last, last.overlap, last.overlap_cost)
                if self.fits(joined):
                    found[-1] = joined
                    continue
            found.append(draft)
        if len(found) > 1 and self.cost(found[-1].first, found[-1].last) < least:
            self.fill_tail(found)
        return found

    def fill_tail(self, drafts: list[Draft]) -> None:
        """Moves the last break forward until the last piece has the minimum, if the one before can spare it."""
        before, tail = drafts[-2], drafts[-1]
        if self.atoms[tail.first].turn:
            return
        for strength in range(Strength.GLUE):
            place = self.place(strength, tail.first - 1)
            while place > before.first and self.cost(place, tail.last) < self.gauge.least:
                place = self.place(strength, place - 1)
            moved = Draft(place, tail.last)
            if place > before.first and self.cost(before.first, place) >= self.gauge.least and self.fits(moved):
                shorter = Draft(before.first, place, before.overlap, before.overlap_cost)
                lapping = Draft(place, tail.last, *self.overlap(shorter, place))
                if not self.fits(shorter):
                    continue
                drafts[-2:] = [shorter, lapping if self.fits(lapping) else moved]
                return

    def overlap(self, before: Draft, at: int) -> tuple[tuple[Bit, ...], int]:
        """The end of the previous piece's own text, whole sentences or else words, and its cost.

        None where either side of the break lies inside a table or a fence.
        """
        atom = self.atoms[at]
        most = min(self.gauge.overlap, self.room - opening_cost(atom) - atom.cost - atom.gap)
        left, right = self.atoms[at - 1], self.atoms[at]
        if most < 1 or enclosed(left.frame) or enclosed(right.frame):
            return (), 0
        begin = self.atoms[before.first].start
        limit = max(begin, left.end - 8 * most - 64)
        text = self.view.text[limit : left.end]
        whole = [atom.start for atom in self.atoms[before.first : at] if atom.start >= limit]
        solid = [atom.end for atom in self.atoms[before.first : at] if atom.solid]
        for starts in self.starts_of(whole, limit, text):
            if starts is not whole and solid:
                starts = starts[bisect_left(starts, solid[-1]) :]
            start = self.earliest(starts, left.end, most)
            if start is not None:
                return self.lead(after_space(self.view.text, start, left.end), left.end, right.start)
        return (), 0

    def starts_of(self, atoms: Sequence[int], limit: int, text: str) -> Iterator[Sequence[int]]:
        """Where an overlap may begin, best first: at an atom, a sentence, a word."""
        yield atoms
        yield [limit + stop for stop in sentence_ends(text)[:-1]]
        yield [limit + stop for stop in word_ends(text)[:-1]]

    def earliest(self, starts: Sequence[int], end: int, most: int) -> int | None:
        """The first start from which the text up to `end` costs at most `most`."""
        low, high = 0, len(starts)
        while low < high:
            middle = (low + high) // 2
            if self.gauge.cost(self.view.own(starts[middle], end)) <= most:
                high = middle
            else:
                low = middle + 1
        return starts[low] if low < len(starts) else None

    def lead(self, start: int, end: int, next_start: int) -> tuple[tuple[Bit, ...], int]:
        space = self.view.space(end, next_start)
        if space.count("\n") > 1:
            space = "\n\n"
        elif not PLAIN.issuperset(space):
            space = "\n"
        bits = [bit._replace(role="overlap" if bit.role else None) for bit in self.view.bits(start, end)]
        cost = self.gauge.cost("".join(bit.text for bit in bits)) + self.gauge.blank(space)
        return (*bits, joint(space)), cost

    def bits(self, draft: Draft) -> list[Bit]:
        """The text of a piece: opening, overlap, own text, closing."""
        first, last = self.atoms[draft.first], self.atoms[draft.last - 1]
        if first.ready:
            return list(first.ready)
        opening = [bit for frame in chain(first.frame) if frame.start != first.start for bit in frame.opening]
        alone = not opening and self.inside_line(first)
        opening += self.behind(first, alone)
        closing = [
            bit
            for frame in reversed(chain(last.frame))
            if frame.end != last.end
            for bit in self.closing_of(frame, first, alone)
        ]
        return [*opening, *draft.overlap, *self.view.bits(first.start, last.end), *closing]

    def closing_of(self, frame: Frame, first: Atom, alone: bool) -> tuple[Bit, ...]:
        """What closes a container: it answers to the opening line that the piece has, its own or the one said again."""
        if first.start > frame.start or not frame.closing:
            return frame.closing
        return (joint("\n"), Bit("fence", frame.mark)) if alone else frame.own_closing

    def inside_line(self, first: Atom) -> bool:
        """Whether an atom of a fence begins in the middle of a line."""
        return bool(first.frame and first.start and self.view.text[first.start - 1] not in "\r\n\ufeff")

    def behind(self, first: Atom, alone: bool) -> list[Bit]:
        """What a piece that begins in the middle of a line needs to stand in its container as that line does.

        Behind a list marker that is the indentation, if the item is said again; `alone` the quote
        marks are enough.
        """
        frame = first.frame
        if not frame or not self.inside_line(first):
            return []
        begins = first.start == frame.start and not alone
        said = frame.indent if begins else frame.inner if frame.opening else ""
        return [joint(said)] if said else []

    def piece(self, draft: Draft) -> Piece:
        atoms = self.atoms[draft.first : draft.last]
        flags = tuple(sorted({flag for atom in atoms for flag in atom.flags}))
        bits = self.bits(draft)
        sure = self.adds_up(draft)
        alone = sure and len(bits) == 1 and bits[0].role == "own" and not any(atom.frame for atom in atoms)
        units = self.cost(draft.first, draft.last) if alone else -1
        return Piece(bits, flags, atoms[0].start, atoms[-1].end, units, sure)

    def adds_up(self, draft: Draft) -> bool:
        """Whether sums bound the count of a piece: the counter's sums are exact, and its parts meet at white space only."""
        lapped = bool(draft.overlap) and not draft.overlap[-1].text
        if self.atoms[draft.first].ready:
            return False
        return self.gauge.exact and not lapped and self.loose[bisect_right(self.loose, draft.first)] >= draft.last


def chain(frame: Frame | None) -> list[Frame]:
    """A frame and its parents, outermost first."""
    found: list[Frame] = []
    while frame:
        found.append(frame)
        frame = frame.parent
    return found[::-1]


def enclosed(frame: Frame | None) -> bool:
    return any(each.kind in ("table", "fence") for each in chain(frame))


def opening_cost(atom: Atom) -> int:
    """Units of what a piece that begins with this atom has to say first."""
    return sum(frame.open_cost for frame in chain(atom.frame) if frame.start != atom.start)


def closing_cost(atom: Atom) -> int:
    """Units of what a piece that ends with this atom has to say last."""
    return sum(frame.close_cost for frame in chain(atom.frame) if frame.end != atom.end)


def pack(view: View, gauge: Gauge, atoms: list[Atom], room: int, path: str) -> list[Piece]:
    """The pieces of one section, in reading order, none over the budget.

    `room` is what the path leaves; `path` is the text that will stand before each piece. Where
    sums are estimates each piece is counted as it will be embedded, and one that is over is
    packed again with less room.
    """
    set_gaps(view, gauge, atoms)
    found: list[Piece] = []
    for run in runs(atoms):
        whole = Run(view, gauge, run, room)
        for draft in whole.drafts():
            piece = whole.piece(draft)
            known = piece.flags == ("over_budget",) or (piece.sure and not too_long(gauge, piece, path))
            excess = 0 if known else over(gauge, piece, path)
            if excess <= 0:
                found.append(piece)
            else:
                found += smaller(whole, draft, piece, room, excess, path)
    return found


def set_gaps(view: View, gauge: Gauge, atoms: Sequence[Atom]) -> None:
    """What stands between two atoms costs where they share a chunk: white space, and quote marks."""
    blanks = bool(gauge.blank("\n") or gauge.blank(" "))
    for before, atom in pairwise(atoms):
        between = view.text[before.end : atom.start]
        if not between:
            atom.loose = True
        elif not between.isspace():
            atom.loose = True
            between = view.own(before.end, atom.start)
            atom.gap = gauge.cost(between) + gauge.blank("\n") if between.strip() else gauge.blank(between)
        elif blanks or not PLAIN.issuperset(between):
            atom.gap = gauge.blank(view.lf(between))
        if len(between) > WIDE:
            atom.gap = max(atom.gap, gauge.cost(between))


def runs(atoms: Sequence[Atom]) -> list[list[Atom]]:
    """Atoms parted where one is ready and stands alone."""
    found: list[list[Atom]] = []
    for atom in atoms:
        if not found or atom.ready or found[-1][-1].ready or found[-1][-1].last:
            found.append([])
        found[-1].append(atom)
    return found


def too_long(gauge: Gauge, piece: Piece, path: str) -> bool:
    """Whether a piece has more code points than its budget of tokens may stand for: white space adds up too."""
    return gauge.longest is not None and sum(len(bit.text) for bit in piece.bits) + len(path) + 1 > gauge.longest


def over(gauge: Gauge, piece: Piece, path: str) -> int:
    """Units by which a piece exceeds the budget when it is counted as one text."""
    text = "".join(bit.text for bit in piece.bits)
    return gauge.cost(f"{path}\n{text}" if path else text) - gauge.capacity


def smaller(run: Run, draft: Draft, piece: Piece, room: int, excess: int, path: str) -> list[Piece]:
    """A piece whose sum was too low an estimate, packed again: without overlap, else with less room, else cut."""
    atoms = list(run.atoms[draft.first : draft.last])
    if draft.overlap:
        return pack(run.view, run.gauge, atoms, room, path)
    less = max(1, min(room, run.cost(draft.first, draft.last)) - excess)
    if len(atoms) > 1:
        most = max(atom.cost + (atom.frame.cost if atom.frame else 0) for atom in atoms)
        return pack(run.view, run.gauge, atoms, max(1, min(max(less, most), room - 1)), path)
    atom = atoms[0]
    if atom.ready:
        return bare(run, atom, less, path)
    inside = max(1, less - (atom.frame.cost if atom.frame else 0))
    for levels, most in ((CUTTABLE, inside), ((), max(1, inside // 2))):
        cuts = from_slices(cut_text(run.view, run.gauge, atom.start, atom.end, most, levels, atom.strength), atom.frame)
        if len(cuts) > 1:
            for cut in cuts:
                cut.flags = (*atom.flags, *cut.flags)
            return pack(run.view, run.gauge, cuts, room, path)
    return [Piece(piece.bits, ("over_budget",), piece.start, piece.end)]


def bare(run: Run, atom: Atom, room: int, path: str) -> list[Piece]:
    """A piece of a table that is too large as it was written: its own text without what was said again."""
    own = [bit for bit in atom.ready if bit.role == "own"]
    if not own:
        return []
    atoms: list[Atom] = []
    for bit in own:
        for each in from_slices(cut_text(run.view, run.gauge, bit.start, bit.end, room, CUTTABLE, 0), None):
            each.flags = (*each.flags, "header_trimmed")
            atoms.append(each)
    found: list[Piece] = []
    for each in atoms:
        found += pack(run.view, run.gauge, [each], room, path)
    return found
