"""Models by their files: the hub's cache, the settings of sentence-transformers, and that library itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper

from pincite.counting import count
from pincite.counting.models import folder_settings, minilm_folder
from pincite.embedding import Embedder, load_embedder
from pincite.embedding.folder import limit
from pincite.errors import MissingError, OptionError, OversizeError
from pincite.options import EmbedOptions

from ..endpoint import Answer, Server, serving
from .test_embedders import WORDS, folder  # noqa: F401  (a fixture)

COMMIT = "a" * 40
NAME = "someone/small"


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture
def hub(folder: Path) -> Iterator[Server]:  # noqa: F811
    """A server that speaks the hub's protocol, with one model in it."""
    files = {"onnx/model.onnx": (folder / "model.onnx").read_bytes()}
    files["tokenizer.json"] = (folder / "tokenizer.json").read_bytes()
    files["config_sentence_transformers.json"] = json.dumps(
        {"prompts": {"query": "query ", "passage": "passage "}}
    ).encode()
    files["pytorch_model.bin"] = b"weights that nobody asked for"
    siblings = [{"rfilename": name, "size": len(data)} for name, data in files.items()]
    tree = [{"type": "file", "path": name, "size": len(data), "oid": "0" * 40} for name, data in files.items()]
    with serving() as server:
        about = Answer({"id": NAME, "sha": COMMIT, "siblings": siblings})
        for path in (
            f"/api/models/{NAME}/revision/{COMMIT}",
            f"/api/models/{NAME}/revision/main",
            f"/api/models/{NAME}",
        ):
            server.on(path, about)
        for revision in (COMMIT, "main"):
            server.on(f"/api/models/{NAME}/tree/{revision}?recursive=true&expand=false", Answer(tree))
            server.on(f"/api/models/{NAME}/tree/{revision}?recursive=True&expand=False", Answer(tree))
            for name, data in files.items():
                headers = {"ETag": f'"{abs(hash(name)):040d}"', "X-Repo-Commit": COMMIT}
                server.on(f"/{NAME}/resolve/{revision}/{name}", Answer(raw=data, headers=headers))
        yield server


def command(server: Server, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with the hub at the server and a cache of its own."""
    environment = {**os.environ, "HF_ENDPOINT": server.root, "HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1"}
    return subprocess.run(
        [sys.executable, "-m", "pincite", *words], env=environment, capture_output=True, text=True, timeout=100
    )


def test_a_model_is_fetched_by_command_and_used_without_a_connection(hub: Server, tmp_path: Path) -> None:
    """Nothing is downloaded by indexing; what is fetched is what an ONNX model needs."""
    document = tmp_path / "pay.md"
    document.write_text("# Pay\n\nleave days pay\n", encoding="utf-8")
    index = (
        "index",
        str(document),
        "--index",
        str(tmp_path / "i.sqlite"),
        "--model",
        f"hf:{NAME}",
        "--max-tokens",
        "100",
    )
    before = command(hub, tmp_path / "home", *index)
    assert before.returncode == 1
    assert f"run: pincite model fetch {NAME}" in before.stderr
    assert hub.asked == []

    fetched = command(hub, tmp_path / "home", "model", "fetch", NAME)
    assert fetched.returncode == 0, fetched.stderr
    assert Path(fetched.stdout.strip()).name == COMMIT
    assert f"--model hf:{NAME}@{COMMIT}" in fetched.stderr
    assert not any("pytorch_model" in each.path for each in hub.asked)

    hub.asked.clear()
    assert command(hub, tmp_path / "home", *index).returncode == 0
    assert hub.asked == []


def test_a_model_that_is_not_there_is_said(hub: Server, tmp_path: Path) -> None:
    """One sentence, and exit code 1."""
    ran = command(hub, tmp_path / "home", "model", "fetch", "someone/else")
    assert ran.returncode == 1
    assert "pincite: error: hf:someone/else: the hub refuses it" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.fixture
def cached(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: F811
    """A cache that holds a model; its folder there."""
    cache = tmp_path / "hub"
    snapshot = cache / f"models--{NAME.replace('/', '--')}" / "snapshots" / COMMIT
    (snapshot / "onnx").mkdir(parents=True)
    shutil.copy(folder / "model.onnx", snapshot / "onnx")
    shutil.copy(folder / "tokenizer.json", snapshot)
    refs = snapshot.parents[1] / "refs"
    refs.mkdir()
    (refs / "main").write_text(COMMIT)
    import huggingface_hub.constants
    import huggingface_hub.file_download

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(cache))
    return snapshot


def embedder(name: str, **given: Any) -> Embedder:
    return load_embedder(EmbedOptions(model=name, **given))


def test_the_commit_is_in_the_fingerprint(cached: Path) -> None:
    """With the digest of the files, and whatever name the revision was asked for by."""
    plain, pinned = embedder(f"hf:{NAME}"), embedder(f"hf:{NAME}@{COMMIT}")
    assert plain.fingerprint == pinned.fingerprint
    assert plain.fingerprint.startswith(f"hf:{NAME}@{COMMIT}#")
    assert isinstance(plain, Embedder)


def test_prefixes_come_from_the_files_or_the_options(cached: Path) -> None:
    """They are counted and signed."""
    plain = embedder(f"hf:{NAME}")
    write(cached / "config_sentence_transformers.json", {"prompts": {"query": "query ", "document": "passage "}})
    own, given = embedder(f"hf:{NAME}"), embedder(f"hf:{NAME}", passage_prefix="pay pay ")
    assert [count(each.counter, "leave") for each in (plain, own, given)] == [3, 4, 5]
    assert len({each.fingerprint for each in (plain, own, given)}) == 3
    assert not np.allclose(own.embed_query("leave"), own.embed_passages(["leave"])[0])


@pytest.mark.parametrize("name", ["hf:", "hf:a", "hf:a/b/c", "hf:../x", "hf:a/b@", "hf:a b/c"])
def test_a_name_of_another_form_is_refused(name: str) -> None:
    """The error shows the form."""
    with pytest.raises((OptionError, MissingError), match="hf:"):
        embedder(name)


def test_a_model_without_onnx_is_refused(cached: Path) -> None:
    """The error says what is missing."""
    (cached / "onnx" / "model.onnx").unlink()
    with pytest.raises(OptionError, match=r"model\.onnx"):
        embedder(f"hf:{NAME}")


@pytest.mark.parametrize(
    ("mode", "rows"),
    [("cls_token", [1]), ("lasttoken", [2]), ("mean_tokens", [1, 5, 6, 2]), ("max_tokens", None)],
)
def test_tokens_are_pooled_as_the_model_says(folder: Path, mode: str, rows: list[int] | None) -> None:  # noqa: F811
    """By the file of sentence-transformers."""
    import onnx

    write(folder / "modules.json", [{"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}])
    write(folder / "1_Pooling" / "config.json", {f"pooling_mode_{mode}": True, "pooling_mode_x": False})
    table = numpy_helper.to_array(onnx.load(folder / "model.onnx").graph.initializer[0])
    wanted = table[[1, 5, 6, 2]].max(axis=0) if rows is None else table[rows].mean(axis=0)
    found = embedder(f"onnx:{folder}").embed_passages([f"{WORDS[5]} {WORDS[6]}"])[0]
    assert np.allclose(found, wanted / np.linalg.norm(wanted), atol=1e-6)


def test_a_step_that_is_not_known_is_refused(folder: Path) -> None:  # noqa: F811
    """A vector without it would be another model's."""
    write(folder / "modules.json", [{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}])
    with pytest.raises(OptionError, match="Dense"):
        embedder(f"onnx:{folder}")


def test_two_ways_of_pooling_are_refused(folder: Path) -> None:  # noqa: F811
    """Vectors that are joined end to end are not known here."""
    write(folder / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True})
    with pytest.raises(OptionError, match="pooling_mode_cls_token"):
        folder_settings(folder)


def test_the_files_of_a_real_model_are_understood() -> None:
    """As the library wrote them."""
    assert folder_settings(minilm_folder()).pooling == "mean"
    assert limit(minilm_folder()) == 256


def test_positions_of_roberta_are_counted_from_two(tmp_path: Path) -> None:
    """514 positions are 512 tokens."""
    write(tmp_path / "config.json", {"max_position_embeddings": 514, "model_type": "xlm-roberta"})
    assert limit(tmp_path) == 512


class StandIn:
    """What is used of `sentence_transformers.SentenceTransformer`, with its names and its habit of cutting."""

    max_seq_length = 6

    def __init__(self, name: str, *, device: str, local_files_only: bool) -> None:
        assert local_files_only
        self.seen: list[str] = []

    def get_sentence_embedding_dimension(self) -> int:
        return 3

    def tokenizer(self, text: str, *, truncation: bool, verbose: bool) -> dict[str, list[int]]:
        assert not truncation
        return {"input_ids": [0, *map(len, text.split()), 0]}

    def encode(self, texts: Sequence[str], **given: Any) -> np.ndarray:
        assert given["prompt"] == ""
        self.seen += texts
        rows: np.ndarray = np.array([[len(text), 1, 2] for text in texts], np.float32)
        return rows * np.float32("nan") if "nan" in texts else rows


@pytest.fixture
def sentences(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = StandIn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    write(tmp_path / "st" / "config_sentence_transformers.json", {"prompts": {"query": "q: ", "passage": "p: "}})
    write(tmp_path / "st" / "modules.json", [{"type": "sentence_transformers.models.Dense"}])
    return f"sentence-transformers:{tmp_path / 'st'}"


def test_the_library_embeds_and_never_cuts(sentences: str) -> None:
    """Texts are counted before it sees them; prefixes are ours to add, and any step is its own to do."""
    made = embedder(sentences)
    assert np.allclose(np.linalg.norm(made.embed_passages(["a b", "c"]), axis=1), 1)
    made.embed_query("a b")
    assert made.model.seen == ["p: a b", "p: c", "q: a b"]  # type: ignore[attr-defined]
    assert (made.limit, made.dimensions, count(made.counter, "a b c")) == (6, 3, 6)
    assert isinstance(made, Embedder)
    assert made.embed_passages([]).shape == (0, 3)
    with pytest.raises(OversizeError, match="c1 has 7 tokens"):
        made.embed_passages(["a b c d"], ["c1"])
    assert made.fingerprint != embedder(sentences, query_prefix="x").fingerprint


def test_a_bad_vector_of_the_library_is_refused(sentences: str) -> None:
    """The error names the text."""
    with pytest.raises(Exception, match="no finite vector for c1"):
        embedder(sentences, passage_prefix="").encoded(["nan"], ["c1"])  # type: ignore[attr-defined]
