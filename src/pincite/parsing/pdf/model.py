"""What a page holds, engine-neutral: words with boxes and looks, rules, pictures.

Lengths are points. The origin is the top left corner, x runs right and y runs down. A layer holds
the text of one direction in a frame where that direction runs from left to right, so that every
step of the layout knows upright text only; `Layer.on_page` brings a box back to the page as shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.document import BBox

__all__ = [
    "OBLIQUE",
    "Cell",
    "Draft",
    "Grid",
    "Layer",
    "Line",
    "PageContent",
    "Placed",
    "Rule",
    "Segment",
    "Word",
    "around",
]


OBLIQUE = 1
"""The turn of a layer of slanted text, such as a watermark: its frame is the page as shown."""

MONO = 0.97
"""Share of monospaced characters from which a segment is code."""


WIDE = 0.9
"""Gap inside a line, in font sizes, from which its pieces have places of their own."""


class Placed(Protocol):
    """Anything that has a box."""

    @property
    def left(self) -> float: ...
    @property
    def top(self) -> float: ...
    @property
    def right(self) -> float: ...
    @property
    def bottom(self) -> float: ...


def around(things: Iterable[Placed]) -> BBox:
    """The smallest box that holds all of `things`, of which there is at least one."""
    boxes = [(thing.left, thing.top, thing.right, thing.bottom) for thing in things]
    if len(boxes) == 1:
        return boxes[0]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without white space between them."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    """Font size as shown, in points."""
    bold: bool = False
    italic: bool = False
    mono: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of one base line with no wide gap between them."""

    words: tuple[Word, ...]
    left: float
    top: float
    right: float
    bottom: float
    text: str
    size: float
    """Size of most of its characters; so are the two below."""
    bold: bool
    italic: bool
    mono: bool
    """Whether nearly all of it is monospaced: prose may name many things from code."""
    space_after: bool = False
    """Whether the file itself puts a space after the last word."""
    confidence: float = 1.0

    @classmethod
    def of(cls, words: Iterable[Word], space_after: bool = False, confidence: float = 1.0) -> Segment:
        words = tuple(words)
        length = bold = italic = mono = 0
        for word in words:
            letters = len(word.text)
            length += letters
            bold += letters * word.bold
            italic += letters * word.italic
            mono += letters * word.mono
        return cls(
            words,
            *around(words),
            text=" ".join([word.text for word in words]),
            size=usual_size(words),
            bold=2 * bold > length,
            italic=2 * italic > length,
            mono=mono >= MONO * length,
            space_after=space_after,
            confidence=confidence,
        )


def usual_size(words: Sequence[Word]) -> float:
    """The size of most characters; names from code inside a sentence do not count."""
    first = words[0].size
    if all(word.size == first for word in words):
        return first
    words = [word for word in words if not word.mono] or words
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    return max(sizes, key=lambda size: (sizes[size], size))


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight drawn line, level or upright."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def level(self) -> bool:
        """Whether it runs from left to right."""
        return self.right - self.left >= self.bottom - self.top


@dataclass(frozen=True, slots=True)
class Layer:
    """The text of one direction on a page, and the page's rules, in that direction's frame."""

    segments: tuple[Segment, ...]
    rules: tuple[Rule, ...]
    width: float
    height: float
    turn: int = 0
    """Degrees clockwise from the page as shown to the direction of the text: 0, 90, 180 or 270, or OBLIQUE."""

    def on_page(self, box: BBox) -> BBox:
        """A box of this frame, on the page as shown."""
        return turned(box, self.turn, self.width, self.height)


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page as a reader gives it."""

    number: int
    width: float
    height: float
    rotation: int = 0
    label: str | None = None
    layers: tuple[Layer, ...] = ()
    """Upright text first, then the direction with most text."""
    images: tuple[BBox, ...] = ()
    drawings: int = 0
    """Number of drawn paths, shadings and pictures."""
    characters: int = 0
    """Visible characters that the page draws, legible or not."""
    illegible: int = 0
    """How many of them have no known meaning; these are in no layer."""
    damaged: bool = False
    """Whether the page could not be read."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text in reading order."""

    segments: tuple[Segment, ...]
    page: int
    layer: Layer
    left: float
    top: float
    right: float
    bottom: float
    text: str
    size: float
    bold: bool
    italic: bool
    mono: bool

    @classmethod
    def of(cls, segments: Iterable[Segment], page: int, layer: Layer) -> Line:
        segments = tuple(segments)
        whole = Segment.of(word for segment in segments for word in segment.words)
        return cls(
            segments, page, layer, whole.left, whole.top, whole.right, whole.bottom,
            whole.text, whole.size, whole.bold, whole.italic, whole.mono,
        )  # fmt: skip

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def place(self) -> BBox:
        """Where it stands on the page as shown."""
        return self.layer.on_page((self.left, self.top, self.right, self.bottom))

    @property
    def pieces(self) -> list[Line]:
        """The line cut at its wide gaps, so that the box of each piece holds nothing else."""
        groups: list[list[Segment]] = []
        for segment in self.segments:
            if groups and segment.left - groups[-1][-1].right < WIDE * self.size:
                groups[-1].append(segment)
            else:
                groups.append([segment])
        return [self] if len(groups) == 1 else [Line.of(group, self.page, self.layer) for group in groups]

    @property
    def space_after(self) -> bool:
        return self.segments[-1].space_after

    @property
    def confidence(self) -> float:
        return min(segment.confidence for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table, listed once, at its first row and column."""

    row: int
    column: int
    lines: tuple[Line, ...]
    row_span: int = 1
    column_span: int = 1

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: cells on `rows` rows and `columns` columns, inside a box."""

    cells: tuple[Cell, ...]
    rows: int
    columns: int
    left: float
    top: float
    right: float
    bottom: float
    edges: tuple[float, ...] = ()
    """x of the column boundaries, one more than columns."""
    ruled: bool = False
    """Whether drawn rules show it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A block before it is written: lines or a grid, and what they are taken for."""

    kind: str
    """A `BlockKind`, or `contents` for lines of a table of contents."""
    page: int
    lines: tuple[Line, ...] = ()
    grid: Grid | None = None
    level: int = 0
    marker: str = ""
    header_rows: int = 1

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    @property
    def size(self) -> float:
        return max(line.size for line in self.lines)

    @property
    def bold(self) -> bool:
        return all(line.bold for line in self.lines)


def turned(box: BBox, turn: int, width: float, height: float) -> BBox:
    """`box` of a frame of `width` by `height`, after turning the frame clockwise by `turn`."""
    left, top, right, bottom = box
    if turn == 90:
        return height - bottom, left, height - top, right
    if turn == 180:
        return width - right, height - bottom, width - left, height - top
    if turn == 270:
        return top, width - right, bottom, width - left
    return box
