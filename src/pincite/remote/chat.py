"""Chat completions in OpenAI's form: whole, as a stream, or as JSON of a given schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pincite.errors import RefusedError, ReplyError
from pincite.remote.client import Client
from pincite.remote.sse import events

__all__ = ["Chat", "Message", "Reply", "Stream", "Usage"]

Message = Mapping[str, str]
"""`role` and `content`."""

PATH: Final = "/chat/completions"
FENCE: Final = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
THOUGHT: Final = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
DIALECT: Final = frozenset({400, 404, 415, 422, 501})
"""Statuses by which servers refuse a parameter that they do not know."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that were counted by the endpoint; None where it does not say."""

    prompt: int | None = None
    completion: int | None = None

    def __add__(self, other: Usage) -> Usage:
        return Usage(added(self.prompt, other.prompt), added(self.completion, other.completion))


def added(one: int | None, two: int | None) -> int | None:
    return two if one is None else one if two is None else one + two


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said."""

    text: str
    usage: Usage
    model: str
    """What the endpoint says the model is; often more exact than what was asked for."""

    finish: str
    """`stop`, or `length` where the limit on tokens cut the reply off."""


class Chat:
    """A model at an endpoint. Safe to share between threads."""

    def __init__(
        self,
        client: Client,
        model: str,
        *,
        temperature: float | None = 0.0,
        seed: int | None = None,
        max_tokens: int | None = None,
    ) -> None:
        """`None` leaves a parameter out, for models that refuse it."""
        self.client, self.model = client, model
        given = {"temperature": temperature, "seed": seed, "max_tokens": max_tokens}
        self.settings = {key: value for key, value in given.items() if value is not None}

    def ask(self, messages: Sequence[Message], **more: Any) -> Reply:
        """The whole reply; `more` goes into the request."""
        found = self.client.post(PATH, self.body(messages, more))
        try:
            (choice, *_) = found["choices"]
            text = choice["message"].get("content") or ""
            if not isinstance(text, str):
                raise TypeError
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self.broken(f"no message in {str(found)[:200]!r}") from None
        return Reply(
            THOUGHT.sub("", text), usage(found), str(found.get("model") or self.model), str(choice.get("finish_reason"))
        )

    def stream(self, messages: Sequence[Message], **more: Any) -> Stream:
        """The reply in pieces, as an iterator whose `reply` is there at its end."""
        return Stream(self, self.body(messages, more))

    def structured(self, messages: Sequence[Message], schema: Mapping[str, Any], name: str) -> tuple[Any, Reply]:
        """An object that the schema describes, as far as the endpoint holds itself to it, and the reply it came in.

        The value is not validated: that is for who knows what it means.
        """
        reply = self.ask_for(messages, schema, name)
        return self.parsed(reply), reply

    def ask_for(self, messages: Sequence[Message], schema: Mapping[str, Any], name: str) -> Reply:
        """The reply to a request for an object of a schema, unread.

        Asked for by JSON schema; where that is refused by JSON mode, and where that is as well by words
        alone, with the schema in a message.
        """
        strict = {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": dict(schema)}}
        told = [
            *messages,
            {"role": "user", "content": f"Reply with one JSON object of this schema:\n{json.dumps(schema)}"},
        ]
        ways: list[tuple[Sequence[Message], dict[str, Any]]] = [
            (messages, {"response_format": strict}),
            (told, {"response_format": {"type": "json_object"}}),
            (told, {}),
        ]
        for at, (asked, more) in enumerate(ways):
            try:
                return self.ask(asked, **more)
            except RefusedError as error:
                if at == len(ways) - 1 or error.status not in DIALECT:
                    raise
        raise AssertionError("unreachable")

    def parsed(self, reply: Reply) -> Any:
        if reply.finish == "length":
            raise self.broken("the limit on tokens cut the JSON off", "raise max_tokens")
        fenced = FENCE.match(reply.text)
        try:
            value = json.loads(fenced[1] if fenced else reply.text)
        except (ValueError, RecursionError):
            raise self.broken(f"no JSON but {reply.text[:200]!r}") from None
        if not isinstance(value, dict):
            raise self.broken(f"no JSON object but {reply.text[:200]!r}")
        return value

    def body(self, messages: Sequence[Message], more: Mapping[str, Any]) -> dict[str, Any]:
        return {"model": self.model, "messages": [dict(each) for each in messages], **self.settings, **more}

    def broken(self, reason: str, advice: str = "try again, or use another model") -> ReplyError:
        return ReplyError(self.client.endpoint.url + PATH, f"{self.model} replied with {reason}", advice)


class Stream:
    """A reply as it comes: an iterator of its pieces.

    A stream that ends before the model said that it is done raises ReplyError, after the pieces that came.
    """

    def __init__(self, chat: Chat, body: Mapping[str, Any]) -> None:
        self.chat = chat
        self.body = {**body, "stream": True, "stream_options": {"include_usage": True}}
        self.reply: Reply | None = None

    def __iter__(self) -> Iterator[str]:
        text, used, model, finish, done = [], Usage(), self.chat.model, "", False
        with self.chat.client.stream(PATH, self.body) as pieces:
            for data in events(pieces):
                if done := data.strip() == "[DONE]":
                    break
                event = self.event(data)
                used, model = used + usage(event), str(event.get("model") or model)
                for choice in event.get("choices") or ():
                    finish = choice.get("finish_reason") or finish
                    if piece := (choice.get("delta") or {}).get("content"):
                        text.append(piece)
                        yield piece
        if not (done or finish):
            raise self.chat.broken("half a stream, which broke off", "try again")
        self.reply = Reply("".join(text), used, model, finish or "stop")

    def event(self, data: str) -> dict[str, Any]:
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            raise self.chat.broken(f"an event that is no JSON: {data[:200]!r}") from None
        if not isinstance(found, dict):
            raise self.chat.broken(f"an event of another form: {data[:200]!r}")
        if found.get("error"):
            raise self.chat.broken(f"an error in its stream: {str(found['error'])[:200]}")
        return found


def usage(found: Mapping[str, Any]) -> Usage:
    """The counts of a reply, where they are numbers."""
    counts = found.get("usage")
    if not isinstance(counts, dict):
        return Usage()
    prompt, completion = counts.get("prompt_tokens"), counts.get("completion_tokens")
    return Usage(prompt if isinstance(prompt, int) else None, completion if isinstance(completion, int) else None)
