"""A question to passages: the lists, their fusion, and what is left out of the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from pincite.errors import ModelMismatchError, QueryError
from pincite.retrieval import dense, lexical, marks
from pincite.retrieval.analyser import query_terms
from pincite.retrieval.citation import cite
from pincite.retrieval.duplicates import collapse
from pincite.retrieval.fusion import blend, ranks_of, reciprocal
from pincite.retrieval.passage import Passage, ScoreKind
from pincite.storage.records import Filter, Model
from pincite.storage.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Mode", "QueryEmbedder", "search"]

Mode = Literal["hybrid", "lexical", "vector"]

DEPTH: Final = 50
"""Entries of each list at least, and four for each passage that is wanted."""

KINDS: Final[Mapping[str, ScoreKind]] = {"hybrid": "fused", "lexical": "bm25", "vector": "cosine"}


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as it was searched."""

    text: str
    """With its marks."""

    whole: float
    """The weight of all its terms, also of those that the index does not know."""


class QueryEmbedder(Protocol):
    """What search asks of an embedding model."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    def embed_query(self, text: str) -> NDArray[np.float32]: ...


def search(
    store: Store, question: str, limit: int, mode: Mode, only: Filter, embedder: Callable[[], QueryEmbedder]
) -> list[Passage]:
    """The best passages, at most `limit`. `embedder` is called only where meaning is searched.

    Raises QueryError for a question without a letter or digit, and ModelMismatchError where the
    vectors come from another model than the embedder's.
    """
    terms = query_terms(question)
    if not terms:
        raise QueryError(
            "the question is empty; ask with at least one word"
            if not question.strip()
            else f"the question {question.strip()[:40]!r} holds no letter and no digit to search for"
        )
    model = store.active_model() if mode != "lexical" else None
    asked, vector = question, None
    if model is not None:
        engine = embedder()
        check(store, model, engine)
        asked = marks.restore(question, store)
        vector = engine.embed_query(asked)
    weights = lexical.weights_of(store, terms)
    depth = max(DEPTH, 4 * limit)
    while True:
        lists: dict[str, dict[int, float]] = {}
        if mode != "vector":
            lists["lexical"] = dict(lexical.search(store, weights, only, depth))
        if model is not None and vector is not None:
            lists["vector"] = dict(dense.search(store, model, vector, only, depth))
        found = passages(store, lists, limit, mode, Asked(asked, lexical.whole_weight(store, weights)))
        full = any(len(each) >= depth for each in lists.values())
        if len(found) >= limit or not full:
            return found
        depth *= 4


def check(store: Store, model: Model, engine: QueryEmbedder) -> None:
    if model.fingerprint != engine.fingerprint:
        raise ModelMismatchError(
            f"{store.path} was filled with the model {model.name} ({model.fingerprint}) and the question would be "
            f"embedded with {engine.name} ({engine.fingerprint}); search with that model, or index again with this one"
        )


def passages(
    store: Store, lists: Mapping[str, Mapping[int, float]], limit: int, mode: Mode, asked: Asked
) -> list[Passage]:
    """The fused list as passages, those that repeat one another collapsed."""
    ranks = ranks_of({name: list(found) for name, found in lists.items()})
    if mode == "hybrid":
        scores = blend(lists.get("lexical", {}), lists.get("vector", {}), asked.whole)
    else:
        scores = dict(next(iter(lists.values()), {}))
    order = store.order(scores)
    ranked = sorted(
        scores, key=lambda key: (-round(scores[key], 9), -round(reciprocal(ranks[key], len(lists)), 9), order[key])
    )
    chunks: dict[int, Any] = store.load(ranked)
    kept = collapse(((key, chunks[key]) for key in ranked), limit)
    return [
        Passage(
            chunk=chunk,
            citation=cite(chunk, number),
            score=scores[key],
            score_kind=KINDS[mode],
            ranks=ranks[key],
            scores={name: found[key] for name, found in lists.items() if key in found},
            same=same,
            question=asked.text,
        )
        for number, (key, chunk, same) in enumerate(kept, 1)
    ]
