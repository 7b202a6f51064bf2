"""One captured request in parts, and what makes a template of it.

Two things must happen before it can be kept: what is secret leaves for the environment, and the
question that was captured gives way to `{{input}}`. A request in whose parts the question is not
found is refused, since each row of a golden set would then ask the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from pincite.errors import EvaluationError
from pincite.evaluation.target.template import INPUT, RequestTemplate, mapped, strings

__all__ = ["Captured", "Imported", "imported", "request_of"]

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Captured:
    """A request as it was sent."""

    method: str
    url: str
    """Without its query."""

    query: Pairs = ()
    headers: Pairs = ()
    json: Any = None
    form: Pairs = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import made, and what somebody has to know of it."""

    template: RequestTemplate
    question: str
    """What stood where `{{input}}` stands now."""

    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables that have to be set, and what each one was. The values are not kept."""


DROPPED: Final = frozenset(
    {
        "content-length", "host", "connection", "accept-encoding", "transfer-encoding", "te", "upgrade", "priority",
        "if-none-match", "if-modified-since", "origin", "referer", "dnt", "user-agent", "keep-alive", "expect",
    }
)  # fmt: skip
"""Headers that belong to one sending, or to the browser that sent it."""

SECRET: Final = re.compile(
    r"authorization|cookie|token|secret|passw|session|credential|signature|api[-_]?key|apikey|csrf|xsrf"
    r"|(?:^|[-_.])(?:key|auth|pwd|sid|jwt)(?:$|[-_.])",
    re.IGNORECASE,
)
SECRET_VALUE: Final = re.compile(
    r"(?:Bearer|Basic|Token)\s+\S{6,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{12,}|AKIA[0-9A-Z]{16}"
)
NOT_SECRET: Final = re.compile(
    r"(?:max|total|min|num|n|prompt|completion)[-_]?(?:new[-_]?)?tokens?|tokenizer|keywords?", re.I
)

ASKED: Final = ("question", "query", "prompt", "input", "message", "q", "text", "content", "user_input", "search")
"""Names under which a question most often stands, best first."""


def request_of(method: str, url: str, headers: Sequence[tuple[str, str]], body: str | None) -> Captured:
    """A request in parts. Its body is JSON, a form or a text, by what it says and by what it is."""
    parts = urlsplit(url)
    query = tuple(parse_qsl(parts.query, keep_blank_values=True))
    address = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    kept = tuple((name, value) for name, value in headers if name.lower() not in DROPPED and not name.startswith(":"))
    if parts.username:
        import base64

        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        kept = (*kept, ("Authorization", "Basic " + base64.b64encode(pair).decode()))
    kind = next((value.lower() for name, value in headers if name.lower() == "content-type"), "")
    found = Captured(method.upper(), address, query, kept)
    if body is None or body == "":
        return found
    if "json" in kind or body.lstrip()[:1] in ("{", "["):
        try:
            return replace(found, json=json.loads(body))
        except (ValueError, RecursionError):
            if "json" in kind:
                raise EvaluationError("the body of the request says that it is JSON, and is not") from None
    if "urlencoded" in kind:
        return replace(found, form=tuple(parse_qsl(body, keep_blank_values=True)))
    return replace(found, text=body)


def imported(
    captured: Captured,
    question: str | None = None,
    answer: str | None = None,
    passages: str | None = None,
    passage: Mapping[str, str] | None = None,
) -> Imported:
    """The template of a captured request. Raises EvaluationError where the question is not found in it.

    Without `question` the text under a name such as `question` or in the last message of a user is
    taken, if there is one and no more.
    """
    captured, variables = without_secrets(captured)
    asked = question if question is not None else guessed(captured)
    if not asked.strip():
        raise EvaluationError("the captured question is empty; give it with --question")
    placed = with_place(captured, asked)
    template = RequestTemplate(
        url=placed.url, method=placed.method, query=placed.query, headers=placed.headers, json=placed.json,
        form=placed.form, text=placed.text, answer=answer, passages=passages, passage=passage or {},
    )  # fmt: skip
    return Imported(template, asked, variables)


# Secrets ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Vault:
    """Gives each secret a variable."""

    names: dict[str, str] = field(default_factory=dict)
    """What each variable was, by its name."""

    values: dict[str, str] = field(default_factory=dict)
    """The variable of each secret."""

    def hide(self, name: str, value: str, where: str) -> str:
        if not value or not (SECRET.search(name) or SECRET_VALUE.search(value)) or NOT_SECRET.fullmatch(name):
            return value
        scheme = re.match(r"(?:Bearer|Basic|Token)\s+", value, re.IGNORECASE)
        lead = scheme[0] if scheme else ""
        return f"{lead}${{{self.variable(name, value[len(lead) :], where)}}}"

    def variable(self, name: str, secret: str, where: str) -> str:
        if secret not in self.values:
            base = "TARGET_" + re.sub(r"\W+", "_", name).strip("_").upper()
            number = sum(known.rpartition("__")[0] == base or known == base for known in self.names)
            made = base if not number else f"{base}__{number + 1}"
            self.values[secret] = made
            self.names[made] = f"the {where} {name}"
        return self.values[secret]


def without_secrets(captured: Captured) -> tuple[Captured, dict[str, str]]:
    """The request with `${NAME}` for each secret, and what each was."""
    vault = Vault()
    shown = replace(
        captured,
        headers=tuple((name, vault.hide(name, value, "header")) for name, value in captured.headers),
        query=tuple((name, vault.hide(name, value, "parameter")) for name, value in captured.query),
        form=tuple((name, vault.hide(name, value, "field")) for name, value in captured.form),
        json=hidden(captured.json, vault),
    )
    return shown, vault.names


def hidden(value: Any, vault: Vault, name: str = "") -> Any:
    if isinstance(value, Mapping):
        return {key: hidden(each, vault, key) for key, each in value.items()}
    if isinstance(value, list):
        return [hidden(each, vault, name) for each in value]
    return vault.hide(name, value, "field") if isinstance(value, str) else value


# The question -----------------------------------------------------------------------------------


def guessed(captured: Captured) -> str:
    """The captured question, where it is plain which text that is. Raises EvaluationError."""
    found = list(dict.fromkeys(candidates(captured)))
    if len(found) == 1:
        return found[0]
    if not found:
        raise EvaluationError(
            "no question is found in the request; say which text it was with --question. "
            "It has: " + ", ".join(repr(text[:40]) for text in list(texts(captured))[:8])
        )
    shown = " or ".join(repr(text[:60]) for text in found[:5])
    raise EvaluationError(f"it is not plain which text is the question: {shown}; say so with --question")


def candidates(captured: Captured) -> Iterator[str]:
    """Texts under names that questions have; of a conversation, the last words of the user."""
    said = [text for text in last_of_user(captured.json) if text.strip()]
    if said:
        yield said[-1]
        return
    named = [*captured.query, *captured.form, *named_texts(captured.json)]
    for name in ASKED:
        found = [value for key, value in named if key.lower() == name and value.strip() and "${" not in value]
        if found:
            yield from found
            return


def last_of_user(value: Any) -> Iterator[str]:
    """What users say in messages of a chat, in order."""
    if isinstance(value, list):
        for each in value:
            yield from last_of_user(each)
    elif isinstance(value, Mapping):
        if value.get("role") == "user":
            yield from message_texts(value.get("content"))
            return
        for each in value.values():
            yield from last_of_user(each)


def message_texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and isinstance(part.get("text"), str):
            yield part["text"]


def named_texts(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        language = "variables" in value and isinstance(value.get("query"), str)
        for name, each in value.items():
            if language and name == "query":
                continue  # a query of GraphQL is no question
            if isinstance(each, str):
                yield name, each
            else:
                yield from named_texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from named_texts(each)


def texts(captured: Captured) -> Iterator[str]:
    for _, value in (*captured.query, *captured.form):
        yield value
    yield from strings(captured.json)
    if captured.text:
        yield captured.text


def with_place(captured: Captured, question: str) -> Captured:
    """The request with `{{input}}` in place of the question. Raises EvaluationError where it stands nowhere."""
    asked = question.strip()

    def put(text: str) -> str:
        return INPUT if text.strip() == asked else text.replace(asked, INPUT) if len(asked) > 3 else text

    path = "/".join(INPUT if unquote(part) == asked else part for part in captured.url.split("/"))
    placed = replace(
        captured,
        url=path,
        query=tuple((name, put(value)) for name, value in captured.query),
        form=tuple((name, put(value)) for name, value in captured.form),
        json=mapped(captured.json, put),
        text=captured.text and put(captured.text),
    )
    if placed == captured:
        raise EvaluationError(
            f"{asked[:80]!r} stands nowhere in the request, so nothing could give way to {INPUT}; "
            "give the question just as it was sent, with --question"
        )
    return placed
