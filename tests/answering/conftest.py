"""Passages in three languages, and a model behind a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pincite.chunk import Chunk
from pincite.document import Span
from pincite.remote import Chat, Client, Endpoint, Limits
from pincite.remote.waiting import Pace
from pincite.retrieval.citation import cite
from pincite.retrieval.passage import Passage

from ..endpoint import Server, serving

Make = Callable[..., list[Passage]]


@pytest.fixture
def passages() -> Make:
    """Passages with these texts, numbered from 1, on the pages 9, 10, …"""

    def build(*texts: str, cosine: float | None = 0.8) -> list[Passage]:
        found = []
        for number, text in enumerate(texts, 1):
            chunk = Chunk(
                id=f"c{number}",
                index=number,
                kind="text",
                document_id="d",
                uri="handbook.pdf",
                title="Handbook",
                sha256="0" * 64,
                heading_path=("Handbook", "Leave"),
                text=text,
                embedding_text=f"Handbook > Leave\n{text}",
                tokens=9,
                spans=(Span(0, len(text)),),
                pieces=(),
                page_start=8 + number,
                page_end=8 + number,
            )
            scores = {} if cosine is None else {"vector": cosine}
            found.append(Passage(chunk, cite(chunk, number), 1.0, "fused", scores=scores))
        return found

    return build


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


@pytest.fixture
def model(server: Server) -> Iterator[Chat]:
    pace = Pace(sleep=lambda seconds: None)
    with Client(Endpoint(server.url, limits=Limits(read=5.0, tries=2)), pace) as client:
        yield Chat(client, "m")
