"""A server, and a client whose waiting is written down and takes no time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pincite.remote.client import Client
from pincite.remote.endpoint import Endpoint, Limits
from pincite.remote.waiting import Pace

from ..endpoint import Server, serving

Open = Callable[..., Client]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


@pytest.fixture
def slept() -> list[float]:
    """What the client waited, in order."""
    return []


@pytest.fixture
def client(server: Server, slept: list[float]) -> Iterator[Open]:
    """Opens a client of the server; named limits go into it."""
    opened: list[Client] = []

    def open_client(key_variable: str = "", **limits: Any) -> Client:
        pace = Pace(sleep=slept.append, chance=lambda: 0.5)
        made = Client(Endpoint(server.url, key_variable, Limits(**{"read": 5.0, **limits})), pace)
        opened.append(made)
        return made

    yield open_client
    for each in opened:
        each.close()
