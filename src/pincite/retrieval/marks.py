"""Vietnamese typed without marks gets them back from the index's own words, before it is embedded.

An embedding model reads "nghi phep" as other words than "nghỉ phép". The index knows which
spellings occur and which stand beside one another; the best path through them is taken. This is
done only for a question without marks most of whose words occur in the index with marks more
often than without, and at least one of them only with marks. Otherwise single words that occur
only with marks get theirs ("resume" becomes "résumé") and all else stays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pincite.retrieval.analyser import bare, normal, spelled
from pincite.storage.store import Store

__all__ = ["restore"]

CANDIDATES = 12
"""Spellings of one word that are tried, the most frequent."""


def restore(question: str, store: Store) -> str:
    """The question with its marks put back; the same string where nothing is to be done."""
    pieces = spelled(question)
    words = [(at, folded) for at, (_, folded) in enumerate(pieces) if folded]
    if not words or any(bare(normal(piece)) != normal(piece) for piece, folded in pieces if folded):
        return question
    forms = {folded: store.forms(folded) for _, folded in words}
    lost = {folded for folded, found in forms.items() if found and folded not in found}
    if not lost:
        return question
    known = [folded for _, folded in words if forms[folded]]
    mostly = [folded for folded in known if 2 * forms[folded].get(folded, 0) < sum(forms[folded].values())]
    if 2 * len(mostly) >= len(known):
        chosen = best_path([folded for _, folded in words], forms, store)
    else:
        chosen = [likeliest(forms[folded]) if folded in lost else folded for _, folded in words]
    out = [piece for piece, _ in pieces]
    for (at, folded), form in zip(words, chosen, strict=True):
        if form != folded:
            out[at] = form
    return "".join(out)


def likeliest(found: dict[str, int]) -> str:
    return min(found, key=lambda form: (-found[form], form))


def best_path(words: Sequence[str], forms: dict[str, dict[str, int]], store: Store) -> list[str]:
    """The likeliest spelling of each word, judged by how often two stand together and each alone."""
    paths: dict[str, tuple[float, list[str]]] = {"": (0.0, [])}
    single: dict[str, int] = {"": 0}
    before = ""
    for word in words:
        found = forms[word] or {word: 0}
        kept = sorted(found, key=lambda form: (-found[form], form))[:CANDIDATES]
        together = store.pair_forms(before, word) if before else {}
        grown: dict[str, tuple[float, list[str]]] = {}
        for form in kept:
            score, path = max(
                (
                    (score + likelihood(together.get(f"{last}~{form}", 0), found[form], single.get(last, 0)), path)
                    for last, (score, path) in paths.items()
                ),
                key=lambda item: (item[0], item[1]),
            )
            grown[form] = (score, [*path, form])
        paths, single, before = grown, found, word
    return max(paths.values(), key=lambda item: (item[0], item[1]))[1]


def likelihood(together: int, alone: int, before: int) -> float:
    """Log chance of a word after another: counts of the pair, backed off to counts of the word."""
    return math.log((20 * together + alone + 0.1) / (20 * before + 1000))
