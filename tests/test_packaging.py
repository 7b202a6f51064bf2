"""What strangers install is whole, small and locked."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

HUGE = {"torch", "sentence-transformers", "transformers", "scikit-learn"}


def locked(name: str) -> dict[str, Requirement]:
    """The requirements of a lock file by name, those for this Python."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    every = [Requirement(line.split(" --hash")[0].strip()) for line in text.splitlines() if line.strip()]
    return {canonicalize_name(each.name): each for each in every if not each.marker or each.marker.evaluate()}


def version_of(requirement: Requirement) -> str:
    return next(iter(requirement.specifier)).version


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it would be published."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_carries_the_samples_and_the_type_marker_and_stays_small(wheel: Path) -> None:
    """Whoever installs the package has the demo; tests and sources of the samples stay at home."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    documents = {path.name for path in (ROOT / "samples").iterdir() if path.is_file()}

    assert "pincite/py.typed" in names
    assert {f"pincite/samples/{name}" for name in documents} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"pincite"}
    assert wheel.stat().st_size < 5_000_000


def test_the_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """The package runs from what the wheel holds, and finds its samples there."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = "from pincite.cli.demo import samples; print(*sorted(path.as_posix() for path in samples()), sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    )

    found = [Path(line) for line in run.stdout.splitlines()]

    assert {path.name for path in found} >= {"handbook.pdf", "handbook-vi.pdf", "handbook-ko.pdf"}
    assert all(path.is_relative_to(tmp_path / "site") for path in found)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_every_locked_package_has_one_version_and_hashes(lock: Path) -> None:
    """A lock names no host and no path, so that it holds for any mirror."""
    text = lock.read_text(encoding="utf-8")
    entries = [entry for entry in re.split(r"(?<!\\)\n", text) if entry.strip()]

    assert all(re.match(r"[\w.-]+==[\w.!+]+( ; [^\\]+)? \\\n +--hash=sha256:[0-9a-f]{64}", each) for each in entries)
    assert not re.search(r"https?:|file:|://|--index|--find-links|/", text)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_nothing_of_gigabytes_is_locked(lock: Path) -> None:
    """Only the weights of a package are read where it declares a need of a whole framework."""
    assert not HUGE & set(locked(lock.stem))


@pytest.mark.parametrize(
    ("lock", "extras", "groups"),
    [
        ("run", ["local"], ["build"]),
        ("dev", ["local", "fast", "semantic"], ["dev", "build", "samples"]),
        ("bench", [], ["bench"]),
    ],
)
def test_the_locks_hold_what_the_project_asks_for(lock: str, extras: list[str], groups: list[str]) -> None:
    """A dependency that was added or raised in pyproject.toml is locked too: run `make lock`."""
    project = PROJECT["project"]
    wanted = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    for group in groups:
        wanted += [one for one in PROJECT["dependency-groups"][group] if isinstance(one, str)]
    have = locked(lock)

    missing = []
    for text in wanted:
        each = Requirement(text)
        if each.marker and not each.marker.evaluate():
            continue
        found = have.get(canonicalize_name(each.name))
        if found is None or not each.specifier.contains(version_of(found)):
            missing.append(text)

    assert missing == []


def test_the_licence_is_stated_once_and_shipped() -> None:
    """Apache-2.0, by its SPDX name, with its text beside it."""
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_continuous_integration_does_what_developers_do() -> None:
    """One command for both, and nothing that waits for a person."""
    script = ROOT / ".ci" / "run"

    assert os.access(script, os.X_OK)
    assert "exec make --no-print-directory test </dev/null" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").glob("*.sh")), ids=lambda path: path.name)
def test_scripts_are_sound_bash(script: Path) -> None:
    """A script that does not parse fails here, not on a bare machine."""
    subprocess.run(["bash", "-n", str(script)], check=True)


def test_make_without_a_target_lists_the_targets() -> None:
    """A newcomer sees what there is."""
    run = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)

    for target in ("setup", "demo", "test", "lint", "lock", "bench", "clean"):
        assert re.search(rf"^  make {target} +\w", run.stdout, re.MULTILINE)


def imported_names(folder: Path) -> set[str]:
    """Top-level modules that the files of a folder import, wherever they do."""
    nodes = [node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    taken = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in plain | taken}


@pytest.mark.parametrize(
    ("folder", "groups"), [("src", []), ("tests", ["dev", "samples"]), ("samples", ["dev", "samples"])]
)
def test_everything_that_is_imported_is_declared(folder: str, groups: list[str]) -> None:
    """What happens to be on the author's machine is no dependency."""
    project = PROJECT["project"]
    declared = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    declared += [one for group in groups for one in PROJECT["dependency-groups"][group] if isinstance(one, str)]
    names = {canonicalize_name(Requirement(one).name) for one in declared}
    distributions = packages_distributions()
    own = {"pincite", "tests", "benchmarks"} | set(sys.stdlib_module_names)
    optional = {"tiktoken", "sentence_transformers"} if folder == "src" else set()

    undeclared = {
        module
        for module in imported_names(ROOT / folder) - own - optional
        if not names & {canonicalize_name(each) for each in distributions.get(module, [])}
    }

    assert undeclared == set()
