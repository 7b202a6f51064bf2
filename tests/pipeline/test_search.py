"""Searching an index that was made from files."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.errors import MissingError, OptionError, QueryError, StoreError
from pincite.pipeline import Index, ShownDocument
from tests.pipeline.tools import WordModel, index_of, write


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    write(
        folder,
        bees="# Bees\n\nThe hive stands behind the barn.\n\n## Honey\n\nHoney is taken in June.\n",
        **{
            "hr/leave": "# Sổ tay\n\n## Nghỉ phép\n\nNhân viên được nghỉ phép năm 12 ngày. Đơn xin nghỉ phép gửi trước.\n",
            "hr/pay": "# Sổ tay\n\n## Lương\n\nLương trả vào ngày 5 theo Nghị định 15/2020/NĐ-CP. Nghi thức chào.\n",
            "ko/rules": "# 규정\n\n휴가는 팀장이 승인한다.\n",
            "ko/food": "# 식당\n\n점심은 열두 시에 시작한다.\n",
        },
    )
    filler = " Nothing else of note is said on it, line after line." * 5
    topics = ("First page about rivers", "Second page about lakes", "Third page about seas")
    (folder / "pages.txt").write_text("\f".join(f"{topic}.{filler}" for topic in topics))
    return folder


@pytest.fixture(scope="module")
def index(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = index_of(tmp_path_factory.mktemp("index") / "index.sqlite", WordModel(256))
    made.sync(docs)
    return made


def top(index: Index, question: str, **given: object) -> str:
    return index.search(question, **given)[0].uri  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "vector"])
def test_each_mode_finds_and_says_what_its_score_is(index: Index, mode: str) -> None:
    passage = index.search("hive behind the barn", mode=mode)[0]
    assert passage.uri == "bees.md"
    assert passage.score_kind == {"hybrid": "fused", "lexical": "bm25", "vector": "cosine"}[mode]
    assert set(passage.ranks) == {"hybrid": {"lexical", "vector"}, "lexical": {"lexical"}, "vector": {"vector"}}[mode]


def test_a_hit_cites_file_section_and_words(index: Index) -> None:
    """The quoted words stand in the file at the spans."""
    passage = index.search("when is honey taken", limit=1)[0]
    assert passage.citation.line == "bees.md, Bees › Honey"
    assert passage.citation.quote.endswith("Honey is taken in June.")
    assert passage.citation.number == 1


def test_a_hit_cites_its_page(index: Index) -> None:
    passage = index.search("lakes", limit=1)[0]
    assert passage.citation.target == "pages.txt#page=2"
    assert passage.citation.line == "pages.txt, p. 2"


@pytest.mark.parametrize(
    ("question", "uri"),
    [
        ("휴가", "ko/rules.md"),
        ("휴", "ko/rules.md"),
        ("nghi phep", "hr/leave.md"),
        ("15/2020/ND-CP", "hr/pay.md"),
        ("2020", "hr/pay.md"),
        ("luong", "hr/pay.md"),
    ],
)
def test_words_are_found_in_any_script(index: Index, question: str, uri: str) -> None:
    assert top(index, question, mode="lexical") == uri


def test_marks_are_put_back_before_a_question_is_embedded(index: Index) -> None:
    """The vector is that of the words as the documents write them; pairs decide between spellings."""
    passage = index.search("nhan vien duoc nghi phep bao nhieu ngay", limit=1)[0]
    assert passage.question == "nhân viên được nghỉ phép bao nhieu ngày"
    assert passage.uri == "hr/leave.md"


@pytest.mark.parametrize("question", ["nghỉ phép", "hive behind the barn", "Honey in June?", "휴가", "nothing known"])
def test_a_question_that_needs_no_marks_is_left_as_it_is(index: Index, question: str) -> None:
    assert all(passage.question == question for passage in index.search(question))


@pytest.mark.parametrize("question", ["", "  \n", "?!", "—", "🙂"])
@pytest.mark.parametrize("mode", ["hybrid", "lexical", "vector"])
def test_a_question_without_letters_is_refused(index: Index, question: str, mode: str) -> None:
    with pytest.raises(QueryError):
        index.search(question, mode=mode)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("abc \"'*()^:-+NOTANDOR{}[]~|,.\\/;%\x00é漢휴\n\ud800"), min_size=1, max_size=30))
def test_no_question_is_an_error_of_the_database(index: Index, question: str) -> None:
    """Operators, quotes and brackets of the full-text language mean nothing here."""
    with contextlib.suppress(QueryError):
        index.search(question)


def test_a_question_may_be_a_whole_page(index: Index) -> None:
    """Its rarest words are searched."""
    words = " ".join(f"word{n}" for n in range(3000))
    assert top(index, f"{words} hive {words}", mode="lexical") == "bees.md"


@pytest.mark.parametrize(
    ("given_filter", "uris"),
    [
        ({"document": "bees.md"}, {"bees.md"}),
        ({"document": "hr/*"}, {"hr/leave.md", "hr/pay.md"}),
        ({"folder": "hr"}, {"hr/leave.md", "hr/pay.md"}),
        ({"folder": ["hr/", "ko"]}, {"hr/leave.md", "hr/pay.md", "ko/rules.md", "ko/food.md"}),
        ({"heading": "luong"}, {"hr/pay.md"}),
        ({"heading": "Sổ tay > Nghỉ phép"}, {"hr/leave.md"}),
        ({"language": "ko"}, {"ko/rules.md", "ko/food.md"}),
        ({"language": "vi", "heading": "lương"}, {"hr/pay.md"}),
        ({"pages": "2-"}, {"pages.txt"}),
        ({"folder": "nowhere"}, set()),
        ({"kind": "table"}, set()),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "lexical", "vector"])
def test_filters_hold_in_every_mode(index: Index, given_filter: dict[str, object], uris: set[str], mode: str) -> None:
    """Nothing that they shut out is found, and what they let through is found behind any number of others."""
    question = "hive honey nghỉ phép lương ngày 휴가는 팀장이 점심은 열두 rivers lakes seas page"
    found = {passage.uri for passage in index.search(question, mode=mode, limit=20, **given_filter)}  # type: ignore[arg-type]
    assert found == uris


def test_a_page_filter_takes_the_pages_only(index: Index) -> None:
    assert [p.page_start for p in index.search("page about", pages="2-3", limit=9, mode="lexical")] == [2, 3]


@pytest.mark.parametrize(
    "given_option", [{"limit": 0}, {"limit": 10**6}, {"mode": "magic"}, {"kind": "x"}, {"pages": "x"}]
)
def test_an_impossible_option_is_named(index: Index, given_option: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=next(iter(given_option))):
        index.search("hive", **given_option)  # type: ignore[arg-type]


def test_neighbours_stand_before_and_after(index: Index) -> None:
    passage = next(p for p in index.search("lakes", mode="lexical") if p.page_start == 2)
    assert [chunk.page_start for chunk in index.neighbours(passage)] == [1, 2, 3]
    assert [chunk.page_start for chunk in index.neighbours(passage.id, before=0)] == [2, 3]
    with pytest.raises(MissingError):
        index.neighbours("0" * 32)


def test_a_chunk_and_a_document_can_be_shown(index: Index) -> None:
    """By id, by the beginning of an id, by uri."""
    passage = index.search("hive", mode="lexical")[0]
    assert index.show(passage.id) == passage.chunk
    assert index.show(passage.id[:12]) == passage.chunk
    shown = index.show("bees.md")
    assert isinstance(shown, ShownDocument)
    assert index.show(passage.chunk.document_id) == shown
    assert passage.chunk in shown.chunks
    with pytest.raises(MissingError):
        index.show("nothing")


def test_equal_texts_of_different_documents_are_all_listed_in_one_order(tmp_path: Path) -> None:
    """The same after a rebuild, and after a sync in another order."""
    docs = tmp_path / "docs"
    docs.mkdir()
    names = [f"t{n}" for n in range(6)]
    write(docs, **dict.fromkeys(names, "# Tie\n\nThe very same words.\n"))
    expected = [f"{name}.md" for name in names]
    one, two = index_of(tmp_path / "one.sqlite"), index_of(tmp_path / "two.sqlite")
    one.sync(docs)
    for name in reversed(names):
        two.sync(docs / f"{name}.md")
    for mode in ("hybrid", "lexical", "vector"):
        first = one.search("the very same words", limit=6, mode=mode)
        assert [p.uri for p in first] == expected
        assert [(p.id, p.score) for p in two.search("the very same words", limit=6, mode=mode)] == [
            (p.id, p.score) for p in first
        ]
        assert len({p.id for p in first}) == 6


def test_more_duplicates_than_the_depth_leave_room_for_the_rest(tmp_path: Path) -> None:
    """The lists are read on until enough different passages are found."""
    docs = tmp_path / "docs"
    docs.mkdir()
    same = "The very same words stand here again and again, and nobody knows why they do that at all.\n\n"
    write(docs, many="".join(f"# Part {n}\n\n{same}" for n in range(300)), other="# Other\n\nSame words, but others.\n")
    index = index_of(tmp_path / "index.sqlite")
    index.sync(docs)
    found = index.search("the very same words", limit=2, mode="lexical")
    assert [p.uri for p in found] == ["many.md", "other.md"]
    assert len(found[0].same) == 299


def test_searching_before_any_sync_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no index yet"):
        index_of(tmp_path / "index.sqlite").search("hive")
