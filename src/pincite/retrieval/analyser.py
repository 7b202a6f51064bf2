"""Text to terms, the same for documents and questions and for every store, so that scores agree.

A word is folded: NFKC, case folded, without the marks of Latin, Greek and Cyrillic letters, đ as
d; what folding loses is kept beside it as an exact form. Scripts that put no space between
words, or glue particles to them (Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar), are searched by
overlapping pairs of letters; the last letter of a run stands alone as well, so that one letter
finds every place where it occurs. Numbers and part numbers such as 15/2020/NĐ-CP are terms as
a whole and in their parts. The store only splits at spaces.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from pincite.storage.records import Words

__all__ = ["VERSION", "Term", "chunk_words", "fold", "query_terms", "spelled"]

VERSION: Final = "1"
"""Raised whenever the terms of some text change, so that indexes make theirs again."""

PAIRED: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"  # Han
    "\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"  # Hangul
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1780-\u17d3\u1000-\u103f\u1050-\u108f\uaa60-\uaa7f"  # Thai to Myanmar
)

MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u0711"
    "\u0730-\u074a\u07a6-\u07b0\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0dff\u0f18-\u0fbc"
    "\u135d-\u135f\u1712-\u1714\u1a17-\u1ac0\u1b00-\u1b44\u1b80-\u1baf\u1dc0-\u1dff\u20d0-\u20ff"
    "\u302a-\u302f\u3099\u309a\ua8e0-\ua8f1\ufe20-\ufe2f"
)
"""Signs that belong to the letter before them; Python's `\\w` leaves them out."""

WORD: Final = f"(?:[^\\W_{PAIRED}][{MARKS}]*)+"
"""Letters and digits, each with its marks; a mark that belongs to no letter is left out."""

JOINER: Final = "[-/._:,]"
"""What joins the parts of a number or of a name: 15/2020, ISO-9001, 3.2, 1,000, max_tokens."""

TOKEN: Final = re.compile(
    f"(?P<run>[{PAIRED}][{PAIRED}\u0300-\u036f\u3099\u309a]*)|(?P<word>{WORD}(?:{JOINER}{WORD})*)"
)
PART: Final = re.compile(WORD)
THOUSANDS: Final = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")
DASHES: Final = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)

LETTERS: Final = str.maketrans(
    {"đ": "d", "ð": "d", "ø": "o", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h", "ŧ": "t"}
)
"""Letters that no decomposition takes apart; casefold has made ß ss already."""

LONGEST: Final = 100
"""Code points of a term; a longer one is cut, in documents and questions alike."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a question looks for."""

    text: str

    kind: Literal["folded", "exact", "prefix"] = "folded"
    """`prefix`: a letter of a paired script alone, which any pair may begin with."""


def normal(text: str) -> str:
    """One form for each spelling: NFKC, case folded, one kind of dash, nothing invisible."""
    text = INVISIBLE.sub("", text)
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return DASHES.sub("-", INVISIBLE.sub("", text))


@lru_cache(maxsize=100_000)
def bare(word: str) -> str:
    """A normal word without the marks of Latin, Greek and Cyrillic letters."""
    if word.isascii():
        return word
    kept = [c for c in unicodedata.normalize("NFD", word.translate(LETTERS)) if not "\u0300" <= c <= "\u036f"]
    return unicodedata.normalize("NFC", "".join(kept).translate(LETTERS))


def fold(text: str) -> str:
    """A title or a word as filters and terms compare it, white space as single spaces."""
    return " ".join(bare(normal(text)).split())


def tokens(text: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """For each run of letters: its kind, its normal parts, and its normal wholes.

    Kinds are `run` (a paired script) and `word`. A whole is a word that is joined from several
    parts and has a digit or a low line in it, and a number without its thousands separators.
    """
    for found in TOKEN.finditer(normal(text)):
        run = found["run"]
        if run is not None:
            yield "run", [run], []
            continue
        word = found["word"]
        parts = PART.findall(word)
        yield "word", [part[:LONGEST] for part in parts], wholes(word, len(parts))


def wholes(word: str, parts: int) -> list[str]:
    if parts < 2:
        return []
    found = []
    if "_" in word or any(c.isdigit() for c in word):
        found.append(word[:LONGEST])
    if THOUSANDS.fullmatch(word):
        found.append(re.sub("[.,]", "", word)[:LONGEST])
    return found


def letters(run: str) -> list[str]:
    """The letters of a run, each with the marks that a font puts on it."""
    return re.findall("[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]*", run)


def pairs_of(run: str, query: bool) -> list[str]:
    """Overlapping pairs; for a document also the last letter, so that any letter can be found alone."""
    found = letters(run)
    if len(found) < 2:
        return found
    pairs = [a + b for a, b in itertools.pairwise(found)]
    return pairs if query else [*pairs, found[-1]]


def terms_of(text: str) -> tuple[list[str], list[str], list[str]]:
    """Folded terms, exact forms, and pairs of neighbouring words of a document's text."""
    folded: list[str] = []
    exact: list[str] = []
    pairs: list[str] = []
    before: tuple[str, str] | None = None
    for kind, parts, joined in tokens(text):
        if kind == "run":
            folded += pairs_of(parts[0], query=False)
            before = None
            continue
        for word in parts:
            plain = bare(word)
            folded.append(plain)
            if plain != word:
                exact.append(f"{plain}|{word}")
            if before and (plain != word or before[0] != before[1]):
                pairs.append(f"{before[0]}~{plain}|{before[1]}~{word}")
            before = (plain, word)
        for word in joined:
            plain = bare(word)
            folded.append(plain)
            if plain != word:
                exact.append(f"{plain}|{word}")
    return folded, exact, pairs


def chunk_words(path: Sequence[str], text: str) -> Words:
    """All terms of a chunk, as a store keeps them."""
    heading, heading_exact, heading_pairs = terms_of("\n".join(path))
    folded, exact, pairs = terms_of(text)
    titles = "\x1f".join(fold(title.replace("\x1f", " ")) for title in path)
    return Words(
        heading=" ".join(heading),
        folded=" ".join(folded),
        exact=" ".join(heading_exact + exact),
        pairs=" ".join(heading_pairs + pairs),
        path=f"\x1f{titles}\x1f" if path else "",
    )


def query_terms(question: str) -> list[Term]:
    """The terms of a question, each once, in the order in which they come."""
    found: dict[Term, None] = {}
    for kind, parts, joined in tokens(question):
        if kind == "run":
            alone = len(letters(parts[0])) == 1
            for text in pairs_of(parts[0], query=True):
                found[Term(text, "prefix" if alone else "folded")] = None
            continue
        for word in (*joined, *parts):
            plain = bare(word)
            found[Term(plain)] = None
            if plain != word:
                found[Term(f"{plain}|{word}", "exact")] = None
    return list(found)


def spelled(text: str) -> list[tuple[str, str]]:
    """The words of a question: as they stand in it, and folded; pieces between words fold to ""."""
    found: list[tuple[str, str]] = []
    last = 0
    composed = unicodedata.normalize("NFC", text)
    for match in PART.finditer(composed):
        found += [(composed[last : match.start()], "")] if match.start() > last else []
        found.append((match[0], bare(normal(match[0]))))
        last = match.end()
    if last < len(composed):
        found.append((composed[last:], ""))
    return found
