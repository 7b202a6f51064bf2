"""How far a judge agrees with people, beyond chance, on claims that people have labelled.

A file of JSON lines: `claim`, `reference` and `label` (supported, contradicted or absent), with `language` where agreement is
wanted by language. Twenty to fifty are enough to see whether a judge can be used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pincite.errors import GoldenError, RemoteError
from pincite.evaluation.golden_file import read_rows
from pincite.evaluation.judge.model import ModelJudge
from pincite.evaluation.judge.verdicts import VerdictError
from pincite.evaluation.statistics import Interval, cohen_kappa

__all__ = ["Agreement", "Label", "calibrate", "load_labels"]

LABELS: Final = ("supported", "contradicted", "absent")


@dataclass(frozen=True, slots=True)
class Label:
    """What a person said of a claim."""

    claim: str
    reference: str
    label: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A judge beside people."""

    claims: int
    """Claims that the judge gave a verdict on."""

    failures: int
    """Claims on which it said nothing that can be read."""

    agreed: float
    """Share of equal labels; 0 without claims."""

    kappa: float | None
    """Cohen's kappa: agreement beyond chance. None without claims."""

    interval: Interval | None
    by_language: tuple[tuple[str, int, float], ...] = ()
    """Language, claims and share of equal labels."""

    differing: tuple[tuple[Label, str], ...] = ()
    """Labels that the judge does not share, with its own."""


def load_labels(path: Path | str) -> list[Label]:
    """The labels of a file. Raises GoldenError, which names the line and the field."""
    path = Path(path)
    return [label_of(path, each.line, dict(each.values)) for each in read_rows(path)]


def label_of(path: Path, line: int, values: dict[str, object]) -> Label:
    for name in ("claim", "reference", "label"):
        if not isinstance(values.get(name), str) or not str(values[name]).strip():
            raise GoldenError(str(path), "must be a text that is not empty", line=line, field=name)
    if values["label"] not in LABELS:
        raise GoldenError(str(path), f"must be one of {', '.join(LABELS)}", line=line, field="label")
    language = values.get("language") or ""
    return Label(str(values["claim"]), str(values["reference"]), str(values["label"]), str(language))


def calibrate(judge: ModelJudge, labels: Sequence[Label]) -> Agreement:
    """Asks the judge for a verdict on each claim, and compares."""
    pairs: list[tuple[Label, str]] = []
    failures = 0
    for each in labels:
        try:
            pairs.append((each, judge.supported([each.claim], [each.reference])[0].saying))
        except (VerdictError, RemoteError):
            failures += 1
    found = cohen_kappa([label.label for label, _ in pairs], [said for _, said in pairs])
    languages = sorted({label.language for label, _ in pairs if label.language})
    return Agreement(
        len(pairs), failures, equal(pairs), found[0] if found else None, found[1] if found else None,
        tuple((name, *of_language(pairs, name)) for name in languages),
        tuple((label, said) for label, said in pairs if label.label != said),
    )  # fmt: skip


def equal(pairs: Sequence[tuple[Label, str]]) -> float:
    return sum(label.label == said for label, said in pairs) / len(pairs) if pairs else 0.0


def of_language(pairs: Sequence[tuple[Label, str]], name: str) -> tuple[int, float]:
    own = [(label, said) for label, said in pairs if label.language == name]
    return len(own), equal(own)
