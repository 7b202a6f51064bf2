"""Nothing passes that the cited passages do not say, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answering.checking import cited_numbers, faults
from pincite.answering.figures import figures, values

from .conftest import Make

TEXTS = (
    "Employees receive 12 days of leave, and 1,000 dollars.",
    "Nhân viên được nghỉ 15 ngày và nhận 1.200.000 đồng, theo Nghị định 15/2020/NĐ-CP.",
    "직원은 연 24일의 휴가와 1만 2천 원을 받는다. “사전 승인”이 필요하다.",
)

GOOD = [
    "You get 12 days [1].",
    "You get 12 days. [1]",
    "You get １２ days 【1】.",
    "The sum is 1000 [1].",
    "The sum is 1.000 [1].",
    "Theo tài liệu, bạn được nghỉ 15 ngày [2] và nhận 1,200,000 đồng [2].",
    "Bạn nhận 1 triệu 200 nghìn đồng [2].",
    "Bạn nhận 1,2 triệu đồng theo 15/2020/NĐ-CP [2].",
    "휴가는 24일입니다[3]. 12,000원을 받습니다 [3].",
    "1만 2천 원을 받습니다 [3].",
    "It needs “사전 승인” [3].",
    'They say "days of LEAVE," [1].',
    "Passage [1] gives 12 days and [3] gives 24.",
    "Both differ: 12 and 24 days [1, 3].",
    "All of them speak of leave [1-3].",
    "You get leave:\n1. 12 days [1]\n2. 24 days [3]",
    "- 12 days\n- 1000 dollars [1]",
    "See handbook.pdf, page 9 [1].",
    "It is on page 9 [1]: 12 days.",
]

BAD = [
    ("You get 13 days [1].", "number"),
    ("You get 24 days [1]. It is 12 [3].", "number"),
    ("You get 12 days [1]. And then 24.", "number"),
    ("The sum is 10,000 [1].", "number"),
    ("휴가는 25일입니다 [3].", "number"),
    ("1만 3천 원을 받습니다 [3].", "number"),
    ("Bạn nhận 1 triệu 300 nghìn đồng [2].", "number"),
    ("Bạn được nghỉ १७ ngày [2].", "number"),
    ("You get 12 days [4].", "invented"),
    ("You get 12 days [0].", "invented"),
    ("You get 12 days [1-9].", "invented"),
    ("You get 12 days [1], says secret.pdf, page 9.", "invented"),
    ("It is on page 77 [1].", "page"),
    ("쪽 번호는 77쪽입니다 [3].", "page"),
    ('They say "days off" [1].', "quote"),
    ("「사후 승인」이 필요하다 [3].", "quote"),
    ("You get 12 days.", "uncited"),
    ("You get leave [1].\n\nIn addition there are 12 free days.", "uncited"),
    ("", "empty"),
    (" [1] \n", "empty"),
]


@pytest.mark.parametrize("answer", GOOD)
def test_what_the_passages_say_passes(passages: Make, answer: str) -> None:
    """Whatever the spelling of numbers, the place of the reference and the kind of quotation mark."""
    assert faults(answer, passages(*TEXTS)) == []


@pytest.mark.parametrize(("answer", "kind"), BAD)
def test_what_they_do_not_say_does_not(passages: Make, answer: str, kind: str) -> None:
    """And the fault names it."""
    found = faults(answer, passages(*TEXTS))
    assert kind in {each.kind for each in found}
    assert all(map(str, found))


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_number_passes_where_it_stands_and_nowhere_else(stands: int, said: int) -> None:
    """Parted in thousands by a comma or not: the value decides."""
    standing = values(f"The fee is {stands} won.")
    for spelled in (str(said), f"{said:,}"):
        ((_, meant),) = figures(f"It is {spelled}.")
        assert standing.isdisjoint(meant) is (stands not in meant)
    assert not standing.isdisjoint(figures(f"{stands:,}")[0][1])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3억 5천만", 350_000_000),
        ("2 tỷ 500 triệu", 2_500_000_000),
        ("1만2천", 12_000),
        ("1万2千", 12_000),
        ("1 million 200 thousand", 1_200_000),
    ],
)
def test_a_number_in_parts_is_one(text: str, meant: int) -> None:
    """Each part with a smaller scale than the one before."""
    ((_, found),) = figures(text)
    assert meant in found


def test_two_numbers_are_two() -> None:
    """Side by side, without a smaller scale after a larger one."""
    assert [spelled for spelled, _ in figures("12 30")] == ["12", "30"]
    assert len(figures("5 triệu, 200 nghìn")) == 2
    assert len(figures("2천 1만")) == 2


def test_references_are_read_in_all_their_forms() -> None:
    """Lists, ranges, brackets of another script; each once."""
    assert cited_numbers("[1] [2, 3][1] 【4】 [6–8] [１０]") == [1, 2, 3, 4, 6, 7, 8, 10]


def test_a_range_without_end_does_not_hang() -> None:
    """Its last number is invented all the same."""
    assert cited_numbers("[1-9999]")[-1] == 9999
    assert len(cited_numbers("[1-9999]")) < 200


@given(st.text(st.sampled_from('[]【】1230,;-–.。 \n“”"a가p.page쪽')), st.text(max_size=30))
def test_checking_never_fails(made: str, any_text: str) -> None:
    """Whatever a model writes, the check comes to an end with faults or none."""
    faults(made + any_text, [])
