"""What a rule is: a free, repeatable check of one answer.

A rule that has nothing to check says so by None, which is "not applicable" and no score. A rule that
cannot mean anything, such as a list without words, is refused before a question is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pincite.errors import GoldenError
from pincite.evaluation.model import Response, Row

__all__ = ["Finding", "Reader", "Rule", "RuleArguments"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule says of an answer."""

    score: float
    """0 to 1."""

    reason: str
    """One sentence for people; empty where all is well."""

    details: Mapping[str, Any] = field(default_factory=dict)


class Rule(Protocol):
    """One check with its settings."""

    @property
    def name(self) -> str:
        """The word that a configuration uses."""

    @property
    def threshold(self) -> float:
        """The least score that passes."""

    @property
    def warnings(self) -> Sequence[str]:
        """What is doubtful about the settings."""

    def check(self, row: Row, response: Response) -> Finding | None:
        """The score of one answer; None where there is nothing to check."""


class RuleArguments:
    """The settings of one rule while they are read; what is left over at the end is unknown."""

    def __init__(self, name: str, value: Any, main: str) -> None:
        self.name = name
        if isinstance(value, Mapping) and main != "schema":
            self.given: dict[str, Any] = dict(value)
        elif isinstance(value, Mapping) and set(value) & {"schema", "threshold"} and "type" not in value:
            self.given = dict(value)
        else:
            self.given = {} if value is True else {main: value}

    def fail(self, reason: str, key: str = "") -> GoldenError:
        return GoldenError("rules", reason, field=f"{self.name}.{key}" if key else self.name)

    def take(self, key: str, default: Any = None) -> Any:
        return self.given.pop(key, default)

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts that are not empty."""
        value = self.take(key)
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, (list, tuple)) or not value:
            raise self.fail("needs at least one word; a list without words would pass anything", key)
        if not all(isinstance(each, str) and each.strip() for each in value):
            raise self.fail("must be a list of words between quotes, none of them empty", key)
        return tuple(value)

    def text(self, key: str) -> str:
        value = self.take(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fail("must be a text that is not empty", key)
        return value

    def choice(self, key: str, known: Sequence[str]) -> str:
        """One of the known words; the first where nothing is said."""
        value = self.take(key, known[0])
        if value not in known:
            raise self.fail(f"must be one of {', '.join(known)}", key)
        return str(value)

    def number(self, key: str, default: float | None, low: float, high: float) -> float | None:
        value = self.take(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise self.fail(f"must be a number from {low:g} to {high:g}", key)
        return float(value)

    def threshold(self) -> float:
        """The least score that passes: all of it, where nothing is said."""
        found = self.number("threshold", 1.0, 0.0, 1.0)
        if not found:
            raise self.fail("must be above 0; a threshold of 0 would pass anything", "threshold")
        return found

    def done(self) -> None:
        """Refuses what no setting of the rule is."""
        for key in self.given:
            raise self.fail("is no setting of this rule", str(key))


class Reader(Protocol):
    """Makes a rule of its settings. Raises GoldenError, which names the setting."""

    def __call__(self, name: str, value: Any) -> Rule: ...
