"""What makes a result stale."""

from __future__ import annotations

import pytest

from pincite.options import ChunkOptions, ParseOptions
from pincite.storage.signature import chunk_signature, parse_signature


def signatures() -> tuple[str, str]:
    parsed = parse_signature(ParseOptions())
    return parsed, chunk_signature(parsed, ChunkOptions(), "counter", "model")


def test_another_version_of_reading_makes_everything_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read otherwise is also cut otherwise."""
    before = signatures()
    monkeypatch.setattr("pincite.parsing.VERSION", "next")
    assert not set(before) & set(signatures())


def test_another_version_of_chunking_makes_the_chunks_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signatures()
    monkeypatch.setattr("pincite.chunking.VERSION", "next")
    assert signatures()[0] == before[0]
    assert signatures()[1] != before[1]
