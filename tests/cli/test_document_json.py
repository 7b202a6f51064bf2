"""The wire form of a Document loses nothing and keeps its published schema."""

from __future__ import annotations

import datetime
import json
import typing
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.document import (
    Block,
    BlockKind,
    Cell,
    Diagnostic,
    Document,
    Metadata,
    OutlineEntry,
    Page,
    Region,
    Row,
    Source,
    Span,
    Table,
)
from pincite.document_json import document_from_json, document_json

offsets = st.integers(0, 10**9)
spans = st.tuples(offsets, offsets).map(lambda pair: Span(min(pair), max(pair)))
finite = st.floats(allow_nan=False, allow_infinity=False)
names = st.from_regex(r"[a-z_]{1,20}", fullmatch=True)
pages = st.integers(1, 10**6)
bboxes = st.tuples(finite, finite, finite, finite)
regions = st.builds(Region, spans, pages, st.none() | bboxes)
cells = st.builds(Cell, spans, st.integers(0, 99), st.integers(1, 9), st.integers(1, 9))


def tuples(of: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(of, max_size=3).map(tuple)


rows = st.builds(Row, spans, tuples(cells))
tables = st.builds(Table, st.integers(0, 99), tuples(rows), st.none() | spans, tuples(rows))
blocks = st.builds(
    Block,
    st.sampled_from(typing.get_args(BlockKind)),
    spans,
    st.integers(0, 9),
    tuples(regions),
    st.none() | tables,
    st.none() | spans,
    st.dictionaries(st.text(), st.text(), max_size=3),
    st.floats(0, 1),
)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.dates()
    | st.datetimes(timezones=st.none() | st.just(datetime.UTC))
    | st.times(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text() | st.sampled_from(["$date", "$object", "$float"]), inner, max_size=2)
    ),
    max_leaves=6,
)
documents = st.builds(
    Document,
    id=st.from_regex(r"[0-9a-f]{32}", fullmatch=True),
    source=st.builds(Source, st.text(), st.text(), st.from_regex(r"[0-9a-f]{64}", fullmatch=True), offsets),
    text=st.text(),
    blocks=tuples(blocks),
    pages=tuples(
        st.builds(
            Page,
            pages,
            st.none() | st.text(),
            st.none() | finite,
            st.none() | finite,
            st.sampled_from([0, 90, 180, 270]),
        )
    ),
    metadata=st.builds(
        Metadata,
        st.none() | st.text(),
        st.none() | st.text(),
        st.dictionaries(st.text(), values, max_size=3),
        tuples(st.builds(OutlineEntry, st.text(), st.integers(1, 9), st.none() | pages)),
    ),
    diagnostics=tuples(
        st.builds(
            Diagnostic,
            names,
            st.sampled_from(["info", "warning", "error"]),
            st.text(),
            st.none() | pages,
            st.none() | spans,
        )
    ),
)


@settings(deadline=None, max_examples=60)
@given(documents)
def test_nothing_is_lost_on_the_way_and_back(document: Document) -> None:
    """Through JSON text and back, every document is equal to itself."""
    written = json.dumps(document_json(document), ensure_ascii=False, allow_nan=False)

    assert document_from_json(json.loads(written)) == document


@settings(deadline=None, max_examples=60)
@given(documents)
def test_every_document_keeps_the_schema(valid: Callable[[Any], None], document: Document) -> None:
    """What is written is what docs/schemas publishes."""
    valid(json.loads(json.dumps(document_json(document))))


def test_infinity_in_front_matter_survives() -> None:
    """TOML has infinities and JSON has none."""
    source = Source("a.md", "text/markdown", "0" * 64, 0)
    document = Document("0" * 32, source, "", (), metadata=Metadata(front_matter={"x": float("inf")}))

    assert document_from_json(document_json(document)) == document
    assert document_json(document)["metadata"]["front_matter"] == {"x": {"$float": "inf"}}


def test_another_form_is_refused() -> None:
    """A reader never guesses at a form that it does not know."""
    with pytest.raises(ValueError, match=r"pincite\.document/1"):
        document_from_json({"schema": "pincite.document/2"})
