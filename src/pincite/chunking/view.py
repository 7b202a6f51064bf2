"""The document's text as chunking sees it: without declared drops, with LF line ends.

All other steps deal in offsets of `Document.text`; this one turns a range into what is shown.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from pincite.chunk import PieceRole
from pincite.document import Document

__all__ = ["Bit", "View"]

PARAGRAPH = "\n\n"


class Bit(NamedTuple):
    """A run of a chunk's text while it is put together."""

    role: PieceRole | None
    """None for separators, which belong to no piece."""

    text: str
    start: int = -1
    """The range of the document's text that it shows; -1 for what stands nowhere in it."""

    end: int = -1


def joint(text: str) -> Bit:
    """A separator between bits."""
    return Bit(None, text)


class View:
    """Reads ranges of one document."""

    def __init__(self, document: Document) -> None:
        self.text = document.text
        self.returns = "\r" in document.text
        drops = sorted((d.span.start, d.span.end) for d in document.diagnostics if d.drops and d.span)
        self.drop_starts = [start for start, _ in drops]
        self.drop_ends = [end for _, end in drops]

    def lf(self, text: str) -> str:
        """`text` with every line end as LF."""
        return text.replace("\r\n", "\n").replace("\r", "\n") if self.returns else text

    def kept(self, start: int, end: int) -> list[tuple[int, int]]:
        """The ranges within [start, end) that no drop covers; empty ones left out."""
        if not self.drop_starts:
            return [(start, end)]
        at = bisect_right(self.drop_ends, start)
        ranges, begin = [], start
        while at < len(self.drop_starts) and self.drop_starts[at] < end:
            if self.drop_starts[at] > begin:
                ranges.append((begin, self.drop_starts[at]))
            begin = max(begin, self.drop_ends[at])
            at += 1
        if begin < end:
            ranges.append((begin, end))
        return ranges

    def clear(self, start: int, end: int) -> bool:
        """Whether nothing is dropped from a range."""
        if not self.drop_starts:
            return True
        at = bisect_right(self.drop_ends, start)
        return at == len(self.drop_starts) or self.drop_starts[at] >= end

    def own(self, start: int, end: int) -> str:
        """What a reader is shown of a range."""
        if self.clear(start, end):
            return self.lf(self.text[start:end])
        return "".join(bit.text for bit in self.bits(start, end))

    def bits(self, start: int, end: int) -> list[Bit]:
        """The own bits of a range, parted where something is dropped from it.

        A drop inside a line leaves its neighbours joined; one on lines of its own leaves a
        paragraph break.
        """
        if self.clear(start, end):
            return [Bit("own", self.lf(self.text[start:end]), start, end)] if end > start else []
        found: list[Bit] = []
        text = self.text
        for begin, stop in self.kept(start, end):
            if found:
                before, after = found[-1].end, begin
                if text[before - 1].isspace() or text[after].isspace():
                    while begin < stop and text[begin] in "\r\n":
                        begin += 1
                    found[-1] = self._ending(found[-1])
                    found.append(joint(PARAGRAPH))
            if begin < stop:
                found.append(Bit("own", self.lf(text[begin:stop]), begin, stop))
        return [bit for bit in found if bit.text]

    def _ending(self, bit: Bit) -> Bit:
        """`bit` without white space at its end."""
        kept = len(self.text[bit.start : bit.end].rstrip())
        return Bit(bit.role, bit.text.rstrip(), bit.start, bit.start + kept)

    def space(self, start: int, end: int) -> str:
        """The white space between two ranges, drops left out: what joins them when shown."""
        if start >= end:
            return ""
        between = self.own(start, end)
        return between if not between.strip() else ""
