"""Bytes become text, and every doubt is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import OptionError
from pincite.options import ParseOptions
from pincite.parsing import parse_bytes
from pincite.parsing.decode import decode

VIETNAMESE = "Người lao động được nghỉ phép mười hai ngày làm việc mỗi năm.\n"
KOREAN = "모든 직원은 매년 열두 날의 휴가를 받습니다.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_unicode_is_read_without_a_word(encoding: str) -> None:
    """With a mark, and without one where zero bytes give it away."""
    decoded = decode((VIETNAMESE * 3).encode(encoding))

    assert decoded.text.lstrip("\ufeff") == VIETNAMESE * 3
    assert decoded.diagnostics == ()


def test_a_mark_stays_in_the_text_and_in_no_block() -> None:
    document = parse_bytes(b"\xef\xbb\xbf# A\n", "x.md")

    assert document.text[0] == "\ufeff"
    assert document.blocks[0].span.start == 1


def test_a_korean_page_is_recognised_and_reported() -> None:
    decoded = decode((KOREAN * 3).encode("cp949"))

    assert decoded.text == KOREAN * 3
    assert [d.code for d in decoded.diagnostics] == ["bad_encoding"]


def test_a_vietnamese_page_is_recognised_and_reported() -> None:
    spelled = "Ng\u01b0\u01a1\u0300i lao \u0111\u00f4\u0323ng \u0111\u01b0\u01a1\u0323c nghi\u0309 phe\u0301p\n" * 3
    decoded = decode(spelled.encode("cp1258"))

    assert decoded.encoding == "cp1258"
    assert decoded.text == spelled


def test_a_western_page_is_read_and_reported() -> None:
    decoded = decode("Le café est fermé, déjà.\n".encode("cp1252"))

    assert decoded.text == "Le café est fermé, déjà.\n"
    assert [d.code for d in decoded.diagnostics] == ["bad_encoding"]


def test_a_bad_byte_in_utf8_costs_only_itself() -> None:
    """The first place is named by its span."""
    decoded = decode(VIETNAMESE.encode() + b"\xff" + KOREAN.encode())

    assert decoded.text == VIETNAMESE + "\ufffd" + KOREAN
    (said,) = decoded.diagnostics
    assert said.severity == "warning"
    assert said.span is not None
    assert said.span.start == len(VIETNAMESE)


def test_the_option_decides() -> None:
    document = parse_bytes("Größe".encode("cp1252"), "x.txt", ParseOptions(encoding="cp1252"))

    assert document.text == "Größe"
    assert document.diagnostics == ()


@pytest.mark.parametrize("name", ["klingon", "unicode_escape", "base64", ""])
def test_an_encoding_that_is_none_is_an_error(name: str) -> None:
    with pytest.raises(OptionError, match=r"parse\.encoding"):
        decode(b"a", name)


@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "utf-16-le", "cp949", "utf-7"]))
def test_no_bytes_fail_and_no_surrogate_comes_out(data: bytes, encoding: str | None) -> None:
    decode(data, encoding).text.encode("utf-8")
