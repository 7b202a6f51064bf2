"""Passages that say the same are listed once, as long as they stand in the same document.

Equal words in two documents are two facts and both are listed. Two texts that differ in a single
number are never taken for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from pincite.chunk import Chunk
from pincite.document import Span
from pincite.retrieval.analyser import fold

__all__ = ["collapse"]

COVERED: Final = 0.5
"""Share of a chunk's own text that better passages show already; above it, the chunk adds too little."""

TELLING: Final = 80
"""Code points from which equal texts under different headings count as one; shorter ones, such as
"12 days", say something else under each heading."""


Kept = tuple[int, Chunk, list[str]]
"""Key, chunk, and the ids of those that say the same."""


def collapse(chunks: Iterable[tuple[int, Chunk]], limit: int) -> list[tuple[int, Chunk, tuple[str, ...]]]:
    """The first `limit` chunks that say something new, each with the ids of those it stands for."""
    kept: list[Kept] = []
    alike: dict[tuple[str, str, int], list[Kept]] = {}
    near: dict[str, list[Kept]] = {}
    for key, chunk in chunks:
        twins = alike.setdefault((chunk.document_id, chunk.kind, len(chunk.text)), [])
        neighbours = near.setdefault(chunk.document_id, [])
        twin = next((entry for entry in twins if same(entry[1], chunk)), None) or covering(neighbours, chunk)
        if twin:
            twin[2].append(chunk.id)
        elif len(kept) < limit:
            kept.append((key, chunk, []))
            twins.append(kept[-1])
            neighbours.append(kept[-1])
    return [(key, chunk, tuple(ids)) for key, chunk, ids in kept]


folded = lru_cache(maxsize=10_000)(fold)


def same(one: Chunk, other: Chunk) -> bool:
    if one.document_id != other.document_id or one.kind != other.kind:
        return False
    if one.heading_path != other.heading_path and min(len(one.text), len(other.text)) < TELLING:
        return False
    return one.text == other.text or (len(one.text) == len(other.text) and folded(one.text) == folded(other.text))


def covering(kept: Sequence[Kept], chunk: Chunk) -> Kept | None:
    """The last of the passages of its document that together show most of the chunk's own text already."""
    near = [entry for entry in kept if overlaps(shown(entry[1]), chunk.spans)]
    size = sum(map(len, chunk.spans))
    covered = sum(overlap(merged([span for entry in near for span in shown(entry[1])]), chunk.spans))
    return near[-1] if near and size and covered > COVERED * size else None


def shown(chunk: Chunk) -> list[Span]:
    """The ranges of the document that a reader of the chunk sees, repeated headers and the like aside."""
    return [piece.source for piece in chunk.pieces if piece.source and piece.role in ("own", "overlap")]


def overlaps(one: Iterable[Span], other: Sequence[Span]) -> bool:
    return any(overlap(one, other))


def overlap(one: Iterable[Span], other: Sequence[Span]) -> Iterable[int]:
    """Code points that each two spans share, where they share any."""
    for a in one:
        for b in other:
            shared = min(a.end, b.end) - max(a.start, b.start)
            if shared > 0:
                yield shared


def merged(spans: Sequence[Span]) -> list[Span]:
    """The same ranges, none of them twice."""
    out: list[Span] = []
    for span in sorted(spans):
        if out and span.start <= out[-1].end:
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return out
