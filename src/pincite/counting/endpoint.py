"""Counting by the endpoint's own `/tokenize`, as TEI, vLLM and llama.cpp serve it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

from pincite.counting.lengths import CHARS_PER_TOKEN
from pincite.errors import OptionError, RefusedError, ReplyError
from pincite.remote.client import Client

__all__ = ["EndpointCounter"]

KEEP: Final = 20_000
"""Counts that are remembered: packing asks for some texts more than once."""


class EndpointCounter:
    """Asks the endpoint; what is counted is a text with its prefix and special tokens, so sums are not trusted."""

    name = "model"
    overhead = 0
    exact_sums = False
    chars_per_token: int | None = CHARS_PER_TOKEN

    def __init__(self, client: Client, model: str, prefix: str = "") -> None:
        self.client, self.model, self.prefix = client, model, prefix
        self.fingerprint = f"endpoint:{client.endpoint.url}:{model}:{prefix}"
        self.known: dict[str, int] = {}
        self.lock = threading.Lock()
        self.way: int | None = None

    def units(self, text: str) -> int:
        with self.lock:
            found = self.known.get(text)
        if found is None:
            found = self.asked(self.prefix + text)
            with self.lock:
                if len(self.known) >= KEEP:
                    self.known.clear()
                self.known[text] = found
        return found

    def units_many(self, texts: Sequence[str]) -> list[int]:
        return list(map(self.units, texts))

    def blank(self, space: str) -> int:
        return self.units(space) if space else 0

    def tokens(self, units: int) -> int:
        return units

    def capacity(self, max_tokens: int) -> int:
        return max(0, max_tokens)

    def asked(self, text: str) -> int:
        """Tokens by the endpoint, in the form of request that it understood first."""
        forms: tuple[dict[str, Any], ...] = (
            {"model": self.model, "prompt": text, "add_special_tokens": True},
            {"inputs": text, "add_special_tokens": True},
            {"content": text, "add_special": True},
        )
        tried = range(len(forms)) if self.way is None else (self.way,)
        for way in tried:
            try:
                found = counted(self.client.at_root("POST", "/tokenize", forms[way]), text)
            except RefusedError as error:
                if error.status in (401, 403):
                    raise
                continue
            if found is not None:
                self.way = way
                return found
        if self.way is not None:
            raise ReplyError(f"{self.client.endpoint.root}/tokenize", "it did not count a text", "use hf:FILE")
        raise OptionError("embed.tokenizer", "endpoint", "hf:FILE or bytes: this endpoint has no /tokenize")


def counted(found: Any, text: str) -> int | None:
    """The number of tokens that a reply names; None where it names none, or none for a text that has some."""
    if isinstance(found, list) and len(found) == 1 and isinstance(found[0], list):
        number: Any = len(found[0])
    elif isinstance(found, dict) and isinstance(found.get("count"), int):
        number = found["count"]
    elif isinstance(found, dict) and isinstance(found.get("tokens"), list):
        number = len(found["tokens"])
    else:
        return None
    return number if number or not text.strip() else None
