"""The rows of one metric as one line: a mean over the question set, an interval, what was not measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

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
    """Of the mean of the rows that were measured."""

    passed: Interval | None
    """Of the share of rows that pass."""

    threshold: Threshold | None
    by_category: Mapping[str, float] = field(default_factory=dict)
    """Mean by category."""

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
        """What is below its threshold, in words."""
        if self.threshold is None or self.mean is None:
            return []
        found = []
        if self.mean < self.threshold.mean - 1e-12:
            found.append(f"{self.metric} is {self.mean:.3f}, below {self.threshold.mean:g}")
        for category, least in self.threshold.categories.items():
            mean = self.by_category.get(category)
            if mean is not None and mean < least - 1e-12:
                found.append(f"{self.metric} is {mean:.3f} in category {category}, below {least:g}")
        return found


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
    scores = [each.score for each in found if each.measured and each.score is not None]
    measured = len(scores)
    return Summary(
        name, found[0].half, counts, mean_of(found) if scores else None, mean_interval(scores),
        wilson(counts["pass"], measured), gate.threshold(name), category_means(found, categories),
    )  # fmt: skip


def mean_of(found: Iterable[Measurement]) -> float:
    """The mean over those that can have the metric."""
    eligible = [each.score or 0.0 for each in found if each.status != "not_applicable"]
    return sum(eligible) / len(eligible)


def category_means(found: Iterable[Measurement], categories: Mapping[str, str]) -> dict[str, float]:
    grouped: dict[str, list[Measurement]] = {}
    for each in found:
        category = categories.get(each.row, "")
        if category and each.status != "not_applicable":
            grouped.setdefault(category, []).append(each)
    return {category: mean_of(grouped[category]) for category in sorted(grouped)}
