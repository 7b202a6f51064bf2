"""The contract of a store: whole documents, one writer, and vectors that are never wrong."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from pincite.errors import StoreError
from pincite.storage.records import Failure, Filter
from pincite.storage.schema import explained
from pincite.storage.store import Store, text_hash
from tests.storage.tools import FINGERPRINT, entries_of, record_of, rows_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def put(store: Store, uri: str, *texts: str) -> None:
    old = store.document_key(uri)
    store.replace(record_of(uri, store.root("/docs")), entries_of(uri, *texts), old)


def texts_of(path: Path, uri: str) -> list[str]:
    store = Store.reading(path)
    try:
        key = store.document_key(uri)
        return [] if key is None else [chunk.text for chunk in store.chunks(key)]
    finally:
        store.close()


def test_replacing_a_document_leaves_nothing_of_its_old_version(path: Path) -> None:
    """Chunks, words and sums are those of the new version alone."""
    with Store.writing(path) as store:
        put(store, "a.md", "one two", "three")
        put(store, "a.md", "four")
        assert store.match('"two"', Filter(), 10) == []
        assert len(store.match('"four"', Filter(), 10)) == 1
        assert store.totals() == (1, 2)
        assert store.faults() == []
    assert texts_of(path, "a.md") == ["four"]


def test_removing_a_document_leaves_the_others(path: Path) -> None:
    """What was removed is not found, and the rest is whole."""
    with Store.writing(path) as store:
        put(store, "a.md", "one")
        put(store, "b.md", "one")
        key = store.document_key("a.md")
        assert key is not None
        store.remove([key])
        assert [row.uri for row in store.ledger()] == ["b.md"]
        assert len(store.match('"one"', Filter(), 10)) == 1
        assert store.faults() == []


def test_a_replacement_that_fails_half_way_leaves_the_old_version(path: Path) -> None:
    """Two chunks of one id cannot be stored; the document is as it was before."""
    with Store.writing(path) as store:
        put(store, "a.md", "old words")
        twice = entries_of("a.md", "new words")
        with pytest.raises(StoreError):
            store.replace(record_of("a.md", 1), [*twice, *twice], store.document_key("a.md"))
        assert store.faults() == []
    assert texts_of(path, "a.md") == ["old words"]


def test_a_reader_sees_one_moment_while_a_writer_goes_on(path: Path) -> None:
    """Inside a snapshot the old version stands, after it the new one."""
    with Store.writing(path) as writer:
        put(writer, "a.md", "old")
        reader = Store.reading(path)
        with reader.snapshot():
            key = reader.document_key("a.md")
            assert key is not None
            put(writer, "a.md", "new", "newer")
            assert [chunk.text for chunk in reader.chunks(key)] == ["old"]
            assert reader.totals()[0] == 1
        assert reader.totals()[0] == 2
        reader.close()


def test_there_is_no_index_before_the_first_sync(path: Path) -> None:
    """Reading makes no file and says what to do."""
    with pytest.raises(StoreError, match="there is no index yet"):
        Store.reading(path)
    assert not path.exists()


def test_a_file_that_is_no_index_is_left_as_it_is(path: Path) -> None:
    """A note, a photo or a thesis under the name of the index is neither read nor overwritten."""
    path.write_bytes(b"my thesis, chapter one")
    with pytest.raises(StoreError, match="not an index of pincite"):
        Store.reading(path)
    with pytest.raises(StoreError, match="not an index of pincite"), Store.writing(path):
        pass
    assert path.read_bytes() == b"my thesis, chapter one"


def test_a_database_of_another_program_is_left_as_it_is(path: Path) -> None:
    """Its tables are untouched and the message says so."""
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"), Store.writing(path):
        pass
    with pytest.raises(StoreError, match="another program"):
        Store.reading(path)
    assert path.read_bytes() == before


def test_a_folder_in_the_place_of_the_index_is_named(tmp_path: Path) -> None:
    """The message proposes a file in it."""
    with pytest.raises(StoreError, match="is a folder"), Store.writing(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_index_is_refused(path: Path) -> None:
    """Bytes in the middle of the file that are no pages any more end in a sentence, not a traceback."""
    with Store.writing(path) as store:
        for number in range(40):
            put(store, f"{number}.md", "words " * 50)
    data = bytearray(path.read_bytes())
    data[100 : len(data) - 100] = b"\xaa" * (len(data) - 200)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"):
        Store.reading(path)
    with pytest.raises(StoreError, match="damaged"), Store.writing(path):
        pass


def test_an_index_of_another_version_is_refused(path: Path) -> None:
    """Its format number is in the message."""
    with Store.writing(path) as store:
        store.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="format 99"):
        Store.reading(path)


def test_a_file_that_was_begun_and_cut_off_is_begun_again(path: Path) -> None:
    """A writer that was killed before the tables were there leaves a database without any."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    with pytest.raises(StoreError, match="there is no index yet"):
        Store.reading(path)
    with Store.writing(path) as store:
        put(store, "a.md", "one")
    assert texts_of(path, "a.md") == ["one"]


def test_a_full_disk_leaves_the_old_version(path: Path) -> None:
    """The sentence says that the disk is full; what was there is there."""
    with Store.writing(path) as store:
        put(store, "a.md", "old")
        pages = store.one("PRAGMA page_count")
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="disk is full or"):
            put(store, "a.md", *(f"word{at} " * 200 for at in range(50)))
        assert store.faults() == []
    assert texts_of(path, "a.md") == ["old"]


def test_an_index_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    """A folder that is a file cannot hold an index."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"index\.path"), Store.writing(tmp_path / "file" / "index.sqlite"):
        pass


def test_failures_are_kept_until_the_file_is_read_or_gone(path: Path) -> None:
    """A document that is stored forgets that it could not be read before."""
    with Store.writing(path) as store:
        root = store.root("/docs")
        store.fail(Failure(root, "a.md", "a.md", "corrupt_file", "no"))
        store.fail(Failure(root, "b.md", "b.md", "corrupt_file", "no"))
        put(store, "a.md", "one")
        assert [each.uri for each in store.failures()] == ["b.md"]
        store.forgive([(root, "b.md")])
        assert store.failures() == []


def test_vectors_are_found_by_text_whatever_document_has_it(path: Path) -> None:
    """Two documents with the same text share one row."""
    with Store.writing(path) as store:
        put(store, "a.md", "same")
        put(store, "b.md", "same")
        model = store.enter_model(FINGERPRINT, "model", 8)
        [value] = {value for _, value in store.unembedded(model)}
        store.add_vectors(model, [value], rows_of(1))
        model = store.enter_model(FINGERPRINT, "model", 8)
        assert store.unembedded(model) == []
        assert {len(keys) for keys in store.at_slots(model, [0], Filter()).values()} == {2}
        assert store.allowed_slots(model, Filter(documents=("b.md",))) == [0]


def test_rows_beyond_the_last_slot_are_garbage(path: Path) -> None:
    """A writer that was killed between file and slot left rows; the next ones go behind them and are found."""
    with Store.writing(path) as store:
        model = store.enter_model(FINGERPRINT, "model", 8)
        store.add_vectors(model, [b"a" * 16], rows_of(1, first=3))
        store.vector_file(model).write(1, rows_of(5, first=4))
        model = store.enter_model(FINGERPRINT, "model", 8)
        assert model.slots == 1
        store.add_vectors(model, [b"b" * 16], rows_of(1, first=6))
        model = store.enter_model(FINGERPRINT, "model", 8)
        mapped = store.vector_file(model).mapped(model.slots)
        [slot] = [slot for (slot,) in store.rows("SELECT slot FROM vector WHERE text_hash = ?", (b"b" * 16,))]
        assert np.array_equal(mapped[[0, slot]], np.concatenate([rows_of(1, first=3), rows_of(1, first=6)]))
        assert store.faults() == []


def filled(path: Path, **vectors: int) -> None:
    """Put a vector for each name, a text of one letter."""
    with Store.writing(path) as store:
        for name, first in vectors.items():
            model = store.enter_model(FINGERPRINT, "model", 8)
            store.add_vectors(model, [name.encode() * 16], rows_of(1, first=first))


def vectors_of(path: Path) -> dict[str, int]:
    """Which axis the vector of each name points along."""
    with Store.writing(path) as store:
        model = store.enter_model(FINGERPRINT, "model", 8)
        rows = store.vector_file(model).mapped(model.slots)
        found = store.rows("SELECT text_hash, slot FROM vector")
        return {value[:1].decode(): int(rows[slot].argmax()) for value, slot in found}


def test_a_database_never_takes_the_vectors_of_another_for_its_own(path: Path) -> None:
    """One that is put back beside newer vectors has lost its own, and knows it."""
    filled(path, a=1, b=2)
    kept = path.read_bytes()
    path.unlink()
    filled(path, b=3, c=4)
    path.write_bytes(kept)
    assert vectors_of(path) in ({}, {"a": 1, "b": 2})


def test_copies_of_one_database_share_vectors_and_never_mix_them(path: Path) -> None:
    """Each copy that is put back finds those that it knew, whatever was added meanwhile."""
    filled(path, a=1)
    early = path.read_bytes()
    filled(path, b=2)
    late = path.read_bytes()
    path.write_bytes(early)
    filled(path, c=3)
    assert vectors_of(path) == {"a": 1, "c": 3}
    path.write_bytes(late)
    assert vectors_of(path) == {"a": 1, "b": 2}


def test_a_link_to_an_index_is_that_index(tmp_path: Path, path: Path) -> None:
    """The same lock and the same vectors; nothing is made beside the link."""
    filled(path, a=1)
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "l.sqlite"
    link.symlink_to(path)
    filled(link, b=2)
    assert vectors_of(path) == {"a": 1, "b": 2}
    assert list(link.parent.iterdir()) == [link]


def test_the_key_of_a_document_is_never_given_again(path: Path) -> None:
    with Store.writing(path) as store:
        put(store, "a.md", "one")
        first = store.document_key("a.md")
        put(store, "a.md", "two")
        assert store.document_key("a.md") != first


def test_an_index_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/i\xe9?#.sqlite"))
    filled(path, a=1)
    assert vectors_of(path) == {"a": 1}
    assert path.exists()


@pytest.mark.parametrize("damage", ["gone", "short", "another"])
def test_vectors_that_were_lost_are_known_to_be_lost(path: Path, damage: str) -> None:
    """A search refuses them, and the next writer counts their texts as not embedded."""
    with Store.writing(path) as store:
        put(store, "a.md", "one", "two")
        model = store.enter_model(FINGERPRINT, "model", 8)
        hashes = [value for _, value in store.unembedded(model)]
        store.add_vectors(model, hashes, rows_of(2))
        model = store.enter_model(FINGERPRINT, "model", 8)
        file = store.vector_file(model)
        if damage == "gone":
            file.path.unlink()
        elif damage == "short":
            file.path.write_bytes(file.path.read_bytes()[:-4])
        else:
            file.path.write_bytes(b"x" * file.path.stat().st_size)
        with pytest.raises(StoreError, match="vectors should be here"):
            file.mapped(model.slots)
        assert any("lost" in fault for fault in store.faults())
        model = store.enter_model(FINGERPRINT, "model", 8)
        lost = {value for _, value in store.unembedded(model)}
        assert lost == set(hashes[1:] if damage == "short" else hashes)
        store.add_vectors(model, sorted(lost), rows_of(len(lost)))
        assert store.faults() == []


def test_a_model_that_changes_its_size_under_one_fingerprint_is_refused(path: Path) -> None:
    """Numbers of two sizes never share a file."""
    with Store.writing(path) as store:
        store.enter_model(FINGERPRINT, "model", 8)
        with pytest.raises(StoreError, match="must change its fingerprint"):
            store.enter_model(FINGERPRINT, "model", 16)


def test_compacting_keeps_what_is_used_and_the_newest_of_the_rest(path: Path) -> None:
    """Each text has its own vector afterwards, and the old file is gone."""
    with Store.writing(path) as store:
        put(store, "a.md", "one", "two")
        model = store.enter_model(FINGERPRINT, "model", 8)
        used = [value for _, value in store.unembedded(model)]
        spare = [text_hash(str(at)) for at in range(20)]
        store.add_vectors(model, [*spare[:10], used[0], *spare[10:], used[1]], rows_of(22))
        model = store.enter_model(FINGERPRINT, "model", 8)
        old = store.vector_file(model)
        assert store.compact(model, spare=4)
        model = store.enter_model(FINGERPRINT, "model", 8)
        assert not old.path.exists()
        assert model.slots == 6
        assert store.known(model, spare) == set(spare[-4:])
        slots = dict(store.rows("SELECT text_hash, slot FROM vector"))
        mapped = store.vector_file(model).mapped(model.slots)
        expected = {used[0]: 10, used[1]: 21, spare[-1]: 20, spare[-4]: 17}
        for value, number in expected.items():
            assert np.array_equal(mapped[slots[value]], rows_of(1, first=number)[0])
        assert not store.compact(model, spare=4)


def test_clearing_leaves_an_empty_index(path: Path) -> None:
    """No document, no vector, no file of vectors; it can be filled again."""
    with Store.writing(path) as store:
        put(store, "a.md", "one")
        model = store.enter_model(FINGERPRINT, "model", 8)
        store.add_vectors(model, [b"a" * 16], rows_of(1))
        store.clear()
        assert (store.stats().documents, store.stats().chunks, store.stats().vectors) == (0, 0, 0)
        assert not list(path.parent.glob("*.f32"))
        put(store, "a.md", "one")
        assert store.faults() == []


def test_filters_let_through_what_meets_all_of_them(path: Path) -> None:
    """Document, folder, glob and language, alone and together."""
    with Store.writing(path) as store:
        root = store.root("/docs")
        for uri, language in (("a/x.md", "vi"), ("a/y.md", "en-GB"), ("ab/z.md", "en")):
            store.replace(record_of(uri, root, language), entries_of(uri, "word"), None)

        def uris(only: Filter) -> list[str]:
            keys = store.match('"word"', only, 10)
            return sorted(uri for uri, _ in store.order(keys).values())

        assert uris(Filter(folders=("a",))) == ["a/x.md", "a/y.md"]
        assert uris(Filter(documents=("a*",))) == ["a/x.md", "a/y.md", "ab/z.md"]
        assert uris(Filter(documents=("a/x.md", "ab/z.md"))) == ["a/x.md", "ab/z.md"]
        assert uris(Filter(languages=("en",))) == ["a/y.md", "ab/z.md"]
        assert uris(Filter(languages=("en",), folders=("a",))) == ["a/y.md"]
        assert uris(Filter(kinds=("table",))) == []
        assert uris(Filter(headings=("guide",))) == ["a/x.md", "a/y.md", "ab/z.md"]


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        ("attempt to write a readonly database", "cannot be written"),
        ("unable to open database file", "permissions"),
        ("database is locked", "another program"),
        ("database disk image is malformed", "damaged"),
    ],
)
def test_only_damage_is_called_damage(refusal: str, expected: str) -> None:
    """An index that is merely out of reach is never to be deleted."""
    message = explained(sqlite3.OperationalError(refusal))
    assert expected in message
    assert ("delete it" in message) == (expected == "damaged")


@pytest.mark.parametrize("data", ["{}", "not json", "[]", "null"])
def test_a_damaged_chunk_is_named_as_damage(path: Path, data: str) -> None:
    """The database takes any text for whole; reading it ends in a sentence."""
    with Store.writing(path) as store:
        put(store, "a.md", "one")
        key = store.document_key("a.md")
        assert key is not None
        store.connection.execute("UPDATE chunk SET data = ?", (data,))
        with pytest.raises(StoreError, match="damaged"):
            store.chunks(key)
