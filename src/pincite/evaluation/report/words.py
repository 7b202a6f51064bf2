"""The sentences that all reports share, so that they never say different things."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.evaluation.compare import Change, Comparison
from pincite.evaluation.evaluate import Evaluation
from pincite.evaluation.summary import Summary
from pincite.evaluation.verdict import HalfVerdict

__all__ = ["HEADS", "change_line", "gaps", "half_title", "headline", "reasons", "summary_cells", "tested"]

TITLES = {"retrieval": "Retrieval", "generation": "Generation"}
OUTCOMES = {"pass": "passed", "fail": "failed", "inconclusive": "not enough evidence", "absent": "not judged"}

HEADS = ("metric", "mean", "95 %", "rows", "floor", "")


def headline(evaluation: Evaluation) -> str:
    """The verdict in a line."""
    said = {"pass": "PASSED", "fail": "FAILED"}.get(evaluation.verdict.outcome, "NOT ENOUGH EVIDENCE")
    rows = len(evaluation.golden)
    return f"{said} on {rows} row{'s' * (rows != 1)}"


def half_title(half: HalfVerdict) -> str:
    return f"{TITLES[half.half]}: {OUTCOMES[half.outcome]}"


def summary_cells(summary: Summary) -> tuple[str, ...]:
    """The cells of one metric, under `HEADS`."""
    mean = "–" if summary.mean is None else f"{summary.mean:.3f}"
    interval = f"{summary.interval.low:.2f}–{summary.interval.high:.2f}" if summary.interval else ""
    rows = f"{summary.measured}/{summary.eligible}"
    floor = f"{summary.threshold.mean:g}" if summary.threshold else ""
    return summary.metric, mean, interval, rows, floor, mark(summary)


def mark(summary: Summary) -> str:
    """What a reader has to know of a metric beside its mean."""
    found = ["below its floor"] if summary.shortfalls else []
    for status, word in (("error", "errors"), ("skipped", "skipped"), ("not_applicable", "not applicable")):
        if count := summary.counts[status]:  # type: ignore[index]
            found.append(f"{count} {word if count != 1 or word != 'errors' else 'error'}")
    return ", ".join(found)


def reasons(half: HalfVerdict) -> Iterator[str]:
    """Why a half does not pass."""
    yield from half.failures
    yield from half.gaps


def gaps(evaluation: Evaluation) -> Iterator[str]:
    """What is missing for either half, and what is doubtful."""
    yield from evaluation.verdict.gaps


def change_line(change: Change) -> str:
    """One metric beside the baseline."""
    pair = change.pair
    shown = f"{change.metric}: {pair.mean:+.3f} over {pair.rows} rows, {pair.wins} better, {pair.losses} worse"
    return f"{shown}; {tested(change)}"


def tested(change: Change) -> str:
    """What may be claimed of a difference."""
    pair = change.pair
    if pair.interval is None or pair.p is None:
        return "too few rows for a test"
    return f"95 % from {pair.interval.low:+.3f} to {pair.interval.high:+.3f}, p = {pair.p:.3f}"


def compared_with(comparison: Comparison) -> str:
    return f"the baseline {comparison.note}".rstrip()
