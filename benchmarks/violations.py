"""How often chunks break the laws, counted without a line of the chunkers' own code.

The structure of a text is read by markdown-it-py. A chunk is placed by the offsets that its
library gives; one without offsets, or whose offsets show another text, has no exact span.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from benchmarks.peers import Piece

__all__ = ["Structure", "Tally", "reference", "tallied"]

WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Structure:
    """What the reference parser says of a text, in code points."""

    headings: list[tuple[int, int, tuple[str, ...]]]
    """Start and end of each heading, and the path from it on."""

    tables: list[tuple[int, int, str]]
    """Start and end of each table's body, and the header row without white space."""


def reference(text: str) -> Structure:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    starts = [0]
    for line in re.split(r"(?<=\n)", text.replace("\r\n", "\n").replace("\r", "\n")):
        starts.append(starts[-1] + len(line))
    headings: list[tuple[int, int, tuple[str, ...]]] = []
    tables: list[tuple[int, int, str]] = []
    stack: list[tuple[int, str]] = []
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            level, title = int(token.tag[1]), plain(tokens[number + 1])
            if not title:
                continue
            while stack and stack[-1][0] >= level:
                stack.pop()
            stack.append((level, title))
            headings.append((starts[token.map[0]], starts[token.map[1]], tuple(each for _, each in stack)))
        elif token.type == "tbody_open" and token.level == 1 and token.map:
            head = text[starts[token.map[0] - 2] : starts[token.map[0] - 1]] if token.map[0] >= 2 else ""
            tables.append((starts[token.map[0]], starts[token.map[1]], squeezed(head)))
    return Structure(headings, tables)


def plain(inline: Any) -> str:
    """The text of a heading without markup."""
    parts = []
    for child in inline.children or ():
        if child.type == "html_inline":
            continue
        parts.append(" " if child.type in ("softbreak", "hardbreak") else child.content)
    return " ".join("".join(parts).split())


def squeezed(text: str) -> str:
    return "".join(text.split())


ATTRIBUTES = re.compile(r"\s*\{[^{}]*\}\s*\Z|\s*\{/\*.*?\*/\}\s*\Z")


def bare(title: str) -> str:
    """A title without white space and without the anchor that some sites write behind it: a product may keep it or not."""
    return squeezed(ATTRIBUTES.sub("", title))


@dataclass(slots=True)
class Tally:
    """Counts over a corpus."""

    HEADS: ClassVar[tuple[str, ...]] = (
        "chunks",
        "over budget",
        "words lost",
        "no exact span",
        "path missing",
        "path wrong",
        "table piece without header",
        "ids missing or changing",
    )

    chunks: int = 0
    over: int = 0
    lost: int = 0
    words: int = 0
    unplaced: int = 0
    missing: int = 0
    wrong: int = 0
    headless: int = 0
    unstable: int = 0

    def __iadd__(self, other: Tally) -> Tally:
        for name in ("chunks", "over", "lost", "words", "unplaced", "missing", "wrong", "headless", "unstable"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def cells(self) -> list[str]:
        def share(part: int, whole: int) -> str:
            return "0" if not part else f"{part} ({100 * part / max(1, whole):.1f}%)"

        n = self.chunks
        return [
            str(n),
            share(self.over, n),
            share(self.lost, self.words),
            share(self.unplaced, n),
            share(self.missing, n),
            share(self.wrong, n),
            share(self.headless, n),
            share(self.unstable, n),
        ]


def tallied(
    text: str, structure: Structure, pieces: Sequence[Piece], again: Sequence[Piece], tokenizer: Any, budget: int
) -> Tally:
    """The counts of one document; `again` is a second run over the same text."""
    found = Tally(chunks=len(pieces))
    embedded = [piece.embedded or piece.text for piece in pieces]
    for encoding in tokenizer.encode_batch(embedded, add_special_tokens=False):
        found.over += len(encoding.ids) > budget
    found.words, found.lost = words_lost(text, pieces)
    starts = [start for start, _, _ in structure.headings]
    for piece, second in zip(pieces, [*again, *[None] * len(pieces)], strict=False):
        placed = piece.start is not None and piece.end is not None and shows(text, piece)
        found.unplaced += not placed
        found.unstable += piece.id is None or second is None or second.id != piece.id
        start = piece.start if placed and piece.start is not None else located(text, piece)
        if start is None:
            continue
        path = path_at(structure, starts, start)
        if path and not piece.path and not says_path(piece.text, path):
            found.missing += 1
        elif piece.path and tuple(map(bare, piece.path)) not in allowed(structure, starts, start, path):
            found.wrong += 1
        found.headless += any(
            low < start < high and head not in squeezed(piece.text) for low, high, head in structure.tables
        )
    return found


def shows(text: str, piece: Piece) -> bool:
    """Whether the place that is given holds the text, white space aside; repeated context may come with it."""
    there = squeezed(text[piece.start : piece.end])
    return there == squeezed(piece.text) or (piece.embedded is not None and there != "")


def located(text: str, piece: Piece) -> int | None:
    at = text.find(piece.text.strip()[:200])
    return at if at >= 0 else None


def path_at(structure: Structure, starts: Sequence[int], position: int) -> tuple[str, ...]:
    at = bisect_right(starts, position) - 1
    return structure.headings[at][2] if at >= 0 else ()


def allowed(structure: Structure, starts: Sequence[int], position: int, path: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {tuple(map(bare, path))}


def says_path(text: str, path: tuple[str, ...]) -> bool:
    """Whether the text itself begins with heading lines that say the whole path."""
    lines = [bare(re.sub(r"^#+", "", line.strip())) for line in text.strip().split("\n") if line.strip()]
    return [bare(part) for part in path] == lines[: len(path)]


def words_lost(text: str, pieces: Sequence[Piece]) -> tuple[int, int]:
    """Words of the text, and how many of them no chunk and no path holds, by number of occurrences."""
    wanted: dict[str, int] = {}
    for word in WORDS.findall(text):
        wanted[word] = wanted.get(word, 0) + 1
    total = sum(wanted.values())
    for piece in pieces:
        for word in WORDS.findall(piece.text):
            if word in wanted:
                wanted[word] -= 1
        for part in piece.path or ():
            for word in WORDS.findall(part):
                if word in wanted:
                    wanted[word] -= 1
    return total, sum(count for count in wanted.values() if count > 0)
