"""Imports point one way, as docs/architecture.md draws it, and nothing heavy comes before it is needed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.cli import VERBS

SOURCE = Path(__file__).resolve().parents[1] / "src"
PACKAGE = SOURCE / "pincite"

CORE = ("collecting", "errors", "options", "document", "chunk", "remote", "wording")
STAGES = ("parsing", "counting", "chunking", "embedding", "storage", "retrieval", "answering", "evaluation")
HELPERS = {
    # what the edges share; each uses the core and what it names, and no stage uses them
    "document_json": (),
    "walking": ("parsing",),
    "supervision": ("parsing",),
}
EDGES = {
    # what calls the stages; none is called by a stage
    "syncing": (),
    "pipeline": ("syncing",),
    "scaling": ("pipeline",),
    "integrations": ("pipeline", "scaling"),
    "serving": ("pipeline",),
    "cli": ("__init__", "syncing", "pipeline", "scaling", "integrations", "serving"),
    "__init__": ("syncing", "pipeline"),
    "__main__": ("cli",),
}

HEAVY = (
    "numpy",
    "httpx",
    "onnxruntime",
    "lxml",
    "pypdfium2",
    "tokenizers",
    "rich",
    "icu4py",
    "pyromark",
    "sqlite3",
    "docx",
)


def allowed(room: str) -> set[str]:
    """The rooms that `room` may import."""
    if room in CORE:
        return set(CORE[: CORE.index(room)])
    if room in HELPERS:
        return {*CORE, *HELPERS[room]}
    if room in STAGES:
        return {*CORE, *STAGES[: STAGES.index(room)]}
    if room in EDGES:
        return {*CORE, *HELPERS, *STAGES, *EDGES[room]}
    raise AssertionError(f"src/pincite/{room} is a room that the picture does not have; draw it first")


def room_of(module: str) -> str:
    """The room of a dotted module name: `pincite.parsing.pdf` is in `parsing`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


def is_module(name: str) -> bool:
    path = SOURCE.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each module of this package that a file imports, wherever it does."""
    package = [*path.relative_to(SOURCE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            origin = ".".join(part for part in (base, node.module or "") if part)
            for alias in node.names:
                name = f"{origin}.{alias.name}"
                yield node.lineno, name if is_module(name) else origin


def wrong_arrows(path: Path) -> Iterator[str]:
    """The imports of a file that the picture does not have."""
    room = room_of(module_of(path))
    for line, name in imported(path):
        if name.split(".")[0] == "pincite" and room_of(name) != room and room_of(name) not in allowed(room):
            yield f"{path.relative_to(SOURCE)}:{line}: {room} imports {name}"


def test_imports_follow_the_picture() -> None:
    """A stage imports the core and the stages before it; the edges import the stages."""
    wrong = [arrow for path in sorted(PACKAGE.rglob("*.py")) for arrow in wrong_arrows(path)]

    assert wrong == []


def test_an_arrow_to_the_right_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above finds what it looks for, relative imports and imports in functions included."""
    monkeypatch.setattr(sys.modules[__name__], "SOURCE", tmp_path)
    (tmp_path / "pincite" / "parsing").mkdir(parents=True)
    (tmp_path / "pincite" / "cli").mkdir()
    path = tmp_path / "pincite" / "parsing" / "reader.py"
    path.write_text("from ..errors import X\ndef f():\n    from ..cli import main\n    import pincite.storage\n")

    assert list(wrong_arrows(path)) == [
        "pincite/parsing/reader.py:3: parsing imports pincite.cli",
        "pincite/parsing/reader.py:4: parsing imports pincite.storage",
    ]


def loaded_by(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter holds after `code`."""
    ending = (
        "\nimport json, sys; print(json.dumps(sorted({m.partition('.')[0] for m in sys.modules})), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code + ending],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(run.stderr.splitlines()[-1]))


def test_import_pincite_loads_nothing_heavy() -> None:
    """Whoever only wants the error classes pays for no model and no parser."""
    assert loaded_by("import pincite").isdisjoint(HEAVY)


@pytest.mark.parametrize("arguments", [["--help"], *([verb, "--help"] for verb in VERBS)], ids=" ".join)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """Help answers before anyone has time to wonder."""
    assert loaded_by(f"from pincite.cli import main\nassert main({arguments!r}) == 0").isdisjoint(HEAVY)
