"""The laws of a chunk, over generated documents, options and counters.

`laws.py` says what each law is; here it is held against what the chunker makes of documents of
every construct.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.chunk import Chunk
from pincite.chunking import chunk_document
from pincite.counting.counter import Counter
from pincite.document import Document
from pincite.options import ChunkOptions

from .laws import LAWS, Case
from .profiles import LAW, few
from .strategies import blocks, chunking, documents, markdown, named_counter, read, texts

Chosen = tuple[ChunkOptions, Counter]


def chunks_of(document: Document, chosen: Chosen) -> Case:
    made = chunk_document(document, *chosen)
    return Case(document, made.chunks, *chosen, made.diagnostics)


def broken(law: str, document: Document, chosen: Chosen) -> list[str]:
    return list(LAWS[law](chunks_of(document, chosen)))


@LAW
@given(documents(), chunking())
def test_l1_no_embedding_text_exceeds_the_budget(document: Document, chosen: Chosen) -> None:
    """The configured counter gives at most `max_tokens`, and the figure in the chunk is its count."""
    assert broken("L1 budget", document, chosen) == []


@LAW
@given(documents(), chunking())
def test_l2_the_text_at_the_spans_is_the_text_of_the_chunk(document: Document, chosen: Chosen) -> None:
    """Line ends and white space aside, each piece shows what stands at its source."""
    assert broken("L2 truth", document, chosen) == []


@LAW
@given(documents(), chunking())
def test_l3_nothing_visible_is_lost(document: Document, chosen: Chosen) -> None:
    """Each visible character is in a chunk, in a heading that a path says, or in a declared drop."""
    assert broken("L3 nothing lost", document, chosen) == []


@LAW
@given(documents(), chunking())
def test_l4_chunks_are_in_reading_order(document: Document, chosen: Chosen) -> None:
    """`index` has no holes; own spans rise and do not overlap."""
    assert broken("L4 order", document, chosen) == []


@LAW
@given(documents(), chunking())
def test_l5_a_chunk_belongs_to_one_section(document: Document, chosen: Chosen) -> None:
    """It has that section's path, no heading is left alone, and a bare heading is still found."""
    assert broken("L5 section", document, chosen) == []


@LAW
@given(documents(), chunking())
def test_l6_characters_stay_whole(document: Document, chosen: Chosen) -> None:
    """No cut inside a grapheme cluster or between CR and LF, no broken code point."""
    assert broken("L6 whole characters", document, chosen) == []
    assert broken("L6 clean text", document, chosen) == []


@LAW
@given(documents(), chunking())
def test_l7_tables_are_cut_between_rows_under_their_header(document: Document, chosen: Chosen) -> None:
    """A row that fits is whole, and no chunk starts inside a table without the header."""
    assert broken("L7 tables", document, chosen) == []


@LAW
@given(documents(), chunking())
def test_l8_each_piece_of_a_fenced_block_is_fenced(document: Document, chosen: Chosen) -> None:
    """Read as Markdown again, code is code in every chunk."""
    assert broken("L8 fences", document, chosen) == []


@LAW
@given(documents(), chunking())
def test_l9_ids_come_from_content_and_are_unique(document: Document, chosen: Chosen) -> None:
    """Path, embedding text and occurrence give the id."""
    assert broken("L9 identity", document, chosen) == []


@few(2)
@given(st.lists(blocks(), max_size=6).map("\n\n".join), texts(2), chunking())
def test_l9_an_edit_elsewhere_renames_nothing(body: str, added: str, chosen: Chosen) -> None:
    """A paragraph put in at the top, or changed in another section, leaves all other ids as they were."""
    before = f"# First\n\nalpha\n\n# Second\n\n{body}"
    inserted = f"zeta zeta\n\n{before}"
    edited = before.replace("alpha", f"omega omega {added.strip()}".split("\n")[0], 1)

    kept = {chunk.id for chunk in second(before, chosen)}

    assert {chunk.id for chunk in second(inserted, chosen)} == kept
    assert {chunk.id for chunk in second(edited, chosen)} == kept


def second(text: str, chosen: Chosen) -> list[Chunk]:
    """Chunks from the heading `Second` on."""
    document = read(text)
    start = next(b.span.start for b in document.blocks if b.attributes.get("title") == "Second")
    return [c for c in chunk_document(document, *chosen).chunks if c.spans and c.spans[0].start >= start]


@LAW
@given(documents(), chunking())
def test_l10_pages_are_those_under_the_spans(document: Document, chosen: Chosen) -> None:
    """First and last page, from 1, with the labels that the document gives them."""
    assert broken("L10 pages", document, chosen) == []


@few(2)
@given(markdown(), chunking())
def test_l11_the_same_again(text: str, chosen: Chosen) -> None:
    """The same bytes and options give the same chunks, read and chunked anew."""
    assert chunk_document(read(text), *chosen) == chunk_document(read(text), *chosen)


SAMPLE = (
    "# A\n\nOne two three.\n\n## B\n\n" + "- item with words\n" * 40 + "\n| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 40
)

ELSEWHERE = """
import json, sys
from pincite.chunking import chunk_document
from pincite.counting import counter_for
from pincite.options import ParseOptions, chunk_options
from pincite.parsing import parse_bytes
document = parse_bytes(sys.stdin.buffer.read(), "guide.md", ParseOptions())
made = chunk_document(document, chunk_options(counter="chars", max_tokens=200), counter_for("chars"))
print(json.dumps([chunk.id for chunk in made.chunks]))
"""


@pytest.mark.parametrize("seed", ["0", "77"])
def test_l11_ids_are_the_same_in_every_process(seed: str) -> None:
    """Neither the process nor its hash seed enters an id."""
    from pincite.options import chunk_options

    here = chunk_document(read(SAMPLE), chunk_options(counter="chars", max_tokens=200), named_counter("chars"))
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(pincite.__file__).parents[1])}
    run = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], input=SAMPLE.encode(), capture_output=True, env=environment, check=True
    )

    assert json.loads(run.stdout) == [chunk.id for chunk in here.chunks]
    assert len(here.chunks) > 3
