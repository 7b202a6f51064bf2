"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.cli import main
from pincite.cli.demo import samples

pytestmark = pytest.mark.timeout(300)
"""The first test of all waits for the index of the samples, some 30 seconds of work."""

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block_of(heading: str, language: str) -> str:
    """The first fenced block of a language in a section of the README."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert found
    return found[1]


def steady(text: str) -> str:
    """The text without the number of chunks, which a better parser may change."""
    return re.sub(r"\d+ chunks", "N chunks", text)


@pytest.fixture(autouse=True)
def checkout(demo_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the samples and the index of the demo, as the README's commands find them."""
    (tmp_path / "samples").mkdir()
    for path in samples():
        shutil.copy(path, tmp_path / "samples")
    shutil.copytree(demo_index, tmp_path / "demo-index")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], checkout: None) -> Callable[[], str]:
    """What was printed since the last call."""
    capsys.readouterr()
    return lambda: capsys.readouterr().out


def test_the_demo_prints_what_the_readme_shows(printed: Callable[[], str]) -> None:
    """Word for word; only the folder for questions of one's own is said beside it."""
    assert main(["demo", "--quiet", "demo-index"]) == 0
    assert steady(printed().partition("\nAsk on:")[0]) == steady(block_of("Two commands", "text"))


def test_the_library_does_what_the_readme_shows(printed: Callable[[], str]) -> None:
    """The lines run as they stand."""
    exec(compile(block_of("As a library", "python"), "README.md", "exec"), {})

    assert steady(printed()) == steady(block_of("As a library", "text"))


def test_the_command_line_does_what_the_readme_shows(printed: Callable[[], str]) -> None:
    """The commands run as they stand, one after another."""
    for line in block_of("On the command line", "sh").splitlines():
        assert main(shlex.split(line)[1:]) == 0

    assert steady(printed()) == steady(block_of("On the command line", "text"))


def test_every_link_leads_somewhere() -> None:
    """Links into the repository point at files that are there."""
    links = re.findall(r"\]\(([^)#]+)", README)

    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
