"""`pincite eval chunking`: ways of cutting compared on your documents and questions."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options, load
from pincite.errors import MissingError, OptionError

if TYPE_CHECKING:
    from pincite.document import Document
    from pincite.evaluation.experiment import Contender, Outcome
    from pincite.options import Options

__all__ = ["register", "run"]

DEFAULT: Final = ("max_tokens=128", "max_tokens=256", "max_tokens=400")
DECIDING: Final = "recall@8,000 chars"


def register(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "chunking",
        usage="pincite eval chunking [OPTIONS] GOLDEN PATH...",
        help="compare ways of cutting on the same documents and questions",
        description=(
            "Cut the documents in several ways, search them exactly by the embedding model, and print retrieval\n"
            "beside cost, so that a budget is chosen by evidence. Rows need quotes or spans as evidence.\n"
            "Recall, precision and IoU count words; precision and IoU count twice what comes twice."
        ),
        epilog=(
            "examples:\n"
            "  pincite eval chunking questions.yaml docs/\n"
            "  pincite eval chunking --set max_tokens=200 --set max_tokens=400,overlap_tokens=40 questions.yaml docs/\n"
            "  pincite eval chunking --chunker my_splitter:ranges questions.yaml docs/"
        ),
    )
    parser.add_argument("golden", metavar="GOLDEN", help="the golden set")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="documents and folders")
    parser.add_argument(
        "--set",
        action="append",
        metavar="OPTIONS",
        help=f"chunk options, such as max_tokens=400,overlap_tokens=40; may be given again (default: {', '.join(DEFAULT)})",
    )
    parser.add_argument(
        "--chunker",
        action="append",
        default=[],
        metavar="MODULE:NAME",
        help="a function from a text to (start, end) or (start, end, embedded text)",
    )
    parser.add_argument("--top-k", type=int, default=5, metavar="N", help="passages that count (default: 5)")
    add_options(parser, "embed")
    add_common(parser, json="print one JSON object (pincite.chunking/1)")


def run(args: argparse.Namespace) -> int:
    from pincite import pipeline
    from pincite.evaluation.experiment import experiment, located
    from pincite.evaluation.lock import load_locked

    if not 1 <= args.top_k <= 1000:
        raise OptionError("--top-k", args.top_k, "from 1 to 1000")
    options = load(args).options
    golden = load_locked(args.golden)
    documents = read(args.paths, options)
    rows = len(located(golden, documents))
    embedder = pipeline.loaded(options)
    contenders = [ours(each, options, embedder) for each in args.set or DEFAULT]
    contenders += [theirs(each, embedder) for each in args.chunker]
    say = None if args.quiet else (lambda name: terminal.say(f"{name} …"))
    outcomes = experiment(documents, golden, contenders, embedder, args.top_k, say)
    if args.json:
        terminal.print_json(chunking_json(outcomes, rows, embedder.name))
    else:
        print("\n".join(lines(outcomes, rows, len(golden))))
    return 0


def read(paths: Sequence[str], options: Options) -> list[Document]:
    """The documents under some paths, each under the uri that an index gives it. What cannot be read is told."""
    from pincite import pipeline
    from pincite.errors import ReadError
    from pincite.parsing.sniff import FORMATS
    from pincite.walking import list_source, uri_of

    found = []
    for source in paths:
        listing = list_source(Path(source), tuple(FORMATS), options.index.include, options.index.exclude)
        for each in listing.files:
            try:
                path = listing.root / each.relative
                found.append(pipeline.parse(path, options.parse, uri=uri_of(each.relative)))
            except ReadError as error:
                terminal.warn(str(error))
    if not found:
        raise MissingError(", ".join(paths), "there is no document that can be read", "check the paths")
    return found


def ours(text: str, options: Options, embedder: Any) -> Contender:
    """One set of chunk options."""
    from dataclasses import replace

    from pincite import pipeline
    from pincite.evaluation.experiment import Contender, Cut

    given = dict(pair(each) for each in text.split(","))
    chosen = replace(options, chunk=pipeline.merged(type(options.chunk), options.chunk, given, "chunk"))
    pipeline.check_budget(chosen, embedder)

    def cut(document: Document) -> list[Cut]:
        made = pipeline.chunk_document(document, chosen, embedder).chunks
        return [Cut(each.spans, each.embedding_text, each.tokens) for each in made]

    return Contender(text, cut)


def pair(text: str) -> tuple[str, Any]:
    from pincite.cli.arguments import plain_number

    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise OptionError("--set", text, "names and values such as max_tokens=400,overlap_tokens=40")
    known = {"true": True, "false": False}
    return name.strip(), known.get(value.strip(), plain_number(value.strip()))


def theirs(name: str, embedder: Any) -> Contender:
    """A function of somebody else's, from a text to ranges of it."""
    import sys

    from pincite.document import Span
    from pincite.evaluation.experiment import Contender, Cut
    from pincite.evaluation.target.function import load_function

    sys.path.insert(0, "")
    function: Callable[[str], Any] = load_function(name)

    def cut(document: Document) -> list[Cut]:
        found = []
        for each in function(document.text):
            start, end, *rest = each
            text = str(rest[0]) if rest else document.text[start:end]
            found.append(Cut((Span(int(start), int(end)),), text, embedder.counter.units(text)))
        return found

    return Contender(name, cut)


def lines(outcomes: Sequence[Outcome], rows: int, all_rows: int) -> list[str]:
    from pincite.evaluation.experiment import beside

    metrics = list(outcomes[0].scores)
    table = [("cutting", "chunks", "tokens", "cut s", "embed s", *metrics)]
    table += [
        (
            each.name, f"{each.chunks:,}", f"{each.tokens:,}", f"{each.cut_seconds:.2f}", f"{each.embed_seconds:.1f}",
            *(f"{each.mean(metric):.3f}" for metric in metrics),
        )
        for each in outcomes
    ]  # fmt: skip
    shown = [*terminal.columns(table), "", f"{rows} of {all_rows} rows have evidence that was found."]
    if len(outcomes) > 1:
        best, others = beside(outcomes, DECIDING)
        shown.append(f"Best by {DECIDING}: {best.name}")
        for each, pair in others:
            if pair.interval and pair.p is not None:
                claim = f"95 % from {pair.interval.low:+.3f} to {pair.interval.high:+.3f}, p = {pair.p:.3f}"
            else:
                claim = "too few rows for a test"
            shown.append(f"  over {each.name}: {pair.mean:+.3f} ({claim})")
    return shown


def chunking_json(outcomes: Sequence[Outcome], rows: int, model: str) -> dict[str, Any]:
    return {
        "schema": "pincite.chunking/1",
        "model": model,
        "rows": rows,
        "outcomes": [
            {
                "name": each.name,
                "chunks": each.chunks,
                "tokens": each.tokens,
                "cut_seconds": each.cut_seconds,
                "embed_seconds": each.embed_seconds,
                "metrics": {metric: each.mean(metric) for metric in each.scores},
            }
            for each in outcomes
        ],
    }
