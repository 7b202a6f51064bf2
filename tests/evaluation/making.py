"""Small golden sets, runs and judges for the tests of the gate."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pincite.evaluation.golden import GoldenSet
from pincite.evaluation.model import Evidence, Response, Retrieved, Row
from pincite.remote import Reply, Usage

__all__ = ["Scripted", "golden", "good", "response", "row", "said"]


def row(name: str, **given: Any) -> Row:
    """A row whose answer stands on page 9 of the handbook."""
    evidence = given.pop("evidence", (Evidence("handbook.pdf", 9),))
    return Row(name, given.pop("input", f"question {name}?"), evidence=evidence, **given)


def golden(*rows: Row) -> GoldenSet:
    return GoldenSet(rows)


def response(name: str, page: int | None = 9, answer: str | None = "24 days [1].", **given: Any) -> Response:
    """A response whose one passage is a page of the handbook; with no page it has none."""
    text = "You have 24 days of paid annual leave."
    return Response(name, (Retrieved("handbook.pdf", page, page, text),) if page else (), answer, **given)


def good(*names: str) -> list[Response]:
    return [response(name) for name in names]


def said(**value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class Scripted:
    """A judge's model whose words are written down: by task, a function of the texts that it is asked about."""

    def __init__(self, **words: str | Callable[[str], str]) -> None:
        self.words = words
        self.asked: list[str] = []

    def ask_for(self, messages: Sequence[dict[str, str]], schema: Mapping[str, Any], name: str) -> Reply:
        self.asked.append(name)
        found = self.words[name]
        text = found(messages[-1]["content"]) if callable(found) else found
        return Reply(text, Usage(100, 10), "scripted-1", "stop")
