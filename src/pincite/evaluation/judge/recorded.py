"""The words of a judge that were written down: JSON lines of `id`, `metric`, `claims` and `raw`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import GoldenError
from pincite.evaluation.golden_file import read_rows
from pincite.evaluation.judge.verdicts import VerdictError, read_verdicts
from pincite.evaluation.judged import JudgedMetric, judged_metric
from pincite.evaluation.model import Measurement, Response, Row

__all__ = ["RecordedJudge", "Saying", "load_recorded_judge"]


@dataclass(frozen=True, slots=True)
class Saying:
    """What the judge said of one metric of one row."""

    claims: tuple[str, ...]
    raw: str


@dataclass(frozen=True, slots=True)
class RecordedJudge:
    """Reads verdicts from a record instead of asking for them."""

    sayings: Mapping[tuple[str, str], Saying]
    """By the id of the row and the name of the metric."""

    fingerprint: str
    thresholds: Mapping[str, float]
    """The least score of a row that passes, by metric; the metric's own where it is absent."""

    concurrency: int = 1

    def measure(self, metrics: Sequence[JudgedMetric], row: Row, response: Response) -> list[Measurement]:
        return [self.one(metric, row) for metric in metrics]

    def one(self, metric: JudgedMetric, row: Row) -> Measurement:
        least = self.thresholds.get(metric.name, metric.threshold)
        said = self.sayings.get((row.id, metric.name))
        if said is None:
            return Measurement(
                row.id, metric.name, metric.half, "error", None, least, "the record has no verdict on it"
            )
        if not said.claims:
            return Measurement(row.id, metric.name, metric.half, "not_applicable", None, least, "there are no claims")
        try:
            verdicts = read_verdicts(said.raw, len(said.claims))
        except VerdictError as error:
            reason = f"the judge cannot be read: {error}"
            return Measurement(row.id, metric.name, metric.half, "error", None, least, reason, {"judge_failure": True})
        score = sum(each.saying == "supported" for each in verdicts) / len(verdicts)
        details = {"verdicts": [{"claim": c, "verdict": v.saying} for c, v in zip(said.claims, verdicts, strict=True)]}
        return Measurement(
            row.id, metric.name, metric.half, "pass" if score >= least else "fail", score, least, "", details
        )  # fmt: skip


def load_recorded_judge(path: Path | str, thresholds: Mapping[str, float] | None = None) -> RecordedJudge:
    """The judge of a file. Raises GoldenError, which names the file and the line."""
    path = Path(path)
    sayings: dict[tuple[str, str], Saying] = {}
    for each in read_rows(path):
        claims, raw = each.values.get("claims"), each.values.get("raw")
        name, metric = each.values.get("id"), each.values.get("metric")
        if not isinstance(name, str) or not isinstance(metric, str) or not isinstance(raw, str):
            raise GoldenError(str(path), "needs id, metric and raw, all of them texts", line=each.line)
        if not isinstance(claims, list) or not all(isinstance(claim, str) for claim in claims):
            raise GoldenError(str(path), "must be a list of sentences", line=each.line, row=name, field="claims")
        sayings[name, judged_metric(metric).name] = Saying(tuple(claims), raw)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return RecordedJudge(sayings, f"recorded:{digest[:32]}", thresholds or {})
