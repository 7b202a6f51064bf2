"""`pincite parse` prints what was read, and says beside it what was doubted."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.document_json import document_from_json

from .conftest import ROOT, Run
from .files import pdf

SAMPLES = ROOT / "samples"


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Puts bytes on standard input."""
    return lambda data: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("text", ["# Title\n\nText.\n", "a\r\nb\r\n", "\ufeff# BOM\n", "Tiếng Việt, 한국어\n"])
def test_text_is_printed_as_it_stands(text: str, run: Run, tmp_path: Path) -> None:
    """Markdown comes out as it went in: line ends, byte order mark and all."""
    (tmp_path / "a.md").write_bytes(text.encode())
    ran = run("parse", "a.md")

    assert (ran.code, ran.out, ran.err) == (0, text, "")


def test_a_pdf_is_printed_as_markdown(run: Run) -> None:
    """Headings of a real PDF are Markdown headings."""
    ran = run("parse", SAMPLES / "handbook.pdf", "--pages", "1-12")

    assert ran.code == 0
    assert any(line.startswith("#") and "Benefits" in line for line in ran.out.splitlines())


def test_pages_choose_physical_pages(run: Run) -> None:
    """--pages reads those pages only, and they keep their numbers."""
    pages = run("parse", SAMPLES / "handbook.pdf", "--pages", "2,4", "--json").json["pages"]

    assert [page["number"] for page in pages] == [2, 4]


def test_json_is_the_document(run: Run, valid: Callable[[Any], None]) -> None:
    """--json prints the whole Document in the published form, and nothing is lost by it."""
    for name in ("manual.md", "policy.docx", "notice.html", "handbook-vi.pdf"):
        ran = run("parse", SAMPLES / name, "--json")
        valid(ran.json)

        assert ran.code == 0
        assert document_from_json(ran.json) == pincite.parse(SAMPLES / name)


def test_many_documents_are_json_lines(run: Run, tmp_path: Path) -> None:
    """One document a line."""
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n")

    assert [each["source"]["uri"] for each in run("parse", "--json", "a.md", "b.md").lines] == ["a.md", "b.md"]


def test_uris_are_relative_to_the_common_folder(run: Run, tmp_path: Path) -> None:
    """One file is named by its name; two of one name are told apart by their folders, so ids differ."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.md").write_text("# X\n")

    assert run("parse", "--json", "a/x.md").json["source"]["uri"] == "x.md"
    assert [each["source"]["uri"] for each in run("parse", "--json", "a/x.md", "b/x.md").lines] == ["a/x.md", "b/x.md"]


def test_standard_input_is_read(run: Run, given: Callable[[bytes], None]) -> None:
    """`-` is standard input, and --name names it and tells its format."""
    given(pdf("From a pipe."))
    ran = run("parse", "-", "--name", "piped.pdf", "--json")

    assert ran.json["source"]["uri"] == "piped.pdf"
    assert "From a pipe." in ran.json["text"]


def test_standard_input_without_a_name_is_judged_by_its_bytes(run: Run, given: Callable[[bytes], None]) -> None:
    """A PDF needs no name to be one."""
    given(pdf("From a pipe."))

    assert run("parse", "-", "--json").json["source"]["media_type"] == "application/pdf"


def test_standard_input_comes_once(run: Run) -> None:
    """Two dashes, and a name without a dash, are wrong use."""
    assert run("parse", "-", "-").code == 2
    assert run("parse", "a.md", "--name", "b.md").code == 2


def test_doubts_go_to_standard_error(run: Run, tmp_path: Path) -> None:
    """What was doubted is a warning with the file and a stable code; --quiet leaves it out."""
    (tmp_path / "a.md").write_bytes(b"caf\xe9 \x81\xff\n" * 3)
    loud, quiet = run("parse", "a.md"), run("parse", "a.md", "--quiet")

    assert loud.code == quiet.code == 0
    assert loud.err.startswith("pincite: warning: a.md")
    assert loud.err.rstrip().endswith("[bad_encoding]")
    assert (quiet.out, quiet.err) == (loud.out, "")


def test_furniture_is_kept_on_request(run: Run) -> None:
    """--furniture brings running heads back into the text."""
    plain = run("parse", SAMPLES / "handbook.pdf", "--pages", "8-14").out
    kept = run("parse", SAMPLES / "handbook.pdf", "--pages", "8-14", "--furniture").out

    assert len(kept) > len(plain)


def test_the_encoding_is_taken_as_given(run: Run, tmp_path: Path) -> None:
    """--encoding reads a text in an old code page."""
    (tmp_path / "a.txt").write_bytes("안녕하세요".encode("cp949"))

    assert run("parse", "a.txt", "--encoding", "cp949").out == "안녕하세요\n"


def test_the_largest_size_is_an_option(run: Run, tmp_path: Path) -> None:
    """--max-bytes refuses what is larger, with both figures."""
    (tmp_path / "a.md").write_text("x" * 2000)
    ran = run("parse", "a.md", "--max-bytes", "1000")

    assert (ran.code, ran.out) == (1, "")
    assert "2,000" in ran.err
    assert "1,000" in ran.err


def test_output_is_json_whatever_the_name_is_made_of(run: Run, tmp_path: Path) -> None:
    """A file name that is no text in any encoding still gives valid JSON."""
    name = b"odd-\xff.md".decode("utf-8", "surrogateescape")
    try:
        (tmp_path / name).write_text("# Odd\n")
    except OSError:
        pytest.skip("platform: this file system takes only names that are text")
    ran = run("parse", name, "--json")

    assert ran.code == 0
    assert json.loads(ran.out)["metadata"]["title"] == "Odd"
