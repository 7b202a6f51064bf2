"""What all commands share: help, errors, exit codes, streams."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite import cli
from pincite.cli import VERBS, parse_arguments
from pincite.cli.arguments import with_flags
from pincite.errors import DependencyError, StoreError

from .conftest import ROOT, Ran, Run

HEAVY = ("numpy", "onnxruntime", "lxml", "pypdfium2", "tokenizers", "rich", "icu4py", "importlib.metadata")


def command(*arguments: str, **given: Any) -> subprocess.CompletedProcess[str]:
    """The real command, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [sys.executable, "-m", "pincite", *arguments],
        env=environment, text=True, capture_output=True, timeout=60, check=False, **given,
    )  # fmt: skip


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_is_as_expected(verb: str, run: Run, expect: Callable[[str, str], None]) -> None:
    """Help of every command goes to standard output and is the same on every terminal."""
    ran = run(*verb.split(), "--help")

    assert (ran.code, ran.err) == (0, "")
    expect(f"help-{verb or 'pincite'}.txt", ran.out)


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_an_example(verb: str, run: Run) -> None:
    """Each command shows how it is used."""
    assert f"\n  pincite {verb}" in run(verb, "--help").out.partition("example")[2]


def test_help_imports_nothing_heavy() -> None:
    """Help answers without any library beside the standard one."""
    asked = (
        f"import sys; from pincite.cli import main; main(['--help']); print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, text=True, capture_output=True, timeout=60, check=True,
    )  # fmt: skip

    assert done.stdout.splitlines()[-1] == "[]"


def test_version_is_one_line(run: Run) -> None:
    """--version prints the name and the version."""
    ran = run("--version")

    assert ran.code == 0
    assert ran.out.startswith("pincite ")
    assert ran.out.count("\n") == 1


def test_without_arguments_help_is_an_error(run: Run) -> None:
    """Nothing to do is wrong use; help goes where errors go."""
    ran = run()

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: pincite")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chnk", "a.md"], "there is no command 'chnk'; did you mean chunk?"),
        (["chunk", "--max-token", "5", "a.md"], "there is no option --max-token; did you mean --max-tokens?"),
        (["chunk", "--max-token=5", "a.md"], "there is no option --max-token; did you mean --max-tokens?"),
        (["chunk", "--zzzzzz", "a.md"], "there is no option --zzzzzz"),
        (["chunk", "-z", "a.md"], "there is no option -z"),
        (["chunk"], "the following arguments are required: FILE"),
        (["chunk", "a.md", "--max-tokens"], "argument --max-tokens: expected one argument"),
        (["config", "show", "more"], "'more' is one argument too many"),
    ],
)
def test_wrong_use_is_explained(arguments: list[str], sentence: str, run: Run) -> None:
    """Wrong use ends with code 2, one sentence, and where help is."""
    ran = run(*arguments)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == f"pincite: error: {sentence}"
    assert ran.err.splitlines()[1].endswith("--help")


@pytest.mark.parametrize(
    ("error", "code", "start"),
    [
        (StoreError("the index is locked"), 1, "pincite: error: the index is locked"),
        (DependencyError("tesseract", "install it"), 2, "pincite: error: tesseract is not installed; install it"),
        (PermissionError(13, "Permission denied", "x.sqlite"), 1, "pincite: error: x.sqlite: Permission denied"),
        (MemoryError(), 1, "pincite: error: not enough memory"),
        (
            KeyError("x"),
            1,
            "pincite: error: this is a bug in pincite: KeyError: 'x'\nRun the same command with --debug",
        ),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_errors_have_a_sentence_and_a_code(
    error: BaseException, code: int, start: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a command raises ends in a sentence and an exit code, never in a traceback."""
    ran = raising(error, run, monkeypatch)

    assert ran.code == code
    assert ran.err.startswith(start)
    assert "Traceback" not in ran.err
    assert bool(ran.err) == bool(start)


def test_debug_shows_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """--debug is how a bug is reported."""
    assert "Traceback" in raising(KeyError("x"), run, monkeypatch, "--debug").err


def raising(error: BaseException, run: Run, monkeypatch: pytest.MonkeyPatch, *more: str) -> Ran:
    def fail(_: object) -> None:
        raise error

    monkeypatch.setattr(cli.config, "load", fail)  # type: ignore[attr-defined]
    monkeypatch.setattr(cli, "silence_output", lambda: None)
    return run("config", *more)


def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path) -> None:
    """`| head -1` ends the command without a word."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "pincite", "config"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
    )  # fmt: skip
    os.close(write)

    assert (done.returncode, done.stderr) == (141, "")


def test_the_real_command_returns_its_exit_code(tmp_path: Path) -> None:
    """`python -m pincite` exits with what the command returned, data and errors apart."""
    good, bad = command("config", cwd=tmp_path), command("config", "--max-tokens", "0", cwd=tmp_path)

    assert (good.returncode, good.stderr) == (0, "")
    assert (bad.returncode, bad.stdout) == (2, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="platform: needs a device that is always full")
def test_output_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """A full disk behind standard output ends in one sentence and exit code 1."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pincite", "config"],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr.startswith("pincite: error: ")
    assert done.stderr.endswith("No space left on device\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", VERBS)
def test_examples_in_help_can_be_typed(verb: str, run: Run) -> None:
    """Each example is taken by the command line as it stands."""
    lines = run(verb, "--help").out.partition("\nexamples:\n")[2].splitlines()
    assert lines
    for line in lines:
        words = shlex.split(line.rpartition("| ")[2].partition(" > ")[0])
        assert words[0] == "pincite"
        assert parse_arguments(words[1:]).verb == verb


def test_errors_of_the_library_name_the_flag() -> None:
    """An option in a message has its flag beside it; other words with dots stay."""
    assert with_flags("give it as parse.password") == "give it as parse.password (--password)"
    assert with_flags("see index.path of a.pdf in parse.py") == "see index.path (--index) of a.pdf in parse.py"
