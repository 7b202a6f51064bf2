"""Readers of documents in processes of their own, so that a document which crashes or hangs its
reader costs itself only.

A worker is this Python started anew, fed one document at a time over a pipe. It is neither a
fork, which copies threads and locks in whatever state they are, nor a start of `multiprocessing`,
which runs the caller's own script again and fails where that has no main guard. A worker that
takes too long or dies is replaced; the document gets an error that says which of both it was.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO, Any, Final

from pincite.document import Document
from pincite.errors import CorruptError, LimitError, PinciteError
from pincite.options import ParseOptions

__all__ = ["Workers"]

LENGTH: Final = struct.Struct("<Q")

MEMORY: Final = 4 << 30
"""Bytes of address space that a worker may take beside eight times the size of its document."""

CODE: Final = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); import pincite.supervision as s; s.serve()"
)


class Workers:
    """Workers that are started when they are needed and kept for the next document."""

    def __init__(self) -> None:
        self.idle: list[Worker] = []
        self.all: set[Worker] = set()
        self.guard = threading.Lock()
        self.closed = False

    def parse(self, data: bytes, uri: str, options: ParseOptions, media_type: str | None = None) -> Document:
        """The document that `data` hold, or the error that reading them raises. May be called from several threads."""
        worker = self.taken(uri)
        try:
            return worker.parse(data, uri, options, media_type)
        finally:
            self.give_back(worker)

    def taken(self, uri: str) -> Worker:
        with self.guard:
            if self.closed:
                raise LimitError(uri, "reading it was called off")
            worker = self.idle.pop() if self.idle else Worker()
            self.all.add(worker)
            return worker

    def give_back(self, worker: Worker) -> None:
        with self.guard:
            if worker.alive() and not self.closed:
                self.idle.append(worker)
            else:
                self.all.discard(worker)

    def close(self) -> None:
        """End all workers, also those that are reading."""
        with self.guard:
            self.closed = True
            workers, self.all, self.idle = self.all, set(), []
        for worker in workers:
            worker.stop()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


class Worker:
    """One process that reads documents."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdin
        assert self.process.stdout
        self.to: IO[bytes] = self.process.stdin
        self.back: IO[bytes] = self.process.stdout
        self.late = False
        with contextlib.suppress(OSError):
            pickle.dump(list(sys.path), self.to)
            self.to.flush()

    def alive(self) -> bool:
        return not self.late and self.process.poll() is None

    def parse(self, data: bytes, uri: str, options: ParseOptions, media_type: str | None) -> Document:
        timer = threading.Timer(options.timeout, self.expire)
        timer.daemon = True
        timer.start()
        try:
            send(self.to, (data, uri, options, media_type))
            answer = receive(self.back)
        except (OSError, EOFError):
            answer = None
        except BaseException:
            self.stop()
            raise
        finally:
            timer.cancel()
        if answer is None:
            self.stop()
            raise self.death(uri, options.timeout)
        if isinstance(answer, Document):
            return answer
        raise answer

    def expire(self) -> None:
        self.late = True
        self.process.kill()

    def death(self, uri: str, timeout: float) -> PinciteError:
        if self.late:
            return LimitError(uri, f"reading it took longer than {timeout:g} seconds", "raise parse.timeout")
        code = self.process.returncode
        how = f"signal {-code}" if code and code < 0 else f"exit code {code}"
        return CorruptError(uri, f"the process that read it died ({how})", "the file is damaged, or larger than memory")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.to, self.back):
            with contextlib.suppress(OSError):
                stream.close()


def send(stream: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (size,) = LENGTH.unpack(head)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


def serve() -> None:
    """The life of a worker: read documents until nobody asks any more."""
    die_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for data, uri, options, media_type in requests(sys.stdin.buffer):
        send(answers, answer(data, uri, options, media_type))


def requests(stream: IO[bytes]) -> Iterator[Any]:
    with contextlib.suppress(EOFError):
        while True:
            yield receive(stream)


def answer(data: bytes, uri: str, options: ParseOptions, media_type: str | None) -> Document | PinciteError:
    """The document or the error; whatever a parser raises by mistake is a damaged document to the caller."""
    limit_memory(MEMORY + 8 * len(data))
    try:
        from pincite.parsing import parse_bytes

        return parse_bytes(data, uri, options, media_type)
    except PinciteError as error:
        return error
    except MemoryError:
        return LimitError(uri, "reading it takes more memory than a document may have", "split it, or give fewer pages")
    except RecursionError:
        return LimitError(uri, "it is nested too deeply", "flatten it")
    except Exception as error:
        return CorruptError(uri, f"its reader failed ({type(error).__name__}: {error})")


def limit_memory(size: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def die_with_parent() -> None:
    """End when the parent is killed, also in the middle of a document, where the system offers that."""
    if sys.platform == "linux":
        import ctypes
        import signal

        pr_set_pdeathsig = 1
        with contextlib.suppress(OSError):
            ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
