"""Syncing: what is redone, what is kept, what leaves."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.errors import EmbeddingError, MissingError, ModelMismatchError, OptionError, OversizeError
from pincite.pipeline import Index
from pincite.syncing import SyncReport
from tests.pipeline.tools import WordModel, index_of, write

BEES = "# Bees\n\nThe hive stands behind the barn.\n"
FISH = "# Fish\n\nThe pond is fed by a spring.\n"
LONG = "# Walk\n\n" + " ".join(f"Stone {n} lies beside the path near tree {n}." for n in range(60)) + "\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    write(folder, bees=BEES, fish=FISH)
    return folder


@pytest.fixture
def model() -> WordModel:
    return WordModel()


@pytest.fixture
def index(tmp_path: Path, model: WordModel) -> Index:
    return index_of(tmp_path / "index.sqlite", model)


def counts(report: SyncReport) -> dict[str, int]:
    named = {
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "failed": report.failed,
        "embedded": report.chunks_embedded,
    }
    return {name: count for name, count in named.items() if count}


def uris(index: Index) -> list[str]:
    return [row.uri for row in index.documents()]


def old(*files: Path) -> None:
    """Make files look as if they had been written long ago, so that their times can be trusted."""
    for file in files:
        os.utime(file, (10**9, 10**9))


def test_the_second_sync_does_nothing(index: Index, docs: Path, model: WordModel) -> None:
    """Nothing is embedded, and every document is reported as unchanged."""
    assert counts(index.sync(docs)) == {"added": 2, "embedded": 2}
    assert counts(index.sync(docs)) == {"unchanged": 2}
    assert len(model.embedded) == 2


def test_a_changed_file_embeds_its_new_texts_only(index: Index, docs: Path, model: WordModel) -> None:
    """One line of a long document and a section before it cost the chunks that hold them."""
    walk = "".join(f"# Mile {n}\n\nStone {n} lies beside the path near tree {n}.\n\n" for n in range(60))
    write(docs, walk=walk)
    index.sync(docs)
    before = len(model.embedded)
    write(docs, walk="# Before the walk\n\nTake bread.\n\n" + walk.replace("Stone 30 lies", "Stone 30 stands"))
    report = index.sync(docs)
    assert (report.changed, report.unchanged) == (1, 2)
    assert report.chunks_embedded == 2
    assert len(model.embedded) == before + report.chunks_embedded
    assert index.search("stone 30 stands", mode="lexical")[0].uri == "walk.md"
    assert index.verify() == []


def test_a_touched_file_is_unchanged(index: Index, docs: Path) -> None:
    """Times alone mean nothing; the bytes decide."""
    index.sync(docs)
    old(docs / "bees.md")
    assert counts(index.sync(docs)) == {"unchanged": 2}


def test_a_file_whose_looks_are_unchanged_is_not_read(
    index: Index, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Size, times and inode are enough, once they are older than the grain of the clock."""
    monkeypatch.setattr("pincite.syncing.RACE", -1.0)
    index.sync(docs)

    def refuse(*unused: object) -> None:
        raise AssertionError("a file was read")

    monkeypatch.setattr("pincite.syncing.read_file", refuse)
    assert counts(index.sync(docs)) == {"unchanged": 2}


def test_a_file_that_was_just_written_is_compared_by_its_bytes(index: Index, docs: Path) -> None:
    """A change within the grain of the clock, of the same size, is seen."""
    index.sync(docs)
    times = (docs / "bees.md").stat()
    (docs / "bees.md").write_text(BEES.replace("barn", "shed"), encoding="utf-8")
    os.utime(docs / "bees.md", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert index.sync(docs).changed == 1


def test_a_deleted_file_leaves(index: Index, docs: Path) -> None:
    index.sync(docs)
    (docs / "bees.md").unlink()
    assert counts(index.sync(docs)) == {"removed": 1, "unchanged": 1}
    assert all(passage.uri != "bees.md" for passage in index.search("hive behind the barn"))
    assert index.stats().documents == 1


def test_the_last_file_leaves_as_well(index: Index, docs: Path) -> None:
    """A folder that was indexed and is empty now is no error."""
    index.sync(docs)
    shutil.rmtree(docs)
    docs.mkdir()
    assert counts(index.sync(docs)) == {"removed": 2}
    assert counts(index.sync(docs)) == {}
    assert index.search("hive") == []


def test_a_renamed_file_is_found_once_and_embeds_nothing(index: Index, docs: Path) -> None:
    index.sync(docs)
    (docs / "final").mkdir()
    (docs / "bees.md").rename(docs / "final" / "bees.md")
    assert counts(index.sync(docs)) == {"added": 1, "removed": 1, "unchanged": 1}
    assert next(p.uri for p in index.search("hive behind the barn", mode="lexical")) == "final/bees.md"
    assert uris(index) == ["final/bees.md", "fish.md"]


def test_the_same_bytes_at_two_paths_are_two_documents(index: Index, docs: Path) -> None:
    """The copy embeds nothing, and removing one keeps the other."""
    index.sync(docs)
    shutil.copy(docs / "bees.md", docs / "copy.md")
    assert counts(index.sync(docs)) == {"added": 1, "unchanged": 2}
    (docs / "bees.md").unlink()
    index.sync(docs)
    assert [p.uri for p in index.search("hive", mode="lexical")] == ["copy.md"]


def test_another_budget_makes_other_chunks_and_going_back_embeds_nothing(
    tmp_path: Path, docs: Path, model: WordModel
) -> None:
    """Texts that were embedded once are remembered."""
    write(docs, walk=LONG)
    path = tmp_path / "index.sqlite"
    index_of(path, model, max_tokens=1200).sync(docs)
    large = index_of(path, model).stats().chunks
    report = index_of(path, model, max_tokens=300).sync(docs)
    assert report.changed == 3
    assert report.chunks_embedded >= 8
    assert index_of(path, model).stats().chunks > large
    back = index_of(path, model, max_tokens=1200).sync(docs)
    assert counts(back) == {"changed": 3}
    assert index_of(path, model).stats().chunks == large


def test_search_options_do_nothing_to_a_sync(tmp_path: Path, docs: Path, model: WordModel) -> None:
    from dataclasses import replace

    from pincite.options import EmbedOptions, SearchOptions

    index = index_of(tmp_path / "index.sqlite", model)
    index.sync(docs)
    index.options = replace(index.options, search=SearchOptions(limit=9, mode="lexical"), embed=EmbedOptions(threads=3))
    assert counts(index.sync(docs)) == {"unchanged": 2}


def test_another_model_embeds_everything_and_chunks_nothing(
    tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts are taken from the index, and vectors of two models are never mixed."""
    path = tmp_path / "index.sqlite"
    index_of(path, WordModel(8)).sync(docs)
    monkeypatch.setattr("pincite.pipeline.chunk_document", None)
    other = index_of(path, WordModel(16))
    with pytest.raises(ModelMismatchError, match=r"words-8.*words-16"):
        other.search("hive")
    assert other.search("hive", mode="lexical")[0].uri == "bees.md"
    assert counts(other.sync(docs)) == {"changed": 2, "embedded": 2}
    assert other.search("hive behind barn", mode="vector")[0].uri == "bees.md"
    with pytest.raises(ModelMismatchError):
        index_of(path, WordModel(8)).search("hive")
    assert counts(other.sync(docs)) == {"unchanged": 2}


def test_another_model_embeds_also_what_lies_outside_the_sources(tmp_path: Path, docs: Path) -> None:
    """Otherwise half of the index would be searched by it."""
    notes = tmp_path / "notes"
    notes.mkdir()
    write(notes, todo="# To do\n\nFeed the fish.\n")
    path = tmp_path / "index.sqlite"
    index_of(path, WordModel(8)).sync([docs, notes])
    other = index_of(path, WordModel(16))
    assert counts(other.sync(notes)) == {"changed": 3, "embedded": 3}
    assert other.search("hive behind the barn", mode="vector")[0].uri == "bees.md"


def test_a_model_that_gives_up_does_not_take_over(tmp_path: Path, docs: Path) -> None:
    """The index is searched with the old one until the new one knows everything."""
    path = tmp_path / "index.sqlite"
    index_of(path, WordModel(8)).sync(docs)
    broken = Failing(after=1)
    report = index_of(path, broken).sync(docs)
    assert report.failed >= 1
    assert all(each.kept for each in report.failures)
    assert index_of(path, WordModel(8)).search("hive behind the barn", mode="vector")[0].uri == "bees.md"
    broken.after = None
    index_of(path, broken).sync(docs)
    assert index_of(path, broken).search("hive behind the barn", mode="vector")[0].uri == "bees.md"


def test_going_back_to_a_model_embeds_nothing(tmp_path: Path, docs: Path) -> None:
    """Its vectors are still there."""
    path = tmp_path / "index.sqlite"
    for dimensions in (8, 16):
        index_of(path, WordModel(dimensions)).sync(docs)
    assert index_of(path, WordModel(8)).sync(docs).chunks_embedded == 0
    assert index_of(path, WordModel(8)).search("hive", mode="vector")[0].uri == "bees.md"


def test_another_analyser_makes_the_words_again_and_nothing_else(
    index: Index, docs: Path, model: WordModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.sync(docs)
    monkeypatch.setattr("pincite.retrieval.analyser.VERSION", "next")
    monkeypatch.setattr("pincite.pipeline.chunk_document", None)
    assert counts(index.sync(docs)) == {"changed": 2}
    assert counts(index.sync(docs)) == {"unchanged": 2}
    assert index.verify() == []


def test_only_what_lies_under_the_sources_is_swept(index: Index, tmp_path: Path, docs: Path) -> None:
    """Another folder of the same index keeps its documents, also those that are gone by now."""
    notes = tmp_path / "notes"
    notes.mkdir()
    write(notes, todo="# To do\n\nFeed the fish.\n")
    index.sync([docs, notes])
    (notes / "todo.md").unlink()
    assert counts(index.sync(docs)) == {"unchanged": 2}
    assert uris(index) == ["bees.md", "fish.md", "todo.md"]
    with pytest.raises(MissingError):
        index.sync([docs, notes / "never.md"])
    assert counts(index.sync([notes])) == {"removed": 1}


def test_one_file_can_be_synced_alone(index: Index, docs: Path) -> None:
    """It has the uri that it has in its folder, and the others stay."""
    index.sync(docs)
    write(docs, bees=BEES + "\nMore honey.\n")
    (docs / "fish.md").unlink()
    assert counts(index.sync(docs / "bees.md")) == {"changed": 1, "embedded": 1}
    assert uris(index) == ["bees.md", "fish.md"]


def test_a_folder_inside_an_indexed_one_keeps_its_uris(index: Index, docs: Path) -> None:
    """Also when the inner folder came first: each file is in the index once."""
    write(docs, **{"inner/deep": "# Deep\n\nWater.\n"})
    index.sync(docs / "inner")
    assert uris(index) == ["deep.md"]
    assert counts(index.sync(docs)) == {"added": 2, "changed": 1, "embedded": 2}
    assert uris(index) == ["bees.md", "fish.md", "inner/deep.md"]
    assert counts(index.sync(docs / "inner")) == {"unchanged": 1}


def test_two_roots_may_hold_the_same_uri(index: Index, tmp_path: Path, docs: Path) -> None:
    """The second gets the name of its folder before it, and keeps it."""
    other = tmp_path / "other"
    other.mkdir()
    write(other, bees="# Bees\n\nOther bees live in a tree.\n")
    index.sync([docs, other])
    assert uris(index) == ["bees.md", "fish.md", "other/bees.md"]
    assert counts(index.sync([other, docs])) == {"unchanged": 3}


def test_an_index_moves_with_its_folder(tmp_path: Path, model: WordModel) -> None:
    """A project that is moved as a whole is not indexed again."""
    home = tmp_path / "home"
    (home / "docs").mkdir(parents=True)
    write(home / "docs", bees=BEES)
    index_of(home / ".pincite" / "index.sqlite", model).sync(home / "docs")
    home.rename(tmp_path / "moved")
    report = index_of(tmp_path / "moved" / ".pincite" / "index.sqlite", model).sync(tmp_path / "moved" / "docs")
    assert counts(report) == {"unchanged": 1}


def test_documents_that_moved_away_from_their_index_are_found_again(index: Index, tmp_path: Path, docs: Path) -> None:
    """The same uris and bytes at another place are the same documents, not copies."""
    index.sync(docs)
    docs.rename(tmp_path / "elsewhere")
    report = index.sync(tmp_path / "elsewhere")
    assert counts(report) == {"changed": 2}
    assert uris(index) == ["bees.md", "fish.md"]


# Failures -----------------------------------------------------------------------------------------


def test_one_broken_document_costs_itself_only(index: Index, docs: Path) -> None:
    """It is named with its reason, and the others are found."""
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 and then nothing")
    report = index.sync(docs)
    assert counts(report) == {"added": 2, "failed": 1, "embedded": 2}
    [failure] = report.failures
    assert failure.uri == "broken.pdf"
    assert failure.error is not None
    assert "broken.pdf" in str(failure.error)
    assert not failure.kept
    assert [each.uri for each in index.failures()] == ["broken.pdf"]
    (docs / "broken.pdf").unlink()
    assert counts(index.sync(docs)) == {"unchanged": 2}
    assert index.failures() == []


def test_a_document_that_cannot_be_read_any_more_keeps_its_old_version(index: Index, docs: Path) -> None:
    """It is reported as failed and kept, is still found, and heals."""
    index.sync(docs)
    (docs / "bees.md").write_bytes(b"\x7fELF" + bytes(100))
    report = index.sync(docs)
    assert counts(report) == {"unchanged": 1, "failed": 1}
    assert report.failures[0].kept
    assert index.search("hive", mode="lexical")[0].uri == "bees.md"
    write(docs, bees=BEES)
    assert counts(index.sync(docs)) == {"unchanged": 2}
    assert index.failures() == []


def test_a_folder_that_cannot_be_listed_keeps_its_documents(
    index: Index, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known to be gone from it; the problem is reported."""
    write(docs, **{"inner/deep": "# Deep\n\nWater.\n"})
    index.sync(docs)
    scan = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).endswith("inner"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (docs / "bees.md").unlink()
    report = index.sync(docs)
    assert counts(report) == {"removed": 1, "unchanged": 1, "failed": 1}
    assert uris(index) == ["fish.md", "inner/deep.md"]


def test_a_source_that_does_not_exist_is_an_error(index: Index, docs: Path) -> None:
    """Nothing is done for the sources beside it."""
    with pytest.raises(MissingError, match="gone"):
        index.sync([docs, docs / "gone"])
    assert not index.path.exists()


def test_a_folder_without_a_readable_file_says_so(index: Index, tmp_path: Path) -> None:
    """Each time; the message counts what is there and lists what could be read."""
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "cat.jpg").write_bytes(b"\xff\xd8\xff")
    for _ in range(2):
        with pytest.raises(MissingError, match=r"no file that can be read; 1 files of other formats.*\.pdf"):
            index.sync(folder)


class Failing(WordModel):
    """Fails from the text after `after` on, until it is mended."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after: int | None = after

    def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> NDArray[np.float32]:
        if self.after is not None and len(self.embedded) + len(texts) > self.after:
            raise EmbeddingError("the model gave up")
        return super().embed_passages(texts, names)


def test_a_run_that_was_cut_off_is_completed_by_the_next(tmp_path: Path) -> None:
    """What was embedded stays, what was not is reported, and nothing is embedded twice."""
    docs = tmp_path / "docs"
    docs.mkdir()
    write(docs, **{f"d{n}": f"# Day {n}\n\nOn day {n} we saw {'abcdefghij'[n] * 5}.\n" for n in range(10)})
    model = Failing(after=4)
    index = index_of(tmp_path / "index.sqlite", model)
    report = index.sync(docs)
    assert report.added + report.failed == 10
    assert report.added == report.chunks_embedded == 4
    assert index.search("day 9", mode="lexical") is not None
    model.after = None
    assert counts(index.sync(docs)) == {"unchanged": 4, "added": 6, "embedded": 6}
    assert counts(index.sync(docs)) == {"unchanged": 10}
    assert len(model.embedded) == 10
    assert index.verify() == []


def test_an_embedder_that_keeps_failing_is_not_asked_for_ever(tmp_path: Path) -> None:
    """After some documents in a row the rest is reported without trying."""
    docs = tmp_path / "docs"
    docs.mkdir()
    write(docs, **{f"d{n}": f"# Day {n}\n\nWords {n}.\n" for n in range(20)})

    class Dead(WordModel):
        calls = 0

        def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> NDArray[np.float32]:
            Dead.calls += 1
            raise ConnectionError("no answer")

    report = index_of(tmp_path / "index.sqlite", Dead()).sync(docs)
    assert report.failed == 20
    assert Dead.calls <= 5
    assert all(each.error and each.error.code == "embedder_failed" for each in report.failures)


@pytest.mark.parametrize("limit", [200, 5])
def test_a_text_over_the_limit_costs_its_document_only(tmp_path: Path, docs: Path, limit: int) -> None:
    """It is cut again into smaller chunks, and says so; where none is small enough, the error names the chunk.
    Nothing is embedded in part."""

    class Small(WordModel):
        def embed_passages(self, texts: Sequence[str], names: Sequence[str] | None = None) -> NDArray[np.float32]:
            for text, name in zip(texts, names or texts, strict=True):
                if len(text) > limit and "walk.md" in name:
                    raise OversizeError(name, len(text), limit, self.name)
            return super().embed_passages(texts, names)

    write(docs, walk=LONG)
    index = index_of(tmp_path / "index.sqlite", Small(), max_tokens=1000)
    report = index.sync(docs)
    if limit == 200:
        assert (report.added, report.failed) == (3, 0)
        assert [each.code for each in report.documents[2].diagnostics] == ["resplit"]
        return
    assert (report.added, report.failed) == (2, 1)
    assert isinstance(report.failures[0].error, OversizeError)
    assert "walk.md chunk" in str(report.failures[0].error)
    assert uris(index) == ["bees.md", "fish.md"]


def test_numbers_that_are_none_never_enter_the_index(tmp_path: Path, docs: Path) -> None:
    """A model that answers with NaN has failed."""

    class Mad(WordModel):
        def vector(self, text: str) -> NDArray[np.float32]:
            return super().vector(text) * np.float32("nan")

    report = index_of(tmp_path / "index.sqlite", Mad()).sync(docs)
    assert report.failed == 2
    assert report.chunks_embedded == 0


def test_a_budget_over_the_models_limit_is_refused_before_anything_is_read(tmp_path: Path, docs: Path) -> None:
    index = index_of(tmp_path / "index.sqlite", WordModel(limit=256), counter="model", max_tokens=300)
    with pytest.raises(OptionError, match="at most 256"):
        index.sync(docs)
    assert not index.path.exists()


def test_vectors_that_were_lost_are_made_again(index: Index, docs: Path) -> None:
    """Deleting the file of vectors costs embedding, nothing else."""
    index.sync(docs)
    for file in index.path.parent.glob("*.f32"):
        file.unlink()
    assert index.verify() != []
    assert index.sync(docs).chunks_embedded == 2
    assert index.verify() == []
    assert index.search("hive", mode="vector")[0].uri == "bees.md"


def test_progress_counts_up_to_the_number_of_files(index: Index, docs: Path) -> None:
    """The last call says that all is done."""
    calls: list[tuple[int, int, str]] = []
    index.sync(docs, progress=lambda done, total, what: calls.append((done, total, what)))
    assert calls[-1][:2] == (2, 2)
    assert [done for done, _, _ in calls] == sorted(done for done, _, _ in calls)


def test_resetting_empties_the_index(index: Index, docs: Path) -> None:
    """And a rebuild is as a first build."""
    index.sync(docs)
    index.reset()
    assert index.stats().documents == 0
    assert index.search("hive") == []
    assert counts(index.sync(docs)) == {"added": 2, "embedded": 2}


# Places ---------------------------------------------------------------------------------------------


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path, Path]:
    made = (tmp_path / "A", tmp_path / "B", tmp_path / "C")
    for each in made:
        each.mkdir()
    return made


@pytest.mark.parametrize("behind", [False, True])
def test_a_document_that_moved_to_another_root_stays(
    index: Index, trees: tuple[Path, Path, Path], behind: bool
) -> None:
    """It is taken over by the sync that sees both roots, and swept by none."""
    a, b, _ = trees
    write(a, x=BEES, **({"z": FISH} if behind else {"k": FISH}))
    index.sync(a)
    (a / "x.md").rename(b / "x.md")
    assert counts(index.sync([a, b])) == {"changed": 1, "unchanged": 1}
    assert "x.md" in uris(index)
    assert counts(index.sync([a, b])) == {"unchanged": 2}


@pytest.mark.parametrize("more", [False, True])
def test_one_lost_document_is_taken_over_once(index: Index, trees: tuple[Path, Path, Path], more: bool) -> None:
    """Its second copy is a document of its own."""
    a, b, c = trees
    write(a, x=BEES, **({"z": FISH} if more else {}))
    index.sync(a)
    shutil.copy(a / "x.md", b)
    shutil.copy(a / "x.md", c)
    shutil.rmtree(a)
    assert counts(index.sync([b, c])) == {"changed": 1, "added": 1}
    assert set(uris(index)) >= {"x.md", "C/x.md"}


def test_each_file_has_its_own_report_whatever_its_uri(
    tmp_path: Path, trees: tuple[Path, Path, Path], model: WordModel
) -> None:
    """One that fails is named by a uri of its own and hides no other; later its own version is what is kept."""
    from dataclasses import replace

    from pincite.options import ParseOptions

    a, b, _ = trees
    write(a, x=BEES)
    write(b, x="long " * 1000)
    index = index_of(tmp_path / "index.sqlite", model)
    index.options = replace(index.options, parse=ParseOptions(max_bytes=3000))
    report = index.sync([b, a])
    assert counts(report) == {"added": 1, "failed": 1, "embedded": 1}
    assert len({each.uri for each in report.documents}) == 2
    write(b, x=FISH)
    index.sync([b, a])
    write(b, x="long " * 1000)
    [failure] = index.sync([b, a]).failures
    assert failure.uri == "x.md"
    assert uris(index) == ["A/x.md", "x.md"]
    assert failure.error is not None
    assert failure.error.args[0].startswith(failure.uri)
    assert failure.kept


def test_a_failure_is_that_of_the_file_not_of_the_root(index: Index, trees: tuple[Path, Path, Path]) -> None:
    """Indexing the folder above counts it once, and a repair forgives it."""
    a, _, _ = trees
    write(a, **{"y": BEES, "sub/z": FISH})
    (a / "sub" / "b.pdf").write_text("%PDF-1.4 broken")
    index.sync(a / "sub")
    index.sync(a)
    assert [each.uri for each in index.failures()] == ["sub/b.pdf"]
    (a / "sub" / "b.pdf").write_text("")
    (a / "sub" / "b.pdf").unlink()
    index.sync(a)
    assert index.failures() == []


def test_what_cannot_be_listed_is_a_failure_until_it_can(index: Index, tmp_path: Path, docs: Path) -> None:
    """Documents behind a link that leads nowhere for now stay, and the index says why they are old."""
    away = tmp_path / "away"
    away.mkdir()
    write(away, c="# Corn\n\nThe corn is high.\n")
    (docs / "out").symlink_to(away)
    index.sync(docs)
    away.rename(tmp_path / "gone")
    report = index.sync(docs)
    assert counts(report) == {"unchanged": 2, "failed": 1}
    assert report.failures[0].kept
    assert "out/c.md" in uris(index)
    assert [each.uri for each in index.failures()] == ["out"]
    (tmp_path / "gone").rename(away)
    assert counts(index.sync(docs)) == {"unchanged": 3}
    assert index.failures() == []


def test_names_that_are_no_text_are_documents_of_their_own(index: Index, tmp_path: Path) -> None:
    """In the name of the folder, and beside a twin whose name spells the bytes out; in each root."""
    roots = [Path(os.fsdecode(os.fsencode(tmp_path) + name)) for name in (b"/r\xe9p", b"/two")]
    try:
        for root in roots:
            root.mkdir()
            for name in (b"/a\xe9.md", b"/a\\xe9.md"):
                Path(os.fsdecode(os.fsencode(root) + name)).write_text(BEES)
    except OSError:
        pytest.skip("platform: this file system takes text only")
    assert counts(index.sync(roots)) == {"added": 4, "embedded": 1}
    assert counts(index.sync(roots[1])) == {"unchanged": 2}
    assert len(set(uris(index))) == 4


def test_vectors_that_nobody_knows_are_cleaned_away(index: Index, docs: Path) -> None:
    """An index that was deleted and made again leaves one file of vectors."""
    index.sync(docs)
    index.path.unlink()
    index.sync(docs)
    assert len(list(index.path.parent.glob("*.f32"))) == 1


@pytest.mark.parametrize("name", [".", "bees.md"])
def test_the_documents_of_a_source_that_was_deleted_leave(index: Index, tmp_path: Path, docs: Path, name: str) -> None:
    """A folder or a file that the index holds may be named after it is gone; what it never held is an error."""
    index.sync(docs)
    shutil.rmtree(docs)
    gone = docs / name
    assert index.sync(gone).removed == (2 if name == "." else 1)
    assert index.verify() == []
    with pytest.raises(MissingError):
        index.sync(gone)
