"""Plain text: paragraphs, pages, and no markup."""

from __future__ import annotations

from pincite.document import Document
from pincite.parsing import parse_bytes

from ..promises import broken_promises


def read(text: str) -> Document:
    document = parse_bytes(text.encode(), "x.txt")
    assert broken_promises(document) == []
    return document


def shown(text: str) -> list[str]:
    return [text[block.span.start : block.span.end] for block in read(text).blocks]


def test_blank_lines_part_paragraphs() -> None:
    """Whatever the line end, and with white space in the blank line."""
    assert shown("a\nb\n\nc\r\n \t\r\nd\r\re") == ["a\nb", "c", "d", "e"]


def test_nothing_is_interpreted() -> None:
    """Hashes, pipes, fences and comments are words."""
    document = read("# a\n\n| b |\n|---|\n\n```\nc\n```\n\n<!-- page 3 -->\n\n---\ntitle: d\n---\n")

    assert {block.kind for block in document.blocks} == {"paragraph"}
    assert document.diagnostics == ()
    assert document.metadata.title is None


def test_a_form_feed_begins_the_next_page() -> None:
    """An empty page counts; a feed at the very end does not begin one."""
    document = read("First.\fSecond.\f\fFourth.\n\f")

    assert [block.regions[0].page for block in document.blocks] == [1, 2, 4]
    assert [page.number for page in document.pages] == [1, 2, 3, 4]


def test_white_space_alone_is_an_empty_document() -> None:
    assert read(" \n\t\n").blocks == ()
    assert parse_bytes(b"", "x.md").blocks == ()
    assert parse_bytes(b"\n \n", "x.pdf").blocks == ()
