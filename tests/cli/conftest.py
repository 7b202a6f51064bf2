"""Runs commands in this process and compares what they print with expectation files.

`pytest tests/cli --rewrite` writes the expectation files anew; continuous integration refuses it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from pincite.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
EXPECTED = Path(__file__).resolve().parent / "expected"
SCHEMAS = ROOT / "docs" / "schemas"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite", action="store_true", default=False, help="write the expectation files of tests/cli anew"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--rewrite", default=False) and os.environ.get("CI", "").lower() in ("1", "true", "yes"):
        raise pytest.UsageError("--rewrite is for people: under CI an expectation must fail, not follow")


@dataclass(frozen=True, slots=True)
class Ran:
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON value."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in an empty folder, without options from the outside."""
    for variable in [name for name in os.environ if name.startswith("PINCITE_")]:
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(each) for each in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return command


@pytest.fixture
def expect(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with its expectation file."""

    def compare(name: str, text: str) -> None:
        file = EXPECTED / name
        if request.config.getoption("--rewrite", default=False):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert file.exists(), f"{file.name} is missing; see --rewrite"
        assert text == file.read_text(encoding="utf-8")

    return compare


@pytest.fixture(scope="session")
def valid() -> Callable[[Any], None]:
    """Checks a value against the published schema that it names."""
    schemas = {}
    for file in SCHEMAS.glob("*.json"):
        schema = json.loads(file.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        schemas[schema["properties"]["schema"]["const"]] = schema
    registry: Registry[Any] = Registry().with_resources(
        [(schema["$id"], Resource.from_contents(schema)) for schema in schemas.values()]
    )

    def check(value: Any) -> None:
        Draft202012Validator(schemas[value["schema"]], registry=registry).validate(value)

    return check
