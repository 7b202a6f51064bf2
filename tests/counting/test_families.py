"""Which tokenizers are said to have exact sums, tried on small ones trained for the purpose."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from pincite.counting import Counter, counter_for
from pincite.counting.probe import WRITTEN, probe_texts
from pincite.counting.tokenizer import APART, works_by_word

TEXTS = probe_texts()
SPECIAL = ["[UNK]", "[CLS]", "[SEP]"]


def unigram(normalizer: Any, pre_tokenizer: Any) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, pre_tokenizer
    trainer = trainers.UnigramTrainer(vocab_size=500, special_tokens=SPECIAL, unk_token="[UNK]", show_progress=False)
    tokenizer.train_from_iterator(WRITTEN[3:9], trainer)
    return tokenizer


def wordpiece(normalizer: Any, pre_tokenizer: Any) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, pre_tokenizer
    trainer = trainers.WordPieceTrainer(vocab_size=2500, special_tokens=SPECIAL, show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def byte_level() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def words() -> Any:
    return pre_tokenizers.WhitespaceSplit()


def metaspace(scheme: str = "always") -> Any:
    return pre_tokenizers.Metaspace(replacement="▁", prepend_scheme=scheme)


def bert() -> Any:
    return normalizers.BertNormalizer(lowercase=True)


EXACT: dict[str, Callable[[], Tokenizer]] = {
    "unigram over words": lambda: unigram(normalizers.NFKC(), pre_tokenizers.Sequence([words(), metaspace()])),
    "unigram over bare words": lambda: unigram(None, words()),
    "wordpiece as BERT": lambda: wordpiece(bert(), pre_tokenizers.BertPreTokenizer()),
    "wordpiece over words": lambda: wordpiece(normalizers.Lowercase(), words()),
}

INEXACT: dict[str, Callable[[], Tokenizer]] = {
    "byte-level pairs": byte_level,
    "unigram over lines": lambda: unigram(normalizers.NFKC(), metaspace()),
    "unigram whose first word differs": lambda: unigram(None, pre_tokenizers.Sequence([words(), metaspace("first")])),
    "a normaliser of unknown reach": lambda: unigram(normalizers.Replace("a b", "c"), words()),
    "no pre-tokenizer": lambda: wordpiece(None, None),
}


def saved(make: Callable[[], Tokenizer], folder: Path) -> Counter:
    tokenizer = make()
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=32)
    if tokenizer.token_to_id("[CLS]") is not None:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[(t, tokenizer.token_to_id(t)) for t in ("[CLS]", "[SEP]")]
        )
    tokenizer.save(str(folder / "tokenizer.json"))
    return counter_for(f"hf:{folder / 'tokenizer.json'}")


def reference(folder: Path) -> Callable[[str], int]:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


@pytest.mark.parametrize("family", EXACT)
def test_sums_are_exact_where_a_word_is_seen_alone(family: str, tmp_path: Path) -> None:
    """Claimed, and true of every two probe texts that stand side by side, at every white space joined over."""
    counter, count = saved(EXACT[family], tmp_path), reference(tmp_path)
    assert counter.exact_sums
    pieces = [text.strip() for text in TEXTS if text.strip()]
    for left, right, space in zip(pieces, pieces[1:], [" ", "\n", "\t", "\u3000 ", "\x0b", "\x85"] * 99, strict=False):
        if counter.blank(space) < APART:
            assert count(left + space + right) == counter.units(left) + counter.blank(space) + counter.units(right)


@pytest.mark.parametrize("family", INEXACT)
def test_nothing_is_claimed_of_others(family: str, tmp_path: Path) -> None:
    """A tokenizer that may see more than a word at once has no exact sums."""
    assert not saved(INEXACT[family], tmp_path).exact_sums


@pytest.mark.parametrize("family", [*EXACT, *INEXACT])
def test_counts_are_those_of_the_reference(family: str, tmp_path: Path) -> None:
    """Whatever library was found fit, on probe texts with their ends and special tokens."""
    counter, count = saved({**EXACT, **INEXACT}[family], tmp_path), reference(tmp_path)
    several = [*TEXTS, *(f"[CLS]{text} [SEP]" for text in TEXTS[:30])]
    assert counter.units_many(several) == list(map(count, several))
    assert counter.overhead == (0 if family == "byte-level pairs" else 2)


def test_an_added_token_with_a_space_spoils_exactness() -> None:
    """It could arise where two texts are joined."""
    file = json.loads(wordpiece(bert(), pre_tokenizers.BertPreTokenizer()).to_str())
    assert works_by_word(file)
    file["added_tokens"].append({"id": 9, "content": "annual leave", "special": False})
    assert not works_by_word(file)
