"""Counters over a tokenizer.json, counted as the `tokenizers` library counts.

Files ship with truncation and padding switched on, which makes every long text look as if it fit;
both are cleared on loading. Special tokens that stand literally in a text count as the reference
counts them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pincite.counting.fast import candidates, proved
from pincite.counting.tokenizer import TokenizerCounter, separators, works_by_word
from pincite.errors import OptionError

__all__ = ["load_tokenizer", "reference_length", "tokenizer_counter"]


def tokenizer_counter(name: str, path: Path) -> TokenizerCounter:
    """The counter of a tokenizer.json; `name` is the option that asked for it."""
    from blake3 import blake3

    data = read(name, path)
    tokenizer = load_tokenizer(name, data)
    file = json.loads(data)
    reference = reference_length(tokenizer)
    family = (file.get("model") or {}).get("type") or "BPE"
    marks = [token["content"] for token in file.get("added_tokens") or ()][:64]
    parting = separators(reference, word_count(tokenizer)) if works_by_word(file) else frozenset()
    exact = " " in parting and "\n" in parting
    found = proved(candidates(data, str(path), family), reference, marks, parting if exact else frozenset())
    return TokenizerCounter(
        name=name,
        fingerprint=f"hf:{blake3(data).hexdigest(length=16)}",
        overhead=tokenizer.num_special_tokens_to_add(is_pair=False),
        exact_sums=exact,
        length=found.one,
        lengths=found.many,
        parting=parting,
    )


def read(name: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise OptionError("chunk.counter", name, f"hf: and the path of a tokenizer.json file ({reason})") from error


def load_tokenizer(name: str, data: bytes) -> Any:
    """A `tokenizers.Tokenizer` that neither cuts nor pads."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(data.decode("utf-8"))
    except Exception as error:  # the library raises bare Exception for a broken file
        raise OptionError("chunk.counter", name, f"a tokenizer.json that tokenizers reads ({error})") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def reference_length(tokenizer: Any) -> Callable[[str], int]:
    """Tokens of a text by the reference library, special tokens of the model left out.

    Texts go one by one: the library's batches start threads, after which a process that forks is
    warned about them.
    """
    encode = tokenizer.encode

    def length(text: str) -> int:
        try:
            return len(encode(text, add_special_tokens=False))
        except (UnicodeEncodeError, TypeError):  # half a surrogate pair, which no UTF-8 holds
            return len(encode(text.encode("utf-8", "replace").decode("utf-8"), add_special_tokens=False))

    return length


def word_count(tokenizer: Any) -> Callable[[str], int]:
    """Words that the pre-tokenizer makes of a text."""
    return lambda text: len(set(tokenizer.encode(text, add_special_tokens=False).word_ids))
