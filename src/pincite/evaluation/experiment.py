"""Ways of cutting compared on the same documents and questions, retrieval beside cost.

At a fixed number of passages large chunks look as good as small ones; at a fixed budget of characters they do not. So
both are printed. Search is exact and by meaning alone, so that nothing but the cutting differs.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, Protocol

from pincite.document import Document, Span
from pincite.errors import EvaluationError
from pincite.evaluation.golden import GoldenSet
from pincite.evaluation.model import Evidence, Row
from pincite.evaluation.ranking import named
from pincite.evaluation.spans import overlap, within
from pincite.evaluation.statistics import Paired, paired

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BUDGETS", "Contender", "Cut", "Outcome", "beside", "experiment", "located"]

BUDGETS: Final = (2000, 4000, 8000)
"""Characters of retrieved text at which recall is taken."""

Ranges = list[tuple[str, Span]]


class Model(Protocol):
    """As much of an embedder as is needed here."""

    def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> NDArray[np.float32]: ...

    def embed_query(self, text: str) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Cut:
    """One chunk of one document."""

    spans: tuple[Span, ...]
    """Where its own text stands."""

    text: str
    """What is embedded."""

    tokens: int


@dataclass(frozen=True, slots=True)
class Contender:
    """A way of cutting."""

    name: str
    cut: Callable[[Document], Sequence[Cut]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one way of cutting costs, and what it finds."""

    name: str
    chunks: int
    tokens: int
    """Of all texts that are embedded."""

    cut_seconds: float
    embed_seconds: float
    scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By metric, a value for each row, in the order of the rows."""

    def mean(self, metric: str) -> float:
        return fmean(self.scores[metric])


def located(golden: GoldenSet, documents: Sequence[Document]) -> list[tuple[Row, Ranges]]:
    """The rows that can be measured, each with the ranges that answer it. Raises EvaluationError where none can.

    Evidence is placed by its span, or by its quoted words, whatever their white space. A row with evidence that is
    not found is left out.
    """
    texts = {named(document.source.uri): document.text for document in documents}
    found = []
    for row in golden:
        ranges = [place(each, texts) for each in row.evidence]
        if ranges and all(ranges):
            found.append((row, [each for each in ranges if each]))
    if not found:
        raise EvaluationError(
            "no row has evidence that is found in the documents; a chunking experiment needs quotes (or spans) "
            "of these documents, under their uris: " + ", ".join(sorted(texts)[:5])
        )
    return found


def place(evidence: Evidence, texts: Mapping[str, str]) -> tuple[str, Span] | None:
    name = named(evidence.document)
    text = texts.get(name)
    if text is None:
        return None
    if evidence.span:
        return (name, evidence.span) if evidence.span.end <= len(text) else None
    words = re.findall(r"\S+", evidence.quote or "")
    if not words:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return (name, Span(*match.span())) if match else None


def experiment(
    documents: Sequence[Document],
    golden: GoldenSet,
    contenders: Iterable[Contender],
    model: Model,
    top_k: int = 5,
    done: Callable[[str], None] | None = None,
) -> list[Outcome]:
    """The outcome of each way of cutting, on the rows whose evidence is found in the documents."""
    import numpy

    rows = located(golden, documents)
    texts = {named(document.source.uri): document.text for document in documents}
    questions = numpy.stack([model.embed_query(row.input) for row, _ in rows])
    outcomes = []
    for contender in contenders:
        if done:
            done(contender.name)
        outcomes.append(outcome(contender, documents, texts, rows, questions, model, top_k))
    return outcomes


def outcome(
    contender: Contender,
    documents: Sequence[Document],
    texts: Mapping[str, str],
    rows: Sequence[tuple[Row, Ranges]],
    questions: Any,
    model: Model,
    top_k: int,
) -> Outcome:
    began = time.process_time()
    cuts = [(named(document.source.uri), cut) for document in documents for cut in contender.cut(document)]
    middle = time.process_time()
    if not cuts:
        raise EvaluationError(f"{contender.name} made no chunks")
    vectors = model.embed_passages([cut.text for _, cut in cuts], [f"chunk {n}" for n in range(len(cuts))])
    ended = time.process_time()
    scores: dict[str, list[float]] = {}
    for number, (_, gold) in enumerate(rows):
        order = (-(vectors @ questions[number])).argsort(kind="stable")
        ranked = [[(cuts[at][0], span) for span in cuts[at][1].spans] for at in order[: max(top_k, 400)]]
        for metric, value in row_scores(texts, gold, ranked, top_k).items():
            scores.setdefault(metric, []).append(value)
    tokens = sum(cut.tokens for _, cut in cuts)
    return Outcome(contender.name, len(cuts), tokens, middle - began, ended - middle, scores)


def row_scores(texts: Mapping[str, str], gold: Ranges, ranked: Sequence[Ranges], top_k: int) -> dict[str, float]:
    """Recall, precision and IoU of the first passages, and recall at each budget of characters."""
    first = overlap(texts, gold, [each for passage in ranked[:top_k] for each in passage])
    everything = [each for passage in ranked for each in passage]
    found = {
        f"recall@{top_k}": first.recall if first else 0.0,
        f"precision@{top_k}": first.precision if first else 0.0,
        f"IoU@{top_k}": first.iou if first else 0.0,
    }
    for budget in BUDGETS:
        part = overlap(texts, gold, within(everything, budget))
        found[f"recall@{budget:,} chars"] = part.recall if part else 0.0
    return found


def beside(outcomes: Sequence[Outcome], metric: str) -> tuple[Outcome, list[tuple[Outcome, Paired]]]:
    """The best outcome by a metric, and each other one with the paired difference of the best to it."""
    best = max(outcomes, key=lambda each: each.mean(metric))
    return best, [(each, paired(each.scores[metric], best.scores[metric])) for each in outcomes if each is not best]
