"""Documents in, cited passages out.

>>> import pincite
>>> with pincite.Index("handbook.sqlite") as index:  # doctest: +SKIP
...     index.sync("docs")
...     for passage in index.search("how many days of leave do I get?"):
...         print(passage.citation.line, passage.citation.quote)

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pincite.chunk import Chunk, Citation, Part, Piece

if TYPE_CHECKING:
    import os

    from pincite.answering import Answer, Refusal
    from pincite.document import Block, Diagnostic, Document, Metadata, Page, Region, Source, Span, Table
    from pincite.errors import (
        BusyError,
        CorruptError,
        DependencyError,
        EmbeddingError,
        EncryptedError,
        EvaluationError,
        FormatError,
        GoldenError,
        LimitError,
        MismatchError,
        MissingError,
        ModelMismatchError,
        OptionError,
        OversizeError,
        PartialError,
        PinciteError,
        QueryError,
        ReadError,
        RefusedError,
        RemoteError,
        ReplyError,
        StoreError,
        UnreachableError,
    )
    from pincite.evaluation.evaluate import Evaluation, evaluate
    from pincite.evaluation.gate import Gate
    from pincite.evaluation.golden import GoldenSet, load_golden
    from pincite.options import (
        AskOptions,
        ChunkOptions,
        EmbedOptions,
        IndexOptions,
        Options,
        ParseOptions,
        SearchOptions,
        load_options,
    )
    from pincite.pipeline import Index, parse
    from pincite.retrieval.passage import Passage
    from pincite.syncing import DocumentReport, SyncReport

__all__ = [
    "Answer",
    "AskOptions",
    "Block",
    "BusyError",
    "Chunk",
    "ChunkOptions",
    "Citation",
    "CorruptError",
    "DependencyError",
    "Diagnostic",
    "Document",
    "DocumentReport",
    "EmbedOptions",
    "EmbeddingError",
    "EncryptedError",
    "Evaluation",
    "EvaluationError",
    "FormatError",
    "Gate",
    "GoldenError",
    "GoldenSet",
    "Index",
    "IndexOptions",
    "LimitError",
    "Metadata",
    "MismatchError",
    "MissingError",
    "ModelMismatchError",
    "OptionError",
    "Options",
    "OversizeError",
    "Page",
    "ParseOptions",
    "Part",
    "PartialError",
    "Passage",
    "Piece",
    "PinciteError",
    "QueryError",
    "ReadError",
    "Refusal",
    "RefusedError",
    "Region",
    "RemoteError",
    "ReplyError",
    "SearchOptions",
    "Source",
    "Span",
    "StoreError",
    "SyncReport",
    "Table",
    "UnreachableError",
    "chunk",
    "evaluate",
    "load_golden",
    "load_options",
    "parse",
]

__version__ = "0.1.0"

_HOMES = {
    "pincite.answering": ("Answer", "Refusal"),
    "pincite.document": ("Block", "Diagnostic", "Document", "Metadata", "Page", "Region", "Source", "Span", "Table"),
    "pincite.evaluation.evaluate": ("Evaluation", "evaluate"),
    "pincite.evaluation.gate": ("Gate",),
    "pincite.evaluation.golden": ("GoldenSet", "load_golden"),
    "pincite.options": (
        "AskOptions",
        "ChunkOptions",
        "EmbedOptions",
        "IndexOptions",
        "Options",
        "ParseOptions",
        "SearchOptions",
        "load_options",
    ),
    "pincite.pipeline": ("Index", "parse"),
    "pincite.retrieval.passage": ("Passage",),
    "pincite.syncing": ("DocumentReport", "SyncReport"),
    "pincite.errors": tuple(name for name in __all__ if name.endswith("Error")),
}

_HOME = {name: module for module, names in _HOMES.items() for name in names}


def chunk(source: str | os.PathLike[str] | Document, options: ChunkOptions | None = None, **given: Any) -> list[Chunk]:
    """The chunks of a document, or of the file at a path: see `pincite.pipeline.chunk`.

    It is defined here, after the module of the same name has been imported, so that the name
    `pincite.chunk` is this function for good.
    """
    from pincite.pipeline import chunk as chunk_source

    return chunk_source(source, options, **given)


def __getattr__(name: str) -> Any:
    """A public name from the module that it lives in."""
    if name not in _HOME:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    """The public names; what this file imports for itself is nobody's to use."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
