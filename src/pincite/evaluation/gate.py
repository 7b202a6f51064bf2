"""What a release has to reach: metrics, rules, thresholds, and how strict the profile is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pincite.errors import OptionError
from pincite.evaluation.judged import JUDGED, judged_metric
from pincite.evaluation.metrics import DEFAULT_METRICS, Metric, parse_metric
from pincite.evaluation.rules import RULES, Rule, rules_of

__all__ = ["DEFAULT_FLOORS", "Gate", "Profile", "Threshold", "metric_name"]

Profile = Literal["standard", "strict"]

DEFAULT_FLOORS: Final[Mapping[str, float]] = {"hit@5": 0.8, "recall@5": 0.8}
"""What the mean of a ranking metric has to reach where nothing is said of it."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """What one metric has to reach."""

    mean: float
    """The least mean over the rows."""

    row: float | None = None
    """The least score of a row that passes; the metric's own where it is None."""

    categories: Mapping[str, float] = field(default_factory=dict)
    """The least mean over the rows of a category, where it differs."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The whole of what is asked of a release."""

    metrics: tuple[Metric, ...] = tuple(map(parse_metric, DEFAULT_METRICS))
    """Ranking metrics."""

    rules: tuple[Rule, ...] = ()
    """Rules for every row, beside those of the row."""

    judged: tuple[str, ...] = ()
    thresholds: Mapping[str, Threshold] = field(default_factory=dict)
    """By the name of the metric, as `metric_name` writes it."""

    claims: Mapping[str, float] = field(default_factory=dict)
    """By how much the release claims to be better than the baseline."""

    waivers: Mapping[str, str] = field(default_factory=dict)
    """Rows that may be broken, each with its reason."""

    profile: Profile = "standard"
    keep_going: bool = False
    """Whether the judge is asked although a stage before it failed."""

    def threshold(self, name: str) -> Threshold | None:
        """What a metric has to reach; None where it is only reported."""
        if (given := self.thresholds.get(name)) is not None:
            return given
        if name in JUDGED:
            return Threshold(self.row_threshold(name))
        if name in RULES:
            return Threshold(1.0)
        floor = DEFAULT_FLOORS.get(name)
        return Threshold(floor) if floor is not None else None

    def row_threshold(self, name: str) -> float:
        """The least score of a row that passes a judged metric, under the profile."""
        given = self.thresholds.get(name)
        if given is not None and given.row is not None:
            return given.row
        known = JUDGED[name]
        own = known.strict if self.profile == "strict" else known.threshold
        return max(own, given.mean) if given is not None and self.profile == "strict" else given.mean if given else own

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Gate:
        """The gate of a mapping as a file holds it. Raises OptionError or GoldenError, which name the key."""
        known = ("metrics", "gains", "rules", "judged", "thresholds", "claims", "waivers", "profile", "keep_going")
        for key in settings:
            if key not in known:
                raise OptionError(f"gate.{key}", settings[key], f"one of the known names: {', '.join(known)}")
        gains = one_of(settings, "gains", ("linear", "exponential"))
        profile = one_of(settings, "profile", ("standard", "strict"))
        keep_going = settings.get("keep_going", False)
        if not isinstance(keep_going, bool):
            raise OptionError("gate.keep_going", keep_going, "true or false")
        return cls(
            tuple(parse_metric(each, gains) for each in listed(settings, "metrics", DEFAULT_METRICS)),  # type: ignore[arg-type]
            tuple(rules_of(listed(settings, "rules", ()))),
            tuple(dict.fromkeys(judged_metric(each).name for each in listed(settings, "judged", ()))),
            {metric_name(name): threshold(name, value) for name, value in mapped(settings, "thresholds").items()},
            {metric_name(name): share(f"claims.{name}", value) for name, value in mapped(settings, "claims").items()},
            {name: waiver(name, value) for name, value in mapped(settings, "waivers").items()},
            profile,  # type: ignore[arg-type]
            keep_going,
        )


def metric_name(text: str) -> str:
    """The one spelling of a metric's or a rule's name. Raises OptionError where there is no such metric."""
    if text in RULES:
        return text
    return (
        str(parse_metric(text))
        if "@" in text or text.casefold() in ("mrr", "map", "ndcg")
        else judged_metric(text).name
    )


def listed(settings: Mapping[str, Any], name: str, default: tuple[str, ...]) -> list[Any]:
    value = settings.get(name, default)
    if not isinstance(value, (list, tuple)):
        raise OptionError(f"gate.{name}", value, "a list")
    return list(value)


def mapped(settings: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = settings.get(name, {})
    if not isinstance(value, Mapping):
        raise OptionError(f"gate.{name}", value, "a mapping of names to values")
    return value


def one_of(settings: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str:
    value = settings.get(name, known[0])
    if value not in known:
        raise OptionError(f"gate.{name}", value, f"one of {', '.join(known)}")
    return str(value)


def share(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise OptionError(f"gate.{name}", value, "a number from 0 to 1")
    return float(value)


def waiver(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise OptionError(f"gate.waivers.{name}", value, "the reason why this row may be broken")
    return value.strip()


def threshold(name: str, value: Any) -> Threshold:
    """The threshold of `0.8`, or of `{min: 0.8, row: 0.7, categories: {legal: 0.95}}`."""
    where = f"thresholds.{name}"
    if not isinstance(value, Mapping):
        return Threshold(share(where, value))
    for key in value:
        if key not in ("min", "row", "categories"):
            raise OptionError(f"gate.{where}.{key}", value[key], "one of the known names: min, row, categories")
    if "min" not in value:
        raise OptionError(f"gate.{where}", dict(value), "a number, or a mapping that has min")
    row = None if value.get("row") is None else share(f"{where}.row", value["row"])
    categories = mapped(value, "categories")
    shares = {str(each): share(f"{where}.categories.{each}", found) for each, found in categories.items()}
    return Threshold(share(f"{where}.min", value["min"]), row, shares)
