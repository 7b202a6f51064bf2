"""The laws that chunking builds on, for every counter."""

from __future__ import annotations

import pickle
import sys
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.counting import Counter, count, counter_for, e5
from pincite.counting.fast import candidates, proved, unsettled
from pincite.counting.probe import BLOCKS, probe_texts
from pincite.counting.tokenizer import APART
from pincite.errors import OptionError

LETTERS = st.one_of(
    *(st.integers(low, high - 1).map(chr) for low, high in BLOCKS),
    st.characters(exclude_categories=["Cs"]),
    st.sampled_from("\u0301\u0323\u200d\u200b\ufeff\u00ad\x0b\x0c\x1c\x1f\x85\x00\ufffd▁"),
)
MARKS = st.sampled_from(["[SEP]", "[MASK]", "<s>", "</s>", "<unk>", "<|endoftext|>", "##a", "👩‍👩‍👧", "1️⃣"])
WORDS = st.one_of(
    st.text(LETTERS, min_size=1, max_size=12),
    MARKS,
    st.sampled_from([word for text in probe_texts() for word in text.split()]),
)


def texts(max_words: int = 8) -> st.SearchStrategy[str]:
    """Words joined by white space or by nothing."""
    return st.lists(st.tuples(WORDS, st.sampled_from(["", " ", "\n", "  ", "\t", "\r\n", "\u00a0", "\u3000"]))).map(
        lambda pairs: "".join(word + space for word, space in pairs[:max_words])
    )


def stripped_texts() -> st.SearchStrategy[str]:
    """Texts without white space at their ends, and not empty."""
    return texts().map(str.strip).filter(bool)


SPACES = st.text(st.sampled_from(" \n\t\r\u00a0\u2003\u3000\x0b\x0c\x1c\x1f\x85\u2028"), min_size=1, max_size=4)


ROOM = st.integers(0, 100_000)
PLAIN = ["chars", "bytes/3", "words*1.33"]


@pytest.fixture(params=[*PLAIN, "model", "wordpiece"])
def counter(request: pytest.FixtureRequest) -> Counter:
    if request.param in PLAIN:
        return counter_for(request.param)
    found: Counter = request.getfixturevalue(request.param)
    return found


class TestEveryCounter:
    @pytest.mark.parametrize("name", PLAIN)
    @given(units=ROOM)
    def test_tokens_grow_with_units(self, name: str, units: int) -> None:
        """More units never mean fewer tokens."""
        counter = counter_for(name)
        assert 0 <= counter.tokens(units) <= counter.tokens(units + 1)

    @pytest.mark.parametrize("name", PLAIN)
    @given(room=ROOM)
    def test_capacity_is_the_most_that_fits(self, name: str, room: int) -> None:
        """The capacity fits the budget, and one unit more does not."""
        counter = counter_for(name)
        units = counter.capacity(room)
        assert counter.tokens(units) <= room < counter.tokens(units + 1)

    def test_sums_over_white_space_are_exact(self, counter: Counter) -> None:
        """`units(a + w + b) == units(a) + blank(w) + units(b)`, wherever `w` may be joined over."""
        assert counter.exact_sums

        @settings(max_examples=80, deadline=None)
        @given(left=stripped_texts(), space=SPACES, right=stripped_texts())
        def law(left: str, space: str, right: str) -> None:
            space = space.replace("\r\n", "\n").replace("\r", "\n")
            if counter.blank(space) < APART:
                together = counter.units(left) + counter.blank(space) + counter.units(right)
                assert counter.units(left + space + right) == together

        law()

    def test_spaces_and_line_ends_can_be_joined_over(self, counter: Counter) -> None:
        """No counter refuses the white space that chunks are joined with."""
        assert all(counter.blank(space) <= 3 for space in (" ", "\n", "\n\n", "\t", "\r\n"))

    def test_many_is_one_at_a_time(self, counter: Counter) -> None:
        """Counting texts together gives what counting them alone gives."""
        several = probe_texts()
        assert counter.units_many(several) == [counter.units(text) for text in several]

    def test_threads_share_a_counter(self, counter: Counter) -> None:
        """Two threads at once count what one counts."""
        several = probe_texts() * 3
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(counter.units, several)) == counter.units_many(several)

    def test_it_is_a_counter(self, counter: Counter) -> None:
        """Each has all that the protocol names."""
        assert isinstance(counter, Counter)

    def test_half_a_surrogate_pair_is_counted(self, counter: Counter) -> None:
        """A text that no UTF-8 holds is measured and not a crash."""
        assert counter.units("a \ud800 b") >= 2


class TestLengths:
    def test_characters_are_code_points(self) -> None:
        """A letter and its mark are two; white space counts."""
        assert count(counter_for("chars"), "e\u0301 😀\n") == 5

    @pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("연차", 2), ("😀", 2)])
    def test_bytes_are_divided_and_rounded_up(self, text: str, tokens: int) -> None:
        """A token for every three bytes of UTF-8, and for the rest."""
        assert count(counter_for("bytes/3"), text) == tokens

    @pytest.mark.parametrize(("words", "tokens"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (100, 133), (1000, 1330)])
    def test_words_are_multiplied_and_rounded_down(self, words: int, tokens: int) -> None:
        """1.33 tokens a word, rounded down; nothing for no word."""
        assert count(counter_for("words*1.33"), "từ " * words) == tokens

    def test_line_ends_between_texts_are_one_character(self) -> None:
        """CR LF between two texts is the LF that a chunk has there."""
        assert [counter_for(name).blank("\r\n \r") for name in PLAIN] == [3, 3, 0]

    def test_a_word_without_end_is_no_licence(self) -> None:
        """Counters that see words or pieces bound their length too."""
        assert [counter_for(name).chars_per_token for name in PLAIN] == [None, None, 16]


class TestTokenizerFile:
    def test_truncation_and_padding_of_the_file_are_off(self, wordpiece: Counter) -> None:
        """A text twice as long has twice the tokens, beyond any length the file would cut at."""
        assert wordpiece.units("one two three " * 1000) == 3000
        assert wordpiece.units("one") == 1

    def test_special_tokens_are_overhead(self, wordpiece: Counter) -> None:
        """[CLS] and [SEP] are counted once a text."""
        assert wordpiece.overhead == 2
        assert count(wordpiece, "one two") == 4

    def test_special_tokens_in_the_text_count_as_one(self, wordpiece: Counter) -> None:
        """A literal [SEP] is the token, as the reference has it."""
        assert wordpiece.units("a [SEP] b") == 3

    def test_counts_are_those_of_the_reference(
        self, wordpiece: Counter, wordpiece_reference: Callable[[str], int]
    ) -> None:
        """Whatever library counts, the figures are those of `tokenizers`."""

        @settings(max_examples=150, deadline=None)
        @given(text=texts())
        def law(text: str) -> None:
            assert wordpiece.units(text) == wordpiece_reference(text)

        law()

    def test_counts_agree_on_every_character(
        self, wordpiece: Counter, wordpiece_reference: Callable[[str], int]
    ) -> None:
        """Each code point of the first plane and of the one above it, alone, inside a word and doubled."""
        lines = [
            " ".join(f"a{c}b {c} e{c}{c}." for c in map(chr, range(start, start + 16)))
            for start in range(0, 0x20000, 16)
            if not 0xD800 <= start < 0xE000
        ]
        assert wordpiece.units_many(lines) == list(map(wordpiece_reference, lines))

    def test_each_fast_library_that_is_used_agrees_on_every_settled_character(
        self, wordpiece_file: Path, wordpiece_reference: Callable[[str], int]
    ) -> None:
        """Also the one that stands in where the fastest is not installed."""
        data = wordpiece_file.read_bytes()
        settled = [c for c in map(chr, (*range(9, 0x3400), *range(0x3400, 0x20000, 3))) if not unsettled().search(c)]
        lines = [" ".join(f"a{c}b {c}{c}." for c in settled[at : at + 16]) for at in range(0, len(settled), 16)]
        wanted = list(map(wordpiece_reference, lines))
        for make in candidates(data, str(wordpiece_file), "WordPiece"):
            assert list(map(make(), lines)) == wanted

    def test_a_fast_library_that_differs_is_not_used(self) -> None:
        """One wrong count on the probe texts, or a refusal to load, and the reference counts."""

        def wrong() -> Callable[[str], int]:
            return lambda text: len(text.split()) + text.startswith("YWJj")

        def missing() -> Callable[[str], int]:
            raise ImportError

        def right() -> Callable[[str], int]:
            return lambda text: sum(1 for _ in text.split())

        def reference(text: str) -> int:
            return len(text.split())

        assert proved([wrong, missing], reference).one is reference
        assert proved([wrong, right], reference).one is not reference

    def test_without_fast_libraries_the_reference_counts(
        self, wordpiece: Counter, wordpiece_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """They are optional: the figures and the fingerprint are the same without them."""
        monkeypatch.setitem(sys.modules, "tokie", None)
        monkeypatch.setitem(sys.modules, "splintr", None)
        slow = counter_for(f"hf:{wordpiece_file}")
        assert slow.fingerprint == wordpiece.fingerprint
        assert slow.units_many(probe_texts()) == wordpiece.units_many(probe_texts())

    def test_words_around_a_dropped_character_are_not_joined(self, wordpiece: Counter) -> None:
        """BERT drops a form feed and glues its neighbours, so no sum reaches over one."""
        assert wordpiece.units("un\x0cknown") != wordpiece.units("un") + wordpiece.units("known")
        assert wordpiece.blank("\x0c") == APART
        assert wordpiece.blank("\n\x0c") == 0

    def test_the_fingerprint_is_that_of_the_content(
        self, wordpiece: Counter, wordpiece_file: Path, tmp_path: Path
    ) -> None:
        """A copy elsewhere has the same fingerprint, another vocabulary another."""
        copy = tmp_path / "copy.json"
        copy.write_bytes(wordpiece_file.read_bytes())
        assert counter_for(f"hf:{copy}").fingerprint == wordpiece.fingerprint
        copy.write_bytes(wordpiece_file.read_bytes() + b"\n")
        assert counter_for(f"hf:{copy}").fingerprint != wordpiece.fingerprint

    @pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff\xfe", b'{"model": {"type": "BPE"}}'])
    def test_a_missing_or_broken_file_is_refused(self, content: bytes | None, tmp_path: Path) -> None:
        """The error names the option and says what is wanted."""
        file = tmp_path / "tokenizer.json"
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(OptionError, match=r"chunk\.counter is 'hf:.*tokenizer\.json"):
            counter_for(f"hf:{file}")


class TestModel:
    def test_prefix_and_ends_are_overhead(self, model: Counter) -> None:
        """`<s>`, `▁passage`, `:` and `</s>`."""
        assert model.overhead == 4

    def test_counts_are_those_of_the_reference(self, model: Counter, model_reference: Callable[[str], int]) -> None:
        """Whatever library counts, the figures are those of `tokenizers`."""

        @settings(max_examples=150, deadline=None)
        @given(text=texts())
        def law(text: str) -> None:
            assert model.units(text) == model_reference(text)

        law()

    def test_counts_agree_on_every_character(self, model: Counter, model_reference: Callable[[str], int]) -> None:
        """Each code point below the ideographs, every seventh above: alone, inside a word and doubled."""
        codes = [*range(0x3400), *(code for code in range(0x3400, 0x20000, 7) if not 0xD800 <= code < 0xE000)]
        lines = [
            " ".join(f"a{c}b {c} e{c}{c}." for c in map(chr, codes[start : start + 16]))
            for start in range(0, len(codes), 16)
        ]
        assert model.units_many(lines) == list(map(model_reference, lines))

    def test_the_pinned_probe_is_that_of_the_reference(self, model_flat: Callable[[str], bytes]) -> None:
        """The digest that a fast library must reach was made by `tokenizers`."""
        from pincite.counting import e5

        assert e5.probe_digest(model_flat, e5.e5_pieces().normalize) == e5.PROBE_SHA256

    def test_without_the_fast_library_the_reference_is_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A library that is not installed is no error."""
        from pincite.counting import e5

        monkeypatch.setitem(sys.modules, "splintr", None)
        assert e5.fast_flat(b"{}", str) is None

    def test_decomposed_letters_count_as_composed(self, model: Counter) -> None:
        """Vietnamese and Korean as some systems store file names and text."""
        text = "Người lao động được nghỉ phép hằng năm. 연차 유급휴가는 15일이다."
        assert model.units(unicodedata.normalize("NFD", text)) == model.units(text)

    def test_control_pieces_cannot_be_forged(self, model: Counter) -> None:
        """`</s>` in a document is ordinary text."""
        assert model.units("</s>") >= 3

    def test_marks_heaped_on_one_letter_are_sorted_a_few_at_a_time(
        self, model: Counter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Sorting marks takes the square of their number."""
        handed: list[int] = []
        normalize = unicodedata.normalize

        def watched(form: Any, text: str) -> str:
            handed.append(len(text))
            return normalize(form, text)

        monkeypatch.setattr(unicodedata, "normalize", watched)

        assert model.units("a" + "\u0301\u0323" * 2000) > 0
        assert handed
        assert max(handed) <= 2 * e5.MARKS_AT_ONCE


class TestNames:
    @pytest.mark.parametrize("name", ["", "tokens", "hf:", "tiktoken:", "chars ", "bytes/4"])
    def test_an_unknown_name_is_refused(self, name: str) -> None:
        """The error lists what there is."""
        with pytest.raises(OptionError, match=r"chunk\.counter is .*; it must be one of model, chars"):
            counter_for(name)

    def test_a_function_is_taken_as_it_is(self) -> None:
        """Any function counts, and no sum of its counts is trusted."""
        counter = counter_for(lambda text: len(text) // 2)
        assert count(counter, "abcdef") == 3
        assert not counter.exact_sums
        assert counter.capacity(7) == 7

    @pytest.mark.parametrize("name", PLAIN)
    def test_plain_counters_can_be_pickled(self, name: str) -> None:
        """They travel to worker processes."""
        assert pickle.loads(pickle.dumps(counter_for(name))) == counter_for(name)
