"""`pincite status`: what the index holds, and what of it is stale or failed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options, load
from pincite.errors import DependencyError

if TYPE_CHECKING:
    from pincite.options import Options
    from pincite.pipeline import Index

__all__ = ["register", "run"]


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "status",
        usage="pincite status [OPTIONS]",
        help="show what the index holds, and what is stale or failed",
        description=(
            "Show how many documents and chunks the index holds, by which model, how many were made\n"
            "with other options than those that hold now, and which files could not be read."
        ),
        epilog="examples:\n  pincite status\n  pincite status --json --index work.sqlite",
    )
    add_options(parser, "index", only=("index.path",))
    add_common(parser, json="print one JSON object (pincite.status/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pincite import pipeline

    options = load(args).options
    index = pipeline.Index(options.index.path, options)
    report = status_json(index, options)
    if args.json:
        terminal.print_json(report)
        return 0
    for line in terminal.columns(rows(report)):
        print(line)
    for each in report["failed"]:
        print(f"\nfailed: {each['message']}")
    return 0


def status_json(index: Index, options: Options) -> dict[str, Any]:
    found, stale = index.stats(), stale_documents(index, options)
    return {
        "schema": "pincite.status/1",
        "path": str(index.path),
        "bytes": found.size,
        "documents": found.documents,
        "chunks": found.chunks,
        "vectors": found.vectors,
        "model": found.model
        and {"name": found.model, "fingerprint": found.fingerprint, "dimensions": found.dimensions},
        "languages": dict(found.languages),
        "stale": stale,
        "failed": [{"uri": each.uri, "code": each.code, "message": each.message} for each in index.failures()],
    }


def stale_documents(index: Index, options: Options) -> list[str] | None:
    """Documents that were made with other options or versions than those that hold now, by uri.

    None where that cannot be told, because the counter that the options name is not installed.
    """
    from pincite.pipeline import counter_of
    from pincite.retrieval import analyser
    from pincite.storage.signature import chunk_signature, parse_signature, words_signature

    parsed = parse_signature(options.parse)
    try:
        counter = counter_of(options, None).fingerprint
        model = index.embedder.fingerprint if options.chunk.semantic else ""
    except DependencyError:
        return None
    chunked = chunk_signature(parsed, options.chunk, counter, model)
    now = (parsed, chunked, words_signature(analyser.VERSION))
    return [
        row.uri for row in index.documents() if (row.parse_signature, row.chunk_signature, row.words_signature) != now
    ]


def rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    model = report["model"]
    languages = ", ".join(f"{name} {count}" for name, count in report["languages"].items())
    return [
        ("index", f"{report['path']} ({report['bytes'] / 1e6:.1f} MB)"),
        ("documents", f"{report['documents']}" + (f" ({languages})" if languages else "")),
        ("chunks", str(report["chunks"])),
        (
            "model",
            f"{model['name']}, {model['dimensions']} dimensions, {report['vectors']} vectors" if model else "none",
        ),
        ("fingerprint", model["fingerprint"] if model else "-"),
        ("stale", staleness(report["stale"])),
        ("failed", str(len(report["failed"]))),
    ]


def staleness(stale: list[str] | None) -> str:
    if stale is None:
        return "unknown, since the tokenizer is not installed; see: pincite doctor"
    return f"{len(stale)}: {some(stale)}; pincite index makes them again" if stale else "0"


def some(names: list[str]) -> str:
    """The first few, and how many more."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
