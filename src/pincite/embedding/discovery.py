"""How many tokens a text may have at an endpoint, as far as the endpoint says.

No server says it in the same way: TEI has `/info`, vLLM and others put it beside the model in
`/v1/models`, Ollama answers `/api/show`. OpenAI says nothing, but its documentation does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from pincite.errors import OptionError, RefusedError, ReplyError
from pincite.remote.client import Client

__all__ = ["discovered_limit"]

DOCUMENTED: Final = {
    "text-embedding-3-small": 8192,
    "text-embedding-3-large": 8192,
    "text-embedding-ada-002": 8192,
}

USUAL_CONTEXT: Final = 2048
"""What Ollama runs a model with where its settings name nothing else, in the smallest of its versions."""


def discovered_limit(client: Client, model: str) -> int:
    """Tokens of a text; an OptionError where the endpoint does not say."""
    for ask in (models, info, ollama):
        limits = [each for each in found(ask, client, model) if type(each) is int and each > 0]
        if limits:
            return min(limits)
    if model in DOCUMENTED:
        return DOCUMENTED[model]
    raise OptionError(
        "embed.text_limit", 0, f"the most tokens that {model} takes, since {client.endpoint.url} does not say"
    )


def found(ask: Callable[[Client, str], Iterator[Any]], client: Client, model: str) -> list[Any]:
    """What one way of asking gives; a server that does not know it gives nothing."""
    try:
        return list(ask(client, model))
    except RefusedError as error:
        if error.status in (401, 403):
            raise
        return []
    except (ReplyError, AttributeError, KeyError, TypeError):
        return []


def models(client: Client, model: str) -> Iterator[Any]:
    for each in client.get("/models")["data"]:
        if each.get("id") == model:
            yield each.get("max_model_len")
            yield each.get("context_length")
            yield each.get("max_input_length")


def info(client: Client, model: str) -> Iterator[Any]:
    yield client.at_root("GET", "/info").get("max_input_length")


def ollama(client: Client, model: str) -> Iterator[Any]:
    """The context that the model was trained for, or that it is run with: beyond this Ollama cuts and says nothing."""
    shown = client.at_root("POST", "/api/show", {"model": model})
    for key, value in shown["model_info"].items():
        if key.endswith(".context_length"):
            yield value
    settings = [line.split() for line in (shown.get("parameters") or "").splitlines()]
    sizes = [int(each[1]) for each in settings if len(each) == 2 and each[0] == "num_ctx" and each[1].isdecimal()]
    yield from sizes or [USUAL_CONTEXT]
