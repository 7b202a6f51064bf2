"""How much of the exact answer was retrieved, and how much beside it, counted in tokens.

Tokens are the words of ICU, each with its place in the document, so that white space at the edge of
a chunk weighs nothing. Recall and the ideal count each token once; precision and IoU count a token
that was retrieved twice as paid for twice. A budget of characters cuts the list in the middle of a
passage, since a fixed number of passages hides how long they are.

The definitions are those of Chroma's chunking evaluation (Smith and Troynikov, 2024), there over characters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.document import Span

__all__ = ["Overlap", "Tokens", "overlap", "within"]


class Tokens:
    """Where the words of one text stand."""

    def __init__(self, text: str) -> None:
        from pincite.wording import placed_words

        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end, _ in placed_words(text):
            self.starts.append(start)
            self.ends.append(end)

    def inside(self, span: Span) -> range:
        """The words that a range touches, by their numbers."""
        return range(bisect_left(self.ends, span.start + 1), bisect_left(self.starts, span.end))


@lru_cache(maxsize=64)
def tokens_of(text: str) -> Tokens:
    """The words of a text; those of the last texts are remembered."""
    return Tokens(text)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Numbers of tokens, from which the shares are computed."""

    wanted: int
    """Tokens that answer the question; at least 1."""

    found: int
    """Those of them that were retrieved."""

    paid: int
    """Tokens retrieved, each as often as it came."""

    @property
    def recall(self) -> float:
        return self.found / self.wanted

    @property
    def precision(self) -> float:
        return self.found / self.paid if self.paid else 0.0

    @property
    def iou(self) -> float:
        """What both have, over what either has."""
        return self.found / (self.paid + self.wanted - self.found)


def overlap(
    texts: Mapping[str, str], gold: Iterable[tuple[str, Span]], retrieved: Iterable[tuple[str, Span]]
) -> Overlap | None:
    """What ranges that were retrieved have of those that answer; None where no word answers.

    Ranges come with the name of their document, whose text is in `texts`.
    """
    wanted = {(name, token) for name, span in gold for token in tokens_of(texts[name]).inside(span)}
    if not wanted:
        return None
    paid, found = 0, set()
    for name, span in retrieved:
        inside = tokens_of(texts[name]).inside(span)
        paid += len(inside)
        found |= wanted.intersection((name, token) for token in inside)
    return Overlap(len(wanted), len(found), paid)


def within(retrieved: Sequence[tuple[str, Span]], characters: int) -> list[tuple[str, Span]]:
    """The ranges from the front that fit a budget of characters, the last one cut where it is full."""
    taken, left = [], characters
    for name, span in retrieved:
        if left <= 0:
            break
        end = min(span.end, span.start + left)
        taken.append((name, Span(span.start, end)))
        left -= end - span.start
    return taken
