"""`pincite demo`: the sample documents into an index, and three questions to it.

Everything is real: the documents are read, cut, embedded and searched as any others would be.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options, load
from pincite.errors import MissingError

if TYPE_CHECKING:
    from pincite.retrieval.passage import Passage
    from pincite.syncing import SyncReport

__all__ = ["QUESTIONS", "register", "run", "samples"]

QUESTIONS: Final = (
    "How many days of leave do I get?",
    "Tôi được nghỉ phép bao nhiêu ngày?",
    "연차휴가는 며칠인가요?",
)
"""English, Vietnamese and Korean, each with a handbook of its own among the samples."""

WIDTH: Final = 92
LINES: Final = 6
"""Lines of a passage that are shown; the whole passage is in the JSON."""


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "demo",
        usage="pincite demo [OPTIONS] [FOLDER]",
        help="index the sample documents and ask them three questions",
        description=(
            "Read the sample documents that come with pincite (a handbook in three languages, a manual,\n"
            "a policy, a web page), index them and ask for the days of leave in English, Vietnamese and\n"
            "Korean. With FOLDER the index stays there for questions of your own."
        ),
        epilog="examples:\n  pincite demo\n  pincite demo demo-index\n  pincite demo --json",
    )
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="where the index is kept (default: nowhere)")
    add_options(parser, "embed", only=("embed.threads",))
    add_common(parser, json="print one JSON object (pincite.demo/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pincite import pipeline

    options = load(args).options
    documents = samples()
    with index_folder(args.folder) as folder:
        index = pipeline.Index(folder / "index.sqlite", options)
        with terminal.progress("index", not args.quiet) as step:
            report = index.sync(documents, progress=step)
        answers = [(question, index.search(question, limit=1)) for question in QUESTIONS]
        found = all(passages for _, passages in answers) and not report.failed
        if args.json:
            terminal.print_json(demo_json(report, answers))
        else:
            print_answers(documents, report, answers)
            if args.folder is not None and found:
                print(f"\nAsk on:  pincite search --index {folder / 'index.sqlite'} 'may I work from home?'")
    for each in report.failures:
        terminal.error(str(each.error))
    return 0 if found else 1


def samples() -> list[Path]:
    """The sample documents: those of the checkout, else those that the wheel carries."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parents[1] / "samples", package / "samples"):
        if (folder / "handbook.pdf").is_file():
            return sorted(path for path in folder.iterdir() if path.is_file())
    raise MissingError(
        str(package / "samples"),
        "the sample documents are not here",
        "install pincite again, or run it from a checkout",
    )


@contextmanager
def index_folder(given: str | None) -> Iterator[Path]:
    """The folder that was asked for, made where it is not there; else one that vanishes afterwards."""
    if given is not None:
        folder = Path(given)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="pincite-demo-") as made:
        yield Path(made)


def demo_json(report: SyncReport, answers: list[tuple[str, list[Passage]]]) -> dict[str, Any]:
    from pincite.cli.index import sync_json
    from pincite.cli.search import search_json

    return {
        "schema": "pincite.demo/1",
        "sync": sync_json(report),
        "searches": [search_json(question, "hybrid", passages) for question, passages in answers],
    }


def print_answers(documents: list[Path], report: SyncReport, answers: list[tuple[str, list[Passage]]]) -> None:
    """The report for people: in colour on a terminal, plain elsewhere."""
    paint = Paint(sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    names = ", ".join(path.name for path in documents)
    chunks = sum(each.chunks for each in report.documents)
    print(f"{len(report.documents)} documents, {chunks} chunks: {names}")
    for question, passages in answers:
        print(f"\n{paint.bold(f'? {question}')}")
        if not passages:
            print("  Nothing found.")
        for passage in passages:
            print(f"  {paint.green(passage.citation.line)}")
            for line in excerpt(passage.citation.quote):
                print(f"  {paint.dim('│')} {line}")
            print(f"  {paint.dim(f'open {passage.citation.target}')}")


def excerpt(quote: str) -> Iterator[str]:
    """The first lines of a passage, wrapped."""
    lines = list(terminal.wrapped(quote, WIDTH))
    yield from lines[:LINES]
    if len(lines) > LINES:
        yield "…"


class Paint:
    """Colours where a person looks, nothing where a program reads."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted

    def bold(self, text: str) -> str:
        return self.with_code("1", text)

    def dim(self, text: str) -> str:
        return self.with_code("2", text)

    def green(self, text: str) -> str:
        return self.with_code("32", text)

    def with_code(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.wanted else text
