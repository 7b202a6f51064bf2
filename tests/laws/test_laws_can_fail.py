"""Each law goes red when a chunk breaks it, so that a green run means something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from pincite.chunk import Chunk, Part, Piece, embedding_text
from pincite.chunking import chunk_document
from pincite.document import Span
from pincite.options import chunk_options

from .laws import violations
from .strategies import document_of, named_counter, read

TEXT = (
    "# A\n\nFirst words here. Second words there, ngày nghỉ phép 👨‍👩‍👧‍👦.\n\n"
    "| name | amount |\n| --- | --- |\n" + "".join(f"| row {n} | {n} |\n" for n in range(12)) + "\n"
    "```python\n" + "\n".join(f"value_{n} = {n}" for n in range(20)) + "\n```\n\n# B\n\nLast words.\n"
)
OPTIONS = chunk_options(counter="chars", max_tokens=120, min_tokens=0)
COUNTER = named_counter("chars")
DOCUMENT = read(TEXT)
CHUNKS = chunk_document(DOCUMENT, OPTIONS, COUNTER).chunks

Break = Callable[[list[Chunk]], Sequence[Chunk]]


def told(chunks: Sequence[Chunk]) -> set[str]:
    """The laws that are broken."""
    return {line.split(":")[0] for line in violations(DOCUMENT, chunks, OPTIONS, COUNTER)}


def first(**changes: object) -> Break:
    return lambda chunks: [replace(chunks[0], **changes), *chunks[1:]]  # type: ignore[arg-type]


def longer(chunks: list[Chunk]) -> Sequence[Chunk]:
    text = chunks[0].text + " word" * 40
    return [replace(chunks[0], text=text, embedding_text=embedding_text(chunks[0].heading_path, text)), *chunks[1:]]


def other_word(chunks: list[Chunk]) -> Sequence[Chunk]:
    text = chunks[0].text.replace("First", "Third")
    return [replace(chunks[0], text=text, embedding_text=embedding_text(chunks[0].heading_path, text)), *chunks[1:]]


def shorter_span(chunks: list[Chunk]) -> Sequence[Chunk]:
    span = chunks[0].spans[0]
    return [replace(chunks[0], spans=(Span(span.start, span.end - 1),)), *chunks[1:]]


def inside_a_letter(chunks: list[Chunk]) -> Sequence[Chunk]:
    at = TEXT.index("👨") + 3
    return [replace(chunks[0], spans=(Span(chunks[0].spans[0].start, at),)), *chunks[1:]]


def without_role(role: str) -> Break:
    """The first chunk that has context of this role, without it."""

    def change(chunks: list[Chunk]) -> Sequence[Chunk]:
        at, chunk = next((n, c) for n, c in enumerate(chunks) if any(p.role == role for p in c.pieces))
        shift, text, pieces = 0, "", []
        for piece in chunk.pieces:
            if piece.role == role:
                continue
            part = chunk.text[piece.start : piece.end]
            shift = len(text) + 1 if text else 0
            text = f"{text}\n{part}" if text else part
            pieces.append(Piece(piece.role, shift, shift + len(part), piece.source))
        return [*chunks[:at], replace(chunk, text=text, pieces=tuple(pieces)), *chunks[at + 1 :]]

    return change


def numbered_from_one(chunks: list[Chunk]) -> Sequence[Chunk]:
    return [replace(chunk, index=chunk.index + 1) for chunk in chunks]


@pytest.mark.parametrize(
    ("law", "change"),
    [
        ("L1 budget", longer),
        ("L1 budget", first(tokens=1)),
        ("L1 budget", first(embedding_text="another text")),
        ("L2 truth", other_word),
        ("L2 truth", first(pieces=())),
        ("L2 truth", shorter_span),
        ("L3 nothing lost", lambda chunks: chunks[1:]),
        ("L3 nothing lost", lambda chunks: chunks[:-1]),
        ("L3 nothing lost", shorter_span),
        ("L4 order", lambda chunks: chunks[::-1]),
        ("L4 order", numbered_from_one),
        ("L4 order", lambda chunks: [*chunks, chunks[-1]]),
        ("L4 order", first(spans=())),
        ("L5 section", first(heading_path=("B",))),
        ("L5 section", first(part=Part(2, 9))),
        ("L5 section", lambda chunks: chunks[:-1]),
        ("L6 whole characters", inside_a_letter),
        ("L6 clean text", first(text="\ufffd")),
        ("L7 tables", without_role("table_header")),
        ("L8 fences", without_role("fence")),
        ("L9 identity", first(id=CHUNKS[1].id)),
        ("L10 pages", first(page_start=1, page_end=1)),
    ],
)
def test_a_broken_chunk_breaks_its_law(law: str, change: Break) -> None:
    """The chunks as made break no law; changed, they break this one."""
    assert told(CHUNKS) == set()
    assert law in told(change(list(CHUNKS)))


def test_a_row_that_fits_may_not_be_cut() -> None:
    """A row in two chunks is told, although nothing of it is lost."""
    at, chunk = next((n, c) for n, c in enumerate(CHUNKS) if "row 5" in c.text)
    middle = TEXT.index("row 5") + 3
    left = replace(chunk, spans=tuple(Span(s.start, min(s.end, middle)) for s in chunk.spans if s.start < middle))
    right = replace(chunk, spans=tuple(Span(max(s.start, middle), s.end) for s in chunk.spans if s.end > middle))

    assert "L7 tables" in told([*CHUNKS[:at], left, right, *CHUNKS[at + 1 :]])


def test_a_heading_alone_is_told() -> None:
    """A chunk of nothing but a heading, before its section's text."""
    heading = next(block for block in DOCUMENT.blocks if block.attributes.get("title") == "B")
    last = CHUNKS[-1]
    alone = replace(last, text="# B", spans=(heading.span,), pieces=(Piece("own", 0, 3, heading.span),), tokens=5)

    assert "L5 section" in told([*CHUNKS[:-1], alone, replace(last, index=last.index + 1)])


def test_pages_are_looked_up_under_the_spans() -> None:
    """A chunk that says page 1 of text on page 2 is told."""
    from pincite.document import Page
    from pincite.parsing.writer import Run, Writer

    writer = Writer()
    writer.block("paragraph", [Run("Words of the second page.", 2)])
    document = document_of(writer, (Page(1), Page(2)))
    (chunk,) = chunk_document(document, OPTIONS, COUNTER).chunks

    assert violations(document, [chunk], OPTIONS, COUNTER) == []
    assert violations(document, [replace(chunk, page_start=1)], OPTIONS, COUNTER) != []
