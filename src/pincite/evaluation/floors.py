"""Floors under the means: raised by a command when a release was better, lowered only with a reason.

A floor is kept in a file beside the gate, which belongs into version control. What a gate's own
thresholds ask is never weakened by it: of the two, the higher counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pincite.errors import EvaluationError, OptionError
from pincite.evaluation.gate import Gate, Threshold
from pincite.evaluation.summary import Summary

__all__ = ["Floors", "Reached", "lowered", "raised", "read_floors", "with_floors", "write_floors"]

SCHEMA: Final = "pincite.floors/1"


@dataclass(frozen=True, slots=True)
class Floors:
    """The least means, by metric, and why any was lowered."""

    floors: Mapping[str, float] = field(default_factory=dict)
    lowerings: Sequence[Mapping[str, Any]] = ()
    """What was lowered: `metric`, `from`, `to`, `reason`, oldest first."""


@dataclass(frozen=True, slots=True)
class Reached:
    """As much of a summary as a floor needs."""

    metric: str
    mean: float | None
    broken: int
    """Rows whose score nobody knows."""


def raised(floors: Floors, summaries: Sequence[Summary | Reached], only: Sequence[str] = ()) -> Floors:
    """The floors with each at the mean that was reached, where that is higher. A metric with gaps raises nothing."""
    found = dict(floors.floors)
    for each in summaries:
        if each.mean is None or each.broken or (only and each.metric not in only):
            continue
        reached = int(each.mean * 10_000) / 10_000
        if reached > found.get(each.metric, -1.0):
            found[each.metric] = reached
    return Floors(found, floors.lowerings)


def lowered(floors: Floors, metric: str, to: float, reason: str) -> Floors:
    """The floors with one of them lower. Raises OptionError without a reason, or where nothing would be lower."""
    if not reason.strip():
        raise OptionError("--reason", reason, "the reason why less is enough from now on")
    now = floors.floors.get(metric)
    if now is None:
        raise OptionError("--lower", metric, f"a metric that has a floor: {', '.join(floors.floors) or 'none has'}")
    if not 0 <= to < now:
        raise OptionError("--to", to, f"from 0 to less than {now:g}, which is the floor now")
    note = {"metric": metric, "from": now, "to": to, "reason": reason.strip()}
    return Floors({**floors.floors, metric: to}, (*floors.lowerings, note))


def with_floors(gate: Gate, floors: Floors) -> Gate:
    """The gate with its thresholds no lower than the floors."""
    thresholds = dict(gate.thresholds)
    for metric, least in floors.floors.items():
        known = gate.threshold(metric)
        thresholds[metric] = replace(known, mean=max(known.mean, least)) if known else Threshold(least)
        if known is None or gate.thresholds.get(metric) is None:
            thresholds[metric] = replace(thresholds[metric], row=own_row(gate, metric))
    return replace(gate, thresholds=thresholds)


def own_row(gate: Gate, metric: str) -> float | None:
    """The least score of a row under the gate alone: a floor is about means."""
    from pincite.evaluation.judged import JUDGED

    return gate.row_threshold(metric) if metric in JUDGED else None


def read_floors(path: Path | str) -> Floors:
    """The floors of a file; none where there is no file. Raises EvaluationError where it is damaged."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise EvaluationError(f"{path}: these floors are of form {data['schema']}; this version reads {SCHEMA}")
        return Floors({str(name): float(value) for name, value in data["floors"].items()}, tuple(data["lowerings"]))
    except FileNotFoundError:
        return Floors()
    except OSError as error:
        raise EvaluationError(f"{path}: the floors cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise EvaluationError(f"{path}: the floors are damaged; restore them from version control") from None


def write_floors(path: Path | str, floors: Floors) -> None:
    """Writes the floors whole, or not at all."""
    place = Path(path)
    data = {"schema": SCHEMA, "floors": dict(sorted(floors.floors.items())), "lowerings": list(floors.lowerings)}
    draft = place.with_name(place.name + ".new")
    try:
        draft.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        draft.replace(place)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise EvaluationError(f"{place}: the floors cannot be written: {error.strerror or error}") from None
