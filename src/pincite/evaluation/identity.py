"""What a run was made with. Runs whose documents, questions or judge differ are not compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Identity"]


@dataclass(frozen=True, slots=True)
class Identity:
    """The fingerprints of everything that a score depends on beside the system itself."""

    golden: str
    """Of the questions."""

    corpus: str | None = None
    """Of the documents; None where nobody knows."""

    judge: str | None = None
    """Of the judge; None where none was asked."""

    metrics: str = ""
    """Of how scores are computed: gains and the version of the definitions."""

    def differences(self, other: Identity) -> list[str]:
        """In words, what forbids comparing runs of the two."""
        named: Mapping[str, str] = {
            "golden": "the golden set",
            "corpus": "the documents",
            "judge": "the judge",
            "metrics": "how scores are computed",
        }
        return [what for name, what in named.items() if getattr(self, name) != getattr(other, name)]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
