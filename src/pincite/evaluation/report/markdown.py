"""The report as Markdown for a pull request: short enough to be posted, worst first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pincite.evaluation.evaluate import Evaluation
from pincite.evaluation.model import Measurement
from pincite.evaluation.report.words import HEADS, change_line, gaps, half_title, headline, reasons, summary_cells

__all__ = ["markdown_report"]

LARGEST: Final = 60_000
"""Code points; hosts refuse comments of more than 65,536."""

ROWS: Final = 50


def markdown_report(evaluation: Evaluation) -> str:
    """Markdown of GitHub's kind."""
    found = "\n".join(lines(evaluation)) + "\n"
    if len(found) <= LARGEST:
        return found
    return found[:LARGEST].rsplit("\n", 1)[0] + "\n\n… cut here; the JSON report has all of it.\n"


def lines(evaluation: Evaluation) -> Iterator[str]:
    verdict = evaluation.verdict
    sign = {"pass": "✅", "fail": "❌"}.get(verdict.outcome, "⚠️")
    yield f"## {sign} {headline(evaluation)}"
    yield ""
    yield f"**Diagnosis:** {cell(verdict.diagnosis)}"
    for half in (verdict.retrieval, verdict.generation):
        yield ""
        yield f"### {half_title(half)}"
        own = [summary_cells(each) for each in evaluation.summaries if each.half == half.half and each.eligible]
        if own:
            yield ""
            yield "| " + " | ".join(HEADS) + " |"
            yield "| --- |" + " ---: |" * (len(HEADS) - 2) + " --- |"
            yield from ("| " + " | ".join(map(cell, cells)) + " |" for cells in own)
        found = list(reasons(half))
        if found:
            yield ""
            yield from (f"- {cell(reason)}" for reason in found)
        yield from failing(evaluation, half.half)
    yield from compared(evaluation)
    yield from (f"- {cell(gap)}" for gap in gaps(evaluation))


def failing(evaluation: Evaluation, half: str) -> Iterator[str]:
    """A table of rows that fail, worst first."""
    found: list[Measurement] = [
        each
        for each in evaluation.measurements
        if each.half == half and (each.status == "error" or (each.status == "fail" and each.threshold is not None))
    ]
    if not found:
        return
    inputs = {row.id: row.input for row in evaluation.golden}
    yield ""
    yield f"<details><summary>{len(found)} measurements that fail</summary>"
    yield ""
    yield "| row | question | metric | score | why |"
    yield "| --- | --- | --- | ---: | --- |"
    for each in sorted(found, key=lambda each: each.score or 0.0)[:ROWS]:
        score = each.status if each.score is None else f"{each.score:.2f}"
        cells = (each.row, inputs[each.row][:120], each.metric, score, each.reason[:300])
        yield "| " + " | ".join(map(cell, cells)) + " |"
    yield ""
    yield "</details>"


def compared(evaluation: Evaluation) -> Iterator[str]:
    comparison = evaluation.comparison
    if comparison is None:
        return
    yield ""
    yield f"### Beside the baseline {cell(comparison.note)}".rstrip()
    yield ""
    if comparison.differences:
        yield f"Not compared: {' and '.join(comparison.differences)} differ."
    for change in comparison.changes:
        yield f"- {cell(change_line(change))}"
        if change.broken:
            yield f"  - newly broken: {cell(', '.join(change.broken))}"
        if change.fixed:
            yield f"  - newly fixed: {cell(', '.join(change.fixed))}"


def cell(text: str) -> str:
    """A text that stays within its cell and is shown as it stands."""
    shown = " ".join(text.split())
    for sign in "\\`*_[]<>|":
        shown = shown.replace(sign, "\\" + sign)
    return shown
