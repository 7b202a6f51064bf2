"""From files to passages: what the library and the command line call.

`parse` and `chunk` work on one source, `Index` on a tree of them. Everything here is an edge:
files and models are touched here, and the stages below stay pure.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from pincite.chunk import Chunk
from pincite.document import Document
from pincite.errors import MissingError, ModelMismatchError, OptionError, ReadError, StoreError
from pincite.options import ChunkOptions, Options, ParseOptions, build, chunk_options

if TYPE_CHECKING:
    from pincite.answering import Answer
    from pincite.chunking import Chunked
    from pincite.counting.counter import Counter
    from pincite.embedding import Embedder
    from pincite.retrieval.filters import Pages, Text
    from pincite.retrieval.passage import Passage
    from pincite.storage.records import DocumentRecord, Failure, LedgerRow, Stats
    from pincite.storage.store import Store
    from pincite.syncing import Progress, SyncReport

__all__ = ["Index", "ShownDocument", "chunk", "chunk_document", "parse", "parse_bytes"]

PathLike = str | os.PathLike[str]

OWN_COUNTER = ("openai:", "hf:", "sentence-transformers:")
"""Models whose counter depends on more options than their name."""

FAR = 1 << 31
"""More neighbours than any document has."""


def parse(
    source: PathLike | bytes,
    options: ParseOptions | None = None,
    *,
    uri: str | None = None,
    media_type: str | None = None,
    **parse_options: Any,
) -> Document:
    """The document that a file or some bytes hold.

    `uri` names it in messages and citations, and its ending tells the format; it is the file's
    own name where it is not given. Raises a ReadError where nothing can be read.
    """
    chosen = merged(ParseOptions, options, parse_options, "parse")
    if isinstance(source, bytes):
        return parse_bytes(source, uri or "document", chosen, media_type)
    from pincite.walking import uri_of

    path = Path(source)
    name = uri or uri_of(path.name)
    return parse_bytes(file_bytes(path, name, chosen.max_bytes), name, chosen, media_type)


def parse_bytes(data: bytes, uri: str, options: ParseOptions | None = None, media_type: str | None = None) -> Document:
    """The document that `data` hold; PDF and DOCX are read in a process of their own, within `timeout`."""
    from pincite import parsing
    from pincite.parsing.sniff import sniff
    from pincite.supervision import Workers
    from pincite.syncing import SUPERVISED

    chosen = options or ParseOptions()
    if (
        len(data) > chosen.max_bytes
        or sniff(data, uri, media_type, chosen.encoding) not in SUPERVISED
        or not data.strip()
    ):
        return parsing.parse_bytes(data, uri, chosen, media_type)
    with Workers() as workers:
        return workers.parse(data, uri, chosen, media_type)


def chunk(source: PathLike | Document, options: ChunkOptions | None = None, **given: Any) -> list[Chunk]:
    """The chunks of a document, or of the file at a path, in reading order.

    The counter `model` is the tokenizer of the default embedding model; a budget above what that
    model accepts is an OptionError.
    """
    chosen = merged(ChunkOptions, options, given, "chunk") if options else chunk_options(**given)
    document = source if isinstance(source, Document) else parse(source)
    return list(chunk_document(document, Options(chunk=chosen)).chunks)


def chunk_document(document: Document, options: Options, embedder: Embedder | None = None) -> Chunked:
    """Chunks and findings of one document under all options; `embedder` is loaded where it is needed."""
    from pincite import chunking

    counter = counter_of(options, embedder)
    check_budget(options, embedder)
    encode = semantic_encoder(options) if options.chunk.semantic else None
    return chunking.chunk_document(document, options.chunk, counter, encode)


def semantic_encoder(options: Options) -> Callable[[Sequence[str]], Any]:
    """Texts to vectors by the model for semantic boundaries; a text over its limit is the mean of its parts."""
    from pincite.chunking.semantic import parts_that_fit
    from pincite.counting import count
    from pincite.embedding import load_embedder

    chosen = dataclasses.replace(options.embed, model=options.chunk.semantic_model)

    def encode(texts: Sequence[str]) -> Any:
        import numpy

        model = load_embedder(chosen)
        parts = [parts_that_fit(text, lambda part: count(model.counter, part), model.limit) for text in texts]
        flat = [part for each in parts for part in each]
        vectors = model.embed_passages(flat, [f"a block of {len(part)} characters" for part in flat])
        ends = list(accumulate(map(len, parts)))
        return numpy.stack([vectors[end - len(each) : end].mean(axis=0) for each, end in zip(parts, ends, strict=True)])

    return encode


class Index:
    """Documents that can be searched, in one file and the vectors beside it.

    >>> with Index("handbook.sqlite") as index:  # doctest: +SKIP
    ...     index.sync(["docs"])
    ...     for passage in index.search("how many days of leave do I get?"):
    ...         print(passage.citation.line)

    Opening an index touches nothing; the file is made by the first `sync`. Several processes may
    search while one syncs, and they see each document whole, in its old or its new version.
    """

    def __init__(
        self, path: PathLike | None = None, options: Options | None = None, embedder: Embedder | None = None
    ) -> None:
        self.options = options or Options()
        self.path = Path(path if path is not None else self.options.index.path)
        self._embedder = embedder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the model and of connections to it; files are open during a call only."""
        embedder, self._embedder = self._embedder, None
        if callable(close := getattr(embedder, "close", None)):
            close()

    @property
    def embedder(self) -> Embedder:
        """The model of the options, loaded when it is first needed."""
        if self._embedder is None:
            self._embedder = loaded(self.options)
        return self._embedder

    def sync(self, sources: PathLike | Iterable[PathLike], *, progress: Progress | None = None) -> SyncReport:
        """Bring the index up to date with files and folders.

        New and changed files are read, chunked and embedded; files that are gone from the folders
        leave; what the index holds from elsewhere stays. A file that cannot be read is in the
        report and costs itself only. Of a source that was deleted, the documents leave; MissingError
        where one does not exist that the index never held, or where nothing can be read, and StoreError where the index cannot be written.
        """
        from pincite.storage.store import Store
        from pincite.syncing import Sync

        paths = [Path(sources)] if isinstance(sources, (str, os.PathLike)) else [Path(each) for each in sources]
        if isinstance(sources, str) and not sources:
            raise MissingError("''", "an empty path names no file and no folder", "check the path")
        for path in paths:
            if not path.exists() and not self.path.exists():
                raise MissingError(str(path), "there is no such file or folder", "check the path")
        check_budget(self.options, self.embedder)
        counter = counter_of(self.options, self.embedder)

        def chunker(document: Document, budget: int | None = None) -> Chunked:
            return chunk_document(document, within(self.options, budget), self.embedder)

        def waiting() -> None:
            if progress:
                progress(0, 0, "waiting for another sync of this index")

        with Store.writing(self.path, waiting) as store:
            known = bool(store.roots())
            report = Sync(store, self.options, self.embedder, counter, chunker, progress).run(paths)
            if not report.documents and not known:
                raise nothing_to_read(paths, report.skipped)
            return report

    def search(
        self,
        question: str,
        *,
        limit: int | None = None,
        mode: str | None = None,
        document: Text | None = None,
        folder: Text | None = None,
        heading: Text | None = None,
        pages: Pages | None = None,
        language: Text | None = None,
        kind: Text | None = None,
    ) -> list[Passage]:
        """The passages that answer a question best, each with its citation; an empty list where none does.

        `limit` and `mode` are those of the options where they are not given. The filters are
        those of `retrieval.filters.make_filter`. Raises QueryError for a question without a
        letter or digit, and ModelMismatchError where the index was filled by another model.
        """
        from pincite.options import SearchOptions
        from pincite.retrieval.filters import clean, make_filter
        from pincite.retrieval.search import Mode, search
        from pincite.storage.store import Store

        given = {name: value for name, value in (("limit", limit), ("mode", mode)) if value is not None}
        chosen = merged(SearchOptions, self.options.search, given, "search")
        only = make_filter(document, folder, heading, pages, language, kind)
        for last in (False, True):
            with closing(Store.reading(self.path)) as store:
                try:
                    with store.snapshot():
                        return search(
                            store, clean(question), chosen.limit, cast(Mode, chosen.mode), only, lambda: self.embedder
                        )
                except ModelMismatchError:
                    raise
                except StoreError:
                    if last:
                        raise
        raise AssertionError("unreachable")

    def ask(self, question: str, *, draft: Callable[[str], None] | None = None, **given: Any) -> Answer:
        """An answer from the passages that `search` finds with the same arguments, checked, or a refusal.

        The endpoint is that of the `ask` options. `draft` is called with each piece of the answer as it
        comes, unchecked. Raises RemoteError where the endpoint fails.
        """
        from pincite.answering.answer import answer, chat_of

        chat = chat_of(self.options.ask)
        try:
            passages = self.search(question, **given)
            return answer(question, passages, chat, evidence=self.options.ask.evidence, draft=draft)
        finally:
            if chat:
                chat.client.close()

    def unmatched(
        self,
        document: Text | None = None,
        folder: Text | None = None,
        heading: Text | None = None,
        language: Text | None = None,
    ) -> list[tuple[str, str]]:
        """Conditions that nothing in the index meets, each by its name and its value: most often a slip of the pen."""
        from pincite.retrieval.filters import make_filter, values

        given = {"document": document, "folder": folder, "heading": heading, "language": language}
        with self.reading() as store:
            return [
                (name, value)
                for name, every in given.items()
                for value in values(every)
                if (only := make_filter(**{name: value})) and not store.lets_through(only)
            ]

    def neighbours(self, passage: Passage | Chunk | str, before: int = 1, after: int = 1) -> list[Chunk]:
        """What stands before a passage, itself, and what stands after it, in reading order."""
        name = passage if isinstance(passage, str) else passage.id
        with self.reading() as store:
            found = store.around(name, min(before, FAR), min(after, FAR))
        if not found:
            raise MissingError(name, "the index holds no such chunk", "search again: its document has changed")
        return found

    def show(self, name: str) -> Chunk | ShownDocument:
        """The chunk or the document with this id, the beginning of an id, or this uri."""
        from pincite.retrieval.filters import clean, path

        with self.reading() as store:
            name = clean(name)
            key = store.document_key(path(name))
            if key is not None:
                return ShownDocument(store.record(key), tuple(store.chunks(key)))
            chunk = store.chunk_key(name)
            if chunk is None:
                raise MissingError(name, "the index holds no document or chunk of that name", "see `pincite status`")
            return store.load([chunk])[chunk]

    def documents(self) -> list[LedgerRow]:
        """What the index holds, by uri."""
        with self.reading() as store:
            return store.ledger()

    def failures(self) -> list[Failure]:
        """Files that could not be read at the last sync, and why."""
        with self.reading() as store:
            return store.failures()

    def stats(self) -> Stats:
        """Numbers of documents, chunks, failures and vectors, the model, and the size on disk."""
        with self.reading() as store:
            return store.stats()

    def verify(self) -> list[str]:
        """What is wrong with the index, as sentences; an empty list where it is whole."""
        with self.reading() as store:
            return store.faults()

    def reset(self) -> None:
        """Empty the index; the documents themselves are not touched."""
        from pincite.storage.store import Store

        if not self.path.exists():
            return
        with Store.writing(self.path) as store:
            store.clear()

    def reading(self) -> closing[Store]:
        """The store, open to read, for one call."""
        from pincite.storage.store import Store

        return closing(Store.reading(self.path))


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document as the index holds it."""

    record: DocumentRecord
    chunks: tuple[Chunk, ...]


def merged(kind: type[Any], options: Any, given: dict[str, Any], section: str) -> Any:
    """Options with what is given in their place, validated."""
    if not given:
        return options or kind()
    base = {each.name: getattr(options, each.name) for each in dataclasses.fields(kind)} if options else {}
    return build(kind, {**base, **given}, section)


def file_bytes(path: Path, uri: str, limit: int) -> bytes:
    """The bytes of a file; a ReadError where there is none, it is no file, or it is too large."""
    from pincite.walking import contents

    try:
        return contents(path, uri, limit).data
    except OSError as error:
        raise MissingError(str(path), f"it cannot be read ({error.strerror or error})", "check the path") from error
    except ValueError as error:
        raise MissingError(repr(str(path)), f"it is no path ({error})", "check the path") from error


def loaded(options: Options) -> Embedder:
    from pincite.embedding import load_embedder

    return load_embedder(options.embed)


def counter_of(options: Options, embedder: Embedder | None) -> Counter:
    """The counter that the options name; `model` is the tokenizer of the embedder in use."""
    from pincite.counting import counter_for

    if options.chunk.counter == "model" and embedder is not None:
        return embedder.counter
    if options.chunk.counter == "model" and options.embed.model.startswith(OWN_COUNTER):
        return loaded(options).counter
    return counter_for(options.chunk.counter, model=options.embed.model)


def within(options: Options, budget: int | None) -> Options:
    """The options with a smaller budget for chunks, and what must not exceed it."""
    if budget is None:
        return options
    chosen = options.chunk
    smaller = dataclasses.replace(
        chosen,
        max_tokens=budget,
        min_tokens=min(chosen.min_tokens, budget // 2),
        overlap_tokens=min(chosen.overlap_tokens, max(0, budget - chosen.floor)),
    )
    return dataclasses.replace(options, chunk=smaller)


def check_budget(options: Options, embedder: Embedder | None) -> None:
    """Refuse a budget in the model's own tokens that the model cannot take."""
    if options.chunk.counter != "model":
        return
    from pincite.counting.models import model_limit

    limit = embedder.limit if embedder else model_limit(options.embed.model) or loaded(options).limit
    if options.chunk.max_tokens > limit:
        name = embedder.name if embedder else options.embed.model
        raise OptionError(
            "chunk.max_tokens", options.chunk.max_tokens, f"at most {limit}, which is what {name} accepts"
        )


def nothing_to_read(paths: Sequence[Path], skipped: int) -> ReadError:
    from pincite.parsing.sniff import readable

    where = ", ".join(map(str, paths))
    beside = f"; {skipped} files of other formats are there" if skipped else ""
    return MissingError(where, f"there is no file that can be read{beside}", f"what can be read: {readable()}")
