"""A real HTTP server on this machine whose replies a test writes down, good and bad ones."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Answer", "Asked", "Server", "chat", "serving", "streamed"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply that goes out."""

    json: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """The body as it is, in place of JSON."""

    pause: float = 0.0
    """Seconds before each piece."""

    pieces: int = 1
    """Parts that the body is sent in."""

    cut: int | None = None
    """Bytes after which the connection breaks off, though more were promised."""

    kind: str = "application/json"


Reply = Answer | Callable[[Asked], Answer]


class Server(ThreadingHTTPServer):
    """Gives each path its replies in turn; the last one stays."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: dict[str, deque[Reply]] = defaultdict(deque)
        self.asked: list[Asked] = []
        self.under_way = self.most_under_way = 0
        self.lock = threading.Lock()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    def on(self, path: str, *replies: Reply) -> None:
        self.replies[path] = deque(replies)

    def at(self, path: str) -> list[Asked]:
        """The requests of a path."""
        return [each for each in self.asked if each.path == path]

    def answer(self, asked: Asked) -> Answer:
        with self.lock:
            self.asked.append(asked)
            waiting = self.replies[asked.path]
            reply = (waiting.popleft() if len(waiting) > 1 else waiting[0]) if waiting else None
        if reply is None:
            return Answer({"error": {"message": f"nothing at {asked.path}"}}, 404)
        return reply if isinstance(reply, Answer) else reply(asked)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what some tests are about."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def perform(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        with server.lock:
            server.under_way += 1
            server.most_under_way = max(server.under_way, server.most_under_way)
        try:
            headers = {key.lower(): value for key, value in self.headers.items()}
            self.send(server.answer(Asked(self.command, self.path, headers, json.loads(data) if data else None)))
        finally:
            with server.lock:
                server.under_way -= 1

    do_GET = do_POST = do_HEAD = perform  # noqa: N815

    def send(self, answer: Answer) -> None:
        body = answer.raw if answer.raw is not None else json.dumps(answer.json).encode()
        self.send_response(answer.status)
        given = {"Content-Type": answer.kind, "Content-Length": str(len(body)), **answer.headers}
        for name, value in given.items():
            self.send_header(name, value)
        if answer.cut is not None:
            body, self.close_connection = body[: answer.cut], True
        self.end_headers()
        if self.command == "HEAD":
            return
        size = max(1, -(-len(body) // answer.pieces))
        for at in range(0, len(body), size):
            time.sleep(answer.pause)
            self.wfile.write(body[at : at + size])
            self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Tests are quiet."""


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def chat(text: str | None, finish: str = "stop") -> Answer:
    """A chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return Answer({"model": "served-1", "choices": [choice], "usage": usage})


def streamed(pieces: Sequence[str], *, end: bool = True, cut: int | None = None, pause: float = 0.0) -> Answer:
    """A chat completion as server-sent events; without `end` it stops before it is done."""
    events: list[Any] = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    if end:
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        events.append({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}})
    lines = [f"data: {json.dumps(event)}\n\n" for event in events] + (["data: [DONE]\n\n"] if end else [])
    raw = "".join([": ping\n\n", *lines]).encode()
    return Answer(raw=raw, kind="text/event-stream", cut=cut, pause=pause, pieces=len(lines))
