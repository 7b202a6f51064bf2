"""`pincite chunk`: documents as chunks that can be cited, one JSON object a line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pincite.cli import sources, terminal
from pincite.cli.arguments import Parser, add_common, add_options, load

if TYPE_CHECKING:
    from pincite.document import Document

__all__ = ["register", "run"]


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "chunk",
        usage="pincite chunk [OPTIONS] FILE...",
        help="cut documents into chunks and print them as JSON lines",
        description=(
            "Cut documents into chunks that never exceed the budget and print them, one JSON object a\n"
            "line (pincite.chunk/1): heading path, text, embedding text, tokens, pages, exact characters."
        ),
        epilog=(
            "examples:\n"
            "  pincite chunk handbook.pdf > chunks.jsonl\n"
            "  pincite chunk --max-tokens 300 --overlap-tokens 30 manual.md\n"
            "  pincite chunk --preset heading-2000 --no-content notes.md\n"
            "  pincite chunk --counter hf:tokenizer.json --max-tokens 512 notes.md"
        ),
    )
    sources.add_files(parser)
    parser.add_argument(
        "--no-content",
        action="store_true",
        help="leave out text and embedding_text; everything else stays as it is",
    )
    add_options(parser, "chunk", "parse")
    add_options(parser, "embed")
    add_common(parser, json="print JSON lines, which is what this command always does")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    options = load(args).options

    def print_chunks(document: Document) -> None:
        from pincite import pipeline
        from pincite.chunk import chunk_json

        made = pipeline.chunk_document(document, options)
        if not args.quiet:
            terminal.warn_diagnostics(document.source.uri, made.diagnostics)
        for each in made.chunks:
            terminal.print_json(chunk_json(each, content=not args.no_content))

    return sources.for_each(args, options.parse, print_chunks)
