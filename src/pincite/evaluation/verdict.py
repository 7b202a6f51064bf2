"""Whether a release may go out, half by half, and what to mend where it may not.

Each half passes by evidence alone: every gated metric was measured on every row that can have it and
reaches its floor, every incident row passes, and no row is newly broken. What is missing makes the half
inconclusive, which is no pass. The diagnosis says which half to touch, and which to leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pincite.evaluation.compare import Comparison
from pincite.evaluation.gate import Gate
from pincite.evaluation.model import Half, Measurement, Row
from pincite.evaluation.statistics import ENOUGH_ROWS
from pincite.evaluation.summary import Summary

__all__ = ["EXIT_CODES", "HalfVerdict", "Outcome", "Verdict", "decide"]

Outcome = Literal["pass", "fail", "inconclusive", "absent"]
"""`absent`: nothing was asked of this half."""

PASSED: Final = 0
RETRIEVAL_FAILED: Final = 10
GENERATION_FAILED: Final = 11
BOTH_FAILED: Final = 12
NOT_ENOUGH: Final = 13
EXIT_CODES: Final = (PASSED, RETRIEVAL_FAILED, GENERATION_FAILED, BOTH_FAILED, NOT_ENOUGH)


@dataclass(frozen=True, slots=True)
class HalfVerdict:
    """The verdict on retrieval, or on generation."""

    half: Half
    outcome: Outcome
    failures: tuple[str, ...] = ()
    """Why it fails."""

    gaps: tuple[str, ...] = ()
    """What is missing for a verdict."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a release."""

    retrieval: HalfVerdict
    generation: HalfVerdict
    diagnosis: str
    """What to mend and what to leave, in words."""

    gaps: tuple[str, ...] = ()
    """What is missing for a verdict on either half, such as rows."""

    @property
    def outcome(self) -> Outcome:
        """`pass`, `fail` or `inconclusive` for the whole."""
        halves = (self.retrieval.outcome, self.generation.outcome)
        if "fail" in halves:
            return "fail"
        return "inconclusive" if self.gaps or "inconclusive" in halves or set(halves) == {"absent"} else "pass"

    @property
    def exit_code(self) -> int:
        """0, or 10 to 13 by the half that failed."""
        failed = (self.retrieval.outcome == "fail", self.generation.outcome == "fail")
        codes = {(True, True): BOTH_FAILED, (True, False): RETRIEVAL_FAILED, (False, True): GENERATION_FAILED}
        return codes.get(failed, PASSED if self.outcome == "pass" else NOT_ENOUGH)


def decide(
    gate: Gate,
    rows: Sequence[Row],
    measurements: Sequence[Measurement],
    summaries: Sequence[Summary],
    comparison: Comparison | None = None,
) -> Verdict:
    """The verdict on what was measured."""
    gaps = [] if rows else ["the golden set has no rows"]
    gaps += [f"not compared with the baseline: {each} differ{'s' * (' ' in each)}" for each in different(comparison)]
    retrieval, generation = (
        half_verdict(half, gate, rows, measurements, summaries, comparison) for half in ("retrieval", "generation")
    )
    return Verdict(retrieval, generation, diagnosis(retrieval, generation), tuple(gaps))


def different(comparison: Comparison | None) -> tuple[str, ...]:
    return comparison.differences if comparison else ()


def half_verdict(
    half: Half,
    gate: Gate,
    rows: Sequence[Row],
    measurements: Sequence[Measurement],
    summaries: Sequence[Summary],
    comparison: Comparison | None,
) -> HalfVerdict:
    own = [each for each in summaries if each.half == half and each.eligible]
    if not own:
        return HalfVerdict(half, "absent")
    gated = [each for each in own if each.threshold]
    failures = [shortfall for each in gated for shortfall in each.shortfalls]
    failures += incidents(half, gate, rows, measurements, {each.metric for each in gated})
    gaps = unmeasured(own)
    if not gated and comparison is None:
        names = ", ".join(each.metric for each in own)
        gaps.append(f"no threshold is set for anything that was measured ({names}), and there is no baseline")
    if comparison is not None:
        broken = [row for row in comparison.broken(half) if row not in gate.waivers]
        failures += [f"row {row} passed before and is broken now" for row in broken]
        gaps += claimed(half, gate, comparison)
    outcome: Outcome = "fail" if failures else "inconclusive" if gaps else "pass"
    return HalfVerdict(half, outcome, tuple(failures), tuple(gaps))


def unmeasured(summaries: Iterable[Summary]) -> list[str]:
    """Rows whose score nobody knows, metrics with the same number of them together."""
    found: dict[str, list[str]] = {}
    for each in summaries:
        for count, what in ((each.counts["error"], "ended in an error"), (each.counts["skipped"], "skipped")):
            if count:
                found.setdefault(f"{count} of {each.eligible} rows {what}", []).append(each.metric)
    return [f"{said}: {', '.join(metrics)}" for said, metrics in found.items()]


def incidents(
    half: Half, gate: Gate, rows: Iterable[Row], measurements: Iterable[Measurement], gated: set[str]
) -> list[str]:
    """Incident rows that fail a gated metric."""
    sources = {row.id: row.source for row in rows}
    failed: Mapping[str, None] = dict.fromkeys(
        each.row
        for each in measurements
        if each.half == half and each.status == "fail" and each.metric in gated and sources[each.row] == "incident"
    )
    return [f"incident row {row} fails" for row in failed if row not in gate.waivers]


def claimed(half: Half, gate: Gate, comparison: Comparison) -> list[str]:
    """Claims of being better that the rows do not bear."""
    found = []
    for change in comparison.changes:
        least = gate.claims.get(change.metric)
        if change.half != half or least is None:
            continue
        pair = change.pair
        if not pair.enough:
            found.append(
                f"{change.metric}: {pair.rows} rows are too few to claim {least:+.3f}; {ENOUGH_ROWS} are needed"
            )
        elif pair.interval is None or pair.mean < least or pair.interval.low <= 0:
            low = f", interval from {pair.interval.low:+.3f}" if pair.interval else ""
            found.append(f"{change.metric}: {least:+.3f} is claimed, {pair.mean:+.3f} was measured{low}")
    return found


def diagnosis(retrieval: HalfVerdict, generation: HalfVerdict) -> str:
    """Which half to mend. Retrieval comes first: generation cannot be judged on passages that lack the answer."""
    match retrieval.outcome, generation.outcome:
        case "fail", "fail":
            return (
                "retrieval: the passages do not hold the answers, so fix retrieval first and leave the prompt; "
                "then judge generation again"
            )
        case "fail", _:
            return "retrieval: the passages do not hold the answers; fix retrieval and leave the prompt"
        case "pass" | "absent" | "inconclusive", "fail":
            found = (
                "the passages hold the answers and the answers do not"
                if retrieval.outcome == "pass"
                else "the answers do not hold"
            )
            return f"generation: {found}; fix the prompt or the model and leave retrieval"
        case "pass", "pass":
            return "nothing to mend"
        case "pass", "absent":
            return "nothing to mend in retrieval; no answers were judged"
        case "absent", "pass":
            return "nothing to mend in generation; no passages were judged"
    return "not enough evidence to say"
