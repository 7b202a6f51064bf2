"""One writer at a time: a lock on a file, which the system lets go of when its holder dies.

Record locks belong to a process and are not inherited by its children, so a writer that is
killed never leaves the store locked behind an orphan. Inside one process a `threading.Lock`
does what they do not.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from pincite.errors import StoreError

__all__ = ["write_lock"]

PATIENCE: Final = 3600.0
"""Seconds that a writer waits for another one before it gives up."""

_threads: dict[str, threading.Lock] = {}
_guard: Final = threading.Lock()


@contextlib.contextmanager
def write_lock(path: Path, waiting: Callable[[], None] | None = None, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock file at `path`; `waiting` is called once where another writer holds it."""
    with _guard:
        inner = _threads.setdefault(str(path.resolve()), threading.Lock())
    deadline = time.monotonic() + patience
    if not inner.acquire(blocking=False):
        if waiting:
            waiting()
            waiting = None
        if not inner.acquire(timeout=patience):
            raise busy(path)
    try:
        descriptor = opened(path)
        try:
            while not taken(descriptor):
                if waiting:
                    waiting()
                    waiting = None
                if time.monotonic() > deadline:
                    raise busy(path)
                time.sleep(0.05)
            yield
        finally:
            os.close(descriptor)
    finally:
        inner.release()


def busy(path: Path) -> StoreError:
    return StoreError(f"{path.with_suffix('')}: another process has been writing for too long; wait for it or end it")


def opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise StoreError(
            f"{path.parent}: cannot write the index there ({error.strerror}); choose another place with index.path"
        ) from error


if sys.platform == "win32":
    import msvcrt

    def taken(descriptor: int) -> bool:
        """Whether the lock is ours now."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def taken(descriptor: int) -> bool:
        """Whether the lock is ours now."""
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True
