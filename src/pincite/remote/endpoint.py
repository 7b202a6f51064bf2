"""What is known of an endpoint before the first request."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pincite.errors import OptionError

__all__ = ["Endpoint", "Limits", "usual_key"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long, how often and how much; times in seconds."""

    connect: float = 10.0
    """Until a connection stands."""

    read: float = 60.0
    """Between two pieces of a reply; a model that thinks before its first word needs some time."""

    total: float = 300.0
    """For a whole call: all tries, the waiting between them, and reading the reply."""

    tries: int = 5
    """Requests in one call at most, the first included."""

    concurrent: int = 4
    """Requests under way at one time."""

    per_minute: float = 0.0
    """Requests that may begin in a minute; 0 for as many as there are."""

    max_bytes: int = 64 * 2**20
    """Largest reply that is read, after decompression."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address, the variable that holds its secret, and its limits."""

    url: str
    """The base that paths are added to, such as `http://localhost:11434/v1`."""

    key_variable: str = ""
    """Name of the environment variable with the secret; empty for none."""

    limits: Limits = field(default_factory=Limits)
    option: str = "endpoint"
    """The option that gave the address, for messages."""

    def __post_init__(self) -> None:
        wanted = "an address such as http://localhost:11434/v1"
        try:
            parts = urlsplit(self.url)
            _ = parts.port
        except ValueError:
            raise OptionError(self.option, "no readable address", wanted) from None
        if parts.username or parts.password or parts.query or parts.fragment:
            raise OptionError(
                self.option,
                f"{parts.scheme}://{parts.hostname}… with user, password, query or fragment",
                f"{wanted}; a secret is read from an environment variable",
            )
        if parts.scheme not in ("http", "https") or not parts.hostname or any(c.isspace() for c in self.url):
            raise OptionError(self.option, self.url, wanted)
        object.__setattr__(self, "url", self.url.rstrip("/"))

    @property
    def root(self) -> str:
        """The address without the `/v1` that OpenAI's paths begin with: servers keep paths of their own there."""
        return self.url.removesuffix("/v1")

    def headers(self) -> dict[str, str]:
        """The header with the secret, read from the environment now; none where the variable is not set."""
        secret = os.environ.get(self.key_variable, "").strip() if self.key_variable else ""
        if not secret:
            return {}
        if not (secret.isascii() and secret.isprintable()):
            raise OptionError(self.key_variable, "hidden", "a key of printable ASCII characters")
        return {"Authorization": f"Bearer {secret}"}


def usual_key(url: str) -> str:
    """The variable that usually holds the key for an address; none for other hosts, which must not be sent it."""
    return "OPENAI_API_KEY" if urlsplit(url).hostname == "api.openai.com" else ""
