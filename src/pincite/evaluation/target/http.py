"""Any HTTP endpoint as the system under judgement, asked by a request template.

What the endpoint does wrong (late, busy, cut off, of another form) is the error of that row, after the
tries and waits that `remote` makes. Its answers are remembered only under a version that people give to the
release: an old answer is no evidence for a new release.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from pincite.errors import EvaluationError, PinciteError
from pincite.evaluation.model import Response, Row
from pincite.evaluation.target.reading import ReplyReader, UnreadableError
from pincite.evaluation.target.template import Request, RequestTemplate
from pincite.remote import Client, Endpoint, Limits
from pincite.remote.sse import events
from pincite.remote.waiting import Pace

__all__ = ["HttpTarget"]

STREAM: Final = "text/event-stream"


class Sender(Client):
    """A client that sends requests just as a template made them."""

    def send(self, request: Request, read: Any) -> Any:
        url = request.url
        if request.query:
            url += ("&" if "?" in url else "?") + urlencode(request.query)
        return self.call(request.method, url, request, read)

    def content(self, body: Request) -> bytes | None:
        return body.body

    def headers(self, body: Request) -> dict[str, str]:
        return {"Accept": f"application/json, {STREAM}", **dict(body.headers)}


class HttpTarget:
    """Sends one request for each row, several at a time."""

    def __init__(
        self,
        template: RequestTemplate,
        *,
        version: str | None = None,
        corpus: str | None = None,
        limits: Limits | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.template, self.version, self.corpus = template, version, corpus
        self.limits = limits or Limits()
        self.reader = ReplyReader(template)
        parts = urlsplit(template.fill("x").url)
        self.name = f"{template.method} {parts.scheme}://{parts.netloc}{parts.path}"
        origin = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        self.client = Sender(Endpoint(origin, limits=self.limits, option="request.url"), pace)
        self.check_place()

    @property
    def concurrency(self) -> int:
        return max(1, self.limits.concurrent)

    @property
    def fingerprint(self) -> str | None:
        if not self.version:
            return None
        facts = json.dumps(self.template.as_mapping(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(f"http\n{self.version}\n{facts}".encode()).hexdigest()

    def check_place(self) -> None:
        """Two questions must make two requests. Raises EvaluationError."""
        if self.template.fill("one question") == self.template.fill("another question"):
            raise EvaluationError(
                "two different questions make the same request; put {{input}} where the question goes"
            )

    def ask(self, row: Row) -> Response:
        began = time.perf_counter()
        try:
            request = self.template.fill(row.input)
            found: Response = self.client.send(request, lambda url, data, kind: self.read(row.id, data, kind))
        except (PinciteError, UnreadableError) as error:
            return Response(row.id, error=str(error), seconds=time.perf_counter() - began)
        return replace(found, seconds=time.perf_counter() - began)

    def read(self, row: str, data: bytes, kind: str) -> Response:
        if STREAM in kind or data.lstrip()[:5] == b"data:":
            return self.reader.stream(row, whole_events(data))
        return self.reader.whole(row, data.decode("utf-8-sig", "replace"))

    def close(self) -> None:
        """Close the connections."""
        self.client.close()


def whole_events(data: bytes) -> Iterator[str]:
    """The events of a stream that has ended; a last one without its blank line is one as well."""
    return events([data, b"\n\n"])
