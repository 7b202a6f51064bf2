"""`pincite parse`: a document as Markdown, or as the Document that all later stages work on."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pincite.cli import sources, terminal
from pincite.cli.arguments import Parser, add_common, add_options, load

if TYPE_CHECKING:
    from pincite.document import Document

__all__ = ["register", "run"]


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "parse",
        usage="pincite parse [OPTIONS] FILE...",
        help="read documents and print them as Markdown or JSON",
        description=(
            "Read documents and print their text: the Markdown that was made of a PDF, a DOCX or an\n"
            "HTML file, and the source of Markdown and plain text as it stands. What was dropped,\n"
            "doubted or repaired is said on standard error."
        ),
        epilog=(
            "examples:\n"
            "  pincite parse handbook.pdf > handbook.md\n"
            "  pincite parse --pages 1-3 --json handbook.pdf\n"
            "  pincite parse --ocr force --ocr-languages vie,eng scan.pdf\n"
            "  cat report.pdf | pincite parse - --name report.pdf"
        ),
    )
    sources.add_files(parser)
    add_options(parser, "parse")
    add_common(parser, json="print each document as one JSON object on a line (pincite.document/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    options = load(args).options
    return sources.for_each(args, options.parse, print_document if args.json else print_text)


def print_document(document: Document) -> None:
    from pincite.document_json import document_json

    terminal.print_json(document_json(document))


def print_text(document: Document) -> None:
    """The text as it stands, with a line end after it where it has none."""
    text = document.text
    sys.stdout.write(text if text.endswith(("\n", "\r")) or not text else text + "\n")
