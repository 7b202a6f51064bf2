"""`pincite show`: a chunk and what stands around it, or the chunks of a document."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options, load
from pincite.errors import OptionError

if TYPE_CHECKING:
    from pincite.chunk import Chunk

__all__ = ["register", "run"]


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "show",
        usage="pincite show [OPTIONS] ID|URI",
        help="show a chunk with its neighbours, or the chunks of a document",
        description=(
            "Show what the index holds: for the id of a chunk, the chunk with those that stand before\n"
            "and after it; for the id or uri of a document, all its chunks. The beginning of a chunk's id\n"
            "is enough where it is the only one."
        ),
        epilog="examples:\n  pincite show handbook.pdf\n  pincite show --around 2 4f1d9c0b7a52e83614d09b7c55aa01ef",
    )
    parser.add_argument("id", metavar="ID|URI", help="id of a chunk, or id or uri of a document")
    parser.add_argument("--around", default="1", metavar="N", help="neighbours on each side of a chunk (default: 1)")
    add_options(parser, "index", only=("index.path",))
    add_common(parser, json="print each chunk as one JSON object on a line (pincite.chunk/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pincite import pipeline
    from pincite.chunk import Chunk, chunk_json

    if not args.around.isdecimal():
        raise OptionError("--around", args.around, "a whole number of at least 0")
    options = load(args).options
    index = pipeline.Index(options.index.path, options)
    found = index.show(args.id)
    if isinstance(found, Chunk):
        count = int(args.around[-9:]) if len(args.around) < 10 else pipeline.FAR
        chunks = index.neighbours(found, count, count)
    else:
        chunks = list(found.chunks)
    for number, each in enumerate(chunks):
        if args.json:
            terminal.print_json(chunk_json(each))
        else:
            print("\n" * (number > 0) + "\n".join(lines(each, each == found)))
    return 0


def lines(chunk: Chunk, asked: bool) -> list[str]:
    """A chunk for people: where it stands, what it is, its text; the one that was asked for is marked."""
    from pincite.retrieval.citation import cite

    facts = [chunk.kind, f"{chunk.tokens} tokens", f"part {chunk.part.number} of {chunk.part.of}", *chunk.flags]
    return [
        f"{'>' if asked else ' '} {chunk.id}  {cite(chunk, 1).line}",
        f"  [{', '.join(facts)}]",
        *(f"  {line}".rstrip() for line in chunk.text.splitlines()),
    ]
