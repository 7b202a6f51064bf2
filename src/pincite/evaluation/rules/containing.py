"""Rules on words that an answer has, begins with, ends with or must not have.

Words are compared whole unless `match` is `substring`, in any script, whatever their case and
however their marks are composed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pincite.evaluation.model import Response, Row
from pincite.evaluation.rules.rule import Finding, RuleArguments
from pincite.wording import contains_words, folded, same_wording

__all__ = ["Contains", "Edge", "Exact", "contains", "edge", "exact"]

WANTED: Final = {"contains_all": "all", "contains_any": "any", "contains_none": "none"}


@dataclass(frozen=True, slots=True)
class Contains:
    """All, any or none of some words stand in the answer."""

    name: str
    words: tuple[str, ...]
    wanted: str
    match: str
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        answer = response.answer or ""
        found = [word for word in self.words if self.has(answer, word)]
        missing = [word for word in self.words if word not in found]
        details = {"found": found, "missing": missing}
        if self.wanted == "all":
            return Finding(len(found) / len(self.words), f"missing: {', '.join(missing)}" if missing else "", details)
        if self.wanted == "any":
            reason = "" if found else f"none of these is there: {', '.join(missing)}"
            return Finding(float(bool(found)), reason, details)
        return Finding(float(not found), f"must not be there: {', '.join(found)}" if found else "", details)

    def has(self, answer: str, word: str) -> bool:
        return contains_words(answer, word) if self.match == "word" else folded(word) in folded(answer)


@dataclass(frozen=True, slots=True)
class Exact:
    """The answer is one of the given texts: case, citations and the spelling of numbers aside."""

    name: str
    texts: tuple[str, ...]
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        answer = response.answer or ""
        if any(same_wording(answer, text) or folded(answer) == folded(text) for text in self.texts):
            return Finding(1.0, "")
        return Finding(0.0, f"the answer is not {' or '.join(map(repr, self.texts))}")


@dataclass(frozen=True, slots=True)
class Edge:
    """The answer begins, or ends, with one of the given texts."""

    name: str
    texts: tuple[str, ...]
    has: Callable[[str, str], bool]
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        answer = folded(response.answer or "")
        if any(self.has(answer, folded(text)) for text in self.texts):
            return Finding(1.0, "")
        place = "begin" if self.name == "starts_with" else "end"
        return Finding(0.0, f"the answer does not {place} with {' or '.join(map(repr, self.texts))}")


def contains(name: str, value: Any) -> Contains:
    given = RuleArguments(name, value, "words")
    words = given.words("words")
    if any(not folded(word) for word in words):
        raise given.fail("has a word that nobody can see", "words")
    match = given.choice("match", ("word", "substring"))
    threshold = given.threshold()
    if WANTED[name] != "all" and threshold != 1.0:
        raise given.fail("is for contains_all alone; the score here is 0 or 1", "threshold")
    given.done()
    return Contains(name, words, WANTED[name], match, threshold)


def exact(name: str, value: Any) -> Exact:
    given = RuleArguments(name, value, "texts")
    texts = given.words("texts")
    given.done()
    return Exact(name, texts)


def edge(name: str, value: Any) -> Edge:
    given = RuleArguments(name, value, "texts")
    texts = given.words("texts")
    given.done()
    return Edge(name, texts, str.startswith if name == "starts_with" else str.endswith)
