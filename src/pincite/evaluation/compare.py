"""This run beside a stored one, row by row.

A row is newly broken where it passed a gated metric and does so no more. Such a row never passes the
gate without a written waiver, however much better the mean has become. A baseline that was made from other
documents, questions or by another judge is not compared: the report names what differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pincite.errors import EvaluationError
from pincite.evaluation.identity import Identity
from pincite.evaluation.model import Half, Measurement, Status
from pincite.evaluation.statistics import Paired, mcnemar, paired

__all__ = ["Baseline", "Change", "Comparison", "compare", "read_baseline", "write_baseline"]

SCHEMA: Final = "pincite.baseline/1"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The scores of a run that was accepted."""

    identity: Identity
    scores: Mapping[tuple[str, str], tuple[Half, Status, float | None]]
    """Half, status and score by metric and row."""

    note: str = ""
    """What people call the run: a version, a commit."""


@dataclass(frozen=True, slots=True)
class Change:
    """One metric of the two runs over the rows that both measured."""

    metric: str
    half: Half
    pair: Paired
    broken: tuple[str, ...]
    """Rows that passed and do no more."""

    fixed: tuple[str, ...]
    unknown: tuple[str, ...]
    """Rows that were measured and are not any more."""

    p: float
    """McNemar's exact p of the rows that changed between pass and fail."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed since the baseline."""

    differences: tuple[str, ...] = ()
    """What makes the two runs incomparable; nothing is compared then."""

    changes: tuple[Change, ...] = ()
    note: str = ""

    def broken(self, half: Half) -> list[str]:
        """Rows that are newly broken in one half, in the order of the set."""
        return list(dict.fromkeys(row for each in self.changes if each.half == half for row in each.broken))


@dataclass(slots=True)
class Both:
    """The rows of one metric that both runs have."""

    half: Half
    before: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def add(self, row: str, old: tuple[Half, Status, float | None], new: Measurement) -> None:
        _, status, score = old
        if score is None:
            return
        if new.score is None:
            if new.status != "not_applicable":
                self.unknown.append(row)
            return
        self.before.append(score)
        self.after.append(new.score)
        if (status, new.status) == ("pass", "fail"):
            self.broken.append(row)
        elif (status, new.status) == ("fail", "pass"):
            self.fixed.append(row)

    def change(self, metric: str) -> Change:
        p = mcnemar(len(self.fixed), len(self.broken))
        pair = paired(self.before, self.after)
        return Change(metric, self.half, pair, tuple(self.broken), tuple(self.fixed), tuple(self.unknown), p)


def compare(baseline: Baseline, identity: Identity, measurements: Iterable[Measurement]) -> Comparison:
    """What changed since the baseline, metric by metric."""
    differences = baseline.identity.differences(identity)
    if differences:
        return Comparison(tuple(differences), note=baseline.note)
    found: dict[str, Both] = {}
    for each in measurements:
        old = baseline.scores.get((each.metric, each.row))
        if old is not None:
            found.setdefault(each.metric, Both(each.half)).add(each.row, old, each)
    changes = (both.change(metric) for metric, both in found.items())
    return Comparison((), tuple(each for each in changes if each.pair.rows or each.unknown), baseline.note)


def write_baseline(path: Path | str, identity: Identity, measurements: Sequence[Measurement], note: str = "") -> None:
    """Stores a run to compare later ones with, whole or not at all."""
    place = Path(path)
    rows: dict[str, list[Any]] = {}
    for each in measurements:
        rows.setdefault(each.metric, []).append([each.row, each.half, each.status, each.score])
    data = {"schema": SCHEMA, "note": note, "identity": identity.as_json(), "scores": rows}
    draft = place.with_name(place.name + ".new")
    try:
        draft.write_text(json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
        draft.replace(place)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise EvaluationError(f"{place}: the baseline cannot be written: {error.strerror or error}") from None


def read_baseline(path: Path | str) -> Baseline:
    """A stored run. Raises EvaluationError where there is none, or where it is damaged."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise EvaluationError(f"{path}: this baseline is of form {data['schema']}; this version reads {SCHEMA}")
        scores = {
            (metric, row): (half, status, score)
            for metric, found in data["scores"].items()
            for row, half, status, score in found
        }
        return Baseline(Identity(**data["identity"]), scores, data.get("note", ""))
    except OSError as error:
        advice = "store one with --save-baseline"
        raise EvaluationError(f"{path}: the baseline cannot be read: {error.strerror or error}; {advice}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise EvaluationError(f"{path}: the baseline is damaged; store it anew with --save-baseline") from None
