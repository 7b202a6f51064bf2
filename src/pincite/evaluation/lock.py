"""The lock of a golden set: which rows stand for incidents, so that none of them is lost unnoticed.

It lies beside the set, as `questions.yaml.lock`, and belongs into version control. Loading a set that lost or
changed a locked row fails until somebody says why, by `pincite golden retire`. New incident rows are
added to it by `pincite golden lock`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pincite.errors import GoldenError
from pincite.evaluation.golden import GoldenSet, load_golden, row_facts
from pincite.evaluation.model import Row

__all__ = ["Lock", "Retired", "incidents", "load_locked", "lock_path", "read_lock", "retire", "updated", "write_lock"]

SCHEMA: Final = "pincite.golden-lock/1"


@dataclass(frozen=True, slots=True)
class Retired:
    """An incident row that was taken out on purpose."""

    reason: str
    replacement: str | None = None
    """Id of the row that stands for it now."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The incident rows that a set must have."""

    incidents: Mapping[str, str] = field(default_factory=dict)
    """Digest of each row by its id."""

    retired: Mapping[str, Retired] = field(default_factory=dict)


def lock_path(path: Path | str) -> Path:
    """Where the lock of a set lies."""
    return Path(f"{path}.lock")


def digest(row: Row) -> str:
    """32 hexadecimal digits of what a row asks for."""
    facts = json.dumps(row_facts(row), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:32]


def incidents(golden: GoldenSet) -> dict[str, Row]:
    return {row.id: row for row in golden if row.source == "incident"}


def read_lock(path: Path | str) -> Lock:
    """The lock of a set; an empty one where there is none. Raises GoldenError where it is damaged."""
    place = lock_path(path)
    try:
        data = json.loads(place.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise GoldenError(str(place), f"is of form {data['schema']}; this version reads {SCHEMA}")
        return Lock(
            {str(name): str(value) for name, value in data["incidents"].items()},
            {str(name): Retired(each["reason"], each.get("replacement")) for name, each in data["retired"].items()},
        )
    except FileNotFoundError:
        return Lock()
    except OSError as error:
        raise GoldenError(str(place), f"cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise GoldenError(str(place), "is damaged; restore it from version control") from None


def write_lock(path: Path | str, lock: Lock) -> None:
    """Writes the lock whole, or not at all."""
    place = lock_path(path)
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "incidents": dict(sorted(lock.incidents.items())),
        "retired": {
            name: {"reason": each.reason, **({"replacement": each.replacement} if each.replacement else {})}
            for name, each in sorted(lock.retired.items())
        },
    }
    draft = place.with_name(place.name + ".new")
    try:
        draft.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        draft.replace(place)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise GoldenError(str(place), f"cannot be written: {error.strerror or error}") from None


def load_locked(path: Path | str) -> GoldenSet:
    """The golden set of a file, if it has all incident rows of its lock as they were. Raises GoldenError."""
    golden, lock = load_golden(path), read_lock(path)
    rows = {row.id: row for row in golden}
    for name, known in lock.incidents.items():
        row = rows.get(name)
        if row is None:
            advice = f"put it back, or say why it may go: pincite golden retire {path} {name} --reason '…'"
            raise GoldenError(str(path), f"this incident row is gone; {advice}", row=name)
        if row.source != "incident" or digest(row) != known:
            what = "is no incident any more" if row.source != "incident" else "was changed"
            advice = f"undo that, or accept it: pincite golden lock {path} --changed {name}"
            raise GoldenError(str(path), f"this incident row {what}; {advice}", line=row.line, row=name)
    return golden


def updated(golden: GoldenSet, lock: Lock, changed: frozenset[str] = frozenset()) -> Lock:
    """The lock with the set's new incident rows, and with those that were changed on purpose."""
    now = {name: digest(row) for name, row in incidents(golden).items()}
    kept = {name: now.get(name, known) if name in changed else known for name, known in lock.incidents.items()}
    return Lock({**now, **kept}, lock.retired)


def retire(lock: Lock, name: str, reason: str, replacement: str | None = None) -> Lock:
    """The lock without a row that somebody took out, and with the reason."""
    left = {each: value for each, value in lock.incidents.items() if each != name}
    return Lock(left, {**lock.retired, name: Retired(reason, replacement)})
