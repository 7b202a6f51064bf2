"""`pincite search`: a question to passages, each with the place to open."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options, load

if TYPE_CHECKING:
    from pincite.retrieval.passage import Passage

__all__ = ["register", "run"]

WIDTH: Final = 96
LINES: Final = 8
"""Lines of a passage that are shown, unless all are asked for."""


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "search",
        usage="pincite search [OPTIONS] QUESTION",
        help="find the passages that answer a question, with section and page",
        description=(
            "Search the index by words and by meaning and print the best passages, each with its\n"
            "citation: document, page, section. Finding nothing is no error."
        ),
        epilog=(
            "examples:\n"
            "  pincite search 'how many days of leave do I get?'\n"
            "  pincite search --mode lexical --limit 3 15/2020/NĐ-CP\n"
            "  pincite search --document 'handbook*.pdf' --pages 10-20 --explain sick leave"
        ),
    )
    parser.add_argument(
        "question", nargs="+", metavar="QUESTION", help="what to search for; several words are one question"
    )
    add_options(parser, "search")
    filters = parser.add_argument_group(
        "only passages of", "Each may be given more than once; any of its values will do."
    )
    for name, metavar, help in (
        ("document", "DOC", "this document: its id, its uri or a glob pattern of uris"),
        ("folder", "FOLDER", "documents in this folder"),
        ("heading", "TITLE", "a section with this title; levels are parted by ' > '"),
        ("language", "TAG", "documents in this language, such as vi"),
        ("kind", "KIND", "this kind: text, list, table, table_schema, code, equation, figure or heading"),
        ("pages", "PAGES", "these physical pages, such as 12, 3-7 or 40-"),
    ):
        filters.add_argument(f"--{name}", action="append", metavar=metavar, help=help)
    parser.add_argument("--explain", action="store_true", help="show how each passage got its rank")
    parser.add_argument("--full", action="store_true", help="show the whole of each passage, not its first lines")
    add_options(parser, "index", only=("index.path",))
    add_options(parser, "embed")
    add_common(parser, json="print one JSON object (pincite.search/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pincite import pipeline

    options, question = load(args).options, " ".join(args.question)
    index = pipeline.Index(options.index.path, options)
    passages = index.search(
        question,
        limit=options.search.limit,
        mode=options.search.mode,
        document=args.document,
        folder=args.folder,
        heading=args.heading,
        pages=args.pages,
        language=args.language,
        kind=args.kind,
    )
    if not args.quiet:
        for name, value in index.unmatched(args.document, args.folder, args.heading, args.language):
            terminal.warn(f"nothing in the index meets --{name} {value}; see: pincite status")
    if args.json:
        terminal.print_json(search_json(question, options.search.mode, passages))
    elif not passages:
        terminal.say("Nothing found.")
    else:
        print("\n\n".join("\n".join(lines(each, question if args.explain else None, args.full)) for each in passages))
    return 0


def search_json(question: str, mode: str, passages: list[Passage]) -> dict[str, Any]:
    from pincite.retrieval.passage import passage_json

    return {
        "schema": "pincite.search/1",
        "question": question,
        "mode": mode,
        "passages": [passage_json(each) for each in passages],
    }


def lines(passage: Passage, explain: str | None, full: bool) -> list[str]:
    """A passage for people: its citation, then its own words, indented; `explain` is the question."""
    shown = [f"{passage.citation.number}. {passage.citation.line}"]
    if explain is not None:
        shown += [f"   {line}" for line in explanation(passage, explain)]
    quoted = list(terminal.wrapped(passage.citation.quote, WIDTH, indent="   "))
    if len(quoted) > LINES and not full:
        quoted = [*quoted[: LINES - 1], f"   … ({len(quoted) - LINES + 1} more lines; --full shows them)"]
    shown += quoted
    return shown


def explanation(passage: Passage, question: str) -> list[str]:
    """Its score, its place in each list, and what else is to know."""
    lists = [
        f"{name} rank {rank}" + (f" ({passage.scores[name]:.4f})" if name in passage.scores else "")
        for name, rank in passage.ranks.items()
    ]
    found = [
        f"[{passage.score_kind} {passage.score:.4f}: {', '.join(lists)}]",
        f"[chunk {passage.id}, {passage.chunk.kind}]",
    ]
    if passage.same:
        found.append(f"[says the same: {', '.join(passage.same)}]")
    if passage.question not in ("", question):
        found.append(f"[searched for: {passage.question}]")
    return found
