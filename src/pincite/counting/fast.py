"""Faster tokenizer libraries, each used only where it gave the reference library's counts.

Two dangers were found by trying every code point. Libraries classify characters by different
versions of Unicode, so they differ on those that are young or unassigned: a fast counter is given
only texts of *settled* characters, whose category has been the same since Unicode 3.2, and the
reference counts the others. And a library may misread a tokenizer file altogether: so each one
first counts the probe texts, whose settled part must agree without exception.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.counting.probe import probe_texts

__all__ = ["candidates", "guarded", "proved", "refusal", "unsettled"]

Length = Callable[[str], int]

SYMBOLS: Final = (
    range(0x30FB, 0x30FC),
    range(0x2600, 0x27C0),
    range(0x2B00, 0x2B74),
    range(0x1F1E6, 0x1F200),
    range(0x1F300, 0x1F6D0),
    range(0x1F900, 0x1FA00),
)
"""The middle dot of Japanese, signs and pictographs: too common to be left to the slow way. The
probe texts draw on them, and the tests try each."""


@functools.cache
def unsettled() -> re.Pattern[str]:
    """Finds the first character that libraries may class differently."""
    old, new = unicodedata.ucd_3_2_0.category, unicodedata.category
    codes = {9, 10, 13}.union(*SYMBOLS)
    for code in range(0x20, 0x10000):
        kind = new(chr(code))
        if kind not in ("Cc", "Cn", "Co", "Cs") and old(chr(code)) == kind:
            codes.add(code)
    runs = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges(sorted(codes)))
    return re.compile(f"[^{runs}]")


def ranges(codes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of consecutive numbers; `codes` rise."""
    first = last = None
    for code in codes:
        if last is not None and code == last + 1:
            last = code
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = code
    if first is not None and last is not None:
        yield first, last


@dataclass(frozen=True, slots=True)
class Guarded:
    """A fast counter that hands what it may count otherwise to the reference."""

    one: Length
    many: Callable[[Sequence[str]], list[int]]
    """The same for several texts, looked through together."""


AT_ONCE: Final = 1 << 18
"""Code points that are looked through together; more would only cost memory."""


def batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Texts in groups of about `AT_ONCE` code points."""
    start = size = 0
    for number, text in enumerate(texts):
        size += len(text)
        if size >= AT_ONCE:
            yield texts[start : number + 1]
            start, size = number + 1, 0
    if start < len(texts):
        yield texts[start:]


def guarded(fast: Length, reference: Length, parting: frozenset[str] = frozenset()) -> Guarded:
    """`fast` for texts of settled characters, `reference` for all others.

    Where sums over the white space in `parting` are exact, only the words that hold an unsettled
    character go to the reference: an emoji costs its word and not its page.
    """
    find = unsettled().search
    split = re.compile(f"[{''.join(map(re.escape, sorted(parting)))}]+").split if parting else None
    remembered = functools.lru_cache(maxsize=4096)(reference)

    def length(text: str) -> int:
        try:
            if not find(text):
                return fast(text)
            if split is None:
                return reference(text)
            words = split(text)
            odd = [word for word in words if find(word)]
            counted = sum(remembered(word) if len(word) < 64 else reference(word) for word in odd)
            return counted + fast(" ".join(word for word in words if not find(word)))
        except BaseException as error:
            if not refusal(error):
                raise
            return reference(text)

    def lengths(texts: Sequence[str]) -> list[int]:
        found: list[int] = []
        for batch in batches(texts):
            try:
                if not find("\n".join(batch)):
                    found += list(map(fast, batch))
                    continue
            except BaseException as error:
                if not refusal(error):
                    raise
            found += map(length, batch)
        return found

    return Guarded(length, lengths)


def refusal(error: BaseException) -> bool:
    """Whether a library failed; a panic of one written in Rust is no `Exception`."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def proved(
    makers: Iterable[Callable[[], Length]],
    reference: Length,
    marks: Iterable[str] = (),
    parting: frozenset[str] = frozenset(),
) -> Guarded:
    """The first fast counter that agrees with `reference` on the probe texts, guarded; else `reference`.

    `marks` are the added tokens of the tokenizer, which also stand literally in probe texts;
    `parting` is the white space over which counts add up exactly, empty where that is not so. A
    library that is not installed, or that refuses the tokenizer, is passed over.
    """
    texts = [text for text in probe_texts(marks) if not unsettled().search(text)]
    wanted: list[int] | None = None
    for make in makers:
        try:
            fast = make()
            wanted = wanted or list(map(reference, texts))
            if list(map(fast, texts)) == wanted:
                return guarded(fast, reference, parting)
        except BaseException as error:
            if not refusal(error):
                raise
    return Guarded(reference, lambda texts: list(map(reference, texts)))


def candidates(data: bytes, path: str, family: str) -> list[Callable[[], Length]]:
    """Fast counters for a tokenizer.json of this model family, fastest first."""
    splintr = functools.partial(splintr_length, data)
    return [functools.partial(tokie_length, path), splintr] if family == "WordPiece" else [splintr]


def tokie_length(path: str) -> Length:
    import tokie

    tokenizer = tokie.Tokenizer.from_json(path)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    count: Length = tokenizer.count_tokens
    return count


def splintr_length(data: bytes) -> Length:
    import splintr

    encode = splintr.from_json_bytes(data).encode_raw
    return lambda text: len(encode(text))
