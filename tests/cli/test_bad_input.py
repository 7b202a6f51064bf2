"""Bad input ends in a sentence that names the file and says what is wrong, and in an exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run
from .files import bomb, pdf

CHARS = ("--counter", "chars")


@pytest.mark.parametrize("verb", ["parse", "chunk"])
@pytest.mark.parametrize("content", ["", " \n\t\r\n\f  "])
def test_a_file_without_text_is_done_with_a_warning(verb: str, content: str, run: Run, tmp_path: Path) -> None:
    """An empty document is an outcome of its own: no error, no chunk, and a word about it."""
    (tmp_path / "blank.md").write_text(content, newline="")
    ran = run(verb, "blank.md", *CHARS * (verb == "chunk"))

    assert (ran.code, ran.out.strip()) == (0, "")
    assert ran.err == "pincite: warning: blank.md: it holds no text\n"


def test_headings_alone_stay_findable(run: Run, tmp_path: Path) -> None:
    """A document of headings only gives chunks, since someone may ask for a title."""
    (tmp_path / "plan.md").write_text("# Plan\n\n## Leave\n\n## Pay\n")
    ran = run("chunk", "plan.md", *CHARS)

    assert ran.code == 0
    assert {title for chunk in ran.lines for title in chunk["heading_path"]} == {"Plan", "Leave", "Pay"}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("report.md", pdf("Hello"), "the name promises markdown, the content is a PDF"),
        ("report.pdf", b"# Just text\n", "the name promises a PDF, the content is text"),
        ("report.docx", pdf("Hello"), "the name promises a DOCX, the content is a PDF"),
        ("program.md", b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 20, "the content is a program"),
        ("noise.md", bytes(range(256)) * 20, "the content is binary data"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "it is a PNG picture"),
    ],
)
def test_what_is_not_what_its_name_says_is_refused(
    name: str, content: bytes, reason: str, run: Run, tmp_path: Path
) -> None:
    """A wrong ending is told with both what was promised and what came."""
    (tmp_path / name).write_bytes(content)
    ran = run("parse", name)

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"pincite: error: {name}: ")
    assert reason in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_a_pdf_that_is_cut_short_never_ends_in_silence(share: float, run: Run, tmp_path: Path) -> None:
    """A truncated PDF is refused, or read with a warning; never a traceback, never nothing said."""
    whole = pdf("The office opens at nine.", "It closes at five.")
    (tmp_path / "cut.pdf").write_bytes(whole[: int(len(whole) * share)])
    ran = run("parse", "cut.pdf")

    assert ran.code in (0, 1)
    assert ran.err.startswith(("pincite: error: cut.pdf: ", "pincite: warning: cut.pdf"))
    assert "bug" not in ran.err


def test_a_locked_pdf_asks_for_its_password(run: Run, tmp_path: Path) -> None:
    """Without the password, and with a wrong one, the file is refused; with it, it is read."""
    (tmp_path / "locked.pdf").write_bytes(pdf("The secret is forty-two.", password="sesame"))
    without, wrong, right = (
        run("parse", "locked.pdf", *given) for given in ([], ["--password", "open"], ["--password", "sesame"])
    )

    for refused in (without, wrong):
        assert (refused.code, refused.out) == (1, "")
        assert refused.err.startswith("pincite: error: locked.pdf: ")
        assert "password" in refused.err
    assert (right.code, right.err) == (0, "")
    assert "The secret is forty-two." in right.out


def test_an_archive_that_explodes_is_refused_at_once(run: Run, tmp_path: Path) -> None:
    """A small file that inflates to 60 MB costs a sentence and is never unpacked."""
    (tmp_path / "bomb.docx").write_bytes(bomb())
    ran = run("parse", "bomb.docx")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("pincite: error: bomb.docx: ")


@pytest.mark.parametrize("verb", ["parse", "chunk", "index"])
def test_a_path_that_does_not_exist_is_named(verb: str, run: Run) -> None:
    """There is nothing there, and the message says where."""
    ran = run(verb, "nowhere/none.md", *CHARS * (verb == "chunk"), *["--model", "hash-64"] * (verb == "index"))

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("pincite: error: nowhere/none.md: ")
    assert "check the path" in ran.err


@pytest.mark.parametrize("verb", ["parse", "chunk"])
def test_a_folder_is_no_document(verb: str, run: Run, tmp_path: Path) -> None:
    """A folder is for `index`, and the message says so."""
    (tmp_path / "docs").mkdir()
    ran = run(verb, "docs", *CHARS * (verb == "chunk"))

    assert (ran.code, ran.out) == (1, "")
    assert "it is a folder" in ran.err


def test_a_folder_without_a_readable_file_is_told(run: Run, tmp_path: Path) -> None:
    """Indexing it fails with what is there and what could be read, and makes no documents up."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    ran = run("index", "docs", "--model", "hash-64")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("pincite: error: docs: ")
    assert ".pdf" in ran.err


@pytest.mark.parametrize("verb", ["chunk", "index"])
@pytest.mark.parametrize("budget", ["0", "-1"])
def test_an_impossible_budget_is_refused_before_anything_is_read(
    verb: str, budget: str, run: Run, tmp_path: Path
) -> None:
    """The message names the option, its range and the flag; no file is looked for and none is made."""
    ran = run(verb, "none.md", "--max-tokens", budget)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"pincite: error: chunk.max_tokens is {budget}; it must be a whole number from 1 to 10000000 (given by --max-tokens)\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", ["parse", "chunk", "index", "search", "show", "status", "doctor", "config"])
def test_an_unknown_option_is_refused(verb: str, run: Run, tmp_path: Path) -> None:
    """Every command knows what it does not know, before it does anything."""
    ran = run(verb, "x", "--no-such-option", "5")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("pincite: error: there is no option --no-such-option")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("pages", ["0", "x", "3-1", "1,,2"])
def test_impossible_pages_are_refused(pages: str, run: Run, tmp_path: Path) -> None:
    """Pages that cannot be are wrong use, not a document that failed."""
    (tmp_path / "a.pdf").write_bytes(pdf("Hello"))
    ran = run("parse", "a.pdf", "--pages", pages)

    assert (ran.code, ran.out) == (2, "")
    assert "parse.pages" in ran.err


def test_an_unknown_encoding_is_refused(run: Run, tmp_path: Path) -> None:
    """An encoding that nobody knows is wrong use."""
    (tmp_path / "a.md").write_text("hello")
    ran = run("parse", "a.md", "--encoding", "utf-99")

    assert (ran.code, ran.out) == (2, "")
    assert "parse.encoding" in ran.err


def test_one_bad_document_does_not_stop_the_others(run: Run, tmp_path: Path) -> None:
    """Exit code 3: the good ones are printed, the bad ones are named."""
    (tmp_path / "good.md").write_text("# Good\n\nText.\n")
    (tmp_path / "bad.pdf").write_text("no PDF")
    ran = run("parse", "bad.pdf", "good.md", "none.md")

    assert (ran.code, ran.out) == (3, "# Good\n\nText.\n")
    assert ran.err.splitlines()[-1] == "pincite: 2 of 3 documents failed: bad.pdf, none.md"


def test_when_all_documents_fail_the_command_failed(run: Run) -> None:
    """Exit code 1, not 3: nothing was done."""
    assert run("parse", "none.md", "neither.md").code == 1
