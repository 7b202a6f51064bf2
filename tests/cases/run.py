"""Runs cases and tells which fall: `python tests/cases/run.py [DIR] [--kind KIND]`.

Any folder of the form that README.md describes will do. One line is printed for each case that
falls and for each that is not supported; the exit code is 0 only when none falls.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]

for place in (ROOT, *(() if find_spec("pincite") else (ROOT / "src",))):
    if str(place) not in sys.path:
        sys.path.insert(0, str(place))

from tests.cases import adapter  # noqa: E402  (the paths above make it importable from anywhere)
from tests.cases.tools import checks  # noqa: E402

__all__ = ["Outcome", "cases", "judge", "main"]

SECONDS: float = 120
"""Time limit of one case, so that one that hangs falls and the others go on."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case."""

    id: str
    kind: str
    level: str
    status: Literal["holds", "falls", "not supported"]
    reasons: tuple[str, ...] = ()
    """Failures as sentences, or why the case is not supported."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="run.py", description="Run cases and tell which fall.")
    parser.add_argument("dir", nargs="?", type=Path, default=HERE, help="a folder of cases (default: this one)")
    parser.add_argument("--kind", action="append", default=[], help="only this kind, or a pattern such as 'pdf-*'")
    parser.add_argument("--id", action="append", default=[], help="only this case, or a pattern")
    given = parser.parse_args(arguments)
    folders = cases(given.dir, given.kind, given.id)
    if not folders:
        print(f"no case in {given.dir} is of that kind", file=sys.stderr)
        return 2
    tally = {"holds": 0, "falls": 0, "not supported": 0}
    for folder in folders:
        outcome = judge(folder)
        tally[outcome.status] += 1
        if outcome.status == "falls":
            print(f"{outcome.id}: {'; '.join(outcome.reasons)}", flush=True)
        elif outcome.status == "not supported":
            print(f"{outcome.id} is not supported: {'; '.join(outcome.reasons)}", file=sys.stderr, flush=True)
    print(f"{tally['holds']} hold, {tally['falls']} fall, {tally['not supported']} not supported")
    return 1 if tally["falls"] else 0


def cases(folder: Path, kinds: Sequence[str] = (), ids: Sequence[str] = ()) -> list[Path]:
    """Folders of the cases under `folder`, by name; `kinds` and `ids` are names or patterns.

    A `case.json` that cannot be read is taken as well: it is judged, and falls.
    """
    found = [folder] if (folder / "case.json").is_file() else sorted(p.parent for p in folder.glob("*/case.json"))
    return [each for each in found if matches(kind_of(each), kinds) and matches(each.name, ids)]


def matches(word: str | None, patterns: Sequence[str]) -> bool:
    return word is None or not patterns or any(fnmatch(word, pattern) for pattern in patterns)


def kind_of(folder: Path) -> str | None:
    try:
        return str(json.loads((folder / "case.json").read_text(encoding="utf-8"))["kind"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def judge(folder: Path) -> Outcome:
    """The outcome of one case; whatever goes wrong is a reason, never a crash of the run."""
    try:
        case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
        named = (str(case["id"]), str(case["kind"]), str(case.get("level", "core")))
        unknown = sorted({want["check"] for want in case["expect"]} - set(checks.CHECKS))
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Outcome(folder.name, "", "", "falls", (f"case.json cannot be read: {sentence(error)}",))
    if unknown:
        return Outcome(*named, "not supported", (f"no check {', '.join(unknown)}",))
    try:
        with limit(SECONDS):
            record = adapter.record(folder, case)
    except adapter.NotSupportedError as error:
        return Outcome(*named, "not supported", (str(error),))
    except Exception as error:
        return Outcome(*named, "falls", (sentence(error),))
    return judged(folder, case, named, record)


def judged(folder: Path, case: dict[str, Any], named: tuple[str, str, str], record: adapter.Record) -> Outcome:
    try:
        failures = checks.evaluate(case["expect"], record, adapter.source_text(folder, case))
    except (AssertionError, ValueError) as error:
        return Outcome(*named, "not supported", (str(error),))
    except Exception as error:
        return Outcome(*named, "falls", (f"the record cannot be judged: {sentence(error)}",))
    return Outcome(*named, "falls" if failures else "holds", tuple(failures))


def sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in the block after so many seconds, where the platform has alarms."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(signum: int, frame: object) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    sys.exit(main())
