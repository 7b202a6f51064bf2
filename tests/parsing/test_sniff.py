"""The format is what name and bytes agree on."""

from __future__ import annotations

import pytest

from pincite.errors import FormatError, LimitError, MismatchError
from pincite.options import ParseOptions
from pincite.parsing import parse_bytes
from pincite.parsing.sniff import sniff

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
ZIP = b"PK\x03\x04\x14\x00\x00\x00"


@pytest.mark.parametrize(
    ("data", "uri", "expected"),
    [
        (b"# a", "a/B.MD", "markdown"),
        (b"# a", "a.markdown", "markdown"),
        (b"a,b", "a.csv", "plaintext"),
        (b"a", "LICENSE", "plaintext"),
        (b"a", "a.rst", "plaintext"),
        (b"<!DOCTYPE html><p>", "page", "html"),
        (b"<p>", "a.htm", "html"),
        (PDF, "a.pdf", "pdf"),
        (PDF, "unnamed", "pdf"),
        (ZIP, "a.docx", "docx"),
        ("Chào các bạn, xin chào.".encode("utf-16"), "a.md", "markdown"),
        (b"MM is the mark of millimetres here, ID3 too", "a.txt", "plaintext"),
        (b"BZh is a word", "a.md", "markdown"),
        (b"RIFF raff", "a.txt", "plaintext"),
    ],
)
def test_name_and_bytes_agree(data: bytes, uri: str, expected: str) -> None:
    assert sniff(data, uri) == expected


@pytest.mark.parametrize(
    ("data", "uri"),
    [
        (PDF, "a.txt"),
        (ZIP, "a.pdf"),
        (ZIP, "a.md"),
        (PDF, "a.docx"),
        (b"just words", "a.pdf"),
        (b"just words", "a.docx"),
        (bytes(range(256)) * 20, "a.md"),
        (b"\x7fELF\x02\x01\x01\x00", "a.txt"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a.md"),
        (b"a\0b\0\0\0c\0\1\2\3" * 50, "a.html"),
    ],
)
def test_a_name_that_lies_is_refused(data: bytes, uri: str) -> None:
    """The message names the file and both formats."""
    with pytest.raises(MismatchError, match="the name promises"):
        parse_bytes(data, uri)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", bytes(range(256)) * 20, ZIP])
def test_what_nothing_reads_is_refused_with_what_is_read(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"\.md.*\.pdf"):
        parse_bytes(data, "thing.bin")


def test_the_media_type_outranks_the_name() -> None:
    assert sniff(b"# a", "download", "text/markdown; charset=utf-8") == "markdown"


def test_a_file_over_the_limit_is_refused() -> None:
    with pytest.raises(LimitError, match="max_bytes"):
        parse_bytes(b"x" * 11, "a.md", ParseOptions(max_bytes=10))
