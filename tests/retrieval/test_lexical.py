"""Weights of a question's words."""

from __future__ import annotations

from pincite.retrieval.analyser import query_terms
from pincite.retrieval.lexical import SMALL, shares_of


def small(question: str) -> set[str]:
    return {term.text for term, share in shares_of(query_terms(question)).items() if share == SMALL}


def test_small_words_of_an_english_question_weigh_less() -> None:
    """What it asks for keeps its whole weight."""
    assert small("How many days of leave do I get?") == {"how", "many", "of", "do", "i", "get"}


def test_a_question_in_another_language_is_left_alone() -> None:
    """The same letters are other words there."""
    assert small("nhan vien co the do may phat dien") == set()
    assert small("Nhân viên được nghỉ phép bao nhiêu ngày?") == set()
    assert small("휴가") == set()
