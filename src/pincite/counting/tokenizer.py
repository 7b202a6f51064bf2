"""What all counters over a tokenizer share, and the reading of whether their sums are exact.

Sums over white space are exact when the tokenizer works on one word at a time: its normaliser
looks at no more than one character or one run of marks, its pre-tokenizer parts at white space
before anything else, and no added token holds white space. That is read from the tokenizer's
own file and then tried on words of many scripts; what is not recognised is not claimed.

Some tokenizers drop certain control characters that count as white space elsewhere (BERT drops
form feeds) and so glue the words beside them. `blank` then answers `APART`, more than any budget
admits, and the packer parts the texts there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pincite.counting.lengths import CHARS_PER_TOKEN

__all__ = ["APART", "WHITE_SPACE", "TokenizerCounter", "separators", "works_by_word"]

APART: Final = 10**8
"""Units of white space that cannot be joined over; ten times the largest budget."""

WHITE_SPACE: Final = "".join(c for c in map(chr, range(0x3001)) if c.isspace())
"""All white space of Python's `str.isspace`: Unicode's own and four separators of ASCII."""

WORD_NORMALIZERS: Final = {"BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents"}
WORD_SPLITTERS: Final = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit"}

PAIRS: Final = (
    ("a", "b"),
    ("there", "fore"),
    ("un", "known"),
    ("12", "34"),
    ("nghỉ", "phép"),
    ("연차", "휴가"),
    ("休", "假"),
    ("до", "ма"),
    ("e\u0301", "\u0301e"),
    ("¨", "´"),
    ("!", "!"),
)
"""Neighbours that tokenizers like to see as one, and some that change when normalised."""


@dataclass(frozen=True, slots=True)
class TokenizerCounter:
    """Counts the tokens of a tokenizer."""

    name: str
    fingerprint: str
    overhead: int
    exact_sums: bool
    length: Callable[[str], int]
    """Tokens of a text, special tokens of the model left out; safe for threads."""

    parting: frozenset[str]
    """The white space at which the tokenizer parts words."""

    chars_per_token: int | None = CHARS_PER_TOKEN
    lengths: Callable[[Sequence[str]], list[int]] | None = None
    """`length` of several texts in one call, where that is quicker."""

    def units(self, text: str) -> int:
        return self.length(text)

    def units_many(self, texts: Sequence[str]) -> list[int]:
        return self.lengths(texts) if self.lengths else list(map(self.length, texts))

    def blank(self, space: str) -> int:
        if not self.exact_sums:
            return self.length(space) if space else 0
        return APART if space and self.parting.isdisjoint(space) else 0

    def tokens(self, units: int) -> int:
        return units

    def capacity(self, max_tokens: int) -> int:
        return max(0, max_tokens)


def works_by_word(file: Mapping[str, Any]) -> bool:
    """Whether a tokenizer.json describes a tokenizer that sees one word at a time."""
    added = [token.get("content", "") for token in file.get("added_tokens") or ()]
    if any(c.isspace() for content in added for c in content):
        return False
    normalizers = steps(file.get("normalizer"), "normalizers")
    if any(step.get("type") not in WORD_NORMALIZERS for step in normalizers):
        return False
    splitters = steps(file.get("pre_tokenizer"), "pretokenizers")
    if not splitters or splitters[0].get("type") not in WORD_SPLITTERS:
        return False
    return all(
        step.get("type") != "Metaspace" or step.get("prepend_scheme", "always") == "always" for step in splitters
    )


def steps(part: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    """The steps of a normaliser or pre-tokenizer, sequences opened."""
    if part is None:
        return []
    if part.get("type") == "Sequence":
        return [inner for step in part.get(key, ()) for inner in steps(step, key)]
    return [part]


def separators(length: Callable[[str], int], words: Callable[[str], int]) -> frozenset[str]:
    """The white space that parts two letters into two words, where the counts of `PAIRS` add up over it.

    `length` counts tokens and `words` the words that the pre-tokenizer makes.
    """
    sums = [length(left) + length(right) for left, right in PAIRS]

    def adds_up(space: str) -> bool:
        joined = [length(left + space + right) for left, right in PAIRS]
        return length(space) == 0 and joined == sums

    return frozenset(
        c for c in WHITE_SPACE if words(f"a{c}b") == 2 and all(map(adds_up, (c, c + c, c + " ", "\n" + c)))
    )
