"""Rules on whether there is an answer at all, and how long it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pincite.evaluation.model import Response, Row
from pincite.evaluation.rules.rule import Finding, RuleArguments
from pincite.wording import blank, words

__all__ = ["Length", "NonEmpty", "length", "non_empty"]

LONGEST: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class NonEmpty:
    """There is an answer that somebody can see: white space and characters of no width are none."""

    name: str = "non_empty"
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        empty = blank(response.answer or "")
        return Finding(0.0, "the answer is empty") if empty else Finding(1.0, "")


@dataclass(frozen=True, slots=True)
class Length:
    """The answer is neither too short nor too long, in characters as people see them or in words of any script."""

    name: str
    least: int
    most: int
    unit: str
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        answer = (response.answer or "").strip()
        size = len(words(answer)) if self.unit == "words" else characters(answer)
        if self.least <= size <= self.most:
            return Finding(1.0, "", {"length": size})
        wanted = f"at least {self.least}" if size < self.least else f"at most {self.most}"
        return Finding(0.0, f"the answer has {size} {self.unit}; {wanted} are wanted", {"length": size})


def characters(text: str) -> int:
    """Characters as people count them: a letter with its marks is one, and so is a family of emoji."""
    from icu4py.breakers import CharacterBreaker

    return sum(1 for _ in CharacterBreaker(text, "root"))


def non_empty(name: str, value: Any) -> NonEmpty:
    given = RuleArguments(name, value, "on")
    if given.take("on", True) is not True:
        raise given.fail("must be true; leave the rule out to have it off")
    given.done()
    return NonEmpty(name)


def length(name: str, value: Any) -> Length:
    given = RuleArguments(name, value, "max")
    least, most = given.number("min", None, 0, LONGEST), given.number("max", None, 0, LONGEST)
    unit = given.choice("unit", ("characters", "words"))
    given.done()
    if least is None and most is None:
        raise given.fail("needs min or max; without them it would pass anything")
    if any(each is not None and each != int(each) for each in (least, most)):
        raise given.fail("must be whole numbers", "min" if least is not None and least != int(least) else "max")
    if least is not None and most is not None and least > most:
        raise given.fail(f"is {least:g}, more than max, which is {most:g}", "min")
    return Length(name, int(least or 0), int(most if most is not None else LONGEST), unit)
