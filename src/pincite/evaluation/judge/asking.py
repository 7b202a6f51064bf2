"""Asking a model for one step of a judgement: once, remembered, counted, and read or refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from pincite.evaluation.cache import Cache, key_of
from pincite.evaluation.judge.instrument import Budget
from pincite.evaluation.judge.prompts import SCHEMAS, messages
from pincite.evaluation.judge.verdicts import VerdictError
from pincite.remote import Reply

__all__ = ["Asker", "Asking"]

T = TypeVar("T")

PER_TOKEN = 3
"""Characters that are taken for a token where the endpoint does not count."""


class Asking(Protocol):
    """As much of a chat as is needed here."""

    def ask_for(self, messages: Sequence[dict[str, str]], schema: dict[str, Any], name: str) -> Reply: ...


class Asker:
    """Puts one task to the model, unless the cache knows what it said."""

    def __init__(self, chat: Asking, fingerprint: str, cache: Cache, budget: Budget, tries: int = 2) -> None:
        self.chat, self.fingerprint, self.cache, self.budget, self.tries = chat, fingerprint, cache, budget, tries
        self.models: set[str] = set()
        """What the endpoint says that its model is."""

    def ask(self, task: str, read: Callable[[str], T], **texts: str | Sequence[str]) -> T:
        """What `read` makes of the judge's words.

        Words that cannot be read are asked for once more, and then raise VerdictError. Raises
        RemoteError where the endpoint fails, and BudgetSpentError before a call that would be too much.
        """
        asked = messages(task, **texts)
        key = key_of("judge", self.fingerprint, task, asked)
        known = self.cache.get(key)
        if known is not None:
            self.models.add(known["model"])
            return read(known["raw"])
        fault: VerdictError | None = None
        for _ in range(self.tries):
            reply = self.said(task, asked)
            try:
                found = read(reply.text)
            except VerdictError as error:
                fault = error
                continue
            self.cache.put(key, {"raw": reply.text, "model": reply.model})
            return found
        raise fault or VerdictError("it was not asked")

    def said(self, task: str, asked: list[dict[str, str]]) -> Reply:
        self.budget.begin()
        reply = self.chat.ask_for(asked, SCHEMAS[task], task)
        size = sum(len(each["content"]) for each in asked)
        used = reply.usage
        self.budget.spent(
            used.prompt if used.prompt is not None else size // PER_TOKEN,
            used.completion if used.completion is not None else len(reply.text) // PER_TOKEN,
        )
        self.models.add(reply.model)
        return reply
