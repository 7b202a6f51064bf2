"""Counters over rank files, against the library that the files were made for."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
import tiktoken
from tests.effort import GROWTH, growth

from pincite.counting import Counter, counter_for
from pincite.counting.probe import probe_texts
from pincite.counting.ranks import ADDRESS, PATTERNS, carried, merged, parsed, reference_length
from pincite.errors import OptionError

NAMES = ["cl100k_base", "o200k_base"]


@pytest.fixture(scope="module", params=NAMES)
def vocabulary(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder of tiktoken, filled from the vocabularies that the fast library carries."""
    folder = tmp_path_factory.mktemp("ranks")
    for name in NAMES:
        data = carried(name)
        assert data is not None
        address = f"{ADDRESS}{name}.tiktoken"
        (folder / hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()).write_bytes(data)
        (folder / f"{name}.tiktoken").write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def encoding(vocabulary: str, cache: Path) -> tiktoken.Encoding:
    """tiktoken's own encoding: its pattern, its checks, our folder instead of the network."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
        return tiktoken.get_encoding(vocabulary)


@pytest.fixture(scope="module")
def counter(vocabulary: str, cache: Path) -> Counter:
    return counter_for(f"tiktoken:{cache / vocabulary}.tiktoken")


def test_counts_are_those_of_tiktoken(counter: Counter, encoding: tiktoken.Encoding) -> None:
    """On every probe text, special tokens as the ordinary text they are."""
    several = probe_texts(("<|endoftext|>", "<|endofprompt|>"))
    assert counter.units_many(several) == [len(encoding.encode_ordinary(text)) for text in several]


def test_the_textbook_rule_agrees_with_tiktoken(vocabulary: str, cache: Path, encoding: tiktoken.Encoding) -> None:
    """The reference that fast libraries are held to is right by itself."""
    ranks = parsed("x", (cache / f"{vocabulary}.tiktoken").read_bytes())
    length = reference_length(ranks, PATTERNS[vocabulary])
    for text in probe_texts(("<|endoftext|>",)):
        assert length(text) == len(encoding.encode_ordinary(text)), text


def test_merging_agrees_on_random_bytes(vocabulary: str, cache: Path, encoding: tiktoken.Encoding) -> None:
    """Words of any bytes, text or not, merge as tiktoken merges them."""
    ranks = parsed("x", (cache / f"{vocabulary}.tiktoken").read_bytes())
    rng = random.Random(7)
    for _ in range(500):
        word = bytes(rng.choice(b"aeinst \xc3\xa9\xe1\xba\xbf\xff\x00") for _ in range(rng.randint(1, 60)))
        assert merged(word, ranks) == len(encoding._encode_single_piece(word))


def test_sums_are_not_trusted(counter: Counter) -> None:
    """A token may begin with the space before a word."""
    assert not counter.exact_sums
    assert counter.units("a b") == 2


def test_a_word_without_end_takes_no_square_of_its_length(vocabulary: str, cache: Path) -> None:
    """Twice the letters take the textbook rule about twice the steps, and 100,000 are no trouble."""
    ranks = parsed("x", (cache / f"{vocabulary}.tiktoken").read_bytes())

    assert growth(lambda letters: merged(b"xy" * letters, ranks), 1000) <= GROWTH
    assert merged(b"xy" * 50_000, ranks) > 1000


def test_a_name_is_looked_up_in_the_cache_folder(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As tiktoken itself names files there, without any file ending."""
    plain = counter_for(f"tiktoken:cl100k_base={cache / 'cl100k_base.tiktoken'}")
    (cache / "sub").mkdir(exist_ok=True)
    name = hashlib.sha1(f"{ADDRESS}cl100k_base.tiktoken".encode(), usedforsecurity=False).hexdigest()
    (cache / "sub" / name).write_bytes((cache / "cl100k_base.tiktoken").read_bytes())
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(cache / "sub"))
    assert counter_for("tiktoken:cl100k_base").fingerprint == plain.fingerprint


def test_a_name_that_is_nowhere_says_how_to_give_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is downloaded."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(OptionError, match=r"tiktoken:NAME=FILE.*nothing is downloaded"):
        counter_for("tiktoken:r50k_base")


@pytest.mark.parametrize("content", [b"", b"YQ== 0\n", b"not base64! 1\n", b"YQ==\n", b"YQ== x\n", b"\xff\xfe\n"])
def test_a_broken_file_is_refused(content: bytes, tmp_path: Path) -> None:
    """The error names the option and says what is wanted."""
    file = tmp_path / "cl100k_base.tiktoken"
    file.write_bytes(content)
    with pytest.raises(OptionError, match=r"chunk\.counter is 'tiktoken:"):
        counter_for(f"tiktoken:{file}")


@pytest.mark.parametrize("rest", ["missing/cl100k_base.tiktoken", "ranks.txt", "cl100k_base=missing"])
def test_a_missing_or_nameless_file_is_refused(rest: str, tmp_path: Path) -> None:
    """Which vocabulary it is must be said by the option or by the file's name."""
    with pytest.raises(OptionError, match="tiktoken:NAME=FILE"):
        counter_for(f"tiktoken:{rest}")
