"""The order of a gate: rules, ranking, judge. What is free comes first, and may end the run before money is spent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Final

from pincite.evaluation.compare import Baseline, Comparison, compare, read_baseline, write_baseline
from pincite.evaluation.gate import Gate, metric_name
from pincite.evaluation.golden import GoldenSet
from pincite.evaluation.identity import Identity
from pincite.evaluation.judge.recorded import load_recorded_judge
from pincite.evaluation.judged import JUDGED, Judge, JudgedMetric
from pincite.evaluation.lock import load_locked
from pincite.evaluation.measuring import measure_ranking, measure_rules
from pincite.evaluation.model import Measurement, Response, Row
from pincite.evaluation.summary import Summary, summaries
from pincite.evaluation.target.recorded import load_run
from pincite.evaluation.verdict import Verdict, decide

__all__ = ["DEFINITIONS", "Evaluation", "evaluate", "evaluate_responses"]

DEFINITIONS: Final = "1"
"""Raised whenever a score of the same row and response changes, so that old baselines are not compared."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that one run found."""

    golden: GoldenSet
    responses: Mapping[str, Response]
    """By the id of the row."""

    measurements: tuple[Measurement, ...]
    summaries: tuple[Summary, ...]
    verdict: Verdict
    identity: Identity
    comparison: Comparison | None = None
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    """What a report says of the run: target, judge, versions, cost."""

    @property
    def errors(self) -> int:
        """Rows for which the system itself failed."""
        return sum(1 for each in self.responses.values() if each.error)

    @property
    def judge_failures(self) -> int:
        """Measurements for which the judge said nothing that can be read."""
        return sum(1 for each in self.measurements if each.details.get("judge_failure"))

    def summary(self, metric: str) -> Summary | None:
        """The line of one metric, in whatever case it is written; None where it was not measured."""
        name = metric_name(metric)
        return next((each for each in self.summaries if each.metric == name), None)

    def save_baseline(self, path: str | PathLike[str], note: str = "") -> None:
        """Stores the scores, to compare later runs with."""
        write_baseline(str(path), self.identity, self.measurements, note)

    def of_row(self, row: str) -> list[Measurement]:
        """The measurements of one row."""
        return [each for each in self.measurements if each.row == row]


def evaluate(
    golden: GoldenSet | str | PathLike[str],
    run: str | PathLike[str] | Iterable[Response],
    gate: Gate | Mapping[str, Any] | None = None,
    *,
    judge: Judge | str | PathLike[str] | None = None,
    baseline: Baseline | str | PathLike[str] | None = None,
    corpus: str | None = None,
) -> Evaluation:
    """Judges a run that was recorded: whether retrieval and generation reach what the gate asks.

    `run` is a file of JSON lines or the responses themselves, `judge` a file of recorded verdicts or
    whoever gives them, `baseline` an accepted run, and `corpus` the fingerprint of the documents.
    Raises GoldenError and OptionError for what is impossible, before anything is measured. What a
    system or a judge did wrong is a status of its row.
    """
    asked = gate if isinstance(gate, Gate) else Gate.of(gate or {})
    questions = golden if isinstance(golden, GoldenSet) else load_locked(str(golden))
    responses = load_run(str(run)) if isinstance(run, (str, PathLike)) else run
    if isinstance(judge, (str, PathLike)):
        judge = load_recorded_judge(str(judge), {name: asked.row_threshold(name) for name in asked.judged})
    if isinstance(baseline, (str, PathLike)):
        baseline = read_baseline(str(baseline))
    return evaluate_responses(questions, responses, asked, judge, baseline, corpus)


def evaluate_responses(
    golden: GoldenSet,
    responses: Iterable[Response],
    gate: Gate,
    judge: Judge | None = None,
    baseline: Baseline | None = None,
    corpus: str | None = None,
    facts: Mapping[str, str] | None = None,
) -> Evaluation:
    """Measures what a system returned and decides. A row without a response is an error of that row."""
    found = answered(golden, responses)
    answering = any(each.answer is not None for each in found.values())
    free: list[Measurement] = []
    for row in golden:
        response = found[row.id]
        free += measure_rules(gate, row, response, answering or bool(response.error))
        free += measure_ranking(gate, row, response)
    measurements = [*free, *judged(golden, found, gate, judge, free)]
    lines = summaries(gate, golden.rows, measurements)
    asked = judge is not None and bool(gate.judged)
    instrument = judge.fingerprint if asked and judge is not None else None
    gains = gate.metrics[0].gains if gate.metrics else "linear"
    identity = Identity(golden.fingerprint, corpus, instrument, f"{DEFINITIONS} {gains}")
    comparison = compare(baseline, identity, measurements) if baseline else None
    verdict = decide(gate, golden.rows, measurements, lines, comparison)
    return Evaluation(
        golden, found, tuple(measurements), tuple(lines), verdict, identity, comparison, doubts(gate, golden),
        facts or {},
    )  # fmt: skip


def answered(golden: GoldenSet, responses: Iterable[Response]) -> dict[str, Response]:
    """The response to each row; of two to one row, the first."""
    given: dict[str, Response] = {}
    for each in responses:
        given.setdefault(each.row, each)
    return {row.id: given.get(row.id) or Response(row.id, error="there is no response to this row") for row in golden}


def judged(
    golden: GoldenSet,
    responses: Mapping[str, Response],
    gate: Gate,
    judge: Judge | None,
    free: Sequence[Measurement],
) -> list[Measurement]:
    """What the judge says; skipped where there is none, or where a free stage has failed already."""
    metrics = [JUDGED[name] for name in gate.judged]
    if not metrics:
        return []
    why = "" if gate.keep_going else stopped(gate, golden.rows, free)
    if judge is None:
        why = "no judge is configured"

    def measure(row: Row) -> list[Measurement]:
        response = responses[row.id]
        if response.error:
            return unjudged(metrics, row, "error", response.error)
        if why or judge is None:
            return unjudged(metrics, row, "skipped", why)
        return judge.measure(metrics, row, response)

    with ThreadPoolExecutor(judge.concurrency if judge else 1) as pool:
        return [each for found in pool.map(measure, golden) for each in found]


def unjudged(metrics: Iterable[JudgedMetric], row: Row, status: str, reason: str) -> list[Measurement]:
    return [
        Measurement(row.id, each.name, each.half, status, threshold=each.threshold, reason=reason)  # type: ignore[arg-type]
        for each in metrics
    ]


def stopped(gate: Gate, rows: Sequence[Row], free: Sequence[Measurement]) -> str:
    """Why the judge need not be asked any more; empty where it is."""
    verdict = decide(gate, rows, free, summaries(gate, rows, free))
    for half in (verdict.generation, verdict.retrieval):
        if half.failures:
            what = "the rules" if half.half == "generation" else "retrieval"
            return f"{what} failed already ({half.failures[0]}), so no judge was asked"
    return ""


def doubts(gate: Gate, golden: GoldenSet) -> tuple[str, ...]:
    """What is doubtful about what was asked."""
    from pincite.evaluation.rules import rules_of

    found = [warning for rule in gate.rules for warning in rule.warnings]
    found += [f"row {row.id}: {warning}" for row in golden for rule in rules_of(row.rules) for warning in rule.warnings]
    if len(gate.judged) == len(JUDGED):
        found.append("all six judged metrics are on; most of them say the same, and each costs calls")
    return tuple(found)
