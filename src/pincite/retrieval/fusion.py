"""Several ranked lists into one, by reciprocal rank.

A chunk scores the sum over the lists of 1 / (60 + rank), divided by what the first rank in
every list would give, so that 1.0 means "first everywhere". Ranks and not scores are added,
since a cosine and a BM25 score share no scale. With two lists and ranks (1, 1), (1, -), (1, 2),
(10, 10), (2, -): 1.0, 0.5, 0.9919, 0.8714, 0.4919. A fused score orders one result and is no
measure of how good a passage is: use the cosine for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["DAMPING", "fuse"]

DAMPING: Final = 60
"""The constant of Cormack, Clarke and Büttcher (SIGIR 2009)."""


def fuse(lists: Mapping[str, Sequence[int]]) -> tuple[dict[int, float], dict[int, dict[str, int]]]:
    """Score of each key, 0 to 1, and its rank, from 1, in each list that has it."""
    ranks: dict[int, dict[str, int]] = {}
    for name, keys in lists.items():
        for rank, key in enumerate(keys, 1):
            ranks.setdefault(key, {})[name] = rank
    best = len(lists) / (DAMPING + 1)
    scores = {key: sum(1 / (DAMPING + rank) for rank in sorted(found.values())) / best for key, found in ranks.items()}
    return scores, ranks
