"""Breaks where neighbouring blocks differ in meaning: exact with fixed vectors, and right with a real model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pincite.chunking import chunk_document
from pincite.chunking.semantic import boundaries
from pincite.counting import counter_for
from pincite.options import chunk_options

from .building import paragraphs

VECTORS = {"A": [1.0, 0.0], "B": [1.0, 0.0], "C": [0.0, 1.0], "Z": [0.0, 0.0]}


def fixed(texts: Sequence[str]) -> list[list[float]]:
    return [VECTORS[text] for text in texts]


def never(texts: Sequence[str]) -> Any:
    raise AssertionError("the model was asked")


@pytest.mark.parametrize(
    ("texts", "threshold", "expected"),
    [
        ("AB", 0.3, []),
        ("ABC", 0.3, [2]),
        ("AB", 1.0, []),
        ("AC", 0.0, []),
        ("AZB", 0.3, [1, 2]),
        ("ACA", 0.3, [1, 2]),
        ("ZZ", 0.0, []),
        ("ZZ", 0.1, [1]),
    ],
)
def test_a_boundary_stands_where_the_cosine_is_strictly_below(
    texts: str, threshold: float, expected: list[int]
) -> None:
    """Equality makes none, and a zero vector has cosine 0 with everything."""
    assert boundaries(list(texts), fixed, threshold) == expected


@pytest.mark.parametrize("texts", [[], ["A"]])
def test_fewer_than_two_texts_load_no_model(texts: list[str]) -> None:
    """There is nothing to compare."""
    assert boundaries(texts, never, 0.3) == []


def test_a_model_is_not_asked_where_the_option_is_off() -> None:
    """Chunking without semantic boundaries never encodes."""
    document = paragraphs(("A", 1), ("B", 1), ("C", 1))

    (only,) = chunk_document(document, chunk_options(counter="chars"), counter_for("chars"), never).chunks

    assert only.text == "A\n\nB\n\nC"


def test_blank_blocks_are_not_encoded() -> None:
    """Blocks A, blank, B, C: the model sees A, B and C; the chunks are `A B` and `C`."""
    from dataclasses import replace

    from pincite.document import Block, Span

    document = paragraphs(("A", 1), ("B", 1), ("C", 1))
    blank = Block("paragraph", Span(1, 3))
    document = replace(document, blocks=(document.blocks[0], blank, *document.blocks[1:]))
    seen: list[list[str]] = []

    def encode(texts: Sequence[str]) -> list[list[float]]:
        seen.append(list(texts))
        return fixed(texts)

    options = chunk_options(counter="chars", semantic=True, semantic_threshold=0.3, min_tokens=0)
    found = chunk_document(document, options, counter_for("chars"), encode).chunks

    assert seen == [["A", "B", "C"]]
    assert [chunk.text for chunk in found] == ["A\n\nB", "C"]


SUBJECTS = {
    "the same again": (["The harbour opens at six in the morning."] * 3, []),
    "a telescope, then bread": (
        [
            "The telescope on the mountain measures the light of distant galaxies.",
            "Astronomers use its mirror to photograph stars and planets at night.",
            "Knead the dough for ten minutes and let the bread rise in a warm bowl.",
        ],
        [2],
    ),
    "noodles, then a firewall": (
        [
            "Boil the spaghetti in salted water and stir the tomato sauce.",
            "Serve the pasta with the sauce, basil and grated cheese.",
            "The firewall blocks incoming network packets on closed ports.",
        ],
        [2],
    ),
    "a garden, then a bank": (
        [
            "Water the tomato plants in the garden every morning.",
            "Ripe tomatoes are picked from the plants in late summer.",
            "Compound interest is added to the balance of a savings account each year.",
        ],
        [2],
    ),
}


@pytest.fixture(scope="module")
def encode() -> Callable[[Sequence[str]], Any]:
    """all-MiniLM-L6-v2, carried by a package of the extra `semantic`."""
    from pincite.embedding import load_embedder
    from pincite.options import EmbedOptions

    model = load_embedder(EmbedOptions(model="all-MiniLM-L6-v2"))
    return lambda texts: model.embed_passages(list(texts))


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_real_model_parts_what_people_would_part(subject: str, encode: Callable[[Sequence[str]], Any]) -> None:
    """Three texts each: none parted where they are one text, and a boundary where the subject changes."""
    texts, expected = SUBJECTS[subject]

    vectors = encode(texts)

    assert vectors.shape == (3, 384)
    assert all(math.isfinite(number) for row in vectors.tolist() for number in row)
    assert all(any(row) for row in vectors.tolist())
    assert boundaries(texts, encode, 0.3) == expected


def test_chunks_follow_the_boundaries_of_a_real_model(encode: Callable[[Sequence[str]], Any]) -> None:
    """Two paragraphs on stars share a chunk, the one on bread has its own."""
    texts, _ = SUBJECTS["a telescope, then bread"]
    options = chunk_options(counter="chars", max_tokens=1000, min_tokens=0, semantic=True)

    found = chunk_document(paragraphs(*((text, 1) for text in texts)), options, counter_for("chars"), encode).chunks

    assert [chunk.text for chunk in found] == ["\n\n".join(texts[:2]), texts[2]]
