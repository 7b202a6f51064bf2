"""`index`, `search`, `show`, `status`: documents in, cited passages out, from the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import DependencyError

from .conftest import ROOT, Ran, Run
from .files import pdf

MODEL = ("--model", "hash-64")
"""Hashes words into numbers: needs no weights."""

LEAVE = "# Handbook\n\n## Leave\n\nEveryone has thirty days of leave.\n\n## Pay\n\nPay comes on the last day of the month.\n"
RULES = "# Rules\n\nSmoking is forbidden in the building.\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "handbook.md").write_text(LEAVE)
    (folder / "rules.md").write_text(RULES)
    (folder / "page.pdf").write_bytes(pdf("The canteen opens at noon."))
    return folder


@pytest.fixture
def index(run: Run, docs: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs a command on an index of the documents."""
    assert run("index", "docs", *MODEL, "--quiet").code == 0

    def command(verb: str, *arguments: object) -> Ran:
        monkeypatch.setenv("PINCITE_EMBED__MODEL", MODEL[1])
        return run(verb, *arguments)

    return command


def test_index_tells_what_it_did(run: Run, docs: Path, valid: Callable[[Any], None]) -> None:
    """The first run adds, the second has nothing to embed, the third redoes what changed and drops what is gone."""
    first = run("index", "docs", "--json", *MODEL)
    again = run("index", "docs", "--json", *MODEL)
    (docs / "rules.md").write_text(RULES + "\nSo is shouting.\n")
    (docs / "page.pdf").unlink()
    after = run("index", "docs", "--json", *MODEL)

    for ran in (first, again, after):
        assert ran.code == 0
        valid(ran.json)
    assert (first.json["added"], again.json["unchanged"], again.json["chunks_embedded"]) == (3, 3, 0)
    assert (after.json["changed"], after.json["removed"], after.json["unchanged"]) == (1, 1, 1)


def test_the_summary_is_one_line(run: Run, docs: Path) -> None:
    """People read one line on standard output."""
    ran = run("index", "docs", *MODEL)

    assert ran.out == "3 added; 4 chunks embedded\n"
    assert run("index", "docs", *MODEL).out == "3 unchanged; 0 chunks embedded\n"


def test_a_bad_document_is_named_and_the_others_go_on(run: Run, docs: Path, valid: Callable[[Any], None]) -> None:
    """Exit code 3, the failed one by name with its reason, the good ones in the index."""
    (docs / "broken.pdf").write_text("this is no PDF")
    (docs / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    ran = run("index", "docs", "--json", *MODEL)
    valid(ran.json)

    assert ran.code == 3
    assert (ran.json["added"], ran.json["failed"], ran.json["skipped"]) == (3, 1, 1)
    assert "pincite: error: broken.pdf: the name promises a PDF" in ran.err
    assert ran.err.splitlines()[-1] == "pincite: 1 of 4 documents failed: broken.pdf"


def test_when_all_documents_fail_the_command_failed(run: Run, tmp_path: Path) -> None:
    """Exit code 1: nothing was done."""
    (tmp_path / "broken.pdf").write_text("this is no PDF")

    assert run("index", "broken.pdf", *MODEL).code == 1


def test_the_index_lies_where_it_is_told(run: Run, docs: Path, tmp_path: Path) -> None:
    """--index names the file, for all commands."""
    run("index", "docs", "--index", "a/b.sqlite", *MODEL)

    assert (tmp_path / "a" / "b.sqlite").is_file()
    assert not (tmp_path / ".pincite").exists()
    assert run("search", "leave", "--index", "a/b.sqlite", "--mode", "lexical").code == 0


def test_patterns_choose_files(run: Run, docs: Path) -> None:
    """--include and --exclude take patterns with commas between them."""
    assert run("index", "docs", "--include", "*.md", "--json", *MODEL).json["added"] == 2
    assert run("index", "docs", "--exclude", "*.pdf,rules*", "--index", "b.sqlite", "--json", *MODEL).json["added"] == 1


def test_search_prints_passages_with_citations(index: Callable[..., Ran]) -> None:
    """For people: number, document, section, and the words."""
    ran = index("search", "how many days of leave?")

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("1. handbook.md, Handbook › Leave\n   Everyone has thirty days of leave.\n")


def test_search_json_is_the_published_form(index: Callable[..., Ran], valid: Callable[[Any], None]) -> None:
    """--json gives chunk, citation, ranks and scores of each passage, best first."""
    found = index("search", "--json", "when", "does", "the", "canteen", "open").json
    valid(found)
    best = found["passages"][0]

    assert found["question"] == "when does the canteen open"
    assert best["citation"]["target"] == "page.pdf#page=1"
    assert best["chunk"]["page_start"] == 1
    assert "noon" in best["citation"]["quote"]


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "vector"])
def test_every_mode_finds_the_words(mode: str, index: Callable[..., Ran]) -> None:
    """--mode chooses the lists; each of them finds a passage by its own words."""
    found = index("search", "--mode", mode, "--json", "--limit", "1", "smoking forbidden building").json

    assert [each["chunk"]["document"]["uri"] for each in found["passages"]] == ["rules.md"]


@pytest.mark.parametrize(
    ("flags", "uris"),
    [
        (["--document", "rules.md"], {"rules.md"}),
        (["--document", "rules.md", "--document", "page.*"], {"rules.md", "page.pdf"}),
        (["--heading", "pay"], {"handbook.md"}),
        (["--pages", "1"], {"page.pdf"}),
        (["--folder", "elsewhere"], set()),
    ],
)
def test_filters_hold(flags: list[str], uris: set[str], index: Callable[..., Ran]) -> None:
    """A filter lets through what meets it and nothing else."""
    found = index("search", "--json", "the leave pay canteen smoking", *flags).json

    assert {each["chunk"]["document"]["uri"] for each in found["passages"]} == uris


def test_explain_shows_ranks(index: Callable[..., Ran]) -> None:
    """--explain says which list had the passage, at which rank."""
    assert "lexical rank 1" in index("search", "--explain", "leave").out


def test_long_passages_are_cut_for_people_only(index: Callable[..., Ran], docs: Path) -> None:
    """A long passage shows its first lines and says how many follow; --full and --json give all of it."""
    (docs / "long.md").write_text("# Long\n\n" + "".join(f"- point {number} on zebras\n" for number in range(30)))
    index("index", "docs")
    short, full = index("search", "zebras", "--limit", "1"), index("search", "zebras", "--limit", "1", "--full")

    assert short.out.splitlines()[-1] == "   … (23 more lines; --full shows them)"
    assert full.out.splitlines()[-1] == "   - point 29 on zebras"
    assert "point 29" in index("search", "zebras", "--limit", "1", "--json").out


def test_finding_nothing_is_no_error(index: Callable[..., Ran]) -> None:
    """No passage: nothing on standard output, a word beside it, exit code 0."""
    ran = index("search", "--mode", "lexical", "zebra")

    assert (ran.code, ran.out, ran.err) == (0, "", "Nothing found.\n")


@pytest.mark.parametrize("question", ["", "  ", "?!"])
def test_an_empty_question_is_wrong_use(question: str, index: Callable[..., Ran]) -> None:
    """A question without a letter or digit is refused."""
    ran = index("search", "--", question)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("pincite: error: the question ")


@pytest.mark.parametrize("flags", [["--kind", "poem"], ["--pages", "x"], ["--limit", "0"], ["--mode", "magic"]])
def test_an_impossible_filter_is_wrong_use(flags: list[str], index: Callable[..., Ran]) -> None:
    """Filters are checked like options."""
    ran = index("search", "leave", *flags)

    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize("verb", [("search", "x"), ("show", "x"), ("status",)])
def test_without_an_index_the_command_says_how_to_make_one(verb: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    """Asking a missing index fails with advice, and makes no empty one."""
    ran = run(*verb)

    assert (ran.code, ran.out) == (1, "")
    assert "pincite index" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_another_model_is_refused(index: Callable[..., Ran]) -> None:
    """Vectors of two models are never mixed: the message names what to do."""
    ran = index("search", "leave", "--model", "hash-32", "--mode", "vector")

    assert (ran.code, ran.out) == (1, "")
    assert "hash-64" in ran.err


def test_show_prints_a_document(index: Callable[..., Ran], valid: Callable[[Any], None]) -> None:
    """The uri of a document shows all its chunks in order."""
    shown = index("show", "handbook.md", "--json").lines
    for chunk in shown:
        valid(chunk)

    assert [chunk["heading_path"][-1] for chunk in shown] == ["Leave", "Pay"]
    assert "Everyone has thirty days of leave." in index("show", "handbook.md").out


def test_show_prints_a_chunk_and_its_neighbours(index: Callable[..., Ran]) -> None:
    """The id of a chunk, or its beginning, shows it between its neighbours, marked."""
    first, second = index("show", "handbook.md", "--json").lines
    around = index("show", first["id"], "--json").lines
    alone = index("show", first["id"][:12], "--around", "0", "--json").lines

    assert [chunk["id"] for chunk in around] == [first["id"], second["id"]]
    assert [chunk["id"] for chunk in alone] == [first["id"]]
    assert f"\n> {second['id']}" in index("show", second["id"]).out


def test_show_of_nothing_is_told(index: Callable[..., Ran]) -> None:
    """An id that is not there is an error with advice; an impossible number is wrong use."""
    ran = index("show", "no-such-thing")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("pincite: error: no-such-thing: ")
    assert index("show", "handbook.md", "--around", "-1").code == 2


def test_status_tells_what_is_there(index: Callable[..., Ran], docs: Path, valid: Callable[[Any], None]) -> None:
    """Documents, chunks, model, what failed."""
    (docs / "broken.pdf").write_text("this is no PDF")
    assert index("index", "docs").code == 3
    ran = index("status", "--json")
    valid(ran.json)

    assert ran.code == 0
    assert (ran.json["documents"], ran.json["chunks"], ran.json["stale"]) == (3, 4, [])
    assert ran.json["model"]["name"] == "hash-64"
    assert [each["uri"] for each in ran.json["failed"]] == ["broken.pdf"]
    assert "failed: broken.pdf: the name promises a PDF" in index("status").out


def test_status_knows_what_is_stale(index: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """Options that changed since make documents stale, until they are indexed again."""
    monkeypatch.setenv("PINCITE_CHUNK__MAX_TOKENS", "100")
    stale = index("status", "--json").json["stale"]
    index("index", "docs")

    assert stale == ["handbook.md", "page.pdf", "rules.md"]
    assert index("status", "--json").json["stale"] == []


def test_status_needs_no_model(
    index: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, valid: Callable[[Any], None]
) -> None:
    """Where the model's package is gone, status still tells what is there, and that it cannot judge the rest."""
    from pincite.counting import models

    def gone(name: str) -> None:
        raise DependencyError(f"the model {name}", "install it")

    monkeypatch.setattr(models, "model_counter", gone)
    ran = index("status", "--json")
    valid(ran.json)

    assert (ran.code, ran.json["documents"], ran.json["stale"]) == (0, 3, None)
    assert "unknown" in index("status").out


def test_doctor_looks_through_the_index(index: Callable[..., Ran], tmp_path: Path) -> None:
    """A whole index is well; one whose vectors are lost is told."""
    (whole,) = (each for each in index("doctor", "--json").json["checks"] if each["name"] == "index")
    for file in (tmp_path / ".pincite").glob("*.f32"):
        file.write_bytes(b"")
    (hurt,) = (each for each in index("doctor", "--json").json["checks"] if each["name"] == "index")

    assert whole["ok"]
    assert "3 documents" in whole["detail"]
    assert not hurt["ok"]


INTERRUPTED = """
import os, signal, sys
from pincite import syncing
from pincite.cli import main

taken, take = 0, syncing.Sync.take

def pressing(self, work, outcome):
    global taken
    taken += 1
    if taken == 20:
        os.kill(os.getpid(), signal.SIGINT)
    take(self, work, outcome)

syncing.Sync.take = pressing
# A shell that starts its tests in the background has told them to ignore the key.
signal.signal(signal.SIGINT, signal.default_int_handler)
raise SystemExit(main(sys.argv[1:]))
"""
"""Runs a command in which somebody presses Ctrl-C at the twentieth document."""


def test_interrupting_is_quiet_and_leaves_the_index_whole(tmp_path: Path) -> None:
    """Ctrl-C ends with 130 and without a traceback; the next run finishes the work."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(40):
        (docs / f"{number}.md").write_text(f"# Text {number}\n\n" + f"Sentence {number} of many. " * 40)
    arguments = ["index", "docs", *MODEL, "--workers", "1"]
    command = [sys.executable, "-m", "pincite", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    interrupted = [sys.executable, "-c", INTERRUPTED, *arguments]
    first = subprocess.run(interrupted, cwd=tmp_path, env=environment, capture_output=True, timeout=60, check=False)

    assert (first.returncode, first.stdout, first.stderr) == (130, b"", b"")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0


def test_a_filter_that_nothing_meets_is_told(index: Callable[..., Ran]) -> None:
    """A slip in a name is not taken for a question without an answer."""
    ran = index("search", "--mode", "lexical", "leave", "--document", "handbok.md", "--document", "rules.md")

    assert ran.code == 0
    assert ran.err.startswith("pincite: warning: nothing in the index meets --document handbok.md;")


def test_pages_may_be_listed_with_commas(index: Callable[..., Ran]) -> None:
    """As for `parse`, and in any number."""
    assert index("search", "--json", "canteen", "--pages", "7-9,1").json["passages"]
    assert index("search", "canteen", "--pages", "1-99999999999999999999").code == 2


def test_an_empty_path_is_not_this_folder(run: Run, docs: Path) -> None:
    """A variable of the shell that is not set indexes nothing."""
    ran = run("index", "", *MODEL)

    assert (ran.code, ran.out) == (2, "")


def test_wrong_use_points_at_a_command_that_exists(run: Run) -> None:
    assert run("search").err.endswith("See: pincite search --help\n")


def test_any_number_of_neighbours_may_be_asked_for(index: Callable[..., Ran]) -> None:
    chunk = index("search", "--json", "leave").json["passages"][0]["chunk"]["id"]

    assert index("show", chunk, "--around", "9" * 5000).code == 0
