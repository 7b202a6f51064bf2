"""One writer at a time, and a dead one holds nothing."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pincite.errors import StoreError
from pincite.storage.lock import write_lock

HOLD = """
import sys, time
from pathlib import Path
from pincite.storage.lock import write_lock
with write_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "x.lock")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout
    process.stdout.close()


def test_a_lock_that_another_process_holds_is_waited_for(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    """The wait is announced once, and ends when the holder is killed."""
    announced: list[None] = []
    timer = threading.Timer(0.3, holder.kill)
    timer.start()
    with write_lock(tmp_path / "x.lock", lambda: announced.append(None)):
        assert holder.poll() is not None or holder.wait(5) is not None
    timer.join()
    end(holder)
    assert len(announced) == 1


def test_patience_ends(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    """A lock that is held for too long is a StoreError that names the index."""
    try:
        with pytest.raises(StoreError, match="another process"), write_lock(tmp_path / "x.lock", patience=0.2):
            pass
    finally:
        end(holder)


def test_threads_of_one_process_take_turns(tmp_path: Path) -> None:
    """Two threads never hold the lock at once."""
    inside = 0
    most = 0

    def work() -> None:
        nonlocal inside, most
        with write_lock(tmp_path / "x.lock"):
            inside += 1
            most = max(most, inside)
            time.sleep(0.02)
            inside -= 1

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
