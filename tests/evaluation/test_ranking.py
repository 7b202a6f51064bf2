"""Ranking metrics have the values of ir-measures, and what a metric promises holds on every ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import OptionError
from pincite.evaluation.metrics import Metric, Ranking, parse_metric
from pincite.evaluation.model import Evidence, Retrieved, Row
from pincite.evaluation.ranking import finest, held, ranked

PAGES = [("handbook.pdf", page) for page in range(1, 7)] + [("guide.pdf", page) for page in range(1, 7)]

CUTOFFS = (1, 3, 5, 10)

THEIRS: dict[str, Any] = {
    **{f"recall@{k}": ir_measures.R @ k for k in CUTOFFS},
    **{f"precision@{k}": ir_measures.P @ k for k in CUTOFFS},
    **{f"hit@{k}": ir_measures.Success @ k for k in CUTOFFS},
    **{f"nDCG@{k}": ir_measures.nDCG @ k for k in CUTOFFS},
    **{f"MAP@{k}": ir_measures.AP @ k for k in CUTOFFS},
    **{f"MRR@{k}": ir_measures.RR @ k for k in CUTOFFS},
    "nDCG": ir_measures.nDCG,
    "MAP": ir_measures.AP,
    "MRR": ir_measures.RR,
}

judged = st.dictionaries(st.sampled_from(PAGES), st.integers(1, 3), min_size=1, max_size=6)
lists = st.lists(st.sampled_from(PAGES), max_size=14)


def question(gold: dict[tuple[str, int], int]) -> Row:
    evidence = tuple(Evidence(name, page, grade=grade) for (name, page), grade in gold.items())
    return Row("q", "?", evidence=evidence)


def theirs(gold: dict[tuple[str, int], int], found: Sequence[tuple[str, int]], measure: Any) -> float:
    """The value of ir-measures, which is given each page once with scores that fall strictly."""
    qrels = {"q": {f"{name}#{page}": grade for (name, page), grade in gold.items()}}
    order = list(dict.fromkeys(found))
    run = {"q": {f"{name}#{page}": -float(rank) for rank, (name, page) in enumerate(order)}}
    if not order:
        run["q"]["nothing"] = 0.0
    return float(ir_measures.calc_aggregate([measure], qrels, run)[measure])


@pytest.mark.parametrize("name", THEIRS)
@given(judged, lists)
def test_figures_are_those_of_ir_measures(
    name: str, gold: dict[tuple[str, int], int], found: list[tuple[str, int]]
) -> None:
    """To 1e-9 on any ranking: graded pages, pages that come twice, lists shorter than the cut, nothing found."""
    passages = [Retrieved(document, page, page) for document, page in found]
    ranking = ranked(question(gold), passages, "pages")

    assert ranking is not None
    assert math.isclose(parse_metric(name).of(ranking), theirs(gold, found, THEIRS[name]), abs_tol=1e-9)


@given(judged, lists, st.sampled_from(["linear", "exponential"]))
def test_values_are_shares(gold: dict[tuple[str, int], int], found: list[tuple[str, int]], gains: Any) -> None:
    """Every metric lies from 0 to 1, MRR is at least hit@1, hit and recall grow with the cut, recall is never above hit."""
    ranking = ranked(question(gold), [Retrieved(name, page) for name, page in found], "pages")
    assert ranking is not None
    values = {name: parse_metric(name, gains).of(ranking) for name in THEIRS}

    assert all(0 <= value <= 1 + 1e-12 for value in values.values())
    assert values["MRR"] >= values["hit@1"]
    for small, large in ((1, 3), (3, 5), (5, 10)):
        assert values[f"hit@{small}"] <= values[f"hit@{large}"]
        assert values[f"recall@{small}"] <= values[f"recall@{large}"]
    assert all(values[f"recall@{k}"] <= values[f"hit@{k}"] for k in CUTOFFS)


@given(judged)
def test_the_best_order_scores_one(gold: dict[tuple[str, int], int]) -> None:
    """What is relevant, best first and nothing before it, is nDCG 1 and MAP 1; nothing at all is 0."""
    order = sorted(gold, key=lambda page: -gold[page])
    best = ranked(question(gold), [Retrieved(name, page) for name, page in order], "pages")
    nothing = ranked(question(gold), [], "pages")

    assert best is not None
    assert nothing is not None
    for name in ("nDCG", "MAP", "MRR", "nDCG@3"):
        assert parse_metric(name).of(best) == pytest.approx(1)
        assert parse_metric(name).of(nothing) == 0


@pytest.mark.parametrize("name", ["nDCG@10", "recall@5", "MRR", "MAP@3", "hit@1 (documents)", "precision@2 (spans)"])
def test_a_metric_prints_as_it_is_written_and_is_read_again(name: str) -> None:
    """`nDCG@10` is the value, its text and what parses to it."""
    assert str(parse_metric(name)) == name
    assert parse_metric(
        name.upper().replace("(DOCUMENTS)", "(documents)").replace("(SPANS)", "(spans)")
    ) == parse_metric(name)


@pytest.mark.parametrize(
    "name", ["ndgc@10", "recall", "recall@0", "hit@5 (chunks)", "", "nDCG@-1", "recall@5 and more"]
)
def test_what_is_no_metric_is_refused(name: str) -> None:
    """A slip of the pen measures nothing in silence."""
    with pytest.raises(OptionError):
        parse_metric(name)


def test_a_wide_passage_takes_a_place_for_each_page() -> None:
    """A passage over many pages buys no recall."""
    row = question({("a.pdf", 9): 1})
    wide = ranked(row, [Retrieved("a.pdf", 1, 10)], "pages")

    assert wide is not None
    assert parse_metric("recall@5").of(wide) == 0
    assert parse_metric("recall@10").of(wide) == 1


def test_the_level_is_the_finest_that_all_evidence_names() -> None:
    """Quoted words before pages before documents; a row without evidence has no level."""
    assert finest(Row("q", "?")) is None
    assert finest(Row("q", "?", evidence=(Evidence("a", 1, "words"), Evidence("b", 2, "more")))) == "spans"
    assert finest(Row("q", "?", evidence=(Evidence("a", 1, "words"), Evidence("b", 2)))) == "pages"
    assert finest(Row("q", "?", evidence=(Evidence("a", 1, "words"), Evidence("b")))) == "documents"
    assert ranked(Row("q", "?", evidence=(Evidence("a"),)), [Retrieved("a", 1)], "pages") is None


def test_quoted_words_are_found_in_every_script_and_cut_in_two() -> None:
    """Composed or not, in full width or not; half of them at the edge of a passage is enough."""
    quote = Evidence("a.md", quote="nghỉ phép năm hai mươi bốn ngày")

    assert held(quote, Retrieved("a.md", text="Được NGHỈ PHÉP  năm\nhai mươi bốn ngày mỗi năm")) == 1
    assert held(quote, Retrieved("a.md", text="Mỗi năm: nghỉ phép năm hai mươi")) == 5 / 7
    assert held(quote, Retrieved("a.md", text="bốn ngày, không hơn")) == 2 / 7
    assert held(quote, Retrieved("b.md", text="nghỉ phép năm hai mươi bốn ngày")) == 0
    assert held(Evidence("a.md", quote="24일"), Retrieved("a.md", text="휴가는 ２４일입니다")) == 1


def test_evidence_that_was_found_before_adds_nothing() -> None:
    """The second passage with the same words is read and gains nothing."""
    row = Row("q", "?", evidence=(Evidence("a", quote="ten days"), Evidence("a", quote="of leave")))
    passages = [Retrieved("a", text="ten days"), Retrieved("a", text="ten days"), Retrieved("a", text="of leave")]
    ranking = ranked(row, passages, "spans")

    assert ranking == Ranking((1, 0, 1), (1, 1))


def test_names_of_documents_are_compared_as_text() -> None:
    """A decomposed name is the same document."""
    row = Row("q", "?", evidence=(Evidence("Sổ tay.pdf"),))

    found = ranked(row, [Retrieved("./So\u0302\u0309 tay.pdf")], "documents")

    assert found == Ranking((1,), (1,))
    assert Metric("hit", 1).of(found) == 1
