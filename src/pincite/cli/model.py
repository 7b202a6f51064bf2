"""`pincite model fetch`: the only command that downloads anything."""

from __future__ import annotations

import argparse

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common

__all__ = ["register", "run"]


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "model",
        usage="pincite model fetch [OPTIONS] OWNER/NAME[@REVISION]",
        help="download an embedding model from the hub into the local cache",
        description=(
            "Fetch a model's ONNX file, tokenizer and settings into the cache that Hugging Face's tools share.\n"
            "This is the only command that downloads anything. Afterwards --model hf:OWNER/NAME uses it."
        ),
        epilog=(
            "examples:\n"
            "  pincite model fetch intfloat/multilingual-e5-base\n"
            "  pincite model fetch intfloat/multilingual-e5-base@main"
        ),
    )
    parser.add_argument("action", choices=("fetch",), metavar="fetch", help="what to do")
    parser.add_argument("name", metavar="OWNER/NAME", help="the model's repository, with @REVISION where it matters")
    parser.add_argument("--weights", action="store_true", help="fetch the weights for sentence-transformers as well")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pincite.embedding.hub import fetch

    folder = fetch(args.name.removeprefix("hf:"), args.weights)
    print(folder)
    if not args.quiet:
        terminal.say(f"Use it by --model hf:{args.name.removeprefix('hf:').partition('@')[0]}@{folder.name}")
    return 0
