"""The wire form `pincite.document/1` of a Document, and the way back.

`document_from_json(document_json(d)) == d` for every document: nothing is rounded, left out or
guessed. Every key is always there, so that a reader in another language needs no defaults. A
span is `[start, end]`, in code points. Values of front matter that JSON has no word for (dates,
infinities) are an object with the single key `$date`, `$datetime`, `$time` or `$float`.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from pincite.document import (
    Block,
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

__all__ = ["SCHEMA", "document_from_json", "document_json"]

SCHEMA: Final = "pincite.document/1"

TAGS: Final[Mapping[str, Callable[[str], Any]]] = {
    "$datetime": datetime.datetime.fromisoformat,
    "$date": datetime.date.fromisoformat,
    "$time": datetime.time.fromisoformat,
    "$float": float,
}

OBJECT: Final = "$object"
"""Wraps front matter's own object that looks like one of the tags."""


def document_json(document: Document) -> dict[str, Any]:
    """The document as values that `json.dumps` takes, NaN and infinity never among them."""
    metadata = document.metadata
    return {
        "schema": SCHEMA,
        "id": document.id,
        "source": {
            "uri": document.source.uri,
            "media_type": document.source.media_type,
            "sha256": document.source.sha256,
            "size": document.source.size,
        },
        "metadata": {
            "title": metadata.title,
            "language": metadata.language,
            "front_matter": {key: plain(value) for key, value in metadata.front_matter.items()},
            "outline": [{"title": e.title, "level": e.level, "page": e.page} for e in metadata.outline],
        },
        "text": document.text,
        "blocks": [block_json(block) for block in document.blocks],
        "pages": [page_json(page) for page in document.pages],
        "diagnostics": [diagnostic_json(each) for each in document.diagnostics],
    }


def block_json(block: Block) -> dict[str, Any]:
    return {
        "kind": block.kind,
        "span": span_json(block.span),
        "level": block.level,
        "regions": [region_json(region) for region in block.regions],
        "table": table_json(block.table) if block.table else None,
        "body": span_json(block.body),
        "attributes": dict(block.attributes),
        "confidence": block.confidence,
    }


def span_json(span: Span | None) -> list[int] | None:
    return None if span is None else [span.start, span.end]


def region_json(region: Region) -> dict[str, Any]:
    bbox = None if region.bbox is None else list(region.bbox)
    return {"page": region.page, "bbox": bbox, "span": span_json(region.span)}


def table_json(table: Table) -> dict[str, Any]:
    return {
        "columns": table.columns,
        "header": [row_json(row) for row in table.header],
        "header_span": span_json(table.header_span),
        "rows": [row_json(row) for row in table.rows],
    }


def row_json(row: Row) -> dict[str, Any]:
    cells = [
        {"span": span_json(c.span), "column": c.column, "row_span": c.row_span, "column_span": c.column_span}
        for c in row.cells
    ]
    return {"span": span_json(row.span), "cells": cells}


def page_json(page: Page) -> dict[str, Any]:
    return {
        "number": page.number,
        "label": page.label,
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
    }


def diagnostic_json(each: Diagnostic) -> dict[str, Any]:
    return {
        "code": each.code,
        "severity": each.severity,
        "message": each.message,
        "page": each.page,
        "span": span_json(each.span),
    }


def plain(value: Any) -> Any:
    """A value of front matter in JSON's words."""
    if isinstance(value, datetime.datetime):
        return {"$datetime": value.isoformat()}
    if isinstance(value, datetime.date):
        return {"$date": value.isoformat()}
    if isinstance(value, datetime.time):
        return {"$time": value.isoformat()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": repr(value)}
    if isinstance(value, Mapping):
        made = {str(key): plain(item) for key, item in value.items()}
        return {OBJECT: made} if len(made) == 1 and next(iter(made)) in {*TAGS, OBJECT} else made
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def document_from_json(value: Mapping[str, Any]) -> Document:
    """The document that `document_json` wrote; ValueError where it is of another form."""
    if value.get("schema") != SCHEMA:
        raise ValueError(f"schema is {value.get('schema')!r}; it must be {SCHEMA!r}")
    source, metadata = value["source"], value["metadata"]
    return Document(
        id=value["id"],
        source=Source(source["uri"], source["media_type"], source["sha256"], source["size"]),
        text=value["text"],
        blocks=tuple(block_from(each) for each in value["blocks"]),
        pages=tuple(Page(p["number"], p["label"], p["width"], p["height"], p["rotation"]) for p in value["pages"]),
        metadata=Metadata(
            title=metadata["title"],
            language=metadata["language"],
            front_matter={key: rich(item) for key, item in metadata["front_matter"].items()},
            outline=tuple(OutlineEntry(e["title"], e["level"], e["page"]) for e in metadata["outline"]),
        ),
        diagnostics=tuple(
            Diagnostic(d["code"], d["severity"], d["message"], d["page"], optional_span(d["span"]))
            for d in value["diagnostics"]
        ),
    )


def block_from(value: Mapping[str, Any]) -> Block:
    return Block(
        kind=value["kind"],
        span=Span(*value["span"]),
        level=value["level"],
        regions=tuple(region_from(each) for each in value["regions"]),
        table=table_from(value["table"]) if value["table"] else None,
        body=optional_span(value["body"]),
        attributes=dict(value["attributes"]),
        confidence=value["confidence"],
    )


def region_from(value: Mapping[str, Any]) -> Region:
    bbox = None
    if value["bbox"] is not None:
        left, top, right, bottom = value["bbox"]
        bbox = (left, top, right, bottom)
    return Region(Span(*value["span"]), value["page"], bbox)


def optional_span(value: list[int] | None) -> Span | None:
    return None if value is None else Span(*value)


def table_from(value: Mapping[str, Any]) -> Table:
    return Table(
        columns=value["columns"],
        header=tuple(row_from(row) for row in value["header"]),
        header_span=optional_span(value["header_span"]),
        rows=tuple(row_from(row) for row in value["rows"]),
    )


def row_from(value: Mapping[str, Any]) -> Row:
    cells = (Cell(Span(*c["span"]), c["column"], c["row_span"], c["column_span"]) for c in value["cells"])
    return Row(Span(*value["span"]), tuple(cells))


def rich(value: Any) -> Any:
    """The way back from `plain`."""
    if isinstance(value, dict):
        if len(value) == 1:
            ((tag, inner),) = value.items()
            if tag == OBJECT:
                return {key: rich(item) for key, item in inner.items()}
            if tag in TAGS:
                return TAGS[tag](inner)
        return {key: rich(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rich(item) for item in value]
    return value
