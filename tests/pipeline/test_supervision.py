"""A document that crashes or hangs its reader costs itself only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.errors import CorruptError, LimitError, ReadError
from pincite.options import ParseOptions
from pincite.supervision import Workers

PLANT = """
import os, signal, sys, time
import pincite.parsing as parsing

real = parsing.parse_bytes

def planted(data, uri, options, media_type=None):
    if data == b"crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if data == b"exit":
        os._exit(7)
    if data == b"hang":
        time.sleep(600)
    if data == b"bug":
        raise ZeroDivisionError("oops")
    if data == b"memory":
        bytearray(64 << 30)
    if data == b"chatter":
        print("noise", flush=True)
        os.write(1, b"more noise")
    return real(data, uri, options, media_type)

parsing.parse_bytes = planted
"""


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers that misbehave on certain bytes: Python runs `sitecustomize` when it starts."""
    (tmp_path / "sitecustomize.py").write_text(PLANT)
    source = str(Path(__file__).parents[2] / "src")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), source]))


def parse(workers: Workers, data: bytes, timeout: float = 30.0) -> str:
    return workers.parse(data, "x.md", ParseOptions(timeout=timeout)).text


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"crash", CorruptError, "died .signal 11"),
        (b"exit", CorruptError, "died .exit code 7"),
        (b"bug", CorruptError, "ZeroDivisionError: oops"),
        (b"memory", LimitError, "more memory"),
    ],
)
def test_each_way_to_fail_is_told(data: bytes, error: type[ReadError], words: str) -> None:
    """The error names the document and what happened, and the next document is read."""
    with Workers() as workers:
        with pytest.raises(error, match=words) as caught:
            parse(workers, data)
        assert caught.value.uri == "x.md"
        assert parse(workers, b"fine") == "fine"


@pytest.mark.usefixtures("planted")
def test_a_document_that_hangs_is_ended() -> None:
    """Its process is ended when its time is over, and a new one reads the next document."""
    with Workers() as workers:
        with pytest.raises(LimitError, match=r"longer than 1 seconds; raise parse\.timeout"):
            parse(workers, b"hang", timeout=1.0)
        assert parse(workers, b"fine") == "fine"


@pytest.mark.usefixtures("planted")
def test_what_a_reader_prints_disturbs_nothing() -> None:
    with Workers() as workers:
        assert parse(workers, b"chatter") == "chatter"


def test_one_worker_reads_many_documents() -> None:
    """A process is started once."""
    with Workers() as workers:
        for number in range(5):
            assert parse(workers, b"text %d" % number) == f"text {number}"
        assert len(workers.all) == 1


def test_a_script_without_a_main_guard_can_use_workers(tmp_path: Path) -> None:
    """The caller's script is not run again by its workers."""
    script = tmp_path / "script.py"
    script.write_text(
        "from pincite.supervision import Workers\nfrom pincite.options import ParseOptions\n"
        "with Workers() as workers:\n"
        "    print(workers.parse(b'words', 'x.md', ParseOptions()).text)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "words\n"
