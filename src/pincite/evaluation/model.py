"""What an evaluation is made of: a row that people wrote, what a system returned for it, what was measured.

A measurement has one of five statuses, and only the first two carry a score. A row that cannot
have a metric is not a zero, a judge that broke is not a zero either, and neither is ever a pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pincite.document import Span

__all__ = [
    "DIFFICULTIES",
    "EXPECTATIONS",
    "SOURCES",
    "STATUSES",
    "Evidence",
    "Half",
    "Measurement",
    "Response",
    "Retrieved",
    "Row",
    "Status",
]

Status = Literal["pass", "fail", "not_applicable", "error", "skipped"]
Half = Literal["retrieval", "generation"]
"""Retrieval is judged apart from generation, since what mends the one spoils the other."""

STATUSES: Final[tuple[Status, ...]] = ("pass", "fail", "not_applicable", "error", "skipped")
SOURCES: Final = ("hand", "production", "ticket", "incident")
DIFFICULTIES: Final = ("easy", "medium", "hard")
EXPECTATIONS: Final = ("answer", "refuse")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place that answers the question. It names no chunk, so that it outlives every way of cutting."""

    document: str
    """Uri of the document, as the index has it."""

    page: int | None = None
    """Physical page, from 1."""

    quote: str | None = None
    """Words of the document that answer the question."""

    span: Span | None = None
    """The range of the document's text, where it is known exactly."""

    grade: int = 1
    """How much it is worth; at least 1."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question of the golden set."""

    id: str
    input: str
    """The question as a user types it."""

    expected_output: str | None = None
    rubric: str | None = None
    """What a good answer does, in words, where no one answer is the right one."""

    claims: tuple[str, ...] = ()
    """The assertions of the expected output, where people have written them out."""

    evidence: tuple[Evidence, ...] = ()
    expect: Literal["answer", "refuse"] = "answer"
    """`refuse`: the documents do not say it, and the system has to."""

    category: str = ""
    difficulty: str = ""
    source: str = ""
    """Where the question comes from: by hand, from production, a ticket, an incident."""

    reason: str = ""
    """Why the row is there."""

    group: str | None = None
    """Paraphrases of one question share a group."""

    language: str | None = None
    rules: tuple[Mapping[str, Any], ...] = ()
    """Rules of this row alone, beside those of the configuration."""

    line: int = 0
    """Line of the file that the row begins on, from 1; 0 where there is no file."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One passage that a system found, as far as it says."""

    document: str
    page_start: int | None = None
    page_end: int | None = None
    text: str = ""
    spans: tuple[Span, ...] = ()
    """Ranges of the document's text, where the system knows them."""

    score: float | None = None

    @property
    def pages(self) -> range:
        """Physical pages that it covers; empty where it names none."""
        if self.page_start is None:
            return range(0)
        return range(self.page_start, (self.page_end or self.page_start) + 1)


@dataclass(frozen=True, slots=True)
class Response:
    """What a system returned for one row."""

    row: str
    """Id of the row."""

    passages: tuple[Retrieved, ...] = ()
    """Best first: exactly those that the model saw."""

    answer: str | None = None
    """None where the system only retrieves."""

    error: str | None = None
    """Why there is no response; passages and answer say nothing then."""

    seconds: float | None = None
    tokens: int | None = None
    """Tokens that the system says it spent."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One metric of one row."""

    row: str
    metric: str
    """As people write it: `nDCG@10`, `faithfulness`, `contains_all`."""

    half: Half
    status: Status
    score: float | None = None
    """0 to 1 where the status is pass or fail, else None."""

    threshold: float | None = None
    """The least score that passes; None where the metric is only reported."""

    reason: str = ""
    """One sentence for people."""

    details: Mapping[str, Any] = field(default_factory=dict)
    """Whatever a report shows beside it: verdicts with quotes, missing words, counts."""

    @property
    def measured(self) -> bool:
        """Whether it has a score."""
        return self.status in ("pass", "fail")
