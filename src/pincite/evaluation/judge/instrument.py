"""A judge as an instrument of measurement: everything that its verdicts depend on, and what it has cost."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from dataclasses import dataclass
from typing import Final

from pincite.errors import EvaluationError, OptionError
from pincite.evaluation.judge.prompts import digest

__all__ = ["PARSER_VERSION", "Budget", "BudgetSpentError", "Instrument"]

PARSER_VERSION: Final = "1"
"""Raised whenever the same words of a judge make another score."""

MOVING: Final = re.compile(r"(?:^|[-:/@_.])latest$|^auto$|^default$", re.IGNORECASE)
"""Names that stand for another model tomorrow."""


@dataclass(frozen=True, slots=True)
class Instrument:
    """One judge."""

    model: str
    """Exact id; one that means the newest model is refused unless `alias` allows it."""

    url: str
    version: str = ""
    """What people know of the model beside its name, such as a quantisation."""

    temperature: float | None = 0.0
    seed: int | None = 1
    max_tokens: int | None = None
    alias: bool = False

    def __post_init__(self) -> None:
        if MOVING.search(self.model) and not self.alias:
            wanted = "the exact id of a model; what this one means changes, unless --judge-alias allows it"
            raise OptionError("eval.judge.model", self.model, wanted)

    @property
    def fingerprint(self) -> str:
        """64 hexadecimal digits; scores under different ones are not compared."""
        facts = [
            self.model, self.url, self.version, self.temperature, self.seed, self.max_tokens, digest(), PARSER_VERSION
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


class BudgetSpentError(EvaluationError):
    """No more calls, tokens or money may be spent."""

    code = "budget_spent"


class Budget:
    """Counts calls, tokens and money, and refuses what would be too much. Safe for threads."""

    def __init__(
        self,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        price_in: float = 0.0,
        price_out: float = 0.0,
    ) -> None:
        """Prices are for a million tokens, in whatever money `max_cost` is in."""
        if max_cost is not None and not (price_in or price_out):
            raise OptionError("eval.judge.max_cost", max_cost, "given with the prices of a million tokens")
        self.max_calls, self.max_tokens, self.max_cost = max_calls, max_tokens, max_cost
        self.price_in, self.price_out = price_in, price_out
        self.calls = self.tokens_in = self.tokens_out = 0
        self.lock = threading.Lock()

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @property
    def cost(self) -> float:
        return (self.tokens_in * self.price_in + self.tokens_out * self.price_out) / 1e6

    def begin(self) -> None:
        """Take one call. Raises BudgetSpentError where none is left."""
        with self.lock:
            if self.max_calls is not None and self.calls >= self.max_calls:
                raise BudgetSpentError(f"the judge may be asked {self.max_calls} times, and has been")
            if self.max_tokens is not None and self.tokens >= self.max_tokens:
                raise BudgetSpentError(f"the judge may use {self.max_tokens} tokens, and has used {self.tokens}")
            if self.max_cost is not None and self.cost >= self.max_cost:
                raise BudgetSpentError(f"the judge may cost {self.max_cost:g}, and has cost {self.cost:.4f}")
            self.calls += 1

    def spent(self, tokens_in: int, tokens_out: int) -> None:
        """Count what a call took."""
        with self.lock:
            self.tokens_in += tokens_in
            self.tokens_out += tokens_out
