"""The public names, and reading and chunking one source."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.options import ParseOptions


def test_the_public_names_are_what_the_package_shows() -> None:
    """One sorted list, and each name in it is there."""
    assert sorted(pincite.__all__) == pincite.__all__
    for name in pincite.__all__:
        assert getattr(pincite, name) is not None
        assert name in dir(pincite)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_that_name"):
        pincite.nothing_of_that_name  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    """Models, PDF engines and matrices are imported when they are used."""
    heavy = "numpy onnxruntime lxml pypdfium2 tokenizers rich sqlite3 pincite.pipeline"
    script = f"import sys, pincite; print([name for name in '{heavy}'.split() if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


def test_chunk_is_a_function_whatever_is_imported_first() -> None:
    """A module of the same name is in the package; the function has the name."""
    script = (
        "import pincite.chunking, pincite.pipeline, pincite; print(pincite.chunk.__name__, callable(pincite.chunk))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "chunk True\n"


def test_a_file_is_parsed_under_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text("# Guide\n\nWords.\n")
    assert pincite.parse(tmp_path / "guide.md").source.uri == "guide.md"
    assert pincite.parse(str(tmp_path / "guide.md"), uri="docs/guide.md").source.uri == "docs/guide.md"


def test_bytes_are_parsed_by_what_they_are(tmp_path: Path) -> None:
    """A uri or a media type tells the format where the bytes do not."""
    assert pincite.parse(b"# Guide\n", uri="x.md").blocks[0].kind == "heading"
    assert pincite.parse(b"# Guide\n", media_type="text/markdown").blocks[0].kind == "heading"
    assert pincite.parse(b"# Guide\n").blocks[0].kind == "paragraph"


@pytest.mark.parametrize("name", ["gone.md", "", ".", "a\0b.md"])
def test_what_is_no_file_is_a_missing_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(pincite.MissingError):
        pincite.parse(f"{tmp_path}/{name}")


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("x" * 100)
    with pytest.raises(pincite.LimitError, match=r"parse\.max_bytes"):
        pincite.parse(tmp_path / "long.md", max_bytes=99)


@pytest.mark.parametrize("given", [{"pagez": "1"}, {"timeout": 0}, {"ocr": "maybe"}])
def test_unknown_and_impossible_options_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(pincite.OptionError, match="parse"):
        pincite.parse(b"words", **given)
    with pytest.raises(pincite.OptionError, match="chunk"):
        pincite.chunk(pincite.parse(b"words"), max_tokens=0)


def test_options_may_be_given_whole_or_by_name() -> None:
    """A name overrides the section that it belongs to."""
    options = pincite.ChunkOptions(counter="chars", max_tokens=40, min_tokens=0)
    document = pincite.parse(b"# A\n\n" + b"Some words here. " * 20, uri="x.md")
    whole = pincite.chunk(document, options)
    assert whole == pincite.chunk(document, counter="chars", max_tokens=40, min_tokens=0)
    assert len(pincite.chunk(document, options, max_tokens=80)) < len(whole)


def test_a_path_is_chunked_as_its_document(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nWords.\n")
    by_path = pincite.chunk(tmp_path / "a.md", counter="chars", max_tokens=40)
    assert by_path == pincite.chunk(pincite.parse(tmp_path / "a.md"), counter="chars", max_tokens=40)


def test_a_binary_document_is_read_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PDF that hangs its reader ends after `timeout`; text does not go through a worker."""
    asked: list[str] = []

    def watch(self: object, data: bytes, uri: str, options: ParseOptions, media_type: str | None = None) -> object:
        asked.append(uri)
        raise pincite.LimitError(uri, "slow")

    monkeypatch.setattr("pincite.supervision.Workers.parse", watch)
    with pytest.raises(pincite.LimitError):
        pincite.parse(b"%PDF-1.7\n", uri="x.pdf")
    pincite.parse(b"words", uri="x.md")
    assert asked == ["x.pdf"]
