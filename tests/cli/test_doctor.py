"""`pincite doctor` tells what works, what is broken and what to do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.cli import checks

from .conftest import Run


def found(report: Any, name: str) -> Any:
    (check,) = (each for each in report["checks"] if each["name"] == name)
    return check


def test_a_whole_installation_is_healthy(run: Run, valid: Callable[[Any], None]) -> None:
    """Everything that is needed is there: exit code 0 and a report of the published form."""
    ran = run("doctor", "--json")
    valid(ran.json)

    assert (ran.code, ran.json["ok"]) == (0, True)
    assert {each["name"] for each in ran.json["checks"]} >= {"python", "sqlite", "model", "text recognition", "index"}
    assert found(ran.json, "python")["detail"] == ".".join(map(str, sys.version_info[:3]))


def test_the_table_has_a_line_for_each_check(run: Run) -> None:
    """People read one line a check."""
    report, table = run("doctor", "--json").json, run("doctor").out

    for check in report["checks"]:
        assert f"  {check['name']}" in table


def test_a_missing_program_is_a_warning_with_a_hint(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text recognition is optional: without it the tool is healthy and says what to install."""
    monkeypatch.setenv("PATH", "")
    ran = run("doctor", "--json")
    check = found(ran.json, "text recognition")

    assert (ran.code, check["ok"], check["needed"]) == (0, False, False)
    assert "apt-get install tesseract-ocr" in check["hint"]
    assert "warning" in run("doctor").out


def test_a_missing_language_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program without Vietnamese says which package brings it."""
    from pincite.parsing import ocr

    monkeypatch.setattr(ocr, "available_languages", lambda: ("eng", "kor"))

    assert "tesseract-ocr-vie" in found(run("doctor", "--json").json, "text recognition")["hint"]


def test_a_missing_extra_is_a_warning(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """An extra that is not installed says how to get it."""
    monkeypatch.setattr(checks, "installed", lambda name: None if name == "tokie" else "1.0")
    check = found(run("doctor", "--json").json, "extra fast")

    assert (check["ok"], check["needed"]) == (False, False)
    assert "pincite[fast]" in check["hint"]


def test_a_package_that_does_not_load_is_a_failure(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that is needed and broken is exit code 1."""
    monkeypatch.setitem(checks.PACKAGES, "no_such_library", "the test")
    ran = run("doctor", "--json")

    assert (ran.code, ran.json["ok"]) == (1, False)
    assert found(ran.json, "no_such_library")["hint"] == "run: pip install --force-reinstall no_such_library"
    assert "FAILED" in run("doctor").out


def test_a_wrong_configuration_is_a_failure(run: Run, tmp_path: Path) -> None:
    """Doctor reports a file that cannot be used instead of ending on it."""
    (tmp_path / "pincite.toml").write_text("[chunk]\nmax_token = 3\n")
    ran = run("doctor", "--json")

    assert (ran.code, found(ran.json, "configuration")["ok"]) == (1, False)
    assert "chunk.max_token" in found(ran.json, "configuration")["detail"]


def test_a_file_that_is_no_index_is_a_failure(run: Run, tmp_path: Path) -> None:
    """Something else at the place of the index is told, and left as it is."""
    (tmp_path / "x.sqlite").write_bytes(b"this is not a database" * 100)
    ran = run("doctor", "--json", "--index", "x.sqlite")

    assert (ran.code, found(ran.json, "index")["ok"]) == (1, False)
    assert (tmp_path / "x.sqlite").read_bytes() == b"this is not a database" * 100


def test_a_model_that_cannot_be_loaded_is_a_failure(run: Run, tmp_path: Path) -> None:
    """Nothing can be indexed without a model, so its absence is exit code 1."""
    ran = run("doctor", "--json", "--model", "onnx:nowhere")

    assert (ran.code, found(ran.json, "model")["ok"]) == (1, False)
    assert "nowhere" in found(ran.json, "model")["detail"]


def test_the_model_has_answered(run: Run) -> None:
    """A check that is ok has embedded a question."""
    assert found(run("doctor", "--json").json, "model")["detail"].startswith("multilingual-e5-small, 384 dimensions")
