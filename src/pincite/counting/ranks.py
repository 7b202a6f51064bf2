"""Counters over a rank file of byte-level BPE, the form in which `tiktoken` keeps its vocabularies.

A line of the file is the base64 of a token's bytes and its rank. The file says neither how text is
cut into words before pairs are merged nor which special tokens there are; the cut is chosen by the
vocabulary's name, and special tokens in a text count as the ordinary text they are.

The reference here is the textbook rule on the cut that the `tokenizers` library makes: merge the
neighbours of lowest rank until none is left. Faster libraries are used where they agree with it.
Sums are never exact: a piece may begin with the space before a word.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import heapq
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pincite.counting.fast import proved, refusal
from pincite.counting.tokenizer import TokenizerCounter
from pincite.errors import OptionError

__all__ = ["rank_counter"]

Length = Callable[[str], int]
Ranks = dict[bytes, int]

CONTRACTIONS: Final = "'s|'t|'re|'ve|'m|'ll|'d"
TITLE: Final = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
UPPER: Final = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"

PATTERNS: Final = {
    "cl100k_base": "|".join(
        [
            rf"(?i:{CONTRACTIONS})",
            r"[^\r\n\p{L}\p{N}]?\p{L}+",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
    "o200k_base": "|".join(
        [
            rf"{TITLE}(?i:{CONTRACTIONS})?",
            rf"{UPPER}(?i:{CONTRACTIONS})?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
    "gpt2": "|".join([f"(?:{CONTRACTIONS})", r" ?\p{L}+", r" ?\p{N}+", r" ?[^\s\p{L}\p{N}]+", r"\s+(?!\S)", r"\s+"]),
}
"""How each family cuts text into words, by the name of its vocabulary."""

FAMILIES: Final = {**dict.fromkeys(("p50k_base", "r50k_base", "p50k_edit"), "gpt2"), "o200k_harmony": "o200k_base"}
"""Vocabularies that cut as another does."""

ADDRESS: Final = "https://openaipublic.blob.core.windows.net/encodings/"
"""Nothing is fetched: the address names the file in tiktoken's cache folder."""

CARRIED: Final = {
    "cl100k_base": (100_256, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    "o200k_base": (199_998, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
}
"""Vocabularies that splintr carries: tokens, and the sha256 that tiktoken wants of their files."""

WANTED: Final = (
    "tiktoken:FILE, tiktoken:NAME=FILE or tiktoken:NAME with NAME.tiktoken in the folder TIKTOKEN_CACHE_DIR, "
    f"where NAME is one of {', '.join(sorted({*PATTERNS, *FAMILIES}))}"
)


def rank_counter(name: str, rest: str) -> TokenizerCounter:
    """The counter of `tiktoken:REST`; REST is a file, a vocabulary's name, or `NAME=FILE`."""
    vocabulary, data = located(name, rest)
    pattern = PATTERNS[FAMILIES.get(vocabulary, vocabulary)]
    ranks = parsed(name, data)
    makers: list[Callable[[], Length]] = [
        functools.partial(splintr_length, data, pattern),
        functools.partial(tiktoken_length, vocabulary, ranks, pattern),
    ]
    found = proved(makers, reference_length(ranks, pattern), ("<|endoftext|>", "<|endofprompt|>"))
    return TokenizerCounter(
        name=name,
        fingerprint=f"tiktoken:{vocabulary}:{hashlib.sha256(data).hexdigest()[:32]}",
        overhead=0,
        exact_sums=False,
        length=found.one,
        lengths=found.many,
        parting=frozenset(),
    )


def located(name: str, rest: str) -> tuple[str, bytes]:
    """The vocabulary that is meant and the content of its file."""
    before, equals, after = rest.partition("=")
    if equals and known(before):
        return before, read(name, Path(after))
    if known(rest):
        path = cached(rest)
        data = read(name, path) if path else carried(rest)
        if data is None:
            raise OptionError("chunk.counter", name, f"{WANTED}; nothing is downloaded, and {rest} was found nowhere")
        return rest, data
    stem = Path(rest).name.partition(".")[0]
    if not known(stem):
        raise OptionError("chunk.counter", name, f"{WANTED}; the file's name does not say which")
    return stem, read(name, Path(rest))


def known(vocabulary: str) -> bool:
    return vocabulary in PATTERNS or vocabulary in FAMILIES


def read(name: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise OptionError("chunk.counter", name, f"{WANTED} ({error.strerror or type(error).__name__})") from error


def cached(vocabulary: str) -> Path | None:
    """The vocabulary's file in tiktoken's cache folder, under its own name or tiktoken's."""
    folder = Path(
        os.environ.get("TIKTOKEN_CACHE_DIR")
        or os.environ.get("DATA_GYM_CACHE_DIR")
        or Path(tempfile.gettempdir()) / "data-gym-cache"
    )
    file = f"{vocabulary.replace('o200k_harmony', 'o200k_base')}.tiktoken"
    names = (file, hashlib.sha1(f"{ADDRESS}{file}".encode(), usedforsecurity=False).hexdigest())
    return next((folder / each for each in names if (folder / each).is_file()), None)


def carried(vocabulary: str) -> bytes | None:
    """The file of a vocabulary that the splintr package carries, rebuilt and its sha256 checked."""
    vocabulary = vocabulary.replace("o200k_harmony", "o200k_base")
    if vocabulary not in CARRIED:
        return None
    size, digest = CARRIED[vocabulary]
    try:
        import splintr

        token = splintr.Tokenizer.from_pretrained(vocabulary).decode_token_bytes
        data = b"".join(b"%b %d\n" % (base64.b64encode(token(rank)), rank) for rank in range(size))
    except BaseException as error:
        if not refusal(error):
            raise
        return None
    return data if hashlib.sha256(data).hexdigest() == digest else None


def parsed(name: str, data: bytes) -> Ranks:
    """Ranks by token; each single byte must have one, or some text could not be counted."""
    try:
        pairs = [line.split() for line in data.splitlines() if line]
        ranks = {base64.b64decode(token, validate=True): int(rank) for token, rank in pairs}
    except (ValueError, binascii.Error) as error:
        raise OptionError(
            "chunk.counter", name, f"a file with the base64 of a token and its rank a line ({error})"
        ) from error
    if any(bytes([byte]) not in ranks for byte in range(256)):
        raise OptionError("chunk.counter", name, "a rank file that holds all 256 single bytes")
    return ranks


def reference_length(ranks: Ranks, pattern: str) -> Length:
    """Counts by the textbook rule; words that were met before are remembered."""
    from tokenizers import Regex, pre_tokenizers

    cut = pre_tokenizers.Split(Regex(pattern), "isolated").pre_tokenize_str

    @functools.lru_cache(maxsize=65_536)
    def pieces(word: str) -> int:
        return merged(word.encode(), ranks)

    def length(text: str) -> int:
        return sum(pieces(word) for word, _ in cut(text.encode("utf-8", "replace").decode()))

    return length


def merged(word: bytes, ranks: Ranks) -> int:
    """Tokens of a word: the pair of lowest rank is merged first, the left one of equals.

    A heap over a linked list of parts: the time grows little faster than the word, also where a
    hostile text has one of a million letters.
    """
    if word in ranks:
        return 1
    end = len(word)
    after, before = list(range(1, end + 2)), list(range(-1, end + 1))
    heap: list[tuple[int, int, int, int]] = []

    def offer(left: int) -> None:
        middle = after[left]
        if middle < end:
            rank = ranks.get(word[left : after[middle]])
            if rank is not None:
                heapq.heappush(heap, (rank, left, middle, after[middle]))

    for start in range(end - 1):
        offer(start)
    parts, gone = end, bytearray(end + 1)
    while heap:
        _, left, middle, right = heapq.heappop(heap)
        if gone[left] or gone[middle] or after[left] != middle or after[middle] != right:
            continue
        gone[middle], parts = 1, parts - 1
        after[left], before[right] = right, left
        offer(left)
        if before[left] >= 0:
            offer(before[left])
    return parts


def splintr_length(data: bytes, pattern: str) -> Length:
    import splintr

    encode = splintr.Tokenizer.from_bytes(data, pattern).encode_ordinary
    return lambda text: len(encode(text))


def tiktoken_length(vocabulary: str, ranks: Ranks, pattern: str) -> Length:
    import tiktoken

    encode = tiktoken.Encoding(vocabulary, pat_str=pattern, mergeable_ranks=ranks, special_tokens={}).encode_ordinary
    return lambda text: len(encode(text))
