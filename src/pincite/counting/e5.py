"""The tokenizer of multilingual-e5-small: normalisation, pieces, and the counter over them.

Normalisation is the model's own map from characters to strings, which is NFKC with control
characters dropped and invisible ones turned into spaces. The map knows single characters only,
where the model was trained on text whose letters and marks had been composed; so marks are composed first (NFC),
or decomposed Vietnamese and Korean would fall to pieces. All that `str.isspace` calls white
space becomes a space, also the few separators that the map would drop, so that a chunk may be
joined at any white space.

After that a Unigram model sees one word at a time. Its only question to Unicode is what white
space is, which is settled, so a fast library that passed the probe is given every text.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from pincite.counting.e5_file import TOKENIZER_SHA256, data_file, read_tokenizer, tokenizer_json
from pincite.counting.fast import refusal
from pincite.counting.probe import probe_texts
from pincite.counting.tokenizer import WHITE_SPACE, TokenizerCounter

__all__ = ["LIMIT", "PASSAGE", "QUERY", "E5Pieces", "e5_counter", "e5_pieces"]

LIMIT: Final = 512
"""Pieces that the model accepts, both ends and the prefix included."""

PASSAGE: Final = "passage: "
QUERY: Final = "query: "

OVERHEAD: Final = 4
"""Pieces of the prefix, and both ends."""

NORMALIZATION: Final = "nfc1"
"""Version of the normalisation above, to be raised when it changes."""

PROBE_SHA256: Final = "3d8989b47e5b20e3c9b3888c8d5cdcce34711a98bbb1d247098000150f676c03"
"""Of the ids that the reference library gives for the probe texts with the pinned vocabulary."""

UNKNOWN: Final = "<unk>"
LAST_OF_PLANE: Final = "\uffff"

MARKS_AT_ONCE: Final = 30
"""Longest run of marks that is composed in one go: sorting a run takes the square of its length."""


@dataclass(frozen=True, slots=True)
class E5Pieces:
    """Turns texts into the ids of their pieces, without the ends and without a prefix."""

    normalize: Callable[[str], str]
    flat: Callable[[str], bytes]
    """Ids of a normalised text, four bytes each in the machine's order: no list is made to be counted."""

    begin: int
    end: int

    def ids(self, text: str) -> list[int]:
        return array("I", self.flat(self.normalize(text))).tolist()

    def length(self, text: str) -> int:
        return len(self.flat(self.normalize(text))) // 4


@functools.cache
def e5_pieces() -> E5Pieces:
    """The pieces of the pinned model, by splintr where it proves right, else by `tokenizers`."""
    tokenizer = read_tokenizer()
    normalize = normalizer(tokenizer.characters)
    data = json.dumps(tokenizer_json(tokenizer), ensure_ascii=False, separators=(",", ":")).encode()
    flat = fast_flat(data, normalize) or reference_flat(data)
    return E5Pieces(normalize, flat, tokenizer.shape.begin, tokenizer.shape.end)


@functools.cache
def e5_counter() -> TokenizerCounter:
    """Counts passages: the prefix and both ends are the overhead.

    The package is found now, and its vocabulary is read with the first text: where nothing changed, nothing is
    counted.
    """
    data_file()
    return TokenizerCounter(
        name="model",
        fingerprint=f"multilingual-e5-small:{TOKENIZER_SHA256[:32]}:{NORMALIZATION}",
        overhead=OVERHEAD,
        exact_sums=True,
        length=lambda text: e5_pieces().length(text),
        parting=frozenset(WHITE_SPACE),
    )


def fast_flat(data: bytes, normalize: Callable[[str], str]) -> Callable[[str], bytes] | None:
    """splintr's encoder where it gives the reference's ids for every probe text.

    It does not merge unknown pieces where one is spelled out in the text; such a text goes to the
    reference, which is loaded at that moment.
    """
    try:
        import splintr

        fast: Callable[[str], bytes] = splintr.from_json_bytes(data).encode_flat
        if probe_digest(fast, normalize) != PROBE_SHA256:
            return None
    except BaseException as error:
        if not refusal(error):
            raise
        return None
    reference = functools.cache(lambda: reference_flat(data))

    def flat(text: str) -> bytes:
        return reference()(text) if UNKNOWN in text else fast(text)

    return flat


def reference_flat(data: bytes) -> Callable[[str], bytes]:
    from tokenizers import Tokenizer

    encode = Tokenizer.from_buffer(data).encode
    return lambda text: array("I", encode(text, add_special_tokens=False).ids).tobytes()


def probe_digest(flat: Callable[[str], bytes], normalize: Callable[[str], str]) -> str:
    """Of the ids of all probe texts, and of where each text ends."""
    marks = ("<s>", "</s>", "<pad>", "<mask>")
    each = [array("I", flat(normalize(text))).tolist() for text in probe_texts(marks)]
    return sha256(repr(each).encode()).hexdigest()


def normalizer(characters: Mapping[str, str]) -> Callable[[str], str]:
    """A function from a text to its normal form, quick where nothing changes.

    The pattern finds what is in the table, all letters beyond the first plane (a class of many single ones
    of these is slow) and half a surrogate pair, which no UTF-8 holds and which becomes a space.
    """
    table = {c: to for c, to in characters.items() if c not in WHITE_SPACE}
    table |= {c: " " for c in WHITE_SPACE if characters.get(c) == ""}
    near = "".join(re.escape(c) for c in table if c <= LAST_OF_PLANE)
    find = re.compile(f"[{near}\ud800-\udfff\U00010000-\U0010ffff]")

    def replacement(match: re.Match[str]) -> str:
        found = match[0]
        return table.get(found, found if found > LAST_OF_PLANE else " ")

    def normalize(text: str) -> str:
        if not unicodedata.is_normalized("NFC", text):
            text = composed(text)
        return find.sub(replacement, text)

    return normalize


def composed(text: str) -> str:
    """NFC, in time that grows with the text also where a hostile one heaps marks on one letter."""
    return "".join(unicodedata.normalize("NFC", part) for part in long_runs().split(text))


@functools.cache
def long_runs() -> re.Pattern[str]:
    """Finds `MARKS_AT_ONCE` combining marks in a row; splitting keeps them."""
    marks = "".join(c for c in map(chr, range(0x300, 0x1F000)) if unicodedata.combining(c))
    return re.compile(f"([{marks}]{{{MARKS_AT_ONCE}}})")
