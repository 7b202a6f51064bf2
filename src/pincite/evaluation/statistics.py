"""What can be claimed from few rows.

Ten to fifty rows bear no p-value: 27 of 30 is anything from 74 to 97 per cent. So intervals are
printed beside every share, and a difference is claimed only where a paired test on enough rows
bears it. All of it is repeatable: the resampling is seeded by its input's size alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["ENOUGH_ROWS", "Interval", "Paired", "cohen_kappa", "mcnemar", "mean_interval", "paired", "wilson"]

Z: Final = 1.959963984540054
"""The normal quantile of a 95 per cent interval."""

ENOUGH_ROWS: Final = 25
"""Fewer than this and no test is made."""

DRAWS: Final = 4000


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 per cent interval."""

    low: float
    high: float


def wilson(passed: int, rows: int) -> Interval | None:
    """Wilson's interval of a share; None without rows."""
    if rows < 1:
        return None
    share, square = passed / rows, Z * Z
    centre = (share + square / (2 * rows)) / (1 + square / rows)
    half = Z / (1 + square / rows) * math.sqrt(share * (1 - share) / rows + square / (4 * rows * rows))
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def mean_interval(values: Sequence[float]) -> Interval | None:
    """The percentile bootstrap interval of a mean; None for fewer than two values."""
    import numpy as np

    if len(values) < 2:
        return None
    data = np.asarray(values, dtype=np.float64)
    random = np.random.default_rng(len(values))
    means = data[random.integers(0, len(data), (DRAWS, len(data)))].mean(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(float(low), float(high))


@dataclass(frozen=True, slots=True)
class Paired:
    """Two runs over the same rows, row by row."""

    rows: int
    wins: int
    losses: int
    mean: float
    """Mean of the new scores less the old ones."""

    interval: Interval | None
    """Of the mean difference; None where there are too few rows."""

    p: float | None
    """Of a sign-flip test, two-sided; None where there are too few rows for any."""

    @property
    def enough(self) -> bool:
        """Whether there are rows enough for a test."""
        return self.rows >= ENOUGH_ROWS


def paired(before: Sequence[float], after: Sequence[float]) -> Paired:
    """Compares two lists of scores of the same rows in the same order."""
    import numpy as np

    if len(before) != len(after):
        raise ValueError("both lists must have the same rows")
    differences = np.asarray(after, dtype=np.float64) - np.asarray(before, dtype=np.float64)
    wins, losses = int((differences > 1e-12).sum()), int((differences < -1e-12).sum())
    rows = len(differences)
    mean = float(differences.mean()) if rows else 0.0
    if rows < ENOUGH_ROWS:
        return Paired(rows, wins, losses, mean, None, None)
    signs = np.random.default_rng(rows).choice((-1.0, 1.0), (DRAWS, rows))
    flipped = np.abs((signs * differences).mean(axis=1))
    p = (1 + int((flipped >= abs(mean) - 1e-12).sum())) / (1 + DRAWS)
    return Paired(rows, wins, losses, mean, mean_interval(differences.tolist()), p)


def mcnemar(fixed: int, broken: int) -> float:
    """The exact two-sided p of McNemar's test on rows that changed between pass and fail."""
    changed, fewer = fixed + broken, min(fixed, broken)
    if not changed:
        return 1.0
    tail = sum(math.comb(changed, each) for each in range(fewer + 1)) / (1 << changed)
    return min(1.0, 2 * tail)


def cohen_kappa(left: Sequence[str], right: Sequence[str]) -> tuple[float, Interval | None] | None:
    """Agreement of two lists of labels beyond chance, with a bootstrap interval; None without labels.

    Where both use one and the same label throughout, chance explains all, and kappa is 0.
    """
    import numpy as np

    if len(left) != len(right):
        raise ValueError("both lists must have the same rows")
    if not left:
        return None
    names = sorted({*left, *right})
    a = np.asarray([names.index(each) for each in left])
    b = np.asarray([names.index(each) for each in right])

    def kappa(one: np.ndarray, other: np.ndarray) -> float:
        agreed = float((one == other).mean())
        chance: float = sum(float((one == n).mean()) * float((other == n).mean()) for n in range(len(names)))
        return (agreed - chance) / (1 - chance) if chance < 1 else 0.0

    if len(left) < 2:
        return kappa(a, b), None
    random = np.random.default_rng(len(left))
    drawn = [kappa(a[pick], b[pick]) for pick in random.integers(0, len(a), (1000, len(a)))]
    low, high = np.percentile(drawn, (2.5, 97.5))
    return kappa(a, b), Interval(float(low), float(high))
