"""From the reply of an endpoint to a response: JSON by JSONPath, or the pieces of a stream of events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from pincite.errors import DependencyError, OptionError
from pincite.evaluation.model import Response, Retrieved
from pincite.evaluation.target.recorded import passage_of
from pincite.evaluation.target.template import RequestTemplate

__all__ = ["ReplyReader", "UnreadableError"]

DONE: Final = "[DONE]"
PLACES: Final = ("document", "page", "page_end", "text", "score")


class UnreadableError(Exception):
    """A reply that holds nothing where it was looked for; the message says what was there."""


class ReplyReader:
    """Reads answers and passages as a template says."""

    def __init__(self, template: RequestTemplate) -> None:
        self.answer = path_of("answer", template.answer)
        self.passages = path_of("passages", template.passages)
        for name in template.passage:
            if name not in PLACES:
                raise OptionError(f"request.passage.{name}", template.passage[name], f"one of {', '.join(PLACES)}")
        self.passage = {name: path_of(f"passage.{name}", path) for name, path in template.passage.items()}

    def whole(self, row: str, text: str) -> Response:
        """The response in one JSON value. Raises UnreadableError."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise UnreadableError(f"the reply is no JSON: {shortened(text)}") from None
        return self.response(row, [value], None)

    def stream(self, row: str, events: Iterable[str]) -> Response:
        """The response in a stream of events, whose pieces of the answer are put together. Raises UnreadableError."""
        values, pieces, ended = [], [], False
        for event in events:
            if event.strip() == DONE:
                ended = True
                continue
            try:
                value = json.loads(event)
            except (ValueError, RecursionError):
                raise UnreadableError(f"an event of the stream is no JSON: {shortened(event)}") from None
            values.append(value)
            if self.answer:
                pieces += [each for each in self.answer.find(value).values() if isinstance(each, str)]
        if not values:
            raise UnreadableError(
                "the stream ended before its first event" if not ended else "the stream holds nothing"
            )
        return self.response(row, values, "".join(pieces) if self.answer else None)

    def response(self, row: str, values: Sequence[Any], joined: str | None) -> Response:
        answer = joined
        if joined is None and self.answer:
            found = self.answer.find(values[-1]).values()
            answer = text_of(found[0]) if found else None
        if self.answer and answer is None:
            raise UnreadableError(f"nothing stands at {self.answer} in the reply: {shortened(json.dumps(values[-1]))}")
        return Response(row, self.found(values), answer)

    def found(self, values: Sequence[Any]) -> tuple[Retrieved, ...]:
        """The passages of the last value that has some."""
        if not self.passages:
            return ()
        for value in reversed(values):
            nodes = self.passages.find(value).values()
            if len(nodes) == 1 and isinstance(nodes[0], list):
                nodes = nodes[0]
            if nodes:
                return tuple(map(self.one, nodes))
        return ()

    def one(self, value: Any) -> Retrieved:
        if self.passage and isinstance(value, (Mapping, list)):
            taken = {
                name: (found.values() or [None])[0]
                for name, path in self.passage.items()
                if (found := path.find(value)) is not None
            }
            value = {"document": "", **{name: each for name, each in taken.items() if each is not None}}
            for name in ("page", "page_end"):
                if isinstance(value.get(name), str) and value[name].strip().isdecimal():
                    value[name] = int(value[name])
            value["document"] = str(value["document"])
        try:
            return passage_of(value)
        except ValueError as error:
            raise UnreadableError(f"a passage of the reply {error}: {shortened(json.dumps(value))}") from None


def path_of(name: str, text: str | None) -> Any:
    """The compiled JSONPath. Raises OptionError."""
    if text is None:
        return None
    try:
        import jsonpath_rfc9535
    except ImportError:
        raise DependencyError("the package jsonpath-rfc9535", "run: pip install 'pincite[eval]'") from None
    try:
        return jsonpath_rfc9535.compile(text)
    except jsonpath_rfc9535.JSONPathError as error:
        raise OptionError(f"request.{name}", text, f"a JSONPath such as $.answer ({error})") from None


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def shortened(text: str) -> str:
    """The beginning of a reply for a message."""
    shown = " ".join(text.split())
    return repr(shown[:200] + ("…" if len(shown) > 200 else ""))
