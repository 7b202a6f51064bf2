"""The default model, once, over documents in three languages."""

from __future__ import annotations

import pytest

from pincite.pipeline import Index
from tests.pipeline.tools import write


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    docs = tmp_path_factory.mktemp("docs")
    write(
        docs,
        leave="# Handbook\n\n## Leave\n\nEvery employee receives 24 days of paid annual leave.\n",
        travel="# Handbook\n\n## Travel\n\nTrain tickets are booked by the office.\n",
        vi="# Sổ tay\n\n## Nghỉ phép\n\nMỗi nhân viên được hưởng 24 ngày nghỉ phép năm có lương.\n",
        vi2="# Sổ tay\n\n## Công tác\n\nVé tàu do văn phòng đặt.\n",
        ko="# 안내서\n\n## 연차휴가\n\n모든 직원은 한 해에 24일의 유급 휴가를 받는다.\n",
        ko2="# 안내서\n\n## 출장\n\n기차표는 사무실에서 예약한다.\n",
    )
    made = Index(docs / ".pincite" / "index.sqlite")
    assert made.sync(docs).added == 6
    return made


@pytest.mark.parametrize("mode", ["hybrid", "vector"])
@pytest.mark.parametrize(
    ("question", "uri"),
    [
        ("How much holiday do I get?", "leave.md"),
        ("Who books the railway?", "travel.md"),
        ("Tôi được nghỉ bao nhiêu ngày?", "vi.md"),
        ("nhan vien duoc nghi phep may ngay", "vi.md"),
        ("며칠 쉴 수 있나요?", "ko.md"),
        ("기차표 예약", "ko2.md"),
    ],
)
def test_a_question_finds_its_answer(index: Index, question: str, uri: str, mode: str) -> None:
    """Also in other words than the document's, and typed without marks."""
    assert index.search(question, limit=1, mode=mode)[0].uri == uri


def test_a_second_sync_embeds_nothing(index: Index) -> None:
    assert index.sync(index.path.parent.parent).chunks_embedded == 0
