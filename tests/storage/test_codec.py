"""A chunk survives its wire form."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.chunk import Chunk, Part, Piece, chunk_json
from pincite.document import Region, Span
from pincite.storage.codec import chunk_from_json

text = st.text(st.characters(codec="utf-8"), max_size=30)
label = st.none() | text
page = st.none() | st.integers(1, 5000)
span = st.builds(lambda start, size: Span(start, start + size), st.integers(0, 10**9), st.integers(0, 10**9))
number = st.floats(allow_nan=False, allow_infinity=False)
bbox = st.none() | st.tuples(number, number, number, number)
role = st.sampled_from(["own", "overlap", "table_header", "lead_in", "generated"])
kind = st.sampled_from(["text", "table", "code"])

chunks = st.builds(
    Chunk,
    id=text,
    index=st.integers(0, 10**6),
    kind=kind,
    document_id=text,
    uri=text,
    title=label,
    sha256=text,
    heading_path=st.lists(text, max_size=4).map(tuple),
    text=text,
    embedding_text=text,
    tokens=st.integers(0, 10**6),
    spans=st.lists(span, max_size=3).map(tuple),
    pieces=st.lists(st.builds(Piece, role, st.integers(0), st.integers(0), st.none() | span), max_size=3).map(tuple),
    regions=st.lists(st.builds(Region, span, st.integers(1, 5000), bbox), max_size=3).map(tuple),
    page_start=page,
    page_end=page,
    page_label_start=label,
    page_label_end=label,
    part=st.builds(Part, st.integers(1, 99), st.integers(1, 99)),
    quality=st.floats(0, 1),
    flags=st.lists(text, max_size=2).map(tuple),
)


@settings(max_examples=30)
@given(chunks)
def test_a_chunk_comes_back_as_it_went(chunk: Chunk) -> None:
    """Through JSON text, as a store keeps it, nothing is rounded, left out or guessed."""
    assert chunk_from_json(json.loads(json.dumps(chunk_json(chunk), ensure_ascii=False))) == chunk
