"""A counter and a budget together: what a text costs, and how much room there is."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.chunk import PATH_SEPARATOR
from pincite.counting.counter import Counter
from pincite.options import ChunkOptions

__all__ = ["Gauge"]

PATH_SHARE = 3
"""A path may take a third of the budget of a section that needs several chunks."""


class Gauge:
    """Costs in the counter's units, raised where a tokenizer sees too little in too much text."""

    def __init__(self, counter: Counter, options: ChunkOptions) -> None:
        self.counter = counter
        self.options = options
        self.exact = counter.exact_sums
        self.limit = options.max_tokens
        self.capacity = counter.capacity(options.max_tokens) - counter.overhead
        self.least = counter.capacity(options.min_tokens - 1) + 1 if options.min_tokens else 0
        self.overlap = counter.capacity(options.overlap_tokens) if options.overlap_tokens else 0
        self.raised = False
        """Whether a cost was raised above its count since this was last set to False."""

        self._dense = counter.chars_per_token
        self._paths: dict[tuple[str, ...], int] = {(): 0}

    @property
    def longest(self) -> int | None:
        """Most code points that an embedding text may have; None where length is counted anyway."""
        return self._dense * self.limit if self._dense else None

    def cost(self, text: str) -> int:
        """Units of one text."""
        return self._raised(text, self.counter.units(text))

    def costs(self, texts: Sequence[str]) -> list[int]:
        """Units of each text, counted in one call."""
        found = self.counter.units_many(texts)
        if not self._dense:
            return found
        dense = self._dense
        return [
            units if units * dense >= len(text) else self._raised(text, units)
            for text, units in zip(texts, found, strict=True)
        ]

    def _raised(self, text: str, units: int) -> int:
        if not self._dense or units * self._dense >= len(text):
            return units
        self.raised = True
        return max(units, -(-len(text) // self._dense))

    def blank(self, space: str) -> int:
        """Units of white space between two texts."""
        return self.counter.blank(space) if space else 0

    def path_cost(self, path: tuple[str, ...]) -> int:
        """Units of a path and the line end behind it; 0 where it is not counted."""
        if not path or not self.options.count_prefix:
            return 0
        known = self._paths.get(path)
        if known is None:
            known = self._paths[path] = self.cost(PATH_SEPARATOR.join(path)) + self.blank("\n")
        return known

    def trimmed(self, path: tuple[str, ...], least: int = 0) -> tuple[str, ...]:
        """The path, shortened from its root until it leaves two thirds of the budget, and at least `least`, for text."""
        share = min(self.capacity // PATH_SHARE, self.capacity - least)
        while path and self.path_cost(path) > share:
            path = path[1:]
        return path
