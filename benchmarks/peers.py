"""The chunkers that are measured beside Pincite, as their documentation tells users to call them.

Each adapter is made once and then maps one text to pieces; `start` and `end` are what the library
says of the place of the piece, `path` what it says of the headings above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["PEERS", "Piece", "pincite_chunker"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk of a peer."""

    text: str
    start: int | None = None
    end: int | None = None
    path: tuple[str, ...] | None = None
    id: str | None = None
    embedded: str | None = None
    """What is embedded, where that is more than the text."""


Chunker = Callable[[str], list[Piece]]


def pincite_chunker(counter_name: str, budget: int) -> Chunker:
    """Pincite itself, bytes in, chunks out."""
    from pincite.chunking import chunk_document
    from pincite.counting import counter_for
    from pincite.options import ParseOptions, chunk_options
    from pincite.parsing import parse_bytes

    counter = counter_for(counter_name)
    options = chunk_options(counter=counter_name, max_tokens=budget)
    parse = ParseOptions()

    def run(text: str) -> list[Piece]:
        document = parse_bytes(text.encode(), "page.md", parse)
        found = []
        for chunk in chunk_document(document, options, counter).chunks:
            whole = len(chunk.pieces) == 1 and chunk.spans
            start, end = (chunk.spans[0].start, chunk.spans[0].end) if whole else (None, None)
            if not whole and chunk.spans:
                own = [p for p in chunk.pieces if p.source]
                exact = all(
                    squeezed(text[p.source.start : p.source.end]) == squeezed(chunk.text[p.start : p.end])
                    for p in own
                    if p.source
                )
                start, end = (chunk.spans[0].start, chunk.spans[-1].end) if exact else (None, None)
            found.append(Piece(chunk.text, start, end, chunk.heading_path, chunk.id, chunk.embedding_text))
        return found

    return run


def squeezed(text: str) -> str:
    return "".join(text.split())


def langchain_headers(tokenizer: Any, budget: int, characters: bool = False) -> Chunker:
    from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

    headers = MarkdownHeaderTextSplitter([("#" * n, str(n)) for n in range(1, 7)], strip_headers=False)
    length = len if characters else lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
    recursive = RecursiveCharacterTextSplitter(
        chunk_size=budget, chunk_overlap=0, length_function=length, add_start_index=True
    )

    def run(text: str) -> list[Piece]:
        return [
            Piece(d.page_content, None, None, tuple(d.metadata[k] for k in sorted(d.metadata) if k.isdigit()))
            for d in recursive.split_documents(headers.split_text(text))
        ]

    return run


def langchain_recursive(tokenizer: Any, budget: int) -> Chunker:
    from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter.from_language(
        Language.MARKDOWN,
        chunk_size=budget,
        chunk_overlap=0,
        length_function=lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids),
        add_start_index=True,
    )

    def run(text: str) -> list[Piece]:
        found = []
        for document in splitter.create_documents([text]):
            start = document.metadata["start_index"]
            found.append(Piece(document.page_content, start, start + len(document.page_content)))
        return found

    return run


def semantic_text_splitter(tokenizer: Any, budget: int) -> Chunker:
    from semantic_text_splitter import MarkdownSplitter

    splitter = MarkdownSplitter.from_huggingface_tokenizer(tokenizer, budget)

    def run(text: str) -> list[Piece]:
        return [Piece(piece, start, start + len(piece)) for start, piece in splitter.chunk_indices(text)]

    return run


def chonkie_recursive(tokenizer: Any, budget: int) -> Chunker:
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(tokenizer=tokenizer, chunk_size=budget)

    def run(text: str) -> list[Piece]:
        return [Piece(c.text, c.start_index, c.end_index, None, getattr(c, "id", None)) for c in chunker(text)]

    return run


def semchunk_chunker(tokenizer: Any, budget: int) -> Chunker:
    import semchunk

    chunker = semchunk.chunkerify(lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids), budget)

    def run(text: str) -> list[Piece]:
        pieces, offsets = chunker(text, offsets=True)
        return [Piece(piece, start, end) for piece, (start, end) in zip(pieces, offsets, strict=True)]

    return run


def llama_index_markdown(tokenizer: Any, budget: int) -> Chunker:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter

    sections = MarkdownNodeParser()
    splitter = SentenceSplitter(
        chunk_size=budget, chunk_overlap=0, tokenizer=lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    )

    def run(text: str) -> list[Piece]:
        found = []
        for node in splitter.get_nodes_from_documents(sections.get_nodes_from_documents([Document(text=text)])):
            path = tuple(part for part in node.metadata.get("header_path", "").split("/") if part)
            found.append(Piece(node.text, node.start_char_idx, node.end_char_idx, path, node.node_id))
        return found

    return run


PEERS: dict[str, Callable[[Any, int], Chunker]] = {
    "LangChain headers, then recursive": langchain_headers,
    "LangChain recursive (Markdown)": langchain_recursive,
    "semantic-text-splitter (Markdown)": semantic_text_splitter,
    "chonkie recursive": chonkie_recursive,
    "semchunk": semchunk_chunker,
    "LlamaIndex Markdown, then sentences": llama_index_markdown,
}


def available() -> Iterator[tuple[str, Callable[[Any, int], Chunker]]]:
    """The peers that are installed."""
    yield from PEERS.items()
