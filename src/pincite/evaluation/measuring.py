"""The free half of the work: rules and ranking metrics of one row.

A system that failed on a row has an error in each metric that the row can have, so that the mean,
whose denominator is the question set, can only sink by it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pincite.evaluation.gate import Gate
from pincite.evaluation.metrics import Metric
from pincite.evaluation.model import Measurement, Response, Row, Status
from pincite.evaluation.ranking import finest, ranked
from pincite.evaluation.rules import Rule, rules_of

__all__ = ["measure_ranking", "measure_rules"]


def measure_rules(gate: Gate, row: Row, response: Response, answering: bool = True) -> list[Measurement]:
    """One measurement for each rule, of all rows and of this one; of two with one name, the worse.

    `answering` says whether the system answers at all: where it only retrieves, a row's own rules have
    nothing to check, while rules that the gate asks of every row are errors.
    """
    common = [rule_measurement(rule, row, response) for rule in gate.rules]
    own = [rule_measurement(rule, row, response) for rule in rules_of(row.rules)]
    if not answering:
        own = [replace(each, status="not_applicable", reason="the system does not answer") for each in own]
    worst: dict[str, Measurement] = {}
    for each in (*common, *own):
        known = worst.setdefault(each.metric, each)
        if SEVERITY.index(each.status) > SEVERITY.index(known.status):
            worst[each.metric] = each
    return list(worst.values())


SEVERITY: Final[tuple[Status, ...]] = ("not_applicable", "pass", "fail", "skipped", "error")


def rule_measurement(rule: Rule, row: Row, response: Response) -> Measurement:
    name = rule.name
    if response.error or response.answer is None:
        reason = response.error or "the system gave passages and no answer"
        return Measurement(row.id, name, "generation", "error", reason=reason)
    found = rule.check(row, response)
    if found is None:
        return Measurement(row.id, name, "generation", "not_applicable", reason="there is nothing to check")
    status: Status = "pass" if found.score >= rule.threshold else "fail"
    return Measurement(row.id, name, "generation", status, found.score, rule.threshold, found.reason, found.details)


def measure_ranking(gate: Gate, row: Row, response: Response) -> list[Measurement]:
    """One measurement for each ranking metric."""
    return [ranking_measurement(metric, gate, row, response) for metric in gate.metrics]


def ranking_measurement(metric: Metric, gate: Gate, row: Row, response: Response) -> Measurement:
    """The value for one row. It passes where it reaches the mean that is wanted, or where anything was found."""
    name = str(metric)
    level = metric.level or finest(row)
    ranking = ranked(row, response.passages, level) if level else None
    if ranking is None:
        reason = "the row has no evidence" if not row.evidence else f"its evidence names no {level}"
        return Measurement(row.id, name, "retrieval", "not_applicable", reason=reason)
    if response.error:
        return Measurement(row.id, name, "retrieval", "error", reason=response.error)
    score = metric.of(ranking)
    wanted = gate.threshold(name)
    row_wanted = wanted.row if wanted and wanted.row is not None else None
    passed = score >= row_wanted if row_wanted is not None else score > 0
    details = {"level": level, "ranks": [rank for rank, gain in enumerate(ranking.gains, 1) if gain]}
    return Measurement(row.id, name, "retrieval", "pass" if passed else "fail", score, row_wanted, "", details)
