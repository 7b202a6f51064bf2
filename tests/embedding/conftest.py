"""Embedding models that the test environment carries, loaded once."""

from __future__ import annotations

import pytest

from pincite.embedding import Embedder, load_embedder
from pincite.options import EmbedOptions


@pytest.fixture(scope="session")
def e5() -> Embedder:
    return load_embedder(EmbedOptions())


@pytest.fixture(scope="session")
def minilm() -> Embedder:
    return load_embedder(EmbedOptions(model="all-MiniLM-L6-v2"))
