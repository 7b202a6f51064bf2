"""Terms: the laws that hold for any text, then the languages one by one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieval.analyser import LONGEST, Term, chunk_words, fold, query_terms, spelled

texts = st.text(st.characters(codec="utf-8"), max_size=60)
letters = st.text(st.sampled_from("aàăđĐêỗßøŁ漢字かなガ휴가는กำ하й 1.2/-_,é\u0301\u200b"), max_size=40)


def folded(text: str) -> list[str]:
    return chunk_words((), text).folded.split()


def found(question: str, text: str) -> bool:
    """Whether a document with this text is found by the question, as the store finds it."""
    words = chunk_words((), text)
    terms = (words.folded + " " + words.exact).split()
    return any(
        any(term.startswith(each.text) for term in terms) if each.kind == "prefix" else each.text in terms
        for each in query_terms(question)
    )


@given(texts | letters)
def test_composed_and_decomposed_text_has_the_same_terms(text: str) -> None:
    """How a keyboard wrote the marks is never seen."""
    assert chunk_words((text,), unicodedata.normalize("NFC", text)) == chunk_words(
        (text,), unicodedata.normalize("NFD", text)
    )


@given(texts | letters)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(texts | letters)
def test_terms_are_parted_by_single_spaces_alone(text: str) -> None:
    """The store splits at spaces, so no term may hold white space or a quotation mark, or be empty."""
    words = chunk_words((text,), text)
    for line in (words.heading, words.folded, words.exact, words.pairs):
        terms = line.split(" ") if line else []
        assert all(term and not any(c.isspace() or c in "\"'()*^" for c in term) for term in terms)


@given(texts | letters)
def test_every_text_with_a_term_finds_itself(text: str) -> None:
    """What stands in a document can be asked for in its own words."""
    assert not query_terms(text) or found(text, text)


@given(texts | letters)
def test_every_letter_of_any_script_can_be_searched(text: str) -> None:
    """A text with a letter or a digit has a term; one of symbols alone has none."""
    has_letters = any(c.isalnum() for c in fold(text))
    assert bool(query_terms(text)) == has_letters or not has_letters


@given(st.text("漢字かな휴가는연차กขค", min_size=1, max_size=12), st.data())
def test_any_part_of_a_run_without_spaces_is_found(run: str, data: st.DataObject) -> None:
    """Also a single letter, also the last one."""
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    assert found(run[start:end], run)


@given(st.text("x漢", min_size=200, max_size=300))
def test_no_term_is_longer_than_the_bound(text: str) -> None:
    assert all(len(term) <= LONGEST for term in folded(text))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("nghi phep", "Nghỉ phép năm"),
        ("NGHỈ PHÉP", "nghỉ phép"),
        ("duong", "Đường Lê Lợi"),
        ("cafe", "CAFÉ"),
        ("Straße", "STRASSE"),
        ("휴가", "연차휴가는 15일"),
        ("가", "휴가"),
        ("年", "年假"),
        ("假", "年假"),
        ("カード", "ｶｰﾄﾞ"),
        ("ประกัน", "การประกันสังคม"),
        ("15/2020/NĐ-CP", "Nghị định 15/2020/ND-CP"),
        ("2020", "15/2020/NĐ-CP"),
        ("AB-1234", "part AB‑1234/5"),
        ("1000", "1,000 EUR"),
        ("1.000", "1,000 EUR"),
        ("max_tokens", "the option max_tokens"),
        ("tokens", "the option max_tokens"),
        ("3.2", "section 3.2"),
        ("हिन्दी", "हिन्दी भाषा"),
        ("handbook", "hand\u00adbook"),
    ],
)
def test_a_word_is_found_however_it_is_written(question: str, text: str) -> None:
    assert found(question, text)


def test_a_number_is_one_term_and_its_parts() -> None:
    """The whole is rarer, so it weighs more where it stands as a whole."""
    assert folded("15/2020/NĐ-CP") == ["15", "2020", "nd", "cp", "15/2020/nd-cp"]
    assert Term("15/2020/nd-cp") in query_terms("15/2020/NĐ-CP?")


def test_words_with_marks_have_an_exact_form_beside_the_folded_one() -> None:
    """So that a question with its marks prefers the texts that have the same."""
    words = chunk_words(("Nghỉ",), "phép ba")
    assert words.folded == "phep ba"
    assert words.exact == "nghi|nghỉ phep|phép"
    assert words.pairs == "phep~ba|phép~ba"


def test_virama_and_vowel_signs_stay_in_their_word() -> None:
    """Python's own idea of a word would cut Hindi at each vowel sign."""
    assert folded("हिन्दी में") == ["हिन्दी", "में"]


@pytest.mark.parametrize("question", ["", "   ", "?!", "…—", "🙂", "\x00"])
def test_symbols_are_no_terms(question: str) -> None:
    assert query_terms(question) == []


@given(texts | letters)
def test_the_pieces_of_a_question_are_the_question(text: str) -> None:
    """So that a word can be put in the place of another and all else stays."""
    assert "".join(piece for piece, _ in spelled(text)) == unicodedata.normalize("NFC", text)
