"""The file of a gate: what is asked, of which system, by which judge. YAML, reviewed like the golden set.

metrics: [recall@5, nDCG@10]
rules: [non_empty, {contains_none: [confidential]}]
judged: [answer_precision, faithfulness, contextual_recall]
profile: strict
thresholds: {recall@5: 0.9, faithfulness: {min: 0.9, categories: {legal: 0.98}}}
target: {request: chat.yaml, version: "${GIT_COMMIT}"}
judge: {endpoint: http://localhost:11434/v1, model: qwen3:8b}
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml

from pincite.errors import EvaluationError, OptionError
from pincite.evaluation.gate import Gate

__all__ = ["JudgeSettings", "Settings", "TargetSettings", "read_settings", "settled"]

T = TypeVar("T")

VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class TargetSettings:
    """The system under judgement. Without run, request and call it is the index."""

    run: str | None = None
    """A recorded run: JSON lines."""

    request: str | None = None
    """A request template."""

    call: str | None = None
    """A function, as package.module:name."""

    version: str | None = None
    """What people call the release; responses are remembered under it."""

    corpus: str | None = None
    """Fingerprint of the documents, where the system is not the index."""

    top_k: int = 5
    """Passages for a question; what the model sees."""

    concurrency: int = 4
    per_minute: float = 0.0
    seconds: float = 120.0
    """For a whole request, its tries and waits included."""

    def __post_init__(self) -> None:
        given = [name for name in ("run", "request", "call") if getattr(self, name)]
        if len(given) > 1:
            raise OptionError("gate.target", given, "one of run, request and call")
        between("target.top_k", self.top_k, 1, 1000)
        between("target.concurrency", self.concurrency, 1, 256)
        between("target.per_minute", self.per_minute, 0, 1e6)
        between("target.seconds", self.seconds, 0.01, 86_400)


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """The judge, and what it may cost."""

    endpoint: str | None = None
    model: str | None = None
    recorded: str | None = None
    """A file of recorded verdicts, in place of a model."""

    key_variable: str = ""
    """Name of the environment variable with the secret."""

    version: str = ""
    temperature: float | None = 0.0
    seed: int | None = 1
    reply_tokens: int | None = None
    alias: bool = False
    """Whether a name such as `latest` may be used for a model."""

    concurrency: int = 4
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    price_in: float = 0.0
    """Of a million tokens."""

    price_out: float = 0.0

    def __post_init__(self) -> None:
        between("judge.concurrency", self.concurrency, 1, 256)
        for name in ("max_calls", "max_tokens", "max_cost", "price_in", "price_out", "reply_tokens", "temperature"):
            value = getattr(self, name)
            if value is not None:
                between(f"judge.{name}", value, 0, 1e12)


@dataclass(frozen=True, slots=True)
class Settings:
    """A gate's file, read."""

    gate: Gate = field(default_factory=Gate)
    target: TargetSettings = field(default_factory=TargetSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)


def between(name: str, value: Any, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise OptionError(f"gate.{name}", value, f"a number from {low:g} to {high:g}")


def read_settings(path: Path | str | None, given: Mapping[str, Mapping[str, Any]] | None = None) -> Settings:
    """The settings of a file, with what is given on the command line in its place.

    `given` has values for `gate`, `target` and `judge`. Paths in the file are relative to it.
    """
    values = mapping_of(path) if path is not None else {}
    target, judge = section(values, "target"), section(values, "judge")
    if path is not None:
        for table, names in ((target, ("run", "request")), (judge, ("recorded",))):
            for name in names:
                if isinstance(table.get(name), str):
                    table[name] = str(Path(path).parent / table[name])
    more = given or {}
    gate = {**values, **more.get("gate", {})}
    if "judged" not in gate and (judge or more.get("judge")):
        from pincite.evaluation.judged import DEFAULT_JUDGED

        gate["judged"] = list(DEFAULT_JUDGED)
    return Settings(
        Gate.of(gate),
        settled(TargetSettings, {**target, **more.get("target", {})}, "target"),
        settled(JudgeSettings, {**judge, **more.get("judge", {})}, "judge"),
    )


def mapping_of(path: Path | str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EvaluationError(f"{path}: the gate cannot be read: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise EvaluationError(f"{path}: the gate is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise EvaluationError(f"{path}: the gate must be a mapping of names such as metrics, rules and thresholds")
    return found


def section(values: dict[str, Any], name: str) -> dict[str, Any]:
    """A table of the file, taken out of it, with `${NAME}` from the environment."""
    found = values.pop(name, None) or {}
    if not isinstance(found, dict):
        raise OptionError(f"gate.{name}", found, "a mapping of names to values")
    return {key: filled(f"{name}.{key}", value) for key, value in found.items()}


def filled(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value

    def known(found: re.Match[str]) -> str:
        if found[1] not in os.environ:
            raise OptionError(f"gate.{name}", value, f"made of variables that are set; {found[1]} is not")
        return os.environ[found[1]]

    return VARIABLE.sub(known, value)


def settled(kind: type[T], values: Mapping[str, Any], name: str) -> T:
    """The settings of a mapping. Raises OptionError for a name that there is not, and for a value of another type."""
    known = {each.name: str(each.type) for each in fields(kind)}  # type: ignore[arg-type]
    for key, value in values.items():
        if key not in known:
            raise OptionError(f"gate.{name}.{key}", value, f"one of the known names: {', '.join(known)}")
        wanted = known[key]
        if value is None and "None" in wanted:
            continue
        if wanted.startswith("str") and not isinstance(value, str):
            raise OptionError(f"gate.{name}.{key}", value, "a text between quotes")
        if wanted.startswith("bool") and not isinstance(value, bool):
            raise OptionError(f"gate.{name}.{key}", value, "true or false")
        if wanted.startswith("int") and type(value) is not int:
            raise OptionError(f"gate.{name}.{key}", value, "a whole number")
        if wanted.startswith("float") and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise OptionError(f"gate.{name}.{key}", value, "a number")
    return kind(**values)
