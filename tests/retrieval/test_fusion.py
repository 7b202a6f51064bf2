"""Fusion: the laws of the blend, and the published values of reciprocal ranks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieval.fusion import NEARNESS, blend, ranks_of, reciprocal

scores = st.dictionaries(st.integers(0, 30), st.floats(0, 1), max_size=20)


@pytest.mark.parametrize(
    ("ranks", "score"),
    [
        ({"lexical": 1, "vector": 1}, 1.0),
        ({"lexical": 1}, 0.5),
        ({"lexical": 1, "vector": 2}, 0.9919),
        ({"lexical": 10, "vector": 10}, 0.8714),
        ({"vector": 2}, 0.4919),
    ],
)
def test_reciprocal_ranks_are_normalised(ranks: dict[str, int], score: float) -> None:
    """First in both lists is 1; the other values follow from the constant 60."""
    assert round(reciprocal(ranks, 2), 4) == score


@given(scores, scores, st.floats(0.01, 10))
def test_every_entry_of_every_list_is_scored_between_0_and_1(
    lexical: dict[int, float], vector: dict[int, float], whole: float
) -> None:
    """Nothing is lost and nothing is added."""
    found = blend(lexical, vector, whole)
    assert found.keys() == lexical.keys() | vector.keys()
    assert all(0 <= score <= 1 for score in found.values())


@given(scores, scores, st.floats(0.01, 10), st.data())
def test_better_words_never_lower_a_score(
    lexical: dict[int, float], vector: dict[int, float], whole: float, data: st.DataObject
) -> None:
    if lexical:
        key = data.draw(st.sampled_from(sorted(lexical)))
        better = blend({**lexical, key: lexical[key] + 1}, vector, whole)
        assert better[key] >= blend(lexical, vector, whole)[key]


def test_a_chunk_that_leads_by_a_small_word_gains_little() -> None:
    """It holds a tenth of what the question weighs; the nearest chunk comes first."""
    found = blend({1: 1.0}, {2: 0.9, 1: 0.8}, whole=10.0)
    assert found[2] > found[1]


def test_one_list_counts_alone_where_the_other_is_missing() -> None:
    """As in an index that no model has filled yet."""
    assert blend({1: 2.0, 2: 1.0}, {}, whole=4.0) == {1: 0.5, 2: 0.25}
    assert blend({}, {1: 0.9, 2: 0.8}, whole=4.0) == {1: 1.0, 2: 0.0}


def test_equal_cosines_are_all_nearest() -> None:
    assert set(blend({1: 0.0}, {1: 0.5, 2: 0.5}, whole=1.0).values()) == {NEARNESS}


def test_ranks_count_from_one_in_each_list() -> None:
    assert ranks_of({"lexical": [7, 8], "vector": [8]}) == {7: {"lexical": 1}, 8: {"lexical": 2, "vector": 1}}
