"""A request with a place for the question.

The request is kept in parts (address, query, headers, body as JSON, form or text), and `{{input}}` is put into each part by
its own rules of writing: quotes and line ends in a JSON string, spaces in a query. So no question, whatever it
holds, can break the request or be read as another one. `${NAME}` is read from the environment when the
request is sent, so that no secret stands in the file.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

import yaml

from pincite.errors import EvaluationError, OptionError

__all__ = ["INPUT", "Request", "RequestTemplate", "load_template", "strings"]

SCHEMA: Final = "pincite.request/1"
INPUT: Final = "{{input}}"
VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
METHODS: Final = ("GET", "POST", "PUT", "PATCH")
BODIES: Final = ("json", "form", "text")


@dataclass(frozen=True, slots=True)
class Request:
    """One request that can be sent."""

    method: str
    url: str
    query: tuple[tuple[str, str], ...]
    headers: tuple[tuple[str, str], ...]
    body: bytes | None


@dataclass(frozen=True, slots=True)
class RequestTemplate:
    """A request without its question."""

    url: str
    method: str = "POST"
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    json: Any = None
    form: tuple[tuple[str, str], ...] = ()
    text: str | None = None
    answer: str | None = None
    """JSONPath of the answer in the reply; of its pieces, where the reply is a stream."""

    passages: str | None = None
    """JSONPath of the passages, best first."""

    passage: Mapping[str, str] = field(default_factory=dict)
    """JSONPath of `document`, `page`, `page_end`, `text` and `score` in each passage."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.url.replace(INPUT, "x"))
        if parts.scheme not in ("http", "https") or (not parts.hostname and not VARIABLE.search(self.url)):
            raise OptionError("request.url", self.url, "an address that begins with http:// or https://")
        if self.method not in METHODS:
            raise OptionError("request.method", self.method, f"one of {', '.join(METHODS)}")
        if not any(INPUT in text for text in self.places()):
            raise OptionError(
                "request", self.method, f"a request with {INPUT} where the question goes; without it every row asks the same"
            )  # fmt: skip
        if self.answer is None and self.passages is None:
            raise OptionError("request.answer", None, "a JSONPath of the answer, unless passages has one")

    def places(self) -> Iterator[str]:
        """All texts that may hold the question."""
        yield self.url
        for _, value in (*self.query, *self.headers, *self.form):
            yield value
        if self.text is not None:
            yield self.text
        yield from strings(self.json)

    def variables(self) -> list[str]:
        """Names of the environment variables that it needs."""
        texts = [*self.places(), *(name for name, _ in self.query)]
        return sorted({name for text in texts for name in VARIABLE.findall(text)})

    def fill(self, question: str, environment: Mapping[str, str] | None = None) -> Request:
        """The request for a question. Raises EvaluationError where a variable is not set."""
        known = os.environ if environment is None else environment
        missing = [name for name in self.variables() if not known.get(name)]
        if missing:
            raise EvaluationError(f"set the environment variable {missing[0]}, which the request needs")

        def plain(text: str, write: Any = str) -> str:
            text = VARIABLE.sub(lambda found: known[found[1]], text)
            return text.replace(INPUT, write(question))

        headers = tuple((name, header_value(name, plain(value))) for name, value in self.headers)
        return Request(
            self.method,
            plain(self.url, lambda text: quote(text, safe="")),
            tuple((name, plain(value)) for name, value in self.query),
            headers,
            self.body(plain),
        )

    def body(self, plain: Any) -> bytes | None:
        if self.json is not None:
            return json.dumps(mapped(self.json, plain), ensure_ascii=False).encode("utf-8", "replace")
        if self.form:
            from urllib.parse import urlencode

            return urlencode([(name, plain(value)) for name, value in self.form]).encode()
        return None if self.text is None else str(plain(self.text)).encode("utf-8", "replace")

    def as_mapping(self) -> dict[str, Any]:
        """The form that is written to a file; `load_template` reads it again."""
        found: dict[str, Any] = {"schema": SCHEMA, "method": self.method, "url": self.url}
        for name in ("query", "headers", "form"):
            if pairs := getattr(self, name):
                found[name] = [list(pair) for pair in pairs] if len(dict(pairs)) < len(pairs) else dict(pairs)
        for name in ("json", "text", "answer", "passages"):
            if (value := getattr(self, name)) is not None:
                found[name] = value
        if self.passage:
            found["passage"] = dict(self.passage)
        return found


def header_value(name: str, value: str) -> str:
    """A value that stays on its line. A question in a header is written as URLs write it."""
    if value.isascii() and value.isprintable():
        return value
    return quote(value, safe=" ,;:=/?&@+-_.~'\"()[]{}<>*!$%#|^`\\")


def strings(value: Any) -> Iterator[str]:
    """All texts within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from strings(each)


def mapped(value: Any, change: Any) -> Any:
    """The JSON value with each text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: mapped(each, change) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [mapped(each, change) for each in value]
    return value


def load_template(path: Path | str) -> RequestTemplate:
    """The request of a YAML or JSON file. Raises OptionError and EvaluationError, which name the key."""
    try:
        values = yaml.safe_load(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EvaluationError(f"{path}: the request cannot be read: {error.strerror or error}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise EvaluationError(f"{path}: the request is neither YAML nor JSON: {str(error).splitlines()[0]}") from None
    if not isinstance(values, dict) or values.pop("schema", None) != SCHEMA:
        raise EvaluationError(f"{path}: no request of the form {SCHEMA}; make one with `pincite golden import`")
    return template_of(values)


FIELDS: Final = ("url", "method", "query", "headers", "json", "form", "text", "answer", "passages", "passage")


def template_of(values: Mapping[str, Any]) -> RequestTemplate:
    for name in values:
        if name not in FIELDS:
            raise OptionError(f"request.{name}", values[name], f"one of the known names: {', '.join(FIELDS)}")
    if sum(values.get(name) is not None for name in BODIES) > 1:
        raise OptionError("request", sorted(set(values) & set(BODIES)), "one body: json, form or text")
    given = dict(values)
    for name in ("url", "method", "text", "answer", "passages"):
        if given.get(name) is not None and not isinstance(given[name], str):
            raise OptionError(f"request.{name}", given[name], "a text")
    for name in ("query", "headers", "form"):
        given[name] = pairs_of(name, given.get(name) or ())
    if "url" not in given:
        raise OptionError("request.url", None, "an address that begins with http:// or https://")
    return RequestTemplate(**given)


def pairs_of(name: str, value: Any) -> tuple[tuple[str, str], ...]:
    """Names and values of a mapping, or of a list of pairs where a name comes twice."""
    try:
        items = list(value.items()) if isinstance(value, Mapping) else [(key, each) for key, each in value]
    except (TypeError, ValueError):
        raise OptionError(f"request.{name}", value, "a mapping of names to texts") from None
    return tuple((str(key), "" if each is None else str(each)) for key, each in items)
