"""A regular expression over an answer, with a limit on its time.

The engine is the package `regex`, which knows look-around and stops after a given time; Python's own
cannot be stopped. A pattern that passes both the empty text and arbitrary ones checks nothing, which
is said before the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pincite.errors import DependencyError
from pincite.evaluation.model import Response, Row
from pincite.evaluation.rules.rule import Finding, RuleArguments

__all__ = ["Pattern", "pattern"]

SECONDS: Final = 1.0
LONGEST: Final = 10_000
"""Code points of a pattern."""

PROBES: Final = ("", "The answer is 3.", "Không tìm thấy trong 2 tài liệu.", "2쪽을 참고하세요.", "[1] see 4, 5 and 6")
"""Texts that have nothing in common; the rule is told to be weak where it passes all that are not empty."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The expression is found in the answer, or is not, as `expect` says."""

    name: str
    pattern: str
    compiled: Any
    full: bool
    wanted: bool
    seconds: float = SECONDS
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        try:
            found = self.found(response.answer or "")
        except TimeoutError:
            return Finding(0.0, f"the pattern took more than {self.seconds:g} s on this answer; make it simpler")
        if found == self.wanted:
            return Finding(1.0, "")
        where = "the whole answer" if self.full else "the answer"
        verb = "does not match" if self.wanted else "must not match"
        return Finding(0.0, f"{self.pattern!r} {verb} {where}")

    def found(self, text: str) -> bool:
        match = self.compiled.fullmatch if self.full else self.compiled.search
        return match(text, timeout=self.seconds) is not None


def pattern(name: str, value: Any) -> Pattern:
    given = RuleArguments(name, value, "pattern")
    text = given.text("pattern")
    full = given.choice("match", ("search", "full")) == "full"
    wanted = given.choice("expect", ("match", "no_match")) == "match"
    seconds = given.number("seconds", SECONDS, 0.001, 60.0) or SECONDS
    given.done()
    made = Pattern(name, text, compiled(given, text), full, wanted, seconds)
    return Pattern(name, text, made.compiled, full, wanted, seconds, warnings=doubts(made))


def compiled(given: RuleArguments, text: str) -> Any:
    try:
        import regex
    except ImportError:
        raise DependencyError("the package regex", "run: pip install 'pincite[eval]'") from None
    if len(text) > LONGEST:
        raise given.fail(f"has more than {LONGEST} characters", "pattern")
    try:
        return regex.compile(text, regex.VERSION0)
    except (regex.error, RecursionError, OverflowError) as error:
        raise given.fail(f"{text!r} is no regular expression: {error}", "pattern") from None


def doubts(rule: Pattern) -> tuple[str, ...]:
    """Says so where the expression passes texts that have nothing in common; one that forbids is meant to."""
    if not rule.wanted or "(?!" in rule.pattern or "(?<!" in rule.pattern:
        return ()
    try:
        passed = [text for text in PROBES if rule.found(text) == rule.wanted]
    except TimeoutError:
        return (f"regex {rule.pattern!r} took more than {rule.seconds:g} s on a short sentence",)
    if len(passed) >= len(PROBES) - 1:
        return (f"regex {rule.pattern!r} passes nearly any text; make it say what the answer must have",)
    return ()
