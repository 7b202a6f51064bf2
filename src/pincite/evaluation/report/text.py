"""The report for a terminal: the verdict, both halves with their metrics, what broke, what to do."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from pincite.evaluation.evaluate import Evaluation
from pincite.evaluation.model import Measurement
from pincite.evaluation.report.words import HEADS, change_line, gaps, half_title, headline, reasons, summary_cells

__all__ = ["text_report"]

SHOWN = 10
"""Rows that are named for one half; the other reports name all."""


def text_report(evaluation: Evaluation) -> str:
    """Lines for people."""
    return "\n".join(lines(evaluation)) + "\n"


def lines(evaluation: Evaluation) -> Iterator[str]:
    verdict = evaluation.verdict
    yield headline(evaluation)
    for half in (verdict.retrieval, verdict.generation):
        yield ""
        yield half_title(half)
        own = [summary_cells(each) for each in evaluation.summaries if each.half == half.half and each.eligible]
        if own:
            yield from (f"  {line}" for line in table([HEADS, *own]))
        yield from (f"  - {reason}" for reason in reasons(half))
        yield from failing([each for each in evaluation.measurements if each.half == half.half])
    yield from compared(evaluation)
    for gap in gaps(evaluation):
        yield f"- {gap}"
    for warning in evaluation.warnings:
        yield f"warning: {warning}"
    yield ""
    yield f"Diagnosis: {verdict.diagnosis}"


def failing(measurements: Sequence[Measurement]) -> Iterator[str]:
    """Rows that fail or broke, each with its first reason."""
    found: dict[str, Measurement] = {}
    for each in measurements:
        if each.status == "error" or (each.status == "fail" and each.threshold is not None):
            found.setdefault(each.row, each)
    for number, each in enumerate(found.values()):
        if number == SHOWN:
            yield f"  … and {len(found) - SHOWN} more rows; --json and --html show all"
            return
        score = "" if each.score is None else f" {each.score:.2f}"
        yield f"  {each.status}: row {each.row}, {each.metric}{score}" + (f": {each.reason}" if each.reason else "")


def compared(evaluation: Evaluation) -> Iterator[str]:
    comparison = evaluation.comparison
    if comparison is None:
        return
    yield ""
    if comparison.differences:
        yield f"Not compared with the baseline: {' and '.join(comparison.differences)} differ"
        return
    yield f"Beside the baseline {comparison.note}".rstrip()
    for change in comparison.changes:
        yield f"  {change_line(change)}"
        if change.broken:
            yield f"    newly broken: {', '.join(change.broken)}"
        if change.fixed:
            yield f"    newly fixed: {', '.join(change.fixed)}"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Cells under one another; numbers to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell + " " * (size - width(cell)) if number in (0, len(row) - 1) else " " * (size - width(cell)) + cell
            for number, (cell, size) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def width(text: str) -> int:
    shown = (char for char in text if not unicodedata.combining(char))
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in shown)
