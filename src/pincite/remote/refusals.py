"""What a status that is no success means, and what to do about it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from pincite.errors import BusyError, RefusedError, RemoteError
from pincite.remote.endpoint import Endpoint

__all__ = ["is_oversize", "refusal", "shown"]

TRY_AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Statuses after which the same request may be answered."""

SPENT: Final = ("insufficient_quota", "billing_hard_limit_reached", "access_terminated")
"""Codes beside 429 that no waiting changes."""

TOO_LONG: Final = re.compile(
    r"context (?:length|size|window)|too (?:long|large|many tokens)|must have less than \d+ tokens"
    r"|maximum (?:context|input|sequence|allowed)|exceeds? .{0,40}(?:length|limit|token|size)|input length",
    re.IGNORECASE,
)
"""How servers say that a text has too many tokens: OpenAI, Ollama, TEI, vLLM, llama.cpp."""

SHOWN: Final = 300


def refusal(url: str, status: int, headers: Mapping[str, str], data: bytes, endpoint: Endpoint) -> RemoteError:
    """The error of a status; what the server says is quoted, shortened, without the secret."""
    said = hidden(message(data), endpoint)
    reason = f"status {status}" + (f": {said}" if said else "")
    if status == 429 and any(code in said for code in SPENT):
        return RefusedError(url, reason, "the quota of the account is spent", status)
    if status >= 500 and TOO_LONG.search(said):
        return RefusedError(url, reason, "send less at once", status)
    if status in TRY_AGAIN:
        return BusyError(url, reason, "try later", status)
    if 300 <= status < 400:
        target = headers.get("location", "another address").partition("?")[0]
        return RefusedError(url, f"it points to {target} (status {status})", "give the address that is meant", status)
    return RefusedError(url, reason, advice(status, endpoint), status)


def is_oversize(error: RemoteError) -> bool:
    """Whether a request was refused because its text has too many tokens."""
    return error.status == 413 or bool(error.status and TOO_LONG.search(error.reason))


def advice(status: int, endpoint: Endpoint) -> str:
    if status in (401, 403):
        name = endpoint.key_variable
        return f"put a valid key into {name}" if name else "name the environment variable that holds the key"
    if status == 404:
        return "check the address (it usually ends in /v1) and the name of the model"
    if status == 413:
        return "send less at once"
    return "check the name of the model and the options"


def message(data: bytes) -> str:
    """What the server says went wrong, out of the forms that servers give it."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return shown(data)
    for key in ("error", "detail", "message"):
        if isinstance(found, dict) and found.get(key):
            found = found[key]
    return found[:SHOWN] if isinstance(found, str) else shown(flat(found))


def flat(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def shown(data: bytes) -> str:
    """The beginning of a reply on one line."""
    return " ".join(data[: 4 * SHOWN].decode("utf-8", "replace").split())[:SHOWN]


def hidden(said: str, endpoint: Endpoint) -> str:
    """The message without the secret, which some servers repeat."""
    for value in endpoint.headers().values():
        said = said.replace(value.removeprefix("Bearer "), "[key]")
    return "".join(c if c.isprintable() else " " for c in said)
