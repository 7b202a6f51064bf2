"""The embedded store: one SQLite file, and the vectors beside it.

A document is replaced in one transaction, so a reader sees the old version until the new one is
whole, and a writer that is killed leaves the old one. Vectors are kept by model and text, not by
chunk: a moved file, a copied one and an option that is put back find theirs again.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from blake3 import blake3

from pincite.chunk import Chunk, chunk_json
from pincite.errors import StoreError
from pincite.storage import schema
from pincite.storage.codec import chunk_from_json
from pincite.storage.lock import write_lock
from pincite.storage.records import DocumentRecord, Entry, Failure, Filter, LedgerRow, Model, Stats
from pincite.storage.vectors import NONCE, VectorFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

__all__ = ["Store", "text_hash"]

BATCH: Final = 500
"""Values in one `IN (…)`: SQLite allows 999 in old builds."""


def text_hash(embedding_text: str) -> bytes:
    """The key of a vector, beside its model: what was embedded."""
    return blake3(embedding_text.encode()).digest(length=16)


class Store:
    """One open store. Writing needs `Store.writing`; everything else only reads.

    Its path is the real one, so that a link to it has the same lock and the same vectors.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = Path(os.path.realpath(path))
        self.connection = connection

    @classmethod
    def reading(cls, path: Path) -> Store:
        """A store to search; StoreError where there is none."""
        connection = schema.connect(path, write=False)
        if connection is None:
            raise StoreError(f"{path}: there is no index yet; make one with `pincite index` or `Index.sync`")
        return cls(path, connection)

    @classmethod
    @contextlib.contextmanager
    def writing(cls, path: Path, waiting: Callable[[], None] | None = None) -> Iterator[Store]:
        """The only writer of the store, which is made where it is missing."""
        if path.is_dir():
            schema.connect(path, write=True)
        real = Path(os.path.realpath(path))
        with write_lock(real.with_name(real.name + ".lock"), waiting):
            connection = schema.connect(path, write=True)
            assert connection is not None
            try:
                with errors(path):
                    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                        schema.create(connection)
                    yield cls(path, connection)
            finally:
                connection.close()

    def close(self) -> None:
        self.connection.close()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read inside is of one moment, whatever is written meanwhile."""
        with errors(self.path):
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self.connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing."""
        with errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
                raise

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with errors(self.path):
            return self.connection.execute(sql, values).fetchall()

    def one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """First column of the first row, or None."""
        found = self.rows(sql, values)
        return found[0][0] if found else None

    # The ledger

    def root(self, location: str) -> int:
        """The key of a root folder, which is entered where it is new."""
        with self.transaction():
            self.connection.execute("INSERT OR IGNORE INTO root (location) VALUES (?)", (location,))
        return int(self.one("SELECT key FROM root WHERE location = ?", (location,)))

    def roots(self) -> dict[int, str]:
        return dict(self.rows("SELECT key, location FROM root"))

    def ledger(self) -> list[LedgerRow]:
        """All documents, by uri."""
        return [
            LedgerRow(*row)
            for row in self.rows(
                "SELECT key, id, uri, root, path, stamp, sha256, parse_signature, chunk_signature, words_signature,"
                " chunks FROM document ORDER BY uri"
            )
        ]

    def failures(self) -> list[Failure]:
        return [Failure(*row) for row in self.rows("SELECT root, path, uri, code, message FROM failure ORDER BY uri")]

    def fail(self, failure: Failure) -> None:
        """Remember that a file could not be read; what was indexed of it before stays."""
        with self.transaction():
            self.connection.execute(
                "INSERT OR REPLACE INTO failure (root, path, uri, code, message) VALUES (?, ?, ?, ?, ?)",
                (failure.root, failure.path, failure.uri, failure.code, failure.message),
            )

    def forgive(self, files: Iterable[tuple[int, str]]) -> None:
        """Forget failures of files that are gone."""
        with self.transaction():
            self.connection.executemany("DELETE FROM failure WHERE root = ? AND path = ?", list(files))

    def stamp(self, stamps: Iterable[tuple[str | None, int]]) -> None:
        """Note how files look that have changed outside only; pairs of stamp and document key."""
        with self.transaction():
            self.connection.executemany("UPDATE document SET stamp = ? WHERE key = ?", list(stamps))

    def replace(self, record: DocumentRecord, entries: Sequence[Entry], old: int | None) -> None:
        """Put a document in the place of its old version `old`, in one transaction."""
        with self.transaction():
            if old is not None:
                self.drop(old)
            cursor = self.connection.execute(
                "INSERT INTO document (id, uri, root, path, stamp, sha256, media_type, title, language, pages,"
                " parse_signature, chunk_signature, words_signature, diagnostics, facts, chunks)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    record.id, record.uri, record.root, record.path, record.stamp, record.sha256, record.media_type,
                    record.title, record.language, record.pages, record.parse_signature, record.chunk_signature,
                    record.words_signature, record.diagnostics, record.facts, len(entries),
                ),
            )  # fmt: skip
            document = cursor.lastrowid
            for entry in entries:
                self.insert(int(document or 0), entry)
            self.connection.execute("DELETE FROM failure WHERE root = ? AND path = ?", (record.root, record.path))

    def insert(self, document: int, entry: Entry) -> None:
        chunk, words = entry.chunk, entry.words
        length = words.heading.count(" ") + words.folded.count(" ") + bool(words.heading) + bool(words.folded)
        cursor = self.connection.execute(
            "INSERT INTO chunk (document, position, id, kind, page_start, page_end, path, length, text_hash, data)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document, chunk.index, chunk.id, chunk.kind, chunk.page_start, chunk.page_end, words.path, length,
                text_hash(chunk.embedding_text), json.dumps(chunk_json(chunk), ensure_ascii=False, separators=(",", ":")),
            ),
        )  # fmt: skip
        self.index_words(int(cursor.lastrowid or 0), entry)

    def index_words(self, key: int, entry: Entry) -> None:
        words = entry.words
        self.connection.execute(
            "INSERT INTO lexicon (rowid, heading, folded, exact) VALUES (?, ?, ?, ?)",
            (key, words.heading, words.folded, words.exact),
        )
        if words.pairs:
            self.connection.execute("INSERT INTO spelling (rowid, pairs) VALUES (?, ?)", (key, words.pairs))

    def remove(self, documents: Iterable[int]) -> None:
        """Take documents out, each in one transaction."""
        for key in documents:
            with self.transaction():
                self.connection.execute(
                    "DELETE FROM failure WHERE (root, path) IN (SELECT root, path FROM document WHERE key = ?)", (key,)
                )
                self.drop(key)

    def drop(self, document: int) -> None:
        inside = "SELECT key FROM chunk WHERE document = ?"
        self.connection.execute(f"DELETE FROM lexicon WHERE rowid IN ({inside})", (document,))
        self.connection.execute(f"DELETE FROM spelling WHERE rowid IN ({inside})", (document,))
        self.connection.execute("DELETE FROM chunk WHERE document = ?", (document,))
        self.connection.execute("DELETE FROM document WHERE key = ?", (document,))

    def record(self, document: int) -> DocumentRecord:
        """What the ledger holds of one document."""
        return DocumentRecord(
            *self.rows(
                "SELECT id, uri, root, path, stamp, sha256, media_type, title, language, pages, parse_signature,"
                " chunk_signature, words_signature, diagnostics, facts FROM document WHERE key = ?",
                (document,),
            )[0]
        )

    def chunks(self, document: int) -> list[Chunk]:
        """The chunks of one document, in order."""
        found = self.rows("SELECT data FROM chunk WHERE document = ? ORDER BY position", (document,))
        return [self.restored(data) for (data,) in found]

    def restored(self, data: str) -> Chunk:
        """A chunk from its row; StoreError where the row is damaged in a way that the database does not see."""
        try:
            return chunk_from_json(json.loads(data))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(
                f"{self.path}: the index is damaged (a chunk cannot be read); delete it and index again"
            ) from error

    # Vectors

    def model(self, fingerprint: str) -> Model | None:
        return self.found_model("fingerprint = ?", (fingerprint,))

    def active_model(self) -> Model | None:
        """The model that the chunks are searched with; None before the first sync is complete."""
        return self.found_model("active")

    def found_model(self, where: str, values: Sequence[Any] = ()) -> Model | None:
        found = self.rows(
            f"SELECT key, fingerprint, name, dimensions, slots, nonce, generation FROM model WHERE {where}", values
        )
        return Model(*found[0]) if found else None

    def enter_model(self, fingerprint: str, name: str, dimensions: int) -> Model:
        """The model with its vectors, entered where it is new. Vectors that the file has lost are forgotten."""
        model = self.model(fingerprint)
        if model is not None and model.dimensions != dimensions:
            raise StoreError(
                f"{self.path}: {name} has {dimensions} dimensions and had {model.dimensions} under the same "
                "fingerprint; a model that changes must change its fingerprint"
            )
        if model is None:
            with self.transaction():
                self.connection.execute(
                    "INSERT INTO model (fingerprint, name, dimensions, slots, nonce, generation, active)"
                    " VALUES (?, ?, ?, 0, ?, 1, 0)",
                    (fingerprint, name, dimensions, os.urandom(NONCE)),
                )
        else:
            self.forget_lost(model)
        entered = self.model(fingerprint)
        assert entered is not None
        return entered

    def forget_lost(self, model: Model) -> None:
        """Go on with what is left of the vectors, in a file of its own; with none where the file is another's."""
        rows = self.vector_file(model).rows()
        if rows < model.slots:
            left = self.rows("SELECT text_hash, slot FROM vector WHERE model = ? AND slot < ?", (model.key, rows))
            self.rewrite(model, left)

    def activate(self, model: Model) -> None:
        """Search with this model from now on."""
        with self.transaction():
            self.connection.execute("UPDATE model SET active = (key = ?)", (model.key,))

    def vector_file(self, model: Model) -> VectorFile:
        return VectorFile(self.path, model.fingerprint, model.dimensions, model.nonce, model.generation)

    def known(self, model: Model, hashes: Iterable[bytes]) -> set[bytes]:
        """Those of the texts whose vectors are here."""
        found: set[bytes] = set()
        for part in batches(list(hashes)):
            found.update(
                value
                for (value,) in self.rows(
                    f"SELECT text_hash FROM vector WHERE model = ? AND text_hash IN ({marks(part)})", (model.key, *part)
                )
            )
        return found

    def add_vectors(self, model: Model, hashes: Sequence[bytes], rows: Matrix) -> None:
        """Keep vectors of texts that have none yet: the file first, then the slots."""
        file = self.vector_file(model)
        first = max(int(self.one("SELECT slots FROM model WHERE key = ?", (model.key,))), file.rows())
        file.write(first, rows)
        with self.transaction():
            self.connection.executemany(
                "INSERT INTO vector (model, text_hash, slot) VALUES (?, ?, ?)",
                [(model.key, value, first + at) for at, value in enumerate(hashes)],
            )
            self.connection.execute("UPDATE model SET slots = ? WHERE key = ?", (first + len(hashes), model.key))

    def unembedded(self, model: Model) -> list[tuple[int, bytes]]:
        """Document and text hash of each chunk that has no vector of this model."""
        found = self.rows(
            "SELECT document, text_hash FROM chunk WHERE NOT EXISTS"
            " (SELECT 1 FROM vector WHERE model = ? AND vector.text_hash = chunk.text_hash)",
            (model.key,),
        )
        return [(int(document), value) for document, value in found]

    def compact(self, model: Model, spare: int = 10_000) -> bool:
        """Write a new vector file where far more texts are kept than chunks have; whether it was done.

        The newest spare vectors stay, as many again as are in use and never fewer than `spare`.
        """
        used = int(self.one("SELECT count(DISTINCT text_hash) FROM chunk"))
        kept = used + max(used, spare)
        if model.slots <= kept + max(used, spare):
            return False
        chosen = self.rows(
            "SELECT text_hash, slot FROM vector WHERE model = ? ORDER BY"
            " text_hash IN (SELECT text_hash FROM chunk) DESC, slot DESC LIMIT ?",
            (model.key, kept),
        )
        self.rewrite(model, chosen)
        return True

    def rewrite(self, model: Model, chosen: Sequence[tuple[bytes, int]]) -> None:
        """Go on in a new file with some of the vectors, each given by its text hash and its slot."""
        ordered = sorted(chosen, key=lambda row: row[1])
        old, nonce = self.vector_file(model), os.urandom(NONCE)
        new = VectorFile(self.path, model.fingerprint, model.dimensions, nonce, model.generation + 1)
        if ordered:
            new.write(0, old.mapped(ordered[-1][1] + 1)[[slot for _, slot in ordered]])
        with self.transaction():
            self.connection.execute("DELETE FROM vector WHERE model = ?", (model.key,))
            self.connection.executemany(
                "INSERT INTO vector (model, text_hash, slot) VALUES (?, ?, ?)",
                [(model.key, value, at) for at, (value, _) in enumerate(ordered)],
            )
            self.connection.execute(
                "UPDATE model SET slots = ?, nonce = ?, generation = generation + 1 WHERE key = ?",
                (len(ordered), nonce, model.key),
            )
        old.remove()

    def remove_leftovers(self) -> None:
        """Take away files of vectors that the database does not know any more."""
        known = {path.name for path in self.files()}
        ours = re.compile(re.escape(self.path.name) + r"-[0-9a-f]{12}-\d+\.f32")
        for path in self.path.parent.iterdir():
            if ours.fullmatch(path.name) and path.name not in known:
                with contextlib.suppress(OSError):
                    path.unlink()

    # Searching

    def totals(self) -> tuple[int, int]:
        """Number of chunks, and of terms in all of them."""
        chunks, length = self.rows("SELECT chunks, length FROM total")[0]
        return int(chunks), int(length)

    def frequency(self, term: str) -> int:
        """Number of chunks that hold the term."""
        return int(self.one("SELECT doc FROM lexicon_term WHERE term = ?", (term,)) or 0)

    def matches(self, expression: str) -> int:
        """Number of chunks that a full-text expression finds."""
        return int(self.one("SELECT count(*) FROM lexicon WHERE lexicon MATCH ?", (expression,)))

    def forms(self, folded: str) -> dict[str, int]:
        """How often each spelling of a folded word occurs; the word itself is one of them."""
        total = int(self.one("SELECT cnt FROM lexicon_term WHERE term = ?", (folded,)) or 0)
        marked = self.spellings("SELECT term, cnt FROM lexicon_term", folded)
        plain = total - sum(marked.values())
        return marked | ({folded: plain} if plain > 0 else {})

    def pair_forms(self, first: str, second: str) -> dict[str, int]:
        """Number of chunks with each spelling `á~b` of two folded neighbours, where a mark is in it."""
        return self.spellings("SELECT term, doc FROM spelling_term", f"{first}~{second}")

    def spellings(self, select: str, folded: str) -> dict[str, int]:
        found = self.rows(f"{select} WHERE term >= ? AND term < ?", (f"{folded}|", f"{folded}}}"))
        return {term.removeprefix(f"{folded}|"): int(count) for term, count in found}

    def match(self, expression: str, only: Filter, depth: int) -> list[int]:
        """Keys of the best chunks by the full-text index's own score; all those that tie with the last."""
        where, values = condition(only)
        inside = f" AND +rowid IN (SELECT key FROM chunk WHERE {where})" if where else ""
        found: list[int] = []
        last: float | None = None
        with errors(self.path):
            for key, score in self.connection.execute(
                f"SELECT rowid, rank FROM lexicon WHERE lexicon MATCH ?{inside} ORDER BY rank", (expression, *values)
            ):
                if len(found) >= depth and score != last:
                    break
                found.append(key)
                last = score
        return found

    def lets_through(self, only: Filter) -> bool:
        """Whether any chunk meets a filter."""
        where, values = condition(only)
        return bool(self.one(f"SELECT 1 FROM chunk WHERE {where or '1'} LIMIT 1", values))

    def allowed_slots(self, model: Model, only: Filter) -> list[int]:
        """Slots of the chunks that a filter lets through, rising."""
        where, values = condition(only)
        found = self.rows(
            "SELECT DISTINCT vector.slot FROM chunk CROSS JOIN vector ON vector.model = ?"
            f" AND vector.text_hash = chunk.text_hash WHERE {where or '1'} ORDER BY vector.slot",
            (model.key, *values),
        )
        return [slot for (slot,) in found]

    def at_slots(self, model: Model, slots: Sequence[int], only: Filter) -> dict[int, list[int]]:
        """Keys of the chunks at each slot; nothing for a slot that no chunk uses."""
        where, values = condition(only)
        found: dict[int, list[int]] = {}
        for part in batches(slots):
            for slot, key in self.rows(
                f"SELECT vector.slot, chunk.key FROM vector JOIN chunk ON chunk.text_hash = vector.text_hash"
                f" WHERE vector.model = ? AND vector.slot IN ({marks(part)}) AND {where or '1'}",
                (model.key, *part, *values),
            ):
                found.setdefault(slot, []).append(key)
        return found

    def slots_of(self, model: Model, keys: Sequence[int]) -> dict[int, int]:
        """The slot of each chunk that has a vector."""
        found: dict[int, int] = {}
        for part in batches(keys):
            found.update(
                self.rows(
                    "SELECT chunk.key, vector.slot FROM chunk JOIN vector ON vector.model = ?"
                    f" AND vector.text_hash = chunk.text_hash WHERE chunk.key IN ({marks(part)})",
                    (model.key, *part),
                )
            )
        return found

    def revision(self) -> str:
        """Sixteen digits that change whenever what a search can find does."""
        keys = self.rows("SELECT name, seq FROM sqlite_sequence WHERE name IN ('chunk', 'document') ORDER BY name")
        words = self.rows("SELECT words_signature, count(*) FROM document GROUP BY 1 ORDER BY 1")
        model = self.active_model()
        facts = (keys, self.totals(), words, model and (model.fingerprint, model.nonce, model.generation, model.slots))
        return blake3(repr(facts).encode()).hexdigest(length=8)

    def order(self, keys: Iterable[int]) -> dict[int, tuple[str, int]]:
        """Uri and position of each chunk: the order among equals, which a rebuild does not change."""
        found: dict[int, tuple[str, int]] = {}
        for part in batches(list(keys)):
            for key, uri, position in self.rows(
                f"SELECT chunk.key, document.uri, chunk.position {FROM_CHUNK} WHERE chunk.key IN ({marks(part)})", part
            ):
                found[key] = (uri, position)
        return found

    def words(self, keys: Sequence[int]) -> dict[int, tuple[int, str, str, str]]:
        """Length and the terms of path, text and exact forms of each chunk."""
        found: dict[int, tuple[int, str, str, str]] = {}
        for part in batches(keys):
            for key, *rest in self.rows(
                "SELECT chunk.key, chunk.length, lexicon.heading, lexicon.folded, lexicon.exact FROM chunk"
                f" JOIN lexicon ON lexicon.rowid = chunk.key WHERE chunk.key IN ({marks(part)})",
                part,
            ):
                found[key] = (rest[0], rest[1], rest[2], rest[3])
        return found

    def load(self, keys: Sequence[int]) -> dict[int, Chunk]:
        """The chunks themselves."""
        found: dict[int, Chunk] = {}
        for part in batches(keys):
            for key, data in self.rows(f"SELECT key, data FROM chunk WHERE key IN ({marks(part)})", part):
                found[key] = self.restored(data)
        return found

    def around(self, chunk: str, before: int, after: int) -> list[Chunk]:
        """A chunk with those that stand before and after it in its document; nothing where it is gone."""
        found = self.rows(
            "SELECT near.data FROM chunk JOIN chunk AS near ON near.document = chunk.document"
            " AND near.position BETWEEN chunk.position - ? AND chunk.position + ?"
            " WHERE chunk.id = ? ORDER BY near.position",
            (before, after, chunk),
        )
        return [self.restored(data) for (data,) in found]

    def document_key(self, name: str) -> int | None:
        """The key of the document with this id or uri."""
        found = self.one("SELECT key FROM document WHERE id = ? OR uri = ?", (name, name))
        return None if found is None else int(found)

    def chunk_key(self, name: str) -> int | None:
        """The key of the chunk with this id, or with the only id that begins so (six digits at least)."""
        found = self.rows("SELECT key FROM chunk WHERE id >= ? AND id < ? LIMIT 2", (name, name + "g"))
        return int(found[0][0]) if len(found) == 1 and len(name) >= 6 else None

    # The whole

    def stats(self) -> Stats:
        model = self.active_model()
        size = sum(each.stat().st_size for each in self.files() if each.exists())
        return Stats(
            documents=int(self.one("SELECT count(*) FROM document")),
            chunks=self.totals()[0],
            failed=int(self.one("SELECT count(*) FROM failure")),
            model=model.name if model else None,
            fingerprint=model.fingerprint if model else None,
            dimensions=model.dimensions if model else None,
            vectors=int(self.one("SELECT count(*) FROM vector WHERE model = ?", (model.key,))) if model else 0,
            size=size,
            languages={
                language or "unknown": int(count)
                for language, count in self.rows(
                    "SELECT language, count(*) FROM document GROUP BY 1 ORDER BY 2 DESC, 1"
                )
            },
        )

    def files(self) -> list[Path]:
        """The files that hold the store."""
        models = [
            Model(*row)
            for row in self.rows("SELECT key, fingerprint, name, dimensions, slots, nonce, generation FROM model")
        ]
        return [
            self.path,
            self.path.with_name(self.path.name + "-wal"),
            *(self.vector_file(model).path for model in models),
        ]

    def clear(self) -> None:
        """Empty the store; vectors go as well."""
        files = [path for path in self.files() if path.suffix == ".f32"]
        with self.transaction():
            for table in ("lexicon", "spelling", "chunk", "document", "failure", "root", "vector", "model"):
                self.connection.execute(f"DELETE FROM {table}")
        for path in files:
            path.unlink(missing_ok=True)

    def faults(self) -> list[str]:
        """What is wrong with the store, as sentences; nothing where it is whole."""
        found = [f"the database: {line}" for (line,) in self.rows("PRAGMA integrity_check") if line != "ok"]
        found += [f"a row of {table} has lost what it refers to" for table, *_ in self.rows("PRAGMA foreign_key_check")]
        checks = {
            "chunks without words": "SELECT count(*) FROM chunk WHERE key NOT IN (SELECT rowid FROM lexicon)",
            "words without chunk": "SELECT count(*) FROM lexicon WHERE rowid NOT IN (SELECT key FROM chunk)",
            "documents with another number of chunks than they had": (
                "SELECT count(*) FROM document WHERE chunks !="
                " (SELECT count(*) FROM chunk WHERE chunk.document = document.key)"
            ),
            "sums that are wrong": (
                "SELECT count(*) FROM total WHERE chunks != (SELECT count(*) FROM chunk)"
                " OR length != (SELECT coalesce(sum(length), 0) FROM chunk)"
            ),
            "slots beyond the end": (
                "SELECT count(*) FROM vector JOIN model ON model.key = vector.model WHERE vector.slot >= model.slots"
            ),
        }
        for what, sql in checks.items():
            count = self.one(sql)
            if count:
                found.append(f"{count} {what}")
        for row in self.rows("SELECT key, fingerprint, name, dimensions, slots, nonce, generation FROM model"):
            model = Model(*row)
            rows = self.vector_file(model).rows()
            if rows < model.slots:
                found.append(f"{model.slots - rows} vectors of {model.name} are lost")
        return found


FROM_CHUNK: Final = "FROM chunk JOIN document ON document.key = chunk.document"


def condition(only: Filter) -> tuple[str, list[Any]]:
    """SQL over `chunk` that holds for what a filter lets through, and its values."""
    clauses: list[str] = []
    values: list[Any] = []

    def any_of(alternatives: Iterable[tuple[str, Sequence[Any]]]) -> list[str]:
        parts = []
        for sql, given in alternatives:
            parts.append(sql)
            values.extend(given)
        return ["(" + " OR ".join(parts) + ")"] if parts else []

    documents = [
        *any_of(("id = ? OR uri = ? OR uri GLOB ?", (name, name, name)) for name in only.documents),
        *any_of(("substr(uri, 1, ?) = ?", (len(name) + 1, name + "/")) for name in only.folders),
        *any_of(
            ("language = ? OR substr(language, 1, ?) = ?", (tag, len(tag) + 1, tag + "-")) for tag in only.languages
        ),
    ]
    documents += [
        part for group in only.facts for part in any_of(("instr(facts, ?) > 0", (f"\x1f{fact}\x1f",)) for fact in group)
    ]
    if documents:
        clauses.append(f"chunk.document IN (SELECT key FROM document WHERE {' AND '.join(documents)})")
    clauses += any_of(("instr(chunk.path, ?) > 0", (title,)) for title in only.headings)
    clauses += any_of(("chunk.page_start <= ? AND chunk.page_end >= ?", (high, low)) for low, high in only.pages)
    clauses += any_of(("chunk.kind = ?", (kind,)) for kind in only.kinds)
    return " AND ".join(clauses), values


def batches(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), BATCH):
        yield values[start : start + BATCH]


def marks(values: Sequence[Any]) -> str:
    return ",".join("?" * len(values))


@contextlib.contextmanager
def errors(path: Path) -> Iterator[None]:
    """What the database refuses, as one sentence that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {schema.explained(error)}") from error
