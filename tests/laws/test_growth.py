"""Law 12: twice the text takes at most 2.3 times the work, on hostile input too.

Work is counted, not timed, so that a busy machine cannot turn the verdict: characters handed to
the counter, functions called and lines run. What one call of a library does inside is seen by
neither; the long texts at the end are there for what would take it minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from pincite.chunking import chunk_document
from pincite.counting.counter import Counter
from pincite.options import chunk_options

from ..effort import GROWTH, growth
from .strategies import named_counter, read

HOSTILE: dict[str, Callable[[int], str]] = {
    "a word without end": lambda n: "a" * n,
    "Korean without spaces": lambda n: "가" * n,
    "emoji of many code points": lambda n: "👨‍👩‍👧‍👦" * (n // 7),
    "marks on one letter": lambda n: "x" + "\u0301" * n,
    "sentences": lambda n: "One two three. " * (n // 15),
    "nested quotes": lambda n: ">" * (n // 40) + " deep\n",
    "nested brackets": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "pipes in a row": lambda n: "|" * n,
    "hashes": lambda n: "#" * n,
    "headings": lambda n: "# a\n" * (n // 4),
    "paragraphs": lambda n: "word word\n\n" * (n // 11),
    "list items": lambda n: "- item\n" * (n // 7),
    "nested list": lambda n: "".join("  " * min(i, 40) + "- x\n" for i in range(n // 80)),
    "table rows": lambda n: "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * (n // 10),
    "a wide table": lambda n: "\n".join("|" + cell * (n // 64) for cell in (" a |", "---|", " 1 |")),
    "one cell without end": lambda n: "| a | b |\n|---|---|\n| key | " + "word " * (n // 5) + "|\n",
    "code lines": lambda n: "```\n" + "x = 1\n" * (n // 6) + "```\n",
    "one code line": lambda n: "```\n" + "z" * n + "\n```\n",
    "short sections": lambda n: "".join(f"## {i}\n\ntext\n\n" for i in range(n // 14)),
    "lone carriage returns": lambda n: "a b\r\r" * (n // 5),
    "data URIs": lambda n: "![x](data:image/png;base64,AAAA)\n\n" * (n // 35),
    "backticks": lambda n: "`" * n,
    "stars": lambda n: "*a " * (n // 3),
}  # fmt: skip


@dataclass
class Meter:
    """A counter that adds up what it is asked to count."""

    inner: Counter
    characters: int = 0
    name: str = field(init=False)
    fingerprint: str = field(init=False)
    overhead: int = field(init=False)
    exact_sums: bool = field(init=False)
    chars_per_token: int | None = field(init=False)

    def __post_init__(self) -> None:
        for each in ("name", "fingerprint", "overhead", "exact_sums", "chars_per_token"):
            setattr(self, each, getattr(self.inner, each))

    def units(self, text: str) -> int:
        self.characters += len(text) + 1
        return self.inner.units(text)

    def units_many(self, texts: Sequence[str]) -> list[int]:
        self.characters += sum(map(len, texts)) + len(texts)
        return self.inner.units_many(texts)

    def blank(self, space: str) -> int:
        return self.inner.blank(space)

    def tokens(self, units: int) -> int:
        return self.inner.tokens(units)

    def capacity(self, max_tokens: int) -> int:
        return self.inner.capacity(max_tokens)


def chunked(shape: str, size: int, counter: Counter | None = None) -> None:
    """Reads and chunks a text of one shape."""
    options = chunk_options(counter="chars", max_tokens=200, overlap_tokens=20)
    chunk_document(read(HOSTILE[shape](size)), options, counter or named_counter("chars"))


@pytest.mark.parametrize("shape", HOSTILE)
def test_twice_the_text_is_at_most_2_3_times_the_work(shape: str) -> None:
    """What reading and chunking do grows with the text, not with its square."""
    assert growth(lambda size: chunked(shape, size), 5000) <= GROWTH


@pytest.mark.parametrize("shape", HOSTILE)
def test_twice_the_text_is_at_most_2_3_times_the_counting(shape: str) -> None:
    """The characters that the counter is handed grow with the text, not with its square."""

    def counted(size: int) -> int:
        meter = Meter(named_counter("chars"))
        chunked(shape, size, meter)
        return meter.characters

    assert counted(20_000) <= GROWTH * counted(10_000) + 2000


@pytest.mark.parametrize("shape", HOSTILE)
def test_each_character_is_counted_a_few_times_only(shape: str) -> None:
    """A text is counted once and its counts are added; cutting a word without end takes a few tries more.

    A nested list is counted once a level, down to the depth at which nesting is no longer followed.
    """
    text, meter = HOSTILE[shape](20_000), Meter(named_counter("words*1.33"))
    chunk_document(read(text), chunk_options(counter="words*1.33", max_tokens=200), meter)

    times = 32 if shape == "nested list" else 12
    assert meter.characters <= times * len(text) + 20_000


@pytest.mark.parametrize("shape", HOSTILE)
def test_a_long_text_is_done(shape: str) -> None:
    """Nothing hangs: 200,000 characters of one kind are read and chunked."""
    chunked(shape, 200_000)
