"""The rows of one metric as one line: a mean over the question set, an interval, what was not measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from pincite.evaluation.gate import Gate, Threshold
from pincite.evaluation.model import STATUSES, Half, Measurement, Row, Status
from pincite.evaluation.statistics import Interval, mean_interval, wilson

__all__ = ["Summary", "summaries"]


@dataclass(frozen=True, slots=True)
class Summary:
    """One metric over all rows that can have it."""

    metric: str
    half: Half
    counts: Mapping[Status, int]
    mean: float | None
    """Over the rows that can have the metric: one that broke or was left out counts as 0, so that it never raises the
    mean. None where no row was measured."""

    interval: Interval | None
    """Of the mean."""

    passed: Interval | None
    """Of the share of rows that pass."""

    threshold: Threshold | None
    best: float | None = None
    """What the mean would be if every row whose score nobody knows had the highest one."""

    by_category: Mapping[str, float] = field(default_factory=dict)
    """Mean by category."""

    best_by_category: Mapping[str, float] = field(default_factory=dict)

    @property
    def measured(self) -> int:
        return self.counts["pass"] + self.counts["fail"]

    @property
    def eligible(self) -> int:
        """Rows that can have the metric."""
        return self.measured + self.broken

    @property
    def broken(self) -> int:
        """Rows whose score nobody knows."""
        return self.counts["error"] + self.counts["skipped"]

    @property
    def shortfalls(self) -> list[str]:
        """What is below its threshold whatever the unknown rows would have scored, in words."""
        if self.threshold is None or self.best is None or self.mean is None:
            return []
        found = []
        if below(self.best, self.threshold.mean):
            found.append(f"{self.metric} is {self.mean:.3f}, below {self.threshold.mean:g}")
        for category, least in self.threshold.categories.items():
            if below(self.best_by_category.get(category, 1.0), least):
                mean = self.by_category[category]
                found.append(f"{self.metric} is {mean:.3f} in category {category}, below {least:g}")
        return found


def below(value: float, least: float) -> bool:
    return value < least - 1e-12


def summaries(gate: Gate, rows: Sequence[Row], measurements: Iterable[Measurement]) -> list[Summary]:
    """A summary for each metric, in the order in which they were measured."""
    by_metric: dict[str, list[Measurement]] = {}
    for each in measurements:
        by_metric.setdefault(each.metric, []).append(each)
    categories = {row.id: row.category for row in rows}
    return [summary(gate, name, found, categories) for name, found in by_metric.items()]


def summary(gate: Gate, name: str, found: Sequence[Measurement], categories: Mapping[str, str]) -> Summary:
    tally = Counter(each.status for each in found)
    counts = {status: tally[status] for status in STATUSES}
    measured = counts["pass"] + counts["fail"]
    grouped = by_category(found, categories)
    return Summary(
        name, found[0].half, counts, fmean(scores(found, 0.0)) if measured else None,
        mean_interval(scores(found, 0.0)), wilson(counts["pass"], measured), gate.threshold(name),
        fmean(scores(found, 1.0)) if measured else None,
        {category: fmean(scores(each, 0.0)) for category, each in grouped.items()},
        {category: fmean(scores(each, 1.0)) for category, each in grouped.items()},
    )  # fmt: skip


def scores(found: Iterable[Measurement], unknown: float) -> list[float]:
    """The scores of the rows that can have the metric, with one value for those that nobody knows."""
    return [
        each.score if each.measured and each.score is not None else unknown
        for each in found
        if each.status != "not_applicable"
    ]


def by_category(found: Iterable[Measurement], categories: Mapping[str, str]) -> dict[str, list[Measurement]]:
    grouped: dict[str, list[Measurement]] = {}
    for each in found:
        category = categories.get(each.row, "")
        if category and each.status != "not_applicable":
            grouped.setdefault(category, []).append(each)
    return dict(sorted(grouped.items()))
