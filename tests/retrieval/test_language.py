"""Languages that a text's own letters tell."""

from __future__ import annotations

import pytest

from pincite.retrieval.language import guess


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Nhân viên được nghỉ phép mười hai ngày mỗi năm.", "vi"),
        ("직원은 매년 12일의 유급 휴가를 받습니다.", "ko"),
        ("社員は毎年12日の有給休暇を取得できます。", "ja"),
        ("员工每年享有十二天带薪年假。", "zh"),
        ("พนักงานมีสิทธิลาพักร้อน", "th"),
        ("The employee is entitled to twelve days of leave in each year.", "en"),
        ("Café déjà vu à la carte", None),
        ("12 345 ...", None),
        ("", None),
    ],
)
def test_the_language_is_told_by_letters(text: str, language: str | None) -> None:
    """Where they do not tell it, nothing is said."""
    assert guess(text) == language
