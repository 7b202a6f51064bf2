"""A run that was written down: JSON lines of `id`, `retrieved`, and where the system answers `answer`.

A passage in `retrieved` is a document's uri, or a mapping with `document`, `page` or `page_start` and
`page_end`, `text`, `spans` and `score`. A row that the system failed on has `error`. So anyone's
system can be scored, in any language.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.document import Span
from pincite.errors import GoldenError
from pincite.evaluation.golden_file import RawRow, read_rows
from pincite.evaluation.model import Response, Retrieved

__all__ = ["load_run", "passage_of", "response_of"]


def load_run(path: Path | str) -> list[Response]:
    """The responses of a file. Raises GoldenError, which names the file, the line and the field."""
    path = Path(path)
    return [response_of(path, each) for each in read_rows(path)]


def response_of(path: Path, raw: RawRow) -> Response:
    values = raw.values
    name = values.get("id")
    if not isinstance(name, str) or not name:
        raise GoldenError(str(path), "must be the id of a row", line=raw.line, field="id")

    def fail(field: str, wanted: str) -> GoldenError:
        return GoldenError(str(path), wanted, line=raw.line, row=name, field=field)

    for key in ("answer", "error"):
        if values.get(key) is not None and not isinstance(values[key], str):
            raise fail(key, "must be a text")
    found = values.get("retrieved", [])
    if not isinstance(found, list):
        raise fail("retrieved", "must be a list, best first")
    try:
        passages = tuple(map(passage_of, found))
    except ValueError as error:
        raise fail("retrieved", str(error)) from None
    return Response(name, passages, values.get("answer"), values.get("error") or None)


def passage_of(value: Any) -> Retrieved:
    """A passage of its written form. Raises ValueError, which says what was expected."""
    if isinstance(value, str) and value:
        return Retrieved(value)
    if not isinstance(value, Mapping) or not isinstance(value.get("document"), str) or not value["document"]:
        raise ValueError("must name the document of each passage")
    first = page(value, "page_start") or page(value, "page")
    last = page(value, "page_end") or first
    if first and last and last < first:
        raise ValueError("has a page_end before its page_start")
    text, score = value.get("text") or "", value.get("score")
    if not isinstance(text, str):
        raise ValueError("must have a text between quotes")
    if score is not None and (isinstance(score, bool) or not isinstance(score, (int, float))):
        raise ValueError("must have a number for a score")
    return Retrieved(value["document"], first, last, text, spans(value.get("spans") or ()), score)


def page(value: Mapping[str, Any], name: str) -> int | None:
    found = value.get(name)
    if found is None:
        return None
    if type(found) is not int or found < 1:
        raise ValueError(f"must have a whole number of at least 1 for {name}")
    return found


def spans(value: Any) -> tuple[Span, ...]:
    try:
        found = tuple(Span(int(start), int(end)) for start, end in value)
    except (TypeError, ValueError):
        raise ValueError("must have spans as pairs of whole numbers") from None
    if any(not 0 <= each.start <= each.end for each in found):
        raise ValueError("must have spans that rise")
    return found
