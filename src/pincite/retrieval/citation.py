"""Where a passage stands, in words for people and as a target to open.

A passage may run over a page break. The target is then the page whose lines hold most of the
question's words, the rarer ones first, and the first page where they hold none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pincite.chunk import Chunk, Citation, quote
from pincite.document import Span
from pincite.retrieval.analyser import Term, chunk_words

__all__ = ["cite"]

ESCAPED: Final = str.maketrans({"%": "%25", "#": "%23", "?": "%3F"})
"""What would end the name of the file in a URL."""


def cite(chunk: Chunk, number: int, weights: Mapping[Term, float] | None = None) -> Citation:
    """The citation of a chunk that is the `number`th of a list of results.

    `weights` are the terms of the question, each with how telling it is.
    """
    return Citation(
        number=number,
        target=target(chunk, weights or {}),
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


def target(chunk: Chunk, weights: Mapping[Term, float]) -> str:
    """`handbook.pdf#page=12`, or the uri alone where the format has no pages."""
    name = chunk.uri.translate(ESCAPED)
    page = best_page(chunk, weights)
    return name if page is None else f"{name}#page={page}"


def best_page(chunk: Chunk, weights: Mapping[Term, float]) -> int | None:
    """The page that the question's words stand on."""
    if chunk.page_start == chunk.page_end or not weights:
        return chunk.page_start
    lines: dict[int, list[str]] = {}
    for region in chunk.regions:
        lines.setdefault(region.page, []).append(text_at(chunk, region.span))
    scores = {page: held("\n".join(texts), weights) for page, texts in lines.items()}
    return max(sorted(scores), key=lambda page: scores[page], default=chunk.page_start)


def text_at(chunk: Chunk, span: Span) -> str:
    """The own text of a chunk that shows a range of the document, where it shows it letter by letter."""
    for piece in chunk.pieces:
        source = piece.source
        if piece.role == "own" and source and len(source) == piece.end - piece.start:
            start, end = max(span.start, source.start), min(span.end, source.end)
            if start < end:
                shift = piece.start - source.start
                return chunk.text[start + shift : end + shift]
    return ""


def held(text: str, weights: Mapping[Term, float]) -> float:
    """The weight of all terms that occur in the text."""
    words = chunk_words((), text)
    found = {*words.folded.split(), *words.exact.split()}
    return sum(
        weight
        for term, weight in weights.items()
        if (any(word.startswith(term.text) for word in found) if term.kind == "prefix" else term.text in found)
    )


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
