"""An index whose texts are embedded elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pincite.options import ChunkOptions, EmbedOptions, Options
from pincite.pipeline import Index, ShownDocument

from ..embedding.serve import embeddings
from ..endpoint import Answer, Asked, Server, serving

PATH = "/v1/embeddings"
LONG = "# Leave\n\n" + " ".join(f"Sentence number {n} says that leave is granted." for n in range(40)) + "\n"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        found.on(PATH, embeddings())
        yield found


@pytest.fixture
def index(server: Server, tmp_path: Path) -> Iterator[Index]:
    embed = EmbedOptions(model=f"openai:m@{server.url}", text_limit=4000, dimensions=4)
    with Index(tmp_path / "i.sqlite", Options(embed=embed, chunk=ChunkOptions(max_tokens=900))) as found:
        yield found


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "long.md").write_text(LONG, encoding="utf-8")
    (folder / "short.md").write_text("# Pay\n\nPaid on the last day.\n", encoding="utf-8")
    return folder


def test_a_text_that_is_too_long_there_is_cut_smaller(server: Server, index: Index, docs: Path) -> None:
    """Nothing is lost or cut off, the document says what happened, and it is not made again without need."""
    server.on(PATH, embeddings(longest=500))
    report = index.sync(docs)
    by_uri = {each.uri: each for each in report.documents}
    assert (report.added, report.failed) == (2, 0)
    assert [each.code for each in by_uri["long.md"].diagnostics] == ["resplit"]
    assert by_uri["short.md"].diagnostics == ()
    shown = index.show("long.md")
    assert isinstance(shown, ShownDocument)
    chunks = shown.chunks
    assert all(len(each.embedding_text) <= 500 for each in chunks)
    assert all(f"Sentence number {n} says" in " ".join(each.text for each in chunks) for n in range(40))
    before = len(server.asked)
    assert index.sync(docs).unchanged == 2
    assert len(server.asked) == before


def test_what_fits_at_no_size_fails_alone(server: Server, index: Index, docs: Path) -> None:
    """Its neighbour is embedded."""
    server.on(PATH, spoiled(lambda text: "Sentence" in text, "input is too long"))
    report = index.sync(docs)
    assert [(each.uri, each.error.code) for each in report.failures if each.error] == [("long.md", "oversize_text")]
    assert report.added == 1


def test_one_bad_text_costs_its_document_and_no_vector_twice(server: Server, index: Index, docs: Path) -> None:
    """What its neighbours cost is kept, and only what is missing is sent again."""
    server.on(PATH, spoiled(lambda text: "number 39" in text, "no such thing"))
    report = index.sync(docs)
    assert [each.uri for each in report.failures] == ["long.md"]
    sent = [text for asked in server.asked for text in asked.body["input"] if "number 39" not in text]
    server.asked.clear()
    server.on(PATH, embeddings())
    assert index.sync(docs).added == 1
    again = [text for asked in server.asked for text in asked.body["input"]]
    assert sent
    assert not set(again) & set(sent)


def test_an_endpoint_that_is_gone_loses_nothing(server: Server, index: Index, docs: Path) -> None:
    """Every document is reported, and the next sync finishes."""
    server.on(PATH, Answer({"error": "no such model"}, 404))
    assert index.sync(docs).failed == 2
    server.on(PATH, embeddings())
    assert index.sync(docs).added == 2


def test_the_budget_is_checked_against_what_the_endpoint_says(server: Server, index: Index, docs: Path) -> None:
    """Before anything is embedded."""
    from pincite.errors import OptionError

    server.on("/info", Answer({"max_input_length": 512}))
    asked = Index(index.path, replace(index.options, embed=replace(index.options.embed, text_limit=0)))
    with pytest.raises(OptionError, match="at most 512"):
        asked.sync(docs)
    assert server.at(PATH) == []


def spoiled(bad: Callable[[str], bool], said: str) -> Callable[[Asked], Answer]:
    """Rejects a request that holds a bad text."""
    good = embeddings()

    def reply(asked: Asked) -> Answer:
        texts: list[Any] = asked.body["input"]
        return Answer({"error": said}, 400) if any(map(bad, texts)) else good(asked)

    return reply
