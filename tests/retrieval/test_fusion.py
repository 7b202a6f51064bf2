"""Reciprocal ranks: published values, and what any lists give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieval.fusion import fuse

lists = st.dictionaries(
    st.sampled_from(["lexical", "vector"]), st.lists(st.integers(0, 30), unique=True, max_size=20), min_size=1
)


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [(1, 1, 1.0), (1, None, 0.5), (1, 2, 0.9919), (10, 10, 0.8714), (2, None, 0.4919)],
)
def test_a_fused_score_is_normalised(first: int | None, second: int | None, score: float) -> None:
    """First in both lists is 1; the other values follow from the constant 60."""
    made = {
        "lexical": [0 if rank == first else 100 + rank for rank in range(1, 11)],
        "vector": [0 if rank == second else 200 + rank for rank in range(1, 11)],
    }
    assert round(fuse(made)[0][0], 4) == score


@given(lists)
def test_every_entry_of_every_list_is_scored_between_0_and_1(given_lists: dict[str, list[int]]) -> None:
    """Nothing is lost, and ranks are those of the lists."""
    scores, ranks = fuse(given_lists)
    assert set(scores) == {key for keys in given_lists.values() for key in keys}
    assert all(0 < score <= 1.000001 for score in scores.values())
    assert all(given_lists[name][rank - 1] == key for key, found in ranks.items() for name, rank in found.items())


@given(lists, st.integers(0, 19))
def test_moving_up_in_a_list_never_lowers_a_score(given_lists: dict[str, list[int]], at: int) -> None:
    name, keys = next(iter(given_lists.items()))
    if 0 < at < len(keys):
        better = [*keys[: at - 1], keys[at], keys[at - 1], *keys[at + 1 :]]
        assert fuse({**given_lists, name: better})[0][keys[at]] > fuse(given_lists)[0][keys[at]]
