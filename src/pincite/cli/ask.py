"""`pincite ask`: a question to an answer whose every reference was looked up."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options, load
from pincite.errors import OptionError

if TYPE_CHECKING:
    from pincite.answering import Answer
    from pincite.answering.answer import Draft
    from pincite.options import AskOptions

__all__ = ["register", "run"]

WIDTH: Final = 96
REFUSED: Final = 1
UNSET: Final = 2


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "ask",
        usage="pincite ask [OPTIONS] QUESTION",
        help="answer a question from the index, with references that were looked up",
        description=(
            "Search the index and let a model at any OpenAI-compatible endpoint answer from the passages.\n"
            "Every reference, number and quotation of the answer is looked up in the cited passages; an\n"
            "answer that fails is sent back once and then refused (exit code 1). Without an endpoint the\n"
            "passages are printed (exit code 2)."
        ),
        epilog=(
            "examples:\n"
            "  pincite ask --endpoint http://localhost:11434/v1 --answer-model qwen3 'how many days of leave?'\n"
            "  pincite ask --endpoint https://api.openai.com/v1 --answer-model gpt-4.1-mini 연차는 며칠인가요"
        ),
    )
    parser.add_argument(
        "question", nargs="+", metavar="QUESTION", help="what to answer; several words are one question"
    )
    add_options(parser, "ask", "search")
    add_options(parser, "index", only=("index.path",))
    add_options(parser, "embed")
    add_common(parser, json="print one JSON object (pincite.answer/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pincite import pipeline
    from pincite.answering import answer_json

    options, question = load(args).options, " ".join(args.question)
    check(options.ask)
    index = pipeline.Index(options.index.path, options)
    with live(not args.quiet and not args.json) as draft:
        found = index.ask(question, draft=draft)
    if args.json:
        terminal.print_json(answer_json(found))
    else:
        show(found)
    if found.refusal is None:
        return 0
    return UNSET if found.refusal.code == "no_endpoint" else REFUSED


def check(options: AskOptions) -> None:
    if options.endpoint and not options.model:
        raise OptionError("ask.model", "", "the name of a model that the endpoint serves")


def show(found: Answer) -> None:
    """The answer and what it cites; or the reason why there is none, and what was found."""
    cited = found.citations if found.text else tuple(each.citation for each in found.passages)
    if found.text:
        print(found.text)
        print()
    for each in cited:
        print(f"[{each.number}] {each.line}")
        if found.refusal and found.refusal.code == "no_endpoint":
            print("\n".join(terminal.wrapped(each.quote, WIDTH, indent="    ")))
    if found.refusal:
        terminal.say(f"No answer: {found.refusal.reason}.")
        if found.refusal.code == "no_endpoint":
            terminal.say("Give --endpoint URL and --answer-model NAME; the passages found are above.")


@contextmanager
def live(wanted: bool) -> Iterator[Draft | None]:
    """Shows the draft on the terminal while it comes; it vanishes when it is checked."""
    if not (wanted and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    said: list[str] = []
    with Live(Text(""), console=Console(stderr=True), transient=True, vertical_overflow="ellipsis") as screen:

        def draft(piece: str) -> None:
            if not piece:
                said.clear()
            said.append(piece)
            screen.update(Text("".join(c for c in "".join(said) if c.isprintable() or c == "\n"), style="dim"))

        yield draft
