"""Bringing an index up to date with files: what is stale is made again, and nothing else.

A file whose size, times and inode are as they were is taken as unchanged; otherwise its bytes
decide. The signatures of the stages then say where to begin: reading, chunking, the words, the
vectors. A text that has been embedded once by the same model is never embedded again. Each
document goes in by one transaction, and its old version serves until then; a file that is gone
leaves only after a complete listing of the folder that it was in.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from pincite.chunk import Chunk, document_id
from pincite.chunking import Chunked
from pincite.counting.counter import Counter
from pincite.document import Diagnostic, Document
from pincite.errors import (
    CorruptError,
    EmbeddingError,
    LimitError,
    MissingError,
    OversizeError,
    PartialError,
    PinciteError,
    ReadError,
)
from pincite.options import Options
from pincite.parsing import FORMATS
from pincite.retrieval import analyser
from pincite.retrieval.facts import facts_of
from pincite.retrieval.language import guess
from pincite.storage.records import DocumentRecord, Entry, Failure, LedgerRow, Model
from pincite.storage.signature import chunk_signature, parse_signature, words_signature
from pincite.storage.store import Store, text_hash
from pincite.supervision import Workers
from pincite.walking import Found, Listing, composed, contents, list_source, plain, spelled

if TYPE_CHECKING:
    from pincite.embedding import Embedder

__all__ = ["DocumentReport", "Progress", "Status", "Sync", "SyncReport"]

Status = Literal["added", "changed", "removed", "unchanged", "failed"]

Progress = Callable[[int, int, str], None]
"""Called with the number of files that are done, of all files, and what is being done."""

SUPERVISED: Final = frozenset({"pdf", "docx"})
"""Formats whose parsers are native code or unpack archives: they run in processes of their own."""

RACE: Final = 2.0
"""Seconds: a file that changed so shortly before it was read may change again without showing it in
its times, so its bytes are compared at the next sync."""

GROUP: Final = 256
"""Texts that are gathered before they are embedded, so that small documents share a call."""

KEEP: Final = 1.0
"""Seconds of embedding that a crash may lose: vectors are put on disk so often."""

PATIENCE: Final = 3
"""Documents in a row that the embedder may fail at before the rest is not tried."""


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """What a sync did with one file."""

    uri: str
    status: Status
    chunks: int = 0
    """Chunks that the index now holds of it."""

    diagnostics: tuple[Diagnostic, ...] = ()
    """What was doubted, dropped or repaired while it was read this time."""

    error: PinciteError | None = None
    """Why it failed."""

    kept: bool = False
    """Whether an older version of a failed document is still found."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did."""

    documents: tuple[DocumentReport, ...]
    """By uri."""

    chunks_embedded: int
    """Texts that the model was given; those it had embedded before are not among them."""

    skipped: int = 0
    """Files in the folders whose format nothing reads."""

    def count(self, status: Status) -> int:
        return sum(1 for each in self.documents if each.status == status)

    @property
    def added(self) -> int:
        return self.count("added")

    @property
    def changed(self) -> int:
        """Documents that were made again: other bytes, other options, another model."""
        return self.count("changed")

    @property
    def removed(self) -> int:
        return self.count("removed")

    @property
    def unchanged(self) -> int:
        return self.count("unchanged")

    @property
    def failed(self) -> int:
        return self.count("failed")

    @property
    def failures(self) -> tuple[DocumentReport, ...]:
        return tuple(each for each in self.documents if each.status == "failed")


@dataclass(slots=True)
class Work:
    """A file that was found, and what the index holds of it."""

    found: Found
    root: int
    path: str
    """Relative to the root of the ledger."""

    uri: str
    row: LedgerRow | None

    absolute: str
    """The place of the file: what tells it from every other, whatever root or uri it has."""

    @property
    def in_place(self) -> bool:
        """Whether the row is of this very name."""
        return self.row is not None and (self.row.root, self.row.path) == (self.root, self.path)


@dataclass(slots=True)
class Prepared:
    """A document that waits for its vectors."""

    record: DocumentRecord
    entries: list[Entry]
    old: int | None
    report: DocumentReport
    needs: dict[bytes, tuple[str, str]] = field(default_factory=dict)
    """Text and name of each chunk that has no vector, by the hash of its text."""

    write: bool = True
    """False where only vectors are missing."""

    again: Callable[[int, OversizeError], Prepared] | None = None
    """The document cut anew within a smaller budget, after an error; None where its text is not at hand."""


Chunker = Callable[[Document, int | None], Chunked]
"""The chunks of a document, within a smaller budget than that of the options where one is given."""


class Sync:
    """One run over some sources, under the write lock of the store."""

    def __init__(
        self,
        store: Store,
        options: Options,
        embedder: Embedder,
        counter: Counter,
        chunker: Chunker,
        progress: Progress | None = None,
    ) -> None:
        self.store, self.options, self.embedder, self.chunker = store, options, embedder, chunker
        self.progress = progress or (lambda done, total, what: None)
        self.parsed_as = parse_signature(options.parse)
        self.chunked_as = chunk_signature(self.parsed_as, options.chunk, counter.fingerprint, embedder.fingerprint)
        self.worded_as = words_signature(analyser.VERSION)
        self.model = self.entered_model()
        self.by_path: dict[str, LedgerRow] = {}
        self.present: set[str] = set()
        self.uris: dict[str, LedgerRow] = {}
        self.roots: dict[int, str] = {}
        self.bare: dict[int, list[bytes]] = {}
        self.reports: dict[str, DocumentReport] = {}
        self.failures: dict[str, tuple[int, str]] = {}
        self.stamps: list[tuple[str | None, int]] = []
        self.waiting: list[Prepared] = []
        self.pending: set[bytes] = set()
        self.embedded = 0
        self.failures_in_a_row = 0
        self.gave_up = False
        self.done = self.total = 0

    def entered_model(self) -> Model:
        model = self.store.enter_model(self.embedder.fingerprint, self.embedder.name, self.embedder.dimensions)
        if self.store.active_model() is None:
            self.store.activate(model)
        return model

    def run(self, sources: Sequence[Path]) -> SyncReport:
        """Sync the sources; what the index holds from elsewhere stays as it is."""
        self.read_ledger()
        listings = self.listings(sources)
        work = self.work(listings)
        self.total, self.present = len(work), {each.absolute for each in work}
        stale = [each for each in work if not self.is_unchanged(each)]
        for each, outcome in self.read(stale):
            self.take(each, outcome)
        self.embed_the_rest(listings)
        self.flush()
        self.sweep(listings)
        self.finish(listings)
        return SyncReport(
            documents=tuple(sorted(self.reports.values(), key=lambda each: each.uri)),
            chunks_embedded=self.embedded,
            skipped=sum(listing.skipped for listing in listings),
        )

    # What there is

    def listings(self, sources: Sequence[Path]) -> list[Listing]:
        index = self.options.index
        own = str(self.store.path)
        self.progress(0, 0, "listing files")
        return [
            self.deleted(source) or list_source(source, tuple(FORMATS), index.include, index.exclude, own)
            for source in sources
        ]

    def deleted(self, source: Path) -> Listing | None:
        """The listing of a source that is gone and that the index holds documents of: there is nothing, for certain."""
        if os.path.lexists(source) or not source.name:
            return None
        root = Path(os.path.realpath(source))
        place = plain(root.as_posix())
        return Listing(root) if any(is_inside(each, place) for each in self.by_path) else None

    def read_ledger(self) -> None:
        self.roots = {key: self.located(location) for key, location in self.store.roots().items()}
        for row in self.store.ledger():
            if self.by_path.setdefault(self.absolute(row.root, row.path), row) is row:
                self.uris[row.uri] = row
            else:  # two roots have become one folder
                self.store.remove([row.key])
        for document, value in self.store.unembedded(self.model):
            self.bare.setdefault(document, []).append(value)

    def absolute(self, root: int, path: str) -> str:
        return f"{self.roots[root].rstrip('/')}/{path}"

    def located(self, location: str) -> str:
        """The folder that a root of the ledger means now."""
        if location.startswith("./"):
            folder = plain(home(self.store.path).as_posix())
            return os.path.normpath(f"{folder}/{location}").replace(os.sep, "/")
        return location

    def location(self, folder: Path) -> str:
        """How a root is kept: relative to the project that the index lies in, so that both may move together."""
        project = home(self.store.path)
        if folder.is_relative_to(project):
            return "./" + plain(folder.relative_to(project).as_posix())
        return plain(folder.as_posix())

    def root_of(self, listing: Listing) -> tuple[int, str]:
        """The root of the ledger that a source lies in, and the path from there.

        A folder inside one that is indexed already belongs to that one, so that a file has one uri.
        """
        folder = plain(listing.root.as_posix())
        used = {row.root for row in self.by_path.values()}
        outer = [key for key in used if key in self.roots and is_inside(folder, self.roots[key])]
        if outer:
            key = max(outer, key=lambda each: len(self.roots[each]))
            return key, folder[len(self.roots[key].rstrip("/")) :].strip("/")
        key = self.store.root(self.location(listing.root))
        self.roots[key] = folder
        return key, ""

    def work(self, listings: Sequence[Listing]) -> list[Work]:
        """Each file once, however many sources hold it."""
        found: dict[str, Work] = {}
        for listing in filter(lambda each: each.files, listings):
            root, inner = self.root_of(listing)
            for file in listing.files:
                path = f"{inner}/{file.relative}" if inner else file.relative
                absolute = self.absolute(root, path)
                if absolute not in found:
                    row = self.by_path.get(absolute)
                    found[absolute] = Work(file, root, path, composed(path), row, absolute)
        return list(found.values())

    def is_unchanged(self, work: Work) -> bool:
        """Whether nothing needs to be read; such a file is reported at once."""
        row = work.row
        if row is None or not work.in_place or row.stamp is None or row.stamp != work.found.stamp:
            return False
        if not self.is_current(row) or row.key in self.bare:
            return False
        self.report(work.absolute, DocumentReport(row.uri, "unchanged", row.chunks))
        return True

    def is_current(self, row: LedgerRow) -> bool:
        return (row.parse_signature, row.chunk_signature, row.words_signature) == (
            self.parsed_as,
            self.chunked_as,
            self.worded_as,
        )

    # Reading

    def read(self, work: Sequence[Work]) -> Iterator[tuple[Work, Any]]:
        """Each file with its bytes and, where it must be parsed, its Document or the error.

        Native parsers work ahead in their own processes, a few documents only, while this one
        chunks and embeds.
        """
        count = self.options.index.workers or os.cpu_count() or 1
        ahead: deque[tuple[Work, Raw | ReadError, Future[Document] | None]] = deque()
        workers, threads = Workers(), ThreadPoolExecutor(count)
        try:
            for each in work:
                raw = self.raw(each)
                job = None
                if isinstance(raw, Raw) and self.must_parse(each, raw) and is_supervised(raw.data, each.uri):
                    job = threads.submit(workers.parse, raw.data, each.uri, self.options.parse)
                ahead.append((each, raw, job))
                while ahead and (len(ahead) > 2 * count or (first := ahead[0][2]) is None or first.done()):
                    yield self.outcome(*ahead.popleft())
            while ahead:
                yield self.outcome(*ahead.popleft())
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            workers.close()
            threads.shutdown()

    def raw(self, work: Work) -> Raw | ReadError:
        """The bytes, or why there are none; the uri of the file is settled in both cases."""
        if work.in_place and work.row:
            work.uri = work.row.uri
        try:
            raw = read_file(work.found, work.uri, self.options.parse.max_bytes)
        except ReadError as error:
            if not work.in_place:
                work.uri = self.free_uri(work, None)
            return type(error)(work.uri, error.reason, error.advice)
        if not work.in_place:
            work.uri = self.free_uri(work, raw)
        return raw

    def must_parse(self, work: Work, raw: Raw) -> bool:
        row = work.row
        return (
            row is None
            or not work.in_place
            or row.sha256 != raw.sha256
            or (row.parse_signature, row.chunk_signature) != (self.parsed_as, self.chunked_as)
        )

    def free_uri(self, work: Work, raw: Raw | None) -> str:
        """The uri of a file that is new under its name: one that no other file has.

        Where another root holds the same uri, the name of the root folder comes before it. A file
        with the same uri and bytes that is no longer where it was has moved, with its root, to here:
        its row is taken over, once, and is nothing that is gone any more.
        """
        root = composed(self.roots[work.root]).rpartition("/")[2]
        wanted = itertools.chain((work.uri, f"{root}/{work.uri}"), (f"{work.uri}~{at}" for at in itertools.count(2)))
        for uri in wanted:
            holder = self.uris.get(uri)
            if holder is None or (work.row and holder.key == work.row.key):
                self.uris[uri] = TAKEN
                return uri
            if raw and not work.row and holder.sha256 == raw.sha256 and self.is_lost(holder):
                work.row = holder
                self.by_path.pop(self.absolute(holder.root, holder.path), None)
                self.uris[uri] = TAKEN
                return uri
        raise AssertionError("unreachable")

    def is_lost(self, row: LedgerRow) -> bool:
        """Whether the file of a row is known to be gone, not only out of reach."""
        if row is TAKEN:
            return False
        absolute = self.absolute(row.root, row.path)
        if absolute in self.present or self.by_path.get(absolute) is not row:
            return False
        try:
            os.lstat(spelled(absolute))
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False
        return False

    def outcome(self, work: Work, raw: Raw | ReadError, job: Future[Document] | None) -> tuple[Work, Any]:
        if isinstance(raw, ReadError):
            return work, raw
        if not self.must_parse(work, raw):
            return work, raw
        try:
            document = job.result() if job else self.parse_here(raw.data, work.uri)
            return work, (raw, document, self.chunker(document, None))
        except (ReadError, EmbeddingError) as error:
            return work, error
        except PinciteError:
            raise
        except (MemoryError, RecursionError) as error:
            return work, LimitError(work.uri, f"it takes more than this machine has ({type(error).__name__})")
        except Exception as error:
            return work, CorruptError(work.uri, f"it could not be cut into chunks ({type(error).__name__}: {error})")

    def parse_here(self, data: bytes, uri: str) -> Document:
        from pincite.parsing import parse_bytes

        return parse_bytes(data, uri, self.options.parse)

    # Taking up

    def take(self, work: Work, outcome: Any) -> None:
        self.progress(self.done, self.total, work.uri)
        if isinstance(outcome, PinciteError):
            self.failed(work, outcome)
        elif isinstance(outcome, Raw):
            self.refresh(work, outcome)
        else:
            raw, document, chunked = outcome
            self.remake(work, raw, document, chunked)

    def failed(self, work: Work, error: PinciteError) -> None:
        """Report a document that failed; what the index held of it stays."""
        self.note_failure(work.root, work.path, work.uri, error)
        chunks = work.row.chunks if work.row else 0
        self.report(work.absolute, DocumentReport(work.uri, "failed", chunks, error=error, kept=work.row is not None))

    def refresh(self, work: Work, raw: Raw) -> None:
        """The same bytes and chunks: perhaps other words, missing vectors, or only another time."""
        row = work.row
        assert row is not None
        if row.words_signature == self.worded_as and row.key not in self.bare:
            if row.stamp != raw.stamp:
                self.stamps.append((raw.stamp, row.key))
            self.report(work.absolute, DocumentReport(row.uri, "unchanged", row.chunks))
            return
        record = dataclasses.replace(self.store.record(row.key), words_signature=self.worded_as, stamp=raw.stamp)
        report = DocumentReport(row.uri, "changed", row.chunks)
        self.queue(record, self.store.chunks(row.key), row, report, write=row.words_signature != self.worded_as)

    def remake(self, work: Work, raw: Raw, document: Document, chunked: Chunked) -> None:
        diagnostics = (*document.diagnostics, *chunked.diagnostics)
        status: Status = "changed" if work.row else "added"
        record = DocumentRecord(
            id=document_id(work.uri),
            uri=work.uri,
            root=work.root,
            path=work.path,
            stamp=raw.stamp,
            sha256=raw.sha256,
            media_type=document.source.media_type,
            title=document.metadata.title,
            language=(document.metadata.language or guess(document.text) or "").lower() or None,
            pages=len(document.pages),
            parse_signature=self.parsed_as,
            chunk_signature=self.chunked_as,
            words_signature=self.worded_as,
            diagnostics=diagnostics_json(diagnostics),
            facts=facts_of(document.metadata),
        )
        report = DocumentReport(work.uri, status, len(chunked.chunks), diagnostics)

        def again(budget: int, error: OversizeError) -> Prepared:
            smaller = self.chunker(document, budget)
            said = f"{error}; the document was cut again into chunks of at most {budget} tokens"
            found = (*document.diagnostics, *smaller.diagnostics, Diagnostic("resplit", "warning", said))
            return self.prepare(
                dataclasses.replace(record, diagnostics=diagnostics_json(found)),
                smaller.chunks,
                work.row,
                dataclasses.replace(report, chunks=len(smaller.chunks), diagnostics=found),
                write=True,
                again=again,
            )

        self.queue(record, chunked.chunks, work.row, report, write=True, again=again)

    def queue(
        self,
        record: DocumentRecord,
        chunks: Sequence[Chunk],
        row: LedgerRow | None,
        report: DocumentReport,
        write: bool,
        again: Callable[[int, OversizeError], Prepared] | None = None,
    ) -> None:
        prepared = self.prepare(record, chunks, row, report, write, again)
        self.waiting.append(prepared)
        self.pending.update(prepared.needs)
        if len(self.pending) >= GROUP or len(self.waiting) >= GROUP:
            self.flush()

    def prepare(
        self,
        record: DocumentRecord,
        chunks: Sequence[Chunk],
        row: LedgerRow | None,
        report: DocumentReport,
        write: bool,
        again: Callable[[int, OversizeError], Prepared] | None = None,
    ) -> Prepared:
        """A document with the texts of it that have no vector yet."""
        entries = (
            [Entry(chunk, analyser.chunk_words(chunk.heading_path, chunk.text)) for chunk in chunks] if write else []
        )
        texts = {
            text_hash(chunk.embedding_text): (chunk.embedding_text, f"{chunk.uri} chunk {chunk.index}")
            for chunk in chunks
        }
        known = self.store.known(self.model, texts)
        needs = {value: text for value, text in texts.items() if value not in known}
        return Prepared(record, entries, row.key if row else None, report, needs, write, again)

    # Embedding and storing

    def flush(self) -> None:
        """Embed what is waiting, in calls that documents share, and store each document."""
        waiting, self.waiting, self.pending = self.waiting, [], set()
        needs = {value: text for each in waiting for value, text in each.needs.items()}
        try:
            self.embed(needs)
        except EmbeddingError:
            needs = {}
        for each in waiting:
            try:
                fitting = self.fitted(each)
            except EmbeddingError as error:
                self.unembedded(each, error)
            else:
                self.store_document(fitting)

    def fitted(self, prepared: Prepared) -> Prepared:
        """The document with all its vectors. One that the model finds too long a text in, whatever was counted, is
        cut anew within two thirds of the budget until all of it fits: nothing is embedded in part."""
        budget = self.options.chunk.max_tokens
        while True:
            try:
                self.embed_alone(prepared)
            except OversizeError as error:
                budget = budget * 2 // 3
                if prepared.again is None or budget < self.options.chunk.floor:
                    raise
                prepared = prepared.again(budget, error)
            else:
                return prepared

    def embed_alone(self, prepared: Prepared) -> None:
        """Embed what the shared calls did not, so that one text costs its own document only."""
        missing = set(prepared.needs) - self.store.known(self.model, prepared.needs)
        if not missing:
            return
        if self.failures_in_a_row >= PATIENCE:
            raise EmbeddingError(f"the model {self.embedder.name} failed {PATIENCE} times in a row; not tried again")
        self.embed({value: text for value, text in prepared.needs.items() if value in missing})

    def embed(self, needs: dict[bytes, tuple[str, str]]) -> None:
        """Embed texts, those of like length together, and keep their vectors every second or so."""
        if self.failures_in_a_row >= PATIENCE and needs:
            raise EmbeddingError(f"the model {self.embedder.name} failed before")
        ordered = sorted(needs.items(), key=lambda item: (len(item[1][0]), item[0]))
        size = self.options.embed.batch_size
        made: list[tuple[list[bytes], Any]] = []
        kept = time.monotonic()
        try:
            for at in range(0, len(ordered), size):
                batch = ordered[at : at + size]
                document = batch[0][1][1].rpartition(" chunk ")[0]
                self.progress(self.done, self.total, f"{document} ({at} of {len(ordered)} passages)")
                try:
                    rows = self.vectors([text for _, (text, _) in batch], [name for _, (_, name) in batch])
                except PartialError as partial:
                    made += [([batch[at][0]], [row]) for at, row in sorted(partial.rows.items())]
                    raise partial.first from partial
                made.append(([value for value, _ in batch], rows))
                self.embedded += len(batch)
                self.failures_in_a_row = 0
                if time.monotonic() - kept > KEEP:
                    self.keep(made)
                    kept = time.monotonic()
        finally:
            self.keep(made)

    def keep(self, made: list[tuple[list[bytes], Any]]) -> None:
        import numpy as np

        if made:
            rows = np.concatenate([rows for _, rows in made])
            self.store.add_vectors(self.model, [value for values, _ in made for value in values], rows)
            made.clear()

    def vectors(self, texts: list[str], names: list[str]) -> Any:
        """The model's vectors, checked: a wrong shape or a number that is none would poison the index."""
        import numpy as np

        try:
            rows = np.asarray(self.embedder.embed_passages(texts, names), dtype=np.float32)
        except PinciteError:
            raise
        except Exception as error:
            raise EmbeddingError(
                f"{self.embedder.name} failed at {names[0]} ({type(error).__name__}: {error})"
            ) from error
        if rows.shape != (len(texts), self.embedder.dimensions) or not np.isfinite(rows).all():
            raise EmbeddingError(
                f"{self.embedder.name} gave {rows.shape} numbers for {len(texts)} texts, or none at all"
            )
        return rows

    def unembedded(self, prepared: Prepared, error: EmbeddingError) -> None:
        if not isinstance(error, OversizeError):
            self.failures_in_a_row += 1
            self.gave_up = True
        record = prepared.record
        self.note_failure(record.root, record.path, record.uri, error)
        kept = prepared.old is not None
        report = DocumentReport(record.uri, "failed", prepared.report.chunks if kept else 0, error=error, kept=kept)
        self.report(self.absolute(record.root, record.path), report)

    def store_document(self, prepared: Prepared) -> None:
        if prepared.write:
            self.store.replace(prepared.record, prepared.entries, prepared.old)
        elif prepared.old is not None:
            self.stamps.append((prepared.record.stamp, prepared.old))
        self.report(self.absolute(prepared.record.root, prepared.record.path), prepared.report)

    # The end

    def report(self, absolute: str, report: DocumentReport) -> None:
        """Keep what happened to the file at a place."""
        self.reports[absolute] = report
        self.done += 1
        self.progress(self.done, self.total, report.uri)

    def embed_the_rest(self, listings: Sequence[Listing]) -> None:
        """Embed chunks of documents outside the sources that have no vectors of this model.

        Another model searches nothing before it knows everything that the index holds.
        """
        for absolute, row in self.by_path.items():
            if absolute in self.present or is_covered(listings, absolute):
                continue
            if row.key in self.bare:
                self.total += 1
                record = self.store.record(row.key)
                report = DocumentReport(row.uri, "changed", row.chunks)
                self.queue(record, self.store.chunks(row.key), row, report, write=False)

    def finish(self, listings: Sequence[Listing]) -> None:
        """Note what only looks different, and search with the new model, unless it gave up."""
        self.store.stamp(self.stamps)
        for listing in listings:
            for relative, problem in listing.unlisted.items():
                self.unlisted(listing, relative, problem)
        self.forgive(listings)
        if not self.gave_up:
            self.store.activate(self.model)
        model = self.store.model(self.model.fingerprint)
        if model and self.embedded:
            self.store.compact(model)
            self.store.remove_leftovers()

    def unlisted(self, listing: Listing, relative: str, problem: ReadError | None) -> None:
        """Report what could not be listed, as a failure that stays until it can."""
        if problem is None:
            return
        root, inner = self.root_of(listing)
        path = f"{inner}/{relative}".strip("/")
        absolute = self.absolute(root, path)
        self.note_failure(root, path, problem.uri, problem)
        kept = any(is_inside(each, absolute) for each in self.by_path)
        self.reports[absolute] = DocumentReport(problem.uri, "failed", error=problem, kept=kept)

    def note_failure(self, root: int, path: str, uri: str, error: PinciteError) -> None:
        self.store.fail(Failure(root, path, uri, error.code, str(error)))
        self.failures[self.absolute(root, path)] = (root, path)

    def forgive(self, listings: Sequence[Listing]) -> None:
        """Forget failures of files that were read now, that failed under another name, and that are gone."""
        over: list[tuple[int, str]] = []
        for each in self.store.failures():
            place, absolute = (each.root, each.path), self.absolute(each.root, each.path)
            if absolute in self.reports:
                over += [place] if self.failures.get(absolute) != place else []
            elif absolute not in self.present and is_covered(listings, absolute):
                over.append(place)
        self.store.forgive(over)

    def sweep(self, listings: Sequence[Listing]) -> None:
        """Take out documents of files that a complete listing no longer has."""
        for absolute, row in self.by_path.items():
            if absolute not in self.present and is_covered(listings, absolute):
                self.store.remove([row.key])
                self.reports.setdefault(absolute, DocumentReport(row.uri, "removed"))


@dataclass(frozen=True, slots=True)
class Raw:
    """The bytes of a file."""

    data: bytes
    sha256: str
    stamp: str | None


TAKEN: Final = LedgerRow(0, "", "", 0, "", None, "", "", "", "", 0)
"""Holds a uri that a file of this run has."""


def read_file(found: Found, uri: str, limit: int) -> Raw:
    """The bytes of a file, read again where it changed meanwhile."""
    for _ in range(3):
        try:
            read = contents(found.path, uri, limit)
        except OSError as error:
            raise MissingError(
                uri, f"it cannot be read ({error.strerror or error})", "check the file and its permissions"
            ) from error
        before, after = read.before, read.after
        if (before.st_size, before.st_mtime_ns, before.st_ino) == (after.st_size, after.st_mtime_ns, after.st_ino):
            break
    stamp = f"{after.st_size}:{after.st_mtime_ns}:{after.st_ctime_ns}:{after.st_ino}"
    settled = time.time() - max(after.st_mtime, after.st_ctime) > RACE
    return Raw(read.data, sha256(read.data).hexdigest(), stamp if settled else None)


def is_supervised(data: bytes, uri: str) -> bool:
    """Whether the format of these bytes is read in a process of its own; an unknown one is refused here."""
    from pincite.parsing.sniff import sniff

    try:
        return sniff(data, uri) in SUPERVISED
    except ReadError:
        return False


def home(store: Path) -> Path:
    """The folder of the project that an index lies in."""
    folder = store.resolve().parent
    return folder.parent if folder.name == ".pincite" else folder


def is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def is_covered(listings: Sequence[Listing], absolute: str) -> bool:
    return any(covers(listing, absolute) for listing in listings)


def covers(listing: Listing, absolute: str) -> bool:
    """Whether the listing would hold the file if it were there."""
    root = plain(listing.root.as_posix())
    if listing.single is not None or not is_inside(absolute, root):
        return False
    inner = absolute[len(root.rstrip("/")) + 1 :]
    return not any(is_inside(inner, each) for each in listing.unlisted)


def diagnostics_json(found: Sequence[Diagnostic]) -> str:
    return json.dumps(
        [{"code": each.code, "severity": each.severity, "message": each.message, "page": each.page} for each in found],
        ensure_ascii=False,
    )
