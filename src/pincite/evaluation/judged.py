"""The metrics that need a judge: what each asks, which half it belongs to, what passes by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Protocol

from pincite.errors import OptionError
from pincite.evaluation.model import Half, Measurement, Response, Row

__all__ = ["DEFAULT_JUDGED", "JUDGED", "Judge", "JudgedMetric", "judged_metric"]


@dataclass(frozen=True, slots=True)
class JudgedMetric:
    """One metric that is a share of claims, passages or sentences."""

    name: str
    half: Half
    threshold: float
    """The least score that passes, for a row and for the mean."""

    strict: float
    """The same under the profile `strict`, for medical, legal and financial texts."""

    default: bool
    meaning: str


JUDGED: Final[Mapping[str, JudgedMetric]] = {
    metric.name: metric
    for metric in (
        JudgedMetric("answer_precision", "generation", 0.8, 0.8, True, "claims of the answer that the expected output supports"),
        JudgedMetric("faithfulness", "generation", 0.7, 0.95, True, "claims of the answer that the passages support"),
        JudgedMetric("contextual_recall", "retrieval", 0.7, 0.7, True, "claims of the expected output that the passages support"),
        JudgedMetric("answer_relevancy", "generation", 0.7, 0.7, False, "claims of the answer that help to answer the question"),
        JudgedMetric("contextual_precision", "retrieval", 0.7, 0.7, False, "how far up the passages that support an expected claim stand"),
        JudgedMetric("contextual_relevancy", "retrieval", 0.5, 0.5, False, "sentences of the passages that help to answer"),
    )
}  # fmt: skip

DEFAULT_JUDGED: Final = tuple(name for name, metric in JUDGED.items() if metric.default)


def judged_metric(name: str) -> JudgedMetric:
    """The metric of a name, `answer precision` being `answer_precision`. Raises OptionError."""
    found = JUDGED.get("_".join(name.casefold().replace("-", " ").replace("_", " ").split()))
    if found is None:
        near = get_close_matches(name, JUDGED, 1)
        raise OptionError("eval.judge.metrics", name, f"one of {', '.join(near or JUDGED)}")
    return found


class Judge(Protocol):
    """Whoever gives verdicts: a model, or the recorded words of one."""

    @property
    def fingerprint(self) -> str:
        """Everything that its verdicts depend on; runs with different ones are not compared."""

    @property
    def concurrency(self) -> int:
        """Rows that may be judged at one time, at least 1."""

    def measure(self, metrics: Sequence[JudgedMetric], row: Row, response: Response) -> list[Measurement]:
        """One measurement for each metric; never raises for what the judge said."""
