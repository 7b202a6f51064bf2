"""Asking a system every question once: several at a time, remembered where its release has a name.

An answer that was remembered is evidence only for the very system that gave it. So it is kept under the
fingerprint of the target, and a target that cannot have one is asked anew each time. Errors are never kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pincite.document import Span
from pincite.evaluation.cache import Cache, key_of
from pincite.evaluation.model import Response, Retrieved, Row
from pincite.evaluation.target.target import Target

__all__ = ["ask_all", "response_json", "response_of"]


def ask_all(
    target: Target, rows: Iterable[Row], cache: Cache, done: Callable[[int], None] | None = None
) -> list[Response]:
    """The response to each row, in order; what the cache knows is not asked again."""
    rows = list(rows)
    counted = iter(range(1, len(rows) + 1))

    def one(row: Row) -> Response:
        found = remembered(target, row, cache)
        if done:
            done(next(counted))
        return found

    if target.concurrency == 1:
        return list(map(one, rows))
    with ThreadPoolExecutor(target.concurrency) as pool:
        return list(pool.map(one, rows))


def remembered(target: Target, row: Row, cache: Cache) -> Response:
    fingerprint = target.fingerprint
    if fingerprint is None:
        return target.ask(row)
    key = key_of("response", fingerprint, row.input)
    known = cache.get(key)
    if known is not None:
        return response_of(row.id, known)
    found = target.ask(row)
    if not found.error:
        cache.put(key, response_json(found))
    return found


def response_json(response: Response) -> dict[str, Any]:
    """A response as JSON, without the row: the form of a recorded run."""
    return {
        "retrieved": [
            {
                "document": each.document, "page_start": each.page_start, "page_end": each.page_end, "text": each.text,
                "spans": [[span.start, span.end] for span in each.spans], "score": each.score,
            }
            for each in response.passages
        ],
        "answer": response.answer,
        "error": response.error,
        "seconds": response.seconds,
        "tokens": response.tokens,
    }  # fmt: skip


def response_of(row: str, value: dict[str, Any]) -> Response:
    """The response of its JSON."""
    passages = tuple(
        Retrieved(
            each["document"], each["page_start"], each["page_end"], each["text"],
            tuple(Span(start, end) for start, end in each["spans"]), each["score"],
        )
        for each in value["retrieved"]
    )  # fmt: skip
    return Response(row, passages, value["answer"], value["error"], value["seconds"], value["tokens"])
