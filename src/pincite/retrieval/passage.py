"""What a search returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pincite.chunk import Chunk, Citation, chunk_json

__all__ = ["Passage", "ScoreKind", "citation_json", "passage_json"]

ScoreKind = Literal["bm25", "cosine", "fused"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that answers a question, and where it stands."""

    chunk: Chunk
    citation: Citation
    score: float
    """Higher is better, within this list only; a fused score says nothing of how good a passage is."""

    score_kind: ScoreKind
    ranks: Mapping[str, int] = field(default_factory=dict)
    """Its rank, from 1, in each list that had it: `lexical`, `vector`."""

    scores: Mapping[str, float] = field(default_factory=dict)
    """Its own score in each list: BM25, cosine."""

    same: tuple[str, ...] = ()
    """Ids of chunks of the document that say the same and were left out."""

    question: str = ""
    """What was embedded: the question, with its marks put back where the index knew them."""

    @property
    def id(self) -> str:
        return self.chunk.id

    @property
    def uri(self) -> str:
        return self.chunk.uri

    @property
    def text(self) -> str:
        return self.chunk.text

    @property
    def heading_path(self) -> tuple[str, ...]:
        return self.chunk.heading_path

    @property
    def page_start(self) -> int | None:
        return self.chunk.page_start

    @property
    def page_end(self) -> int | None:
        return self.chunk.page_end


def passage_json(passage: Passage, content: bool = True) -> dict[str, Any]:
    """The wire form `pincite.passage/1`."""
    return {
        "schema": "pincite.passage/1",
        "score": passage.score,
        "score_kind": passage.score_kind,
        "ranks": dict(passage.ranks),
        "scores": dict(passage.scores),
        "same": list(passage.same),
        "citation": citation_json(passage.citation, content),
        "chunk": chunk_json(passage.chunk, content),
    }


def citation_json(citation: Citation, content: bool = True) -> dict[str, Any]:
    """A citation as it is printed; `content=False` leaves the quoted words out."""
    return {
        "number": citation.number,
        "target": citation.target,
        "line": citation.line,
        "uri": citation.uri,
        "sha256": citation.sha256,
        "heading_path": list(citation.heading_path),
        "page_start": citation.page_start,
        "page_end": citation.page_end,
        "page_label_start": citation.page_label_start,
        "page_label_end": citation.page_label_end,
        "spans": [[span.start, span.end] for span in citation.spans],
        "regions": [{"page": each.page, "bbox": list(each.bbox) if each.bbox else None} for each in citation.regions],
        **({"quote": citation.quote} if content else {}),
    }
