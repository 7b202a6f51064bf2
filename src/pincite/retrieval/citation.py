"""Where a passage stands, in words for people and as a target to open.

A passage may run over a page break. The target is the page that it begins on; its regions name both.
"""

from __future__ import annotations

from typing import Final

from pincite.chunk import Chunk, Citation, quote

__all__ = ["cite"]

ESCAPED: Final = str.maketrans({"%": "%25", "#": "%23", "?": "%3F"})
"""What would end the name of the file in a URL."""


def cite(chunk: Chunk, number: int) -> Citation:
    """The citation of a chunk that is the `number`th of a list of results."""
    return Citation(
        number=number,
        target=target(chunk),
        line=", ".join(filter(None, (chunk.uri, pages(chunk), " › ".join(chunk.heading_path)))),
        uri=chunk.uri,
        sha256=chunk.sha256,
        heading_path=chunk.heading_path,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        page_label_start=chunk.page_label_start,
        page_label_end=chunk.page_label_end,
        spans=chunk.spans,
        regions=chunk.regions,
        quote=quote(chunk),
    )


def target(chunk: Chunk) -> str:
    """`handbook.pdf#page=12`, or the uri alone where the format has no pages."""
    name = chunk.uri.translate(ESCAPED)
    return name if chunk.page_start is None else f"{name}#page={chunk.page_start}"


def pages(chunk: Chunk) -> str:
    """`p. 12 (xii)`, or `pp. 12–13 (xii–1)`; labels only where the document counts otherwise."""
    first, last = chunk.page_start, chunk.page_end
    if first is None:
        return ""
    last = first if last is None else last
    start = chunk.page_label_start or str(first)
    end = chunk.page_label_end or str(last)
    labels = "" if (start, end) == (str(first), str(last)) else f" ({ranged(start, end)})"
    return f"{'p.' if first == last else 'pp.'} {ranged(str(first), str(last))}{labels}"


def ranged(start: str, end: str) -> str:
    return start if start == end else f"{start}–{end}"
