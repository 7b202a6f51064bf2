"""`pincite ask`, against a real endpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ..endpoint import Answer, Server, chat, serving
from .conftest import Ran, Run

PATH = "/v1/chat/completions"
MODEL = ("--model", "hash-16", "--counter", "words*1.33")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


@pytest.fixture
def ask(run: Run, tmp_path: Path, server: Server) -> Run:
    """Asks an index of one document about leave."""
    (tmp_path / "leave.md").write_text("# Leave\n\nEmployees receive 12 days of leave.\n", encoding="utf-8")
    assert run("index", "leave.md", *MODEL).code == 0

    def command(*words: str, endpoint: bool = True) -> Ran:
        given = ("--endpoint", server.url, "--answer-model", "m") if endpoint else ()
        return run("ask", "how many days of leave", "--model", "hash-16", *given, *words)

    return command


def test_an_answer_comes_with_its_sources(ask: Run, server: Server) -> None:
    """On standard output, and nothing beside it."""
    server.on(PATH, chat("You get 12 days [1]."))
    ran = ask()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "You get 12 days [1].\n\n[1] leave.md, Leave\n"


def test_the_json_is_that_of_its_schema(ask: Run, server: Server, valid: Callable[[Any], None]) -> None:
    """Answered and refused."""
    server.on(PATH, chat("You get 12 days [1]."))
    answered = ask("--json").json
    valid(answered)
    assert answered["citations"][0]["uri"] == "leave.md"
    server.on(PATH, chat("You get 13 days [1]."))
    ran = ask("--json")
    assert ran.code == 1
    valid(ran.json)
    assert ran.json["refusal"]["code"] == "unsupported"


def test_a_refusal_says_why(ask: Run, server: Server) -> None:
    """On standard error, with the exit code of a failure; the passages are named."""
    server.on(PATH, chat("You get 13 days [1]."))
    ran = ask()
    assert ran.code == 1
    assert "the number 13 does not stand in [1]" in ran.err
    assert ran.out == "[1] leave.md, Leave\n"


def test_without_an_endpoint_the_passages_are_printed(ask: Run) -> None:
    """And how to name one."""
    ran = ask(endpoint=False)
    assert ran.code == 2
    assert "12 days of leave" in ran.out
    assert "Give --endpoint URL and --answer-model NAME" in ran.err


def test_an_endpoint_needs_a_model(ask: Run) -> None:
    """Found before anything is searched or sent."""
    ran = ask("--answer-model", "")
    assert ran.code == 2
    assert "ask.model" in ran.err


def test_an_endpoint_that_refuses_is_named(ask: Run, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence, no traceback, no secret."""
    monkeypatch.setenv("MY_KEY", "sk-hidden")
    server.on(PATH, Answer({"error": {"message": "sk-hidden is no key"}}, 401))
    ran = ask("--answer-key-variable", "MY_KEY")
    assert ran.code == 1
    assert f"{server.url}/chat/completions: status 401" in ran.err
    assert "put a valid key into MY_KEY" in ran.err
    assert "sk-hidden" not in ran.err
