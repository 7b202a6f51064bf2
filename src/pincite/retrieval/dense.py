"""Ranking by meaning: the cosine of the question's vector with each chunk's, exact, over the memory map.

The scan chooses candidates; their cosines are then computed row by row in double precision and
rounded, so that the order of near-equals depends neither on where a row stands in the file nor
on how a matrix library cuts its work.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from pincite.storage.records import Filter, Model
from pincite.storage.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

__all__ = ["search"]

STEP: Final = 32_768
"""Rows that are scored at a time: 50 MB of 384 numbers."""


def search(store: Store, model: Model, question: Vector, only: Filter, depth: int) -> list[tuple[int, float]]:
    """Chunk keys and cosines, best first; ties by uri and position. What is not alike at all is left out."""
    rows = store.vector_file(model).mapped(model.slots)
    slots = candidates(store, model, rows, question, only, depth)
    scores: dict[int, float] = {}
    for slot, keys in store.at_slots(model, slots, only).items():
        cosine = exact(rows[slot], question)
        if cosine > 0:
            scores.update(dict.fromkeys(keys, cosine))
    order = store.order(scores)
    return sorted(scores.items(), key=lambda item: (-item[1], order[item[0]]))[:depth]


def candidates(store: Store, model: Model, rows: Any, question: Vector, only: Filter, depth: int) -> list[int]:
    """Slots of the rows that are nearest, with enough of them for `depth` chunks.

    Without a filter every row is scored, also rows that no chunk uses; so the number grows until
    enough chunks are among them. With a filter its own rows are scored and no other.
    """
    import numpy as np

    if only:
        allowed = np.asarray(store.allowed_slots(model, only), dtype=np.int64)
        if not len(allowed):
            return []
        scores = scored((rows[allowed[at : at + STEP]] for at in range(0, len(allowed), STEP)), question)
        return [int(allowed[at]) for at in nearest(scores, 2 * depth)]
    if not len(rows):
        return []
    scores = scored((rows[at : at + STEP] for at in range(0, len(rows), STEP)), question)
    wanted = 2 * depth
    while True:
        found = nearest(scores, wanted)
        used = store.at_slots(model, found, only)
        if sum(map(len, used.values())) >= depth or wanted >= len(scores):
            return sorted(used)
        wanted *= 4


def scored(parts: Iterable[Any], question: Vector) -> Any:
    """Scores of rows; those that a crash left half written and that are no numbers are the last of all."""
    import numpy as np

    with np.errstate(all="ignore"):
        scores = np.concatenate([part @ question for part in parts])
    return np.nan_to_num(scores, copy=False, nan=-2.0, posinf=-2.0, neginf=-2.0)


def nearest(scores: Any, wanted: int) -> list[int]:
    """Positions of the highest scores, with all that tie with the last of them to five digits."""
    import numpy as np

    if len(scores) <= wanted:
        return list(range(len(scores)))
    last = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
    return [int(at) for at in np.flatnonzero(scores >= last - 1e-5)]


def exact(row: Any, question: Vector) -> float:
    """The cosine to six digits; the vectors have length one already."""
    import numpy as np

    return round(float(np.dot(row.astype(np.float64), question.astype(np.float64))), 6)
