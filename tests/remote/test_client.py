"""Requests end in a reply or in an error that says what to do, whatever the server does."""

from __future__ import annotations

import gzip
import pickle
import threading
import time
from email.utils import formatdate

import pytest

from pincite.errors import BusyError, OptionError, RefusedError, RemoteError, ReplyError, UnreachableError
from pincite.remote.client import Client
from pincite.remote.endpoint import Endpoint, Limits
from pincite.remote.waiting import Pace, Starts, asked, backoff

from ..endpoint import Answer, Server
from .conftest import Open

PATH = "/v1/thing"


def test_json_goes_there_and_back(server: Server, client: Open) -> None:
    """In any script; half a surrogate pair does not stop it."""
    server.on(PATH, lambda asked: Answer(asked.body))
    assert client().post("/thing", {"q": "휴가 nghỉ", "half": "\ud800"}) == {"q": "휴가 nghỉ", "half": "?"}


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529])
def test_a_busy_server_is_asked_again(server: Server, client: Open, slept: list[float], status: int) -> None:
    """With longer pauses, in which half is chance."""
    server.on(PATH, Answer({}, status), Answer({}, status), Answer({"ok": True}))
    assert client().get("/thing") == {"ok": True}
    assert slept == [0.75, 1.5]


def test_the_wait_that_is_asked_for_is_kept(server: Server, client: Open, slept: list[float]) -> None:
    """In seconds, in milliseconds, and as a date."""
    date = formatdate(time.time() + 60, usegmt=True)
    later = [Answer({}, 429, {"Retry-After": "7"}), Answer({}, 503, {"Retry-After": date})]
    server.on(PATH, *later, Answer({}, 429, {"Retry-After-Ms": "250"}), Answer(1))
    assert client().get("/thing") == 1
    assert slept[0] == 7
    assert 55 < slept[1] <= 60
    assert slept[2] == 0.25


def test_a_wait_beyond_the_time_limit_is_not_begun(server: Server, client: Open, slept: list[float]) -> None:
    """The error says how long the server asked to wait."""
    server.on(PATH, Answer({}, 429, {"Retry-After": "3600"}))
    with pytest.raises(BusyError, match="it asks to wait 3600 s"):
        client(total=100).get("/thing")
    assert slept == []


def test_tries_end(server: Server, client: Open) -> None:
    """The error names the endpoint, the status, what was said and how often it was tried."""
    server.on(PATH, Answer({"error": {"message": "overloaded"}}, 503))
    with pytest.raises(BusyError, match=r"/v1/thing: status 503: overloaded \(tried 3 times\)") as caught:
        client(tries=3).get("/thing")
    assert caught.value.status == 503
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer({"error": {"message": "no such model"}}, 404), "no such model; check the address"),
        (Answer({"detail": "bad"}, 400), "status 400: bad"),
        (Answer(raw=b"<h1>No</h1>", status=403, kind="text/html"), "status 403: <h1>No</h1>; name the environment"),
        (Answer({"error": {"code": "insufficient_quota"}}, 429), "quota of the account is spent"),
        (Answer({}, 307, {"Location": "http://elsewhere/x?key=1"}), r"points to http://elsewhere/x \(status 307\)"),
    ],
)
def test_a_refusal_is_final(server: Server, client: Open, answer: Answer, said: str) -> None:
    """One request, and a sentence about what to do; redirects are not followed."""
    server.on(PATH, answer)
    with pytest.raises(RefusedError, match=said):
        client().post("/thing", {})
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(raw=b"<html>hi", kind="text/html"), r"no JSON \(a web page\): '<html>hi'"),
        (Answer(raw=b'{"a": '), "no JSON"),
        (Answer(raw=b"[" * 100_000), "no JSON"),
        (Answer(raw=b" " * 5000), "more than 4000 bytes"),
        (Answer(raw=gzip.compress(b" " * 10**6), headers={"Content-Encoding": "gzip"}), "more than 4000 bytes"),
        (Answer(raw=b"no gzip", headers={"Content-Encoding": "gzip"}), "cannot be decompressed"),
        (Answer({"long": "x" * 100}, cut=20), "broke off"),
    ],
)
def test_a_broken_reply_is_an_error(server: Server, client: Open, answer: Answer, said: str) -> None:
    """Wrong content, half of it, too much of it, also after decompression."""
    server.on(PATH, answer)
    with pytest.raises(ReplyError, match=said):
        client(max_bytes=4000 if "4000" in said else 10**7).get("/thing")


def test_a_reply_that_broke_off_is_asked_for_again(server: Server, client: Open) -> None:
    """The connection may have been at fault."""
    server.on(PATH, Answer({"long": "x" * 100}, cut=20), Answer({"ok": 1}))
    assert client().get("/thing") == {"ok": 1}


def test_a_silent_server_meets_the_time_limit(server: Server, client: Open) -> None:
    """For a piece of a reply, and for the whole where each piece comes in time."""
    server.on(PATH, Answer({}, pause=1.0))
    with pytest.raises(UnreachableError, match=r"no reply within 0.1 s \(tried 2 times\)"):
        client(read=0.1, tries=2).get("/thing")
    server.on(PATH, Answer(raw=b"x" * 100, pieces=50, pause=0.05))
    with pytest.raises(UnreachableError, match=r"not whole after 0\.3 s"):
        client(total=0.3).get("/thing")


def test_nobody_there_is_said(slept: list[float]) -> None:
    """Tried again, then an error with the address."""
    endpoint = Endpoint("http://127.0.0.1:9/v1", limits=Limits(tries=2))
    with Client(endpoint, Pace(sleep=slept.append)) as made, pytest.raises(UnreachableError, match="check the address"):
        made.get("/models")
    assert len(slept) == 1


def test_the_secret_is_sent_and_never_shown(server: Server, client: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the header, and in no message, representation or pickle, even where the server repeats it."""
    monkeypatch.setenv("SOME_KEY", "sk-very-secret\n")
    server.on(PATH, Answer({"error": {"message": "bad key sk-very-secret"}}, 401))
    made = client("SOME_KEY")
    with pytest.raises(RefusedError, match=r"bad key \[key\]; put a valid key into SOME_KEY") as caught:
        made.get("/thing")
    assert server.asked[0].headers["authorization"] == "Bearer sk-very-secret"
    assert "very-secret" not in f"{made.endpoint!r} {vars(made)!r}" + repr(pickle.dumps(caught.value))


@pytest.mark.parametrize(
    "url", ["", "localhost:80", "ftp://a/b", "http://", "http://u:pass@a/v1", "http://a/v1?key=pass", "http://a:x/v1"]
)
def test_an_impossible_address_is_refused(url: str) -> None:
    """Before anything is sent; a password in it is not repeated."""
    with pytest.raises(OptionError) as caught:
        Endpoint(url)
    assert "pass@" not in str(caught.value)
    assert "key=pass" not in str(caught.value)


def test_so_many_requests_are_under_way_and_no_more(server: Server, client: Open) -> None:
    """Twelve threads share two places."""
    server.on(PATH, Answer({}, pause=0.02))
    made = client(concurrent=2)
    threads = [threading.Thread(target=made.get, args=("/thing",)) for _ in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(server.asked) == 12
    assert server.most_under_way == 2


def test_starts_are_spaced() -> None:
    """Sixty a minute is one a second, and a turn that comes too late is not taken."""
    clock = [100.0]
    slept: list[float] = []
    starts = Starts(60, Pace(clock=lambda: clock[0], sleep=slept.append))
    assert [starts.wait(5) for _ in range(3)] == [True] * 3
    assert slept == [1.0, 2.0]
    assert not starts.wait(2)


def test_pauses_grow_and_end_growing() -> None:
    """Between half and the whole of a value that doubles up to a bound."""
    assert [backoff(n, 1.0) for n in (1, 2, 3, 99)] == [1.0, 2.0, 4.0, 30.0]
    assert backoff(3, 0.0) == 2.0


@pytest.mark.parametrize("value", ["", "soon", "nan", "inf", "Mon, 99 Foo 2026"])
def test_an_unreadable_wait_is_none(value: str) -> None:
    """Then the client's own pause holds."""
    assert asked({"retry-after": value}, 0) is None


def test_a_date_that_is_over_is_no_wait() -> None:
    """And never a negative one."""
    assert asked({"retry-after": formatdate(10, usegmt=True)}, 1000) == 0
    assert asked({"retry-after": "-5"}, 1000) == 0


def test_errors_travel_between_processes() -> None:
    """With all that they know."""
    error = pickle.loads(pickle.dumps(BusyError("http://a", "why", "what", 503)))
    assert isinstance(error, RemoteError)
    assert (error.url, error.reason, error.advice, error.status) == ("http://a", "why", "what", 503)
