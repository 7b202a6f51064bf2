"""Dots that lead from a title to its page number, drawn one by one: an entry of a table of contents is one segment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.parsing.pdf.model import Segment
from pincite.parsing.pdf.rows import rows_of

__all__ = ["with_leaders"]

DOTS = re.compile(r"[.·․…]+(?:\s[.·․…]+)*")
"""A piece of a leader and nothing else."""

LED = re.compile(r"[.·․…]$")
ENTRY_END = re.compile(r"(?:[.·․…]\s*)*(?:\d{1,4}|[ivxlc]{1,6}|[IVXLC]{1,6})")

LEAST = 3
"""Pieces that make a leader."""

STEP = 2.5
"""Room between pieces of a leader, in font sizes, at most."""


def with_leaders(segments: Sequence[Segment]) -> list[Segment]:
    """The segments, with each entry, its dots and its page number as one."""
    if sum([segment.text[0] in ".·․…" for segment in segments]) < LEAST:
        return list(segments)
    made: list[Segment] = []
    for row in rows_of(segments):
        if sum(bool(DOTS.fullmatch(segment.text)) for segment in row) < LEAST:
            made += row
            continue
        run = [row[0]]
        for piece in row[1:]:
            if leads(run[-1], piece):
                run[-1] = Segment.of((*run[-1].words, *piece.words), piece.space_after, run[-1].confidence)
            else:
                run.append(piece)
        made += run
    return made


def leads(last: Segment, piece: Segment) -> bool:
    """Whether a piece is part of the leader that begins after, or goes on in, the segment before it."""
    if piece.left - last.right > STEP * max(piece.size, last.size):
        return False
    return bool(DOTS.fullmatch(piece.text) or (LED.search(last.text) and ENTRY_END.fullmatch(piece.text)))
