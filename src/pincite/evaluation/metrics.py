"""Ranking metrics as values that print as people write them: `nDCG@10`, `recall@5 (pages)`.

The definitions are those of trec_eval, which ir-measures follows: the gain of a grade is the grade
(or 2^grade - 1 where it is asked for), the discount log2(rank + 1), and what is not judged is not
relevant. A ranking holds each item once. Property tests hold the figures equal to ir-measures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal

from pincite.errors import OptionError

__all__ = ["DEFAULT_METRICS", "Gains", "Level", "Metric", "Ranking", "parse_metric"]

Level = Literal["documents", "pages", "spans"]
Gains = Literal["linear", "exponential"]

LEVELS: Final[tuple[Level, ...]] = ("documents", "pages", "spans")


@dataclass(frozen=True, slots=True)
class Ranking:
    """One ranked list, with what is relevant to its question."""

    gains: tuple[int, ...]
    """The grade of each place of the list, best first; 0 for what is not relevant. Each relevant item comes once."""

    ideal: tuple[int, ...]
    """The grades of all that is relevant, highest first; never empty."""

    def hits(self, k: int | None) -> int:
        return sum(1 for gain in self.gains[:k] if gain)


def hit(ranking: Ranking, k: int | None, gains: Gains) -> float:
    """1 where anything relevant is among the first k."""
    return float(ranking.hits(k) > 0)


def recall(ranking: Ranking, k: int | None, gains: Gains) -> float:
    """The share of what is relevant that is among the first k."""
    return ranking.hits(k) / len(ranking.ideal)


def precision(ranking: Ranking, k: int | None, gains: Gains) -> float:
    """The share of the first k places that is relevant; a shorter list has empty places."""
    places = k if k is not None else len(ranking.gains)
    return ranking.hits(k) / places if places else 0.0


def reciprocal_rank(ranking: Ranking, k: int | None, gains: Gains) -> float:
    """One through the rank of the first relevant place."""
    return next((1 / rank for rank, gain in enumerate(ranking.gains[:k], 1) if gain), 0.0)


def average_precision(ranking: Ranking, k: int | None, gains: Gains) -> float:
    """The mean of the precisions at the relevant places, over all that is relevant."""
    found, total = 0, 0.0
    for rank, gain in enumerate(ranking.gains[:k], 1):
        if gain:
            found += 1
            total += found / rank
    return total / len(ranking.ideal)


def ndcg(ranking: Ranking, k: int | None, gains: Gains) -> float:
    """Discounted gain as a share of that of the best possible list."""
    return discounted(ranking.gains[:k], gains) / discounted(ranking.ideal[:k], gains)


def discounted(grades: Sequence[int], gains: Gains) -> float:
    return math.fsum(
        (grade if gains == "linear" else 2.0**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1)
    )


Compute = Callable[[Ranking, int | None, Gains], float]

NAMES: Final[Mapping[str, tuple[str, Compute]]] = {
    "hit": ("hit", hit),
    "recall": ("recall", recall),
    "precision": ("precision", precision),
    "mrr": ("MRR", reciprocal_rank),
    "ndcg": ("nDCG", ndcg),
    "map": ("MAP", average_precision),
}
NEEDS_CUTOFF: Final = frozenset({"hit", "recall", "precision"})
OTHER_NAMES: Final = {"success": "hit", "p": "precision", "r": "recall", "rr": "mrr", "ap": "map"}
WRITTEN: Final = re.compile(r"\s*([A-Za-z]+)(?:@(\d+))?\s*(?:\(\s*(\w+)\s*\))?\s*")


@dataclass(frozen=True, slots=True)
class Metric:
    """A ranking metric; its text is its name, and `parse_metric` reads that again."""

    kind: str
    """A key of `NAMES`."""

    k: int | None = None
    """How many places count; all where it is None."""

    level: Level | None = None
    """What is ranked; None for the finest that a row's evidence names."""

    gains: Gains = "linear"

    def __str__(self) -> str:
        cut = f"@{self.k}" if self.k is not None else ""
        return f"{NAMES[self.kind][0]}{cut}" + (f" ({self.level})" if self.level else "")

    def of(self, ranking: Ranking) -> float:
        """The value for one question, 0 to 1."""
        return NAMES[self.kind][1](ranking, self.k, self.gains)


def parse_metric(text: str, gains: Gains = "linear") -> Metric:
    """The metric that `nDCG@10`, `mrr` or `recall@5 (pages)` names. Raises OptionError."""
    found = WRITTEN.fullmatch(text) if isinstance(text, str) else None
    kind = found[1].lower() if found else ""
    kind = OTHER_NAMES.get(kind, kind)
    if not found or kind not in NAMES:
        near = get_close_matches(kind, NAMES, 1)
        meant = f"; did you mean {NAMES[near[0]][0]}?" if near else ""
        wanted = f"a ranking metric such as nDCG@10, recall@5 (pages) or MRR{meant}"
        raise OptionError("eval.metrics", text, wanted)
    k = int(found[2]) if found[2] else None
    if k == 0 or (k is None and kind in NEEDS_CUTOFF):
        raise OptionError("eval.metrics", text, f"written with how many results count, such as {NAMES[kind][0]}@5")
    if found[3] and found[3] not in LEVELS:
        raise OptionError("eval.metrics", text, f"over one of {', '.join(LEVELS)}")
    return Metric(kind, k, level_of(found[3]), gains)


def level_of(name: str | None) -> Level | None:
    return next((level for level in LEVELS if level == name), None)


DEFAULT_METRICS: Final = ("hit@1", "hit@5", "recall@5", "precision@5", "MRR", "nDCG@5", "MAP")
