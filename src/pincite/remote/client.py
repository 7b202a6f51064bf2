"""Requests with time limits, tries and checks: what every endpoint is spoken to with.

Proxies and certificates are those that httpx takes from the environment and the system. Redirects are
not followed: a secret would go where nobody said it may, and a POST would become a GET.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from pincite.errors import BusyError, DependencyError, OptionError, RemoteError, ReplyError, UnreachableError
from pincite.remote.endpoint import Endpoint
from pincite.remote.refusals import refusal, shown
from pincite.remote.waiting import Pace, Starts, asked, backoff

if TYPE_CHECKING:
    import httpx

__all__ = ["Client"]

T = TypeVar("T")

SHORTEST: Final = 0.001
"""Seconds: a time limit that has run out is still one."""


class RepeatableError(Exception):
    """A try that may be repeated."""

    def __init__(self, error: RemoteError, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error, self.wait = error, wait


class Client:
    """Speaks to one endpoint; safe to share between threads. Close it, or use it in a `with`."""

    def __init__(self, endpoint: Endpoint, pace: Pace | None = None) -> None:
        if find_spec("httpx") is None:
            raise DependencyError("httpx, which speaks to endpoints,", "pip install 'pincite[remote]'")
        self.endpoint, self.limits, self.pace = endpoint, endpoint.limits, pace or Pace()
        self.starts = Starts(self.limits.per_minute, self.pace)
        self.room = threading.BoundedSemaphore(max(1, self.limits.concurrent))
        self.opening = threading.Lock()
        self.opened: httpx.Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __del__(self) -> None:
        """Whoever forgets to close it leaves no connection open."""
        with suppress(Exception):  # attributes may be missing, and the interpreter may be ending
            self.close()

    def close(self) -> None:
        """Close all connections; the next request opens new ones."""
        with self.opening:
            opened, self.opened = self.opened, None
        if opened:
            opened.close()

    def post(self, path: str, body: Any) -> Any:
        """The JSON that the endpoint replies to a POST; `path` is added to its address."""
        return self.call("POST", self.endpoint.url + path, body, self.read_json)

    def get(self, path: str) -> Any:
        """The JSON that the endpoint replies to a GET."""
        return self.call("GET", self.endpoint.url + path, None, self.read_json)

    def at_root(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of a path outside `/v1`, where servers keep what OpenAI's paths do not have."""
        return self.call(method, self.endpoint.root + path, body, self.read_json)

    @contextmanager
    def stream(self, path: str, body: Any) -> Iterator[Iterator[bytes]]:
        """The pieces of a reply as they come. Only the beginning is tried again: who has read a part has used it."""
        url = self.endpoint.url + path
        with self.room:
            deadline = self.pace.clock() + self.limits.total
            response = self.tried(url, deadline, lambda: self.begin("POST", url, body, deadline))
            try:
                yield self.pieces(url, response, deadline)
            except RepeatableError as failed:
                raise failed.error from failed
            finally:
                response.close()

    # One call

    def call(self, method: str, url: str, body: Any, read: Callable[[str, bytes, str], T]) -> T:
        deadline = self.pace.clock() + self.limits.total

        def once() -> T:
            response = self.begin(method, url, body, deadline)
            try:
                data = b"".join(self.pieces(url, response, deadline))
            finally:
                response.close()
            return read(url, data, response.headers.get("content-type", ""))

        with self.room:
            return self.tried(url, deadline, once)

    def tried(self, url: str, deadline: float, once: Callable[[], T]) -> T:
        """What `once` gives, tried again after each `RepeatableError` while tries and time are left."""
        for attempt in range(1, self.limits.tries + 1):
            left = deadline - self.pace.clock()
            if not self.starts.wait(left):
                raise BusyError(
                    url, f"no turn within {self.limits.total:g} s", "raise the requests a minute or the time"
                )
            try:
                return once()
            except RepeatableError as failed:
                wait = failed.wait if failed.wait is not None else backoff(attempt, self.pace.chance())
                if attempt == self.limits.tries:
                    raise again(failed.error, f"tried {attempt} times") from failed
                if wait >= deadline - self.pace.clock():
                    said = f"it asks to wait {wait:g} s" if failed.wait is not None else "no time is left to try again"
                    raise again(failed.error, f"{said}, and a call may take {self.limits.total:g} s") from failed
                self.pace.sleep(wait)
        raise AssertionError("unreachable")

    def begin(self, method: str, url: str, body: Any, deadline: float) -> httpx.Response:
        """Send one request and read status and headers; what is no success is an error."""
        import httpx

        left = max(SHORTEST, deadline - self.pace.clock())
        limits = self.limits
        times = httpx.Timeout(min(limits.read, left), connect=min(limits.connect, left))
        try:
            request = self.http().build_request(
                method, url, content=self.content(body), headers=self.headers(body), timeout=times
            )
            response = self.http().send(request, stream=True, follow_redirects=False)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise self.unreached(url, error) from error
        if response.is_success:
            return response
        try:
            raise self.refused(url, response, deadline)
        finally:
            response.close()

    def content(self, body: Any) -> bytes | None:
        """What is sent of a body."""
        return encoded(body)

    def headers(self, body: Any) -> dict[str, str]:
        kind = {"Content-Type": "application/json"} if body is not None else {}
        return {"Accept": "application/json, text/event-stream", **kind, **self.endpoint.headers()}

    def pieces(self, url: str, response: httpx.Response, deadline: float) -> Iterator[bytes]:
        """The body as it comes, within the limits on time and size."""
        import httpx

        size = 0
        try:
            for piece in response.iter_bytes():
                size += len(piece)
                if size > self.limits.max_bytes:
                    raise ReplyError(url, f"the reply has more than {self.limits.max_bytes} bytes", "check the address")
                if self.pace.clock() > deadline:
                    raise UnreachableError(url, f"the reply was not whole after {self.limits.total:g} s", TIME)
                yield piece
        except httpx.TransportError as error:
            raise self.unreached(url, error) from error
        except httpx.DecodingError as error:
            raise RepeatableError(
                ReplyError(url, "the reply cannot be decompressed", "check what stands between")
            ) from error

    def read_json(self, url: str, data: bytes, kind: str) -> Any:
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            page = " (a web page)" if "html" in kind else ""
            raise ReplyError(url, f"the reply is no JSON{page}: {shown(data)!r}", "check the address") from error

    def refused(self, url: str, response: httpx.Response, deadline: float) -> Exception:
        """The error of a reply that is no success, wrapped where trying again may help."""
        try:
            data = b"".join(self.pieces(url, response, deadline))
        except (RepeatableError, RemoteError):
            data = b""
        error = refusal(url, response.status_code, response.headers, data, self.endpoint)
        return (
            RepeatableError(error, asked(response.headers, self.pace.now())) if isinstance(error, BusyError) else error
        )

    def unreached(self, url: str, error: Exception) -> RepeatableError:
        """What a failure below HTTP means for people."""
        import httpx

        if isinstance(error, httpx.ConnectTimeout):
            reason, advice = f"no connection within {self.limits.connect:g} s", "check that it is running"
        elif isinstance(error, httpx.TimeoutException):
            reason, advice = f"no reply within {self.limits.read:g} s", TIME
        elif isinstance(error, httpx.RemoteProtocolError):
            reason, advice = "the reply broke off or is no HTTP", "check what the server writes in its log"
        else:
            reason, advice = f"no connection ({error})", "check the address, and that it is running"
        kind = ReplyError if isinstance(error, httpx.RemoteProtocolError) else UnreachableError
        return RepeatableError(kind(url, reason, advice))

    def http(self) -> httpx.Client:
        """The connections, opened when they are first needed."""
        import httpx

        with self.opening:
            if self.opened is None:
                most = max(1, self.limits.concurrent)
                try:
                    self.opened = httpx.Client(
                        limits=httpx.Limits(max_connections=most), headers={"User-Agent": "pincite"}
                    )
                except (ValueError, OSError, ImportError) as error:  # a proxy or certificate of the environment
                    raise OptionError(
                        "proxy or certificate of the environment", str(error), "one that works"
                    ) from error
            return self.opened


TIME: Final = "raise the time limits or send less at once"


def encoded(body: Any) -> bytes | None:
    """JSON in UTF-8; half a surrogate pair, which no UTF-8 holds, is replaced."""
    if body is None:
        return None
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def again(error: RemoteError, what: str) -> RemoteError:
    """The error of the last try, with what was done about it."""
    return type(error)(error.url, f"{error.reason} ({what})", error.advice, error.status)
