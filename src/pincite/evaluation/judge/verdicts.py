"""Reading what a judge said: one verdict a claim, or a fault, and never a guess.

A judge that thinks aloud may write several blocks of JSON; its last one counts. Too few verdicts,
too many, or a word that was not offered make the row an error, since a score that was guessed from
prose moves with the prose.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = [
    "Saying",
    "Verdict",
    "VerdictError",
    "last_object",
    "read_claims",
    "read_matrix",
    "read_numbers",
    "read_rubric",
    "read_verdicts",
    "read_word",
]

Saying = Literal["supported", "contradicted", "absent"]

WORDS: Final[Mapping[Any, Saying]] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "absent": "absent",
    "yes": "supported",
    "no": "absent",
}
LONGEST: Final = 1_000_000
"""Code points of an answer that are read."""


class VerdictError(Exception):
    """What the judge said cannot be read as verdicts; the message says why."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of one claim."""

    saying: Saying
    quote: str = ""
    """Words that bear it, as the judge gives them."""

    source: int | None = None
    """The passage that the quote is from, from 1."""

    reason: str = ""


def read_verdicts(raw: str, claims: int) -> list[Verdict]:
    """The verdicts on as many claims, in their order. Raises VerdictError."""
    said = last_object(raw, "verdicts").get("verdicts")
    if isinstance(said, Mapping):
        said = [said.get(str(number)) for number in range(1, claims + 1)] + [None] * (len(said) != claims)
    if not isinstance(said, list):
        raise VerdictError("its verdicts are no list")
    if len(said) != claims:
        raise VerdictError(f"it gave {len(said)} verdicts on {claims} claims")
    return [read_verdict(each, number) for number, each in enumerate(in_order(said), 1)]


def in_order(said: list[Any]) -> list[Any]:
    """Verdicts by the number of their claim, where each has one."""
    numbers = [each.get("claim") if isinstance(each, Mapping) else None for each in said]
    if not any(type(number) is int for number in numbers):
        return said
    if sorted(map(str, numbers)) != sorted(map(str, range(1, len(said) + 1))):
        raise VerdictError("its verdicts do not name each claim once")
    return sorted(said, key=lambda each: int(each["claim"]))


def read_verdict(value: Any, number: int) -> Verdict:
    if isinstance(value, bool) or (type(value) in (int, float) and value in (0, 1)):
        return Verdict("supported" if value else "absent")
    if isinstance(value, str):
        value = {"verdict": value}
    if not isinstance(value, Mapping):
        raise VerdictError(f"verdict {number} is {json.dumps(value)[:60]}")
    word = value.get("verdict")
    saying = WORDS.get(word.strip().casefold()) if isinstance(word, str) else None
    if saying is None:
        raise VerdictError(f"verdict {number} is {json.dumps(word)[:60]}, which was not offered")
    source = value.get("source")
    return Verdict(
        saying, text_of(value, "quote"), source if type(source) is int and source > 0 else None, text_of(value, "reason")
    )  # fmt: skip


def text_of(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def read_claims(raw: str) -> list[str]:
    """The claims that the judge found, each once. Raises VerdictError."""
    said = last_object(raw, "claims").get("claims")
    if not isinstance(said, list) or not all(isinstance(each, str) for each in said):
        raise VerdictError("its claims are no list of sentences")
    return list(dict.fromkeys(each.strip() for each in said if each.strip()))


def read_matrix(raw: str, claims: int) -> list[list[tuple[int, str]]]:
    """For each claim, the passages that support it, each with its quote. Raises VerdictError."""
    said = last_object(raw, "claims").get("claims")
    if not isinstance(said, list) or len(said) != claims:
        raise VerdictError(f"it gave {len(said) if isinstance(said, list) else 'no'} entries on {claims} claims")
    return [read_passages(each, number) for number, each in enumerate(in_order(said), 1)]


def read_passages(value: Any, number: int) -> list[tuple[int, str]]:
    passages = value.get("passages") if isinstance(value, Mapping) else None
    if not isinstance(passages, list):
        raise VerdictError(f"entry {number} has no list of passages")
    found = []
    for each in passages:
        place = each.get("passage") if isinstance(each, Mapping) else None
        if type(place) is not int or place < 1:
            raise VerdictError(f"entry {number} names no passage by its number")
        found.append((place, text_of(each, "quote")))
    return found


def read_numbers(raw: str, key: str, most: int) -> set[int]:
    """Numbers from 1 to `most`. Raises VerdictError."""
    said = last_object(raw, key).get(key)
    if not isinstance(said, list) or not all(type(each) is int and 1 <= each <= most for each in said):
        raise VerdictError(f"{key} is no list of numbers from 1 to {most}")
    return set(said)


def read_word(raw: str, key: str, known: tuple[str, ...]) -> str:
    """One of the words that were offered. Raises VerdictError."""
    said = last_object(raw, key).get(key)
    word = said.strip().casefold() if isinstance(said, str) else ""
    if word not in known:
        raise VerdictError(f"{key} is {json.dumps(said)[:60]}, which was not offered")
    return word


def read_rubric(raw: str) -> list[tuple[str, bool]]:
    """Each criterion, and whether it is met. Raises VerdictError."""
    said = last_object(raw, "criteria").get("criteria")
    if not isinstance(said, list) or not said:
        raise VerdictError("it gave no criteria")
    found = []
    for number, each in enumerate(said, 1):
        word = each.get("verdict") if isinstance(each, Mapping) else None
        if word not in ("yes", "no") or not text_of(each, "criterion"):
            raise VerdictError(f"criterion {number} has no verdict that was offered")
        found.append((each["criterion"], word == "yes"))
    return found


def last_object(raw: str, key: str) -> dict[str, Any]:
    """The last JSON object with a key that a text holds. Raises VerdictError."""
    found = None
    for each in objects(raw[-LONGEST:]):
        if key in each:
            found = each
    if found is None:
        raise VerdictError(f"it gave no JSON object with {key!r}")
    return found


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that stand in a text, outermost ones only."""
    decoder = json.JSONDecoder(parse_constant=refuse)
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict):
                yield value
        at = text.find("{", end)


def refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")
