"""Every case holds, but for those that `cases/falling.json` names with a reason.

The list only shrinks: a case in it that holds makes its test fail, until it is taken out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import pytest

import pincite

from .cases import run

FALLING: Final[dict[str, str]] = json.loads((run.HERE / "falling.json").read_text(encoding="utf-8"))
"""Id of each case that is known to fall or is not supported, and why."""

MAY_FALL: Final = ("pdf-", "docx", "html", "evaluation")
"""Kinds that are not finished. Of others, only cases of level policy or stretch may stand in the list."""


@pytest.mark.parametrize("folder", run.cases(run.HERE), ids=lambda folder: folder.name)
def test_a_case_holds_or_is_listed_with_its_reason(folder: Path) -> None:
    """A case that falls stands in the list; one that stands in the list falls."""
    outcome = run.judge(folder)

    if outcome.id in FALLING:
        assert outcome.status != "holds", f"{outcome.id} holds: take it out of falling.json"
    else:
        assert outcome.status == "holds", "; ".join(outcome.reasons)


def test_the_list_names_only_what_may_fall() -> None:
    """Each entry is a case that exists, of a kind or level that may fall, with a reason."""
    found = {
        folder.name: json.loads((folder / "case.json").read_text(encoding="utf-8")) for folder in run.cases(run.HERE)
    }

    for name, reason in FALLING.items():
        assert name in found
        assert found[name]["kind"].startswith(MAY_FALL) or found[name]["level"] in ("policy", "stretch"), name
        assert reason.strip()


def test_a_folder_names_its_case() -> None:
    """The id of a case is the name of its folder, so that a failure leads to the files."""
    for folder in run.cases(run.HERE):
        assert json.loads((folder / "case.json").read_text(encoding="utf-8"))["id"] == folder.name


# The runner --------------------------------------------------------------------------------------

GOOD: Final[dict[str, Any]] = {
    "id": "good",
    "kind": "markdown-structure",
    "title": "A title is a path",
    "level": "core",
    "input": {"file": "input.md", "media_type": "text/markdown"},
    "options": {"counter": "chars"},
    "expect": [{"check": "heading_paths", "include": [["A"]]}],
}


def put(folder: Path, name: str, **changes: Any) -> Path:
    """A case like the good one, with changes."""
    place = folder / name
    place.mkdir(parents=True)
    (place / "input.md").write_text("# A\n\nwords\n", encoding="utf-8")
    (place / "case.json").write_text(json.dumps({**GOOD, "id": name, **changes}), encoding="utf-8")
    return place


def test_one_case_falls_and_the_others_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for the case that falls, a count of each, and exit code 1."""
    put(tmp_path, "good")
    put(tmp_path, "bad", expect=[{"check": "heading_paths", "include": [["B"]]}])
    put(tmp_path, "strange", options={"colour": "red"})

    code = run.main([str(tmp_path)])

    printed = capsys.readouterr()
    assert code == 1
    assert printed.out == "bad: heading_paths: no chunk under ['B']\n1 hold, 1 fall, 1 not supported\n"
    assert printed.err == "strange is not supported: no option colour\n"


def test_only_cases_of_a_kind_are_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A kind may be a pattern and may be repeated; where no case is of it, that is wrong use."""
    put(tmp_path, "good")
    put(tmp_path, "bad", kind="pdf-text", expect=[{"check": "chunk_count", "eq": 9}])

    assert run.main([str(tmp_path), "--kind", "markdown-*", "--kind", "unicode"]) == 0
    assert capsys.readouterr().out == "1 hold, 0 fall, 0 not supported\n"
    assert run.main([str(tmp_path), "--kind", "nothing"]) == 2


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({"expect": [{"check": "smells_good"}]}, "not supported", "no check smells_good"),
        ({"input": {"steps": [{"op": "dance", "id": "x"}]}}, "not supported", "no step dance"),
        ({"options": {"counter": "moons"}}, "not supported", "no counter 'moons'"),
        ({"input": {"file": "input.md", "media_type": "text/html"}, "expect": [{"check": "coverage"}]}, "not supported", "text input"),
        ({"input": {"file": "absent.md", "media_type": "text/markdown"}}, "falls", "No such file"),
        ({"expect": [{"check": "every_chunk", "then": {"glows": True}}]}, "not supported", "unknown predicate"),
        ({"options": {"max_tokens": 0}, "expect": [{"check": "error", "any_of": ["invalid_option"]}]}, "holds", ""),
    ],
)  # fmt: skip
def test_what_is_not_known_is_not_supported(tmp_path: Path, changes: dict[str, Any], status: str, reason: str) -> None:
    """Unknown checks, steps, options and predicates are told as such and never end the run."""
    outcome = run.judge(put(tmp_path, "one", **changes))

    assert outcome.status == status
    assert reason in "; ".join(outcome.reasons)


def test_an_exception_of_the_product_makes_the_case_fall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised by mistake is a reason, with its sentence."""

    def broken(*given: Any, **named: Any) -> None:
        raise ZeroDivisionError("by mistake")

    monkeypatch.setattr(pincite, "chunk", broken)

    outcome = run.judge(put(tmp_path, "one"))

    assert (outcome.status, outcome.reasons) == ("falls", ("ZeroDivisionError: by mistake",))


def test_a_case_that_cannot_be_read_falls(tmp_path: Path) -> None:
    """A broken case.json is no reason to stop."""
    (put(tmp_path, "one") / "case.json").write_text("{", encoding="utf-8")
    (put(tmp_path, "two") / "case.json").write_text('{"id": "two", "kind": "unicode"}', encoding="utf-8")

    assert [run.judge(folder).status for folder in run.cases(tmp_path)] == ["falls", "falls"]


def test_a_case_that_hangs_falls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each case has a time limit, and the others go on."""
    monkeypatch.setattr(run, "SECONDS", 0.2)
    monkeypatch.setattr(pincite, "chunk", lambda *given, **named: time.sleep(30))

    outcome = run.judge(put(tmp_path, "one"))

    assert outcome.status == "falls"
    assert "not done after" in outcome.reasons[0]


def test_the_runner_starts_from_anywhere(tmp_path: Path) -> None:
    """It finds the library and its own modules, whatever the working folder is."""
    put(tmp_path / "cases", "good")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    done = subprocess.run(
        [sys.executable, run.__file__, "cases"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )

    assert (done.returncode, done.stdout) == (0, "1 hold, 0 fall, 0 not supported\n")
