"""An index of this project as the system under judgement: it retrieves, and does not answer."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pincite.chunk import Chunk
from pincite.errors import PinciteError
from pincite.evaluation.model import Response, Retrieved, Row
from pincite.retrieval.passage import Passage

__all__ = ["IndexTarget", "chunk_passage", "corpus_of", "retrieved"]


class Searching(Protocol):
    """As much of an index as is needed here."""

    def search(self, question: str, *, limit: int | None = None, mode: str | None = None) -> Sequence[Passage]: ...

    def documents(self) -> Iterable[Any]: ...


@dataclass(frozen=True, slots=True)
class IndexTarget:
    """Searches an index for each row."""

    index: Searching
    top_k: int
    """Passages for each question: what the model would see."""

    settings: str
    """Everything of the options that the passages depend on."""

    corpus: str
    """Fingerprint of the documents, as `corpus_of` makes it."""

    mode: str | None = None
    name: str = "index"
    concurrency: int = 1

    @property
    def fingerprint(self) -> str:
        facts = f"index\n{self.corpus}\n{self.settings}\n{self.top_k}\n{self.mode}"
        return hashlib.sha256(facts.encode()).hexdigest()

    def ask(self, row: Row) -> Response:
        began = time.perf_counter()
        try:
            found = self.index.search(row.input, limit=self.top_k, mode=self.mode)
        except PinciteError as error:
            return Response(row.id, error=str(error))
        return Response(row.id, tuple(map(retrieved, found)), seconds=time.perf_counter() - began)


def retrieved(passage: Passage) -> Retrieved:
    """A passage as an evaluation sees it."""
    return chunk_passage(passage.chunk, passage.score)


def chunk_passage(chunk: Chunk, score: float | None = None) -> Retrieved:
    """A chunk as an evaluation sees it."""
    return Retrieved(chunk.uri, chunk.page_start, chunk.page_end, chunk.text, chunk.spans, score)


def corpus_of(documents: Iterable[tuple[str, str]]) -> str:
    """The fingerprint of a corpus: of the uri and the hash of each document, in whatever order they come."""
    facts = "".join(f"{uri}\0{sha256}\n" for uri, sha256 in sorted(documents))
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()
