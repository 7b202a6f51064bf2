"""`pincite chunk` prints chunks that can be cited, one JSON object a line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import EmbeddingError
from pincite.options import PRESETS

from .conftest import ROOT, Run

SAMPLES = ROOT / "samples"
TEXT = (
    "# Guide\n\nIntro text that says a thing or two about the guide.\n\n## Leave\n\n"
    + "Everyone has thirty days of leave. " * 12
    + "\n\n| grade | pay |\n| --- | --- |\n"
    + "".join(f"| {number} | {number * 100} |\n" for number in range(12))
    + "\n```python\nprint('hello')\n```\n"
)


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    path = tmp_path / "guide.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_each_line_is_a_chunk(run: Run, guide: Path, valid: Callable[[Any], None]) -> None:
    """JSON lines in the published form, in order, within the budget, true to the source."""
    ran = run("chunk", guide, "--counter", "chars", "--max-tokens", "200")

    assert (ran.code, ran.err) == (0, "")
    assert [chunk["index"] for chunk in ran.lines] == list(range(len(ran.lines)))
    for chunk in ran.lines:
        valid(chunk)
        assert chunk["tokens"] == len(chunk["embedding_text"]) <= 200
        for piece in chunk["pieces"]:
            if piece["role"] == "own":
                start, end = piece["source"]
                assert chunk["text"][piece["start"] : piece["end"]].split() == TEXT[start:end].split()


def test_output_is_as_expected(run: Run, guide: Path, expect: Callable[[str, str], None]) -> None:
    """The whole output for a small file, ids and all, is the same on every machine."""
    expect("chunk-guide.jsonl.txt", run("chunk", guide, "--counter", "chars", "--max-tokens", "300").out)


def test_a_pdf_has_pages_and_places(run: Run, valid: Callable[[Any], None]) -> None:
    """Chunks of a real PDF name physical pages from 1 and where their lines stand."""
    ran = run("chunk", SAMPLES / "handbook.pdf", "--pages", "10-12", "--counter", "chars", "--max-tokens", "900")

    assert ran.code == 0
    assert ran.lines
    for chunk in ran.lines:
        valid(chunk)
        assert 10 <= chunk["page_start"] <= chunk["page_end"] <= 12
        assert {region["page"] for region in chunk["regions"]} <= {10, 11, 12}


def test_no_content_leaves_two_texts_out_and_changes_nothing_else(run: Run, guide: Path) -> None:
    """--no-content is the same output without text and embedding_text."""
    whole = run("chunk", guide, "--counter", "chars").lines
    bare = run("chunk", guide, "--counter", "chars", "--no-content").lines
    for chunk in whole:
        del chunk["text"], chunk["embedding_text"]

    assert bare == whole


def test_json_changes_nothing(run: Run, guide: Path) -> None:
    """--json is taken like everywhere, and the output is JSON lines anyway."""
    assert run("chunk", guide, "--counter", "chars", "--json") == run("chunk", guide, "--counter", "chars")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_named(preset: str, run: Run, guide: Path, valid: Callable[[Any], None]) -> None:
    """--preset takes each published name."""
    ran = run("chunk", guide, "--preset", preset)
    assert ran.code == 0

    for chunk in ran.lines:
        valid(chunk)


@pytest.mark.parametrize(
    ("flags", "effect"),
    [
        (["--overlap-tokens", "60"], lambda chunks: any(p["role"] == "overlap" for c in chunks for p in c["pieces"])),
        (["--no-heading-prefix"], lambda chunks: all(c["embedding_text"] == c["text"] for c in chunks)),
        (["--table-format", "row_record"], lambda chunks: any("grade=3" in c["text"] for c in chunks)),
        (["--table-schema"], lambda chunks: any(c["kind"] == "table_schema" for c in chunks)),
        (["--isolate", "code"], lambda chunks: any(c["text"].startswith("```python") for c in chunks)),
    ],
)
def test_options_reach_the_chunker(flags: list[str], effect: Callable[[Any], bool], run: Run, guide: Path) -> None:
    """A flag changes what is printed, and without it the effect is not there."""
    budget = ("--counter", "chars", "--max-tokens", "300")

    assert effect(run("chunk", guide, *budget, *flags).lines)
    assert not effect(run("chunk", guide, *budget).lines)


@pytest.mark.parametrize(
    ("counter", "sentence"),
    [
        (
            "letters",
            "chunk.counter is 'letters'; it must be one of model, chars, bytes/3, words*1.33, hf:FILE or tiktoken:FILE",
        ),
        ("hf:none.json", "none.json"),
    ],
)
def test_a_counter_that_does_not_exist_is_wrong_use(counter: str, sentence: str, run: Run, guide: Path) -> None:
    """The message says which counters there are, or which file is missing."""
    ran = run("chunk", guide, "--counter", counter)

    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err


def test_a_budget_above_what_the_model_accepts_is_refused(run: Run, guide: Path) -> None:
    """With the model's own counter the model's limit is the bound."""
    ran = run("chunk", guide, "--max-tokens", "9999")

    assert (ran.code, ran.out) == (2, "")
    assert "chunk.max_tokens is 9999; it must be at most 512" in ran.err


def test_a_document_that_the_model_refuses_costs_itself_only(
    run: Run, guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails while one document is cut is named, and the next one is cut all the same."""
    from pincite import pipeline

    real = pipeline.chunk_document

    def failing(document: Any, options: Any) -> Any:
        if document.source.uri == "bad.md":
            raise EmbeddingError("bad.md: the model failed")
        return real(document, options)

    (tmp_path / "bad.md").write_text("# Bad\n")
    monkeypatch.setattr(pipeline, "chunk_document", failing)
    ran = run("chunk", "bad.md", guide.name, "--counter", "chars")

    assert (ran.code, {chunk["document"]["uri"] for chunk in ran.lines}) == (3, {"guide.md"})
    assert "bad.md: the model failed" in ran.err
