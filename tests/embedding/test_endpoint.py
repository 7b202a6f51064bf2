"""`openai:MODEL@URL`, against a real server that behaves well and badly."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.counting import count
from pincite.counting.bound import bound
from pincite.counting.e5 import e5_pieces
from pincite.embedding import Embedder, load_embedder
from pincite.embedding.endpoint import EndpointEmbedder
from pincite.errors import EmbeddingError, OptionError, OversizeError, PartialError
from pincite.options import EmbedOptions

from ..endpoint import Answer, Asked, Server, serving
from .serve import embeddings, vector

PATH = "/v1/embeddings"
Make = Callable[..., EndpointEmbedder]
TEXTS = ["nghỉ phép", "연차 휴가", "annual leave", "a", "bb", "ccc", "dddd"]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        found.on(PATH, embeddings())
        yield found


@pytest.fixture
def make(server: Server) -> Iterator[Make]:
    made: list[EndpointEmbedder] = []

    def build(**given: Any) -> EndpointEmbedder:
        options = EmbedOptions(**{"model": f"openai:m@{server.url}", "text_limit": 100, **given})
        found = load_embedder(options)
        assert isinstance(found, EndpointEmbedder)
        made.append(found)
        return found

    yield build
    for each in made:
        each.client.close()


def units(texts: list[str], size: int = 4) -> np.ndarray:
    rows = np.array([vector(text, size) for text in texts])
    found: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


@pytest.mark.parametrize("form", ["float", "base64"])
def test_rows_are_those_of_the_texts(make: Make, form: str) -> None:
    """In both ways of writing numbers, made as long as one."""
    made = make(vector_format=form)
    rows = made.embed_passages(TEXTS)
    assert np.allclose(rows, units(TEXTS), atol=1e-6)
    assert rows.dtype == np.float32
    assert (made.dimensions, made.embed_passages([]).shape) == (4, (0, 4))
    assert isinstance(made, Embedder)


def test_the_place_that_a_vector_names_counts(server: Server, make: Make) -> None:
    """Not the place where it stands."""
    server.on(PATH, embeddings(change=lambda data: data[::-1]))
    assert np.allclose(make().embed_passages(TEXTS), units(TEXTS), atol=1e-6)


def test_prefixes_are_sent_counted_and_signed(server: Server, make: Make) -> None:
    """Passages and questions have their own."""
    made = make(passage_prefix="passage: ", query_prefix="query: ")
    made.embed_passages(["x"])
    made.embed_query("x")
    assert [each.body["input"] for each in server.asked[1:]] == [["passage: x"], ["query: x"]]
    assert count(made.counter, "x") == count(make().counter, "x") + len("passage: ")
    assert len({made.fingerprint, make().fingerprint, make(query_prefix="q").fingerprint}) == 3


def test_dimensions_are_asked_for_and_checked(server: Server, make: Make) -> None:
    """A server that does not know the option is found out."""
    made = make(dimensions=3)
    assert made.embed_passages(["x"]).shape == (1, 3)
    assert made.fingerprint != make().fingerprint
    server.on(PATH, embeddings(change=lambda data: [{"index": 0, "embedding": [1.0] * 4}]))
    with pytest.raises(EmbeddingError, match="gave 4 numbers where 3 were due for c1"):
        made.embed_passages(["x"], ["c1"])


def test_batches_are_bounded_in_number_and_in_tokens(server: Server, make: Make) -> None:
    """A text over the bound goes alone."""
    make(batch_size=3).embed_passages(TEXTS)
    assert sorted(len(each.body["input"]) for each in server.asked[1:]) == [1, 3, 3]
    server.asked.clear()
    make(batch_tokens=14, dimensions=4).embed_passages(TEXTS)
    assert sorted(len(each.body["input"]) for each in server.asked) == [1, 1, 1, 1, 1, 2]


BAD: list[tuple[Any, str]] = [
    ([float("nan"), 1.0, 1.0, 1.0], "no finite vector"),
    ([None, 1.0, 1.0, 1.0], "no finite vector"),
    ([1e300, 1.0, 1.0, 1.0], "no finite vector"),
    ([0.0] * 4, "no finite vector"),
    ([1.0] * 5, "gave 5 numbers where 4 were due"),
    ([], "gave 0 numbers"),
]


@pytest.mark.parametrize(("value", "said"), BAD)
def test_a_bad_vector_costs_its_own_text(server: Server, make: Make, value: Any, said: str) -> None:
    """The error names the text, and holds the rows of the others."""

    def spoil(data: list[dict[str, Any]]) -> Any:
        return [{**each, "embedding": value} if each["index"] == 1 else each for each in data]

    server.on(PATH, embeddings(change=spoil))
    with pytest.raises(PartialError, match=f"{said}.* for c2") as caught:
        make(dimensions=0).embed_passages(["a", "b", "c"], ["c1", "c2", "c3"])
    assert set(caught.value.failures) == {1}
    assert np.allclose(np.stack([caught.value.rows[0], caught.value.rows[2]]), units(["a", "c"]), atol=1e-6)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: [{**each, "index": 0} for each in data],
        lambda data: [{**each, "index": "0"} for each in data],
        lambda data: [{**each, "embedding": "no base64!"} for each in data],
        lambda data: [{**each, "embedding": ["1"]} for each in data],
        lambda data: [{**each, "embedding": [True]} for each in data],
        lambda data: {"a": 1},
        lambda data: None,
        lambda data: [1],
    ],
)
def test_a_reply_of_another_form_is_refused(server: Server, make: Make, change: Any) -> None:
    """Too few vectors, one twice, texts where numbers should be: nothing is guessed."""
    made = make(dimensions=4)
    server.on(PATH, embeddings(change=change))
    with pytest.raises(EmbeddingError, match="failed at text 1"):
        made.embed_passages(["a", "b"])


def test_one_bad_text_is_found_by_halving(server: Server, make: Make) -> None:
    """The others of its request are embedded."""
    server.on(PATH, embeddings(longest=5))
    made = make(dimensions=4)
    with pytest.raises(PartialError) as caught:
        made.embed_passages(["a", "b", "toolong", "c", "d", "e"], list("abXcde"))
    assert isinstance(caught.value.failures.pop(2), OversizeError)
    assert not caught.value.failures
    assert sorted(caught.value.rows) == [0, 1, 3, 4, 5]


def test_a_text_that_may_be_too_long_is_not_sent(server: Server, make: Make) -> None:
    """Some servers would cut it and say nothing."""
    with pytest.raises(OversizeError, match="c1 has 104 tokens"):
        make().embed_passages(["x" * 100], ["c1"])
    assert server.asked == []


@pytest.mark.parametrize("status", [400, 413, 422, 500])
def test_the_word_of_the_endpoint_holds(server: Server, make: Make, status: int) -> None:
    """It may know better than the option; some say so by a status that others use for being out of order."""
    made = make(dimensions=4)
    server.on(PATH, Answer({"error": "the input length exceeds the context length"}, status))
    with pytest.raises(OversizeError, match="c1"):
        made.embed_passages(["abc"], ["c1"])
    assert len(server.asked) == 1


def test_a_wrong_model_is_not_halved(server: Server, make: Make) -> None:
    """One request and the server's own words."""
    made = make(dimensions=4)
    server.on(PATH, Answer({"error": {"message": "model m not found"}}, 404))
    with pytest.raises(EmbeddingError, match="model m not found"):
        made.embed_passages(TEXTS)
    assert len(server.asked) == 1


LIMITS: list[tuple[str, dict[str, Any], int]] = [
    ("/v1/models", {"data": [{"id": "other", "max_model_len": 9}, {"id": "m", "max_model_len": 8192}]}, 8192),
    ("/info", {"model_id": "m", "max_input_length": 512}, 512),
    ("/api/show", {"model_info": {"bert.context_length": 512}, "parameters": None}, 512),
    ("/api/show", {"model_info": {"bert.context_length": 8192}, "parameters": "stop x\nnum_ctx    4096"}, 4096),
    ("/api/show", {"model_info": {"bert.context_length": 8192}}, 2048),
]


@pytest.mark.parametrize(("path", "found", "limit"), LIMITS)
def test_the_limit_is_asked_for(server: Server, make: Make, path: str, found: Any, limit: int) -> None:
    """As vLLM, TEI and Ollama say it; what Ollama would cut in silence bounds it."""
    server.on(path, Answer(found))
    assert make(text_limit=0).limit == limit


@pytest.mark.parametrize("found", [{}, [], None, {"data": [{"id": "m", "max_model_len": "9"}]}, {"data": 3}])
def test_a_limit_that_nobody_says_must_be_given(server: Server, make: Make, found: Any) -> None:
    """The error names the option."""
    for path in ("/v1/models", "/info", "/api/show"):
        server.on(path, Answer(found))
    with pytest.raises(OptionError, match=r"embed\.text_limit"):
        _ = make(text_limit=0).limit


COUNTS: list[Callable[[Asked], Answer]] = [
    lambda asked: Answer({"count": len(asked.body["prompt"].split()), "max_model_len": 9}),
    lambda asked: Answer([[{"id": 1}] * len(asked.body["inputs"].split())]),
    lambda asked: Answer({"tokens": [1] * len(asked.body["content"].split())}),
]


@pytest.mark.parametrize("way", range(3))
def test_the_endpoint_counts(server: Server, make: Make, way: int) -> None:
    """As vLLM, TEI and llama.cpp do; the form that is understood is kept, and a text is counted once."""

    def reply(asked: Asked) -> Answer:
        wanted = ("prompt", "inputs", "content")[way]
        return COUNTS[way](asked) if wanted in asked.body else Answer({"error": "missing field"}, 422)

    server.on("/tokenize", reply)
    made = make(tokenizer="endpoint", passage_prefix="p ")
    assert [count(made.counter, text) for text in ("a b c", "d", "a b c")] == [4, 2, 4]
    assert len(server.at("/tokenize")) == way + 2


def test_an_endpoint_that_does_not_count_is_named(make: Make) -> None:
    """The error says what else there is."""
    with pytest.raises(OptionError, match="bytes: this endpoint has no /tokenize"):
        count(make(tokenizer="endpoint").counter, "a")


def test_loading_asks_nothing(server: Server, make: Make) -> None:
    """Name and fingerprint are known without the endpoint."""
    made = make()
    assert made.fingerprint
    assert made.counter.fingerprint
    assert server.asked == []


@pytest.mark.parametrize("name", ["openai:", "openai:m", "openai:@http://a/v1", "openai:m@", "openai:m@a/v1"])
def test_a_name_without_model_or_address_is_refused(name: str) -> None:
    """The error shows the form."""
    with pytest.raises(OptionError, match=r"embed\.model"):
        load_embedder(EmbedOptions(model=name))


def test_the_key_goes_to_its_own_host_only(server: Server, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for OpenAI is sent nowhere else, unless the option names its variable."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    make().embed_query("x")
    make(key_variable="OPENAI_API_KEY").embed_query("x")
    assert {"authorization" in each.headers for each in server.asked[:2]} == {False}
    assert server.asked[-1].headers["authorization"] == "Bearer sk-1"
    openai = load_embedder(EmbedOptions(model="openai:text-embedding-3-small@https://api.openai.com/v1"))
    assert isinstance(openai, EndpointEmbedder)
    assert openai.client.endpoint.key_variable == "OPENAI_API_KEY"


@settings(deadline=None)  # the first reads the vocabulary
@given(st.text(max_size=60))
def test_the_bound_is_never_too_small(text: str) -> None:
    """Measured against the tokenizer of the default model, which normalises and falls back."""
    assert e5_pieces().length(text.encode("utf-8", "replace").decode()) <= bound(text) + 1


@pytest.mark.parametrize("text", ["ﷺ" * 9, "각" * 9, "한\u1100\u1161" * 3, "İ" * 9, "ẞ" * 9, "\ud800"])
def test_the_bound_holds_for_what_normalising_makes_longer(text: str) -> None:
    """Ligatures and letters that are taken apart."""
    assert e5_pieces().length(text.encode("utf-8", "replace").decode()) <= bound(text) + 1


def test_requests_are_json_that_any_server_takes(server: Server, make: Make) -> None:
    """Nothing beside what the protocol names."""
    make().embed_query("x")
    assert set(server.asked[-1].body) == {"model", "input", "encoding_format"}
    assert json.dumps(server.asked[-1].body)
