"""The report as JSON: everything, in one versioned form."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pincite.evaluation.asking import response_json
from pincite.evaluation.compare import Change, Comparison
from pincite.evaluation.evaluate import Evaluation
from pincite.evaluation.model import Measurement, Row
from pincite.evaluation.statistics import Interval
from pincite.evaluation.summary import Summary
from pincite.evaluation.verdict import HalfVerdict

__all__ = ["evaluation_json"]


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """The wire form `pincite.evaluation/1`."""
    verdict = evaluation.verdict
    return {
        "schema": "pincite.evaluation/1",
        "verdict": {
            "outcome": verdict.outcome,
            "exit_code": verdict.exit_code,
            "retrieval": half_json(verdict.retrieval),
            "generation": half_json(verdict.generation),
            "diagnosis": verdict.diagnosis,
            "gaps": list(verdict.gaps),
        },
        "golden": {"path": evaluation.golden.path, "rows": len(evaluation.golden)},
        "identity": evaluation.identity.as_json(),
        "facts": dict(evaluation.facts),
        "errors": evaluation.errors,
        "judge_failures": evaluation.judge_failures,
        "metrics": [summary_json(each) for each in evaluation.summaries],
        "comparison": comparison_json(evaluation.comparison) if evaluation.comparison else None,
        "warnings": list(evaluation.warnings),
        "rows": [row_json(evaluation, row) for row in evaluation.golden],
    }


def half_json(half: HalfVerdict) -> dict[str, Any]:
    return {"outcome": half.outcome, "failures": list(half.failures), "gaps": list(half.gaps)}


def summary_json(summary: Summary) -> dict[str, Any]:
    return {
        "metric": summary.metric,
        "half": summary.half,
        "mean": summary.mean,
        "interval": interval_json(summary.interval),
        "pass_rate_interval": interval_json(summary.passed),
        "counts": dict(summary.counts),
        "measured": summary.measured,
        "eligible": summary.eligible,
        "threshold": asdict(summary.threshold) if summary.threshold else None,
        "by_category": dict(summary.by_category),
    }


def interval_json(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    return {
        "note": comparison.note,
        "differences": list(comparison.differences),
        "changes": [change_json(each) for each in comparison.changes],
    }


def change_json(change: Change) -> dict[str, Any]:
    pair = change.pair
    return {
        "metric": change.metric,
        "half": change.half,
        "rows": pair.rows,
        "wins": pair.wins,
        "losses": pair.losses,
        "mean": pair.mean,
        "interval": interval_json(pair.interval),
        "p": pair.p,
        "mcnemar_p": change.p,
        "broken": list(change.broken),
        "fixed": list(change.fixed),
        "unknown": list(change.unknown),
    }


def row_json(evaluation: Evaluation, row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "input": row.input,
        "expected_output": row.expected_output,
        "category": row.category,
        "source": row.source,
        "line": row.line,
        "response": response_json(evaluation.responses[row.id]),
        "measurements": [measurement_json(each) for each in evaluation.of_row(row.id)],
    }


def measurement_json(each: Measurement) -> dict[str, Any]:
    return {
        "metric": each.metric,
        "half": each.half,
        "status": each.status,
        "score": each.score,
        "threshold": each.threshold,
        "reason": each.reason,
        "details": dict(each.details),
    }
