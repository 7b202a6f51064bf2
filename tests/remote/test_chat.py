"""What a model says comes whole or as an error."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import BusyError, RefusedError, ReplyError
from pincite.remote.chat import Chat, Usage
from pincite.remote.sse import events

from ..endpoint import Answer, Asked, Server, chat, streamed
from .conftest import Open

PATH = "/v1/chat/completions"
ASK = [{"role": "user", "content": "연차는?"}]
SCHEMA = {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}


@pytest.fixture
def model(client: Open) -> Callable[..., Chat]:
    return lambda **settings: Chat(client(tries=2), "m1", **settings)


def test_a_reply_has_its_text_and_its_counts(server: Server, model: Callable[..., Chat]) -> None:
    """And settings that are None are not sent."""
    server.on(PATH, chat("열이틀"))
    reply = model(seed=7, temperature=None).ask(ASK)
    assert (reply.text, reply.usage, reply.model, reply.finish) == ("열이틀", Usage(11, 7), "served-1", "stop")
    assert server.asked[0].body == {"model": "m1", "messages": ASK, "seed": 7}


def test_thoughts_are_no_answer(server: Server, model: Callable[..., Chat]) -> None:
    """What a model thinks aloud before it answers is left out."""
    server.on(PATH, chat("<think>\nhm\n</think>\n\nTwelve."))
    assert model().ask(ASK).text == "Twelve."


@pytest.mark.parametrize("found", [{}, [], None, {"choices": []}, {"choices": [{}]}, {"choices": [{"message": 3}]}])
def test_a_reply_without_a_message_is_broken(server: Server, model: Callable[..., Chat], found: Any) -> None:
    """JSON of another form."""
    server.on(PATH, Answer(found))
    with pytest.raises(ReplyError, match="no message"):
        model().ask(ASK)


def test_a_stream_comes_in_pieces(server: Server, model: Callable[..., Chat]) -> None:
    """And leaves the whole reply with its counts."""
    server.on(PATH, streamed(["Mười ", "hai ", "ngày"]))
    stream = model().stream(ASK)
    assert list(stream) == ["Mười ", "hai ", "ngày"]
    assert stream.reply is not None
    assert (stream.reply.text, stream.reply.usage) == ("Mười hai ngày", Usage(11, 7))


@pytest.mark.parametrize("broken", [streamed(["a", "b"], end=False), streamed(["a", "b"], cut=90)])
def test_half_a_stream_is_an_error(server: Server, model: Callable[..., Chat], broken: Answer) -> None:
    """Whether it ends politely or in the middle of a byte; no reply is left."""
    server.on(PATH, broken)
    stream = model().stream(ASK)
    with pytest.raises(ReplyError, match="broke off"):
        list(stream)
    assert stream.reply is None
    assert len(server.asked) == 1


@pytest.mark.parametrize("event", ["no json", "[1]", '{"error": {"message": "out of memory"}}'])
def test_a_broken_event_is_an_error(server: Server, model: Callable[..., Chat], event: str) -> None:
    """No JSON, no object, or an error that came after the status."""
    server.on(PATH, Answer(raw=f"data: {event}\n\n".encode(), kind="text/event-stream"))
    with pytest.raises(ReplyError, match="m1 replied with an"):
        list(model().stream(ASK))


def test_a_stream_begins_again_while_nothing_was_said(server: Server, model: Callable[..., Chat]) -> None:
    """A busy server is asked once more."""
    server.on(PATH, Answer({}, 503), streamed(["yes"]))
    assert list(model().stream(ASK)) == ["yes"]
    server.on(PATH, Answer({}, 503))
    with pytest.raises(BusyError):
        list(model().stream(ASK))


@pytest.mark.parametrize("refused", [0, 1, 2])
def test_structure_is_asked_for_in_the_best_way_that_is_taken(
    server: Server, model: Callable[..., Chat], refused: int
) -> None:
    """By schema, then by JSON mode, then by words; a fence around the JSON is no harm."""
    server.on(PATH, *[Answer({"error": "response_format"}, 400)] * refused, chat('```json\n{"days": 12}\n```'))
    value, reply = model().structured(ASK, SCHEMA, "days")
    assert value == {"days": 12}
    assert reply.usage == Usage(11, 7)
    kinds = [each.body.get("response_format", {}).get("type") for each in server.asked]
    assert kinds == ["json_schema", "json_object", None][: refused + 1]
    assert ("days" in server.asked[-1].body["messages"][-1]["content"]) is (refused > 0)


def test_a_wrong_key_is_no_question_of_dialect(server: Server, model: Callable[..., Chat]) -> None:
    """One request."""
    server.on(PATH, Answer({}, 401))
    with pytest.raises(RefusedError):
        model().structured(ASK, SCHEMA, "days")
    assert len(server.asked) == 1


@pytest.mark.parametrize("answer", [chat("twelve"), chat("[12]"), chat(None), chat('{"days": 1', "length")])
def test_what_is_no_object_is_an_error(server: Server, model: Callable[..., Chat], answer: Answer) -> None:
    """Prose, a list, nothing, and what the limit on tokens cut off."""
    server.on(PATH, answer)
    with pytest.raises(ReplyError):
        model().structured(ASK, SCHEMA, "days")


def test_the_request_names_no_more_than_it_must(server: Server, model: Callable[..., Chat]) -> None:
    """Temperature 0, so that a run can be repeated; nothing that a small server would not know."""
    server.on(PATH, chat("x"))
    model().ask(ASK)
    found: Asked = server.asked[0]
    assert set(found.body) == {"model", "messages", "temperature"}


def cuts(data: bytes, at: list[int]) -> Iterator[bytes]:
    places = [0, *sorted(min(each, len(data)) for each in at), len(data)]
    return (data[a:b] for a, b in itertools.pairwise(places))


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])), max_size=5),
    st.lists(st.integers(0, 200), max_size=8),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_events_do_not_depend_on_how_the_bytes_are_cut(texts: list[str], at: list[int], end: str) -> None:
    """In the middle of a letter, between CR and LF, with empty pieces."""
    data = "".join(f": note{end}data: {text}{end}data: x{end}{end}" for text in texts).encode()
    assert list(events(cuts(data, at))) == [f"{text}\nx" for text in texts]


def test_an_unfinished_event_is_none() -> None:
    """Its end may say something else."""
    assert list(events([b"data: a\n\ndata: b\n"])) == ["a"]
