"""`pincite index`: documents into the index; only what changed is read again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli import sources, terminal
from pincite.cli.arguments import Parser, add_common, add_options, load, with_flags
from pincite.errors import OptionError

if TYPE_CHECKING:
    from pincite.syncing import DocumentReport, SyncReport

__all__ = ["register", "run"]


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "index",
        usage="pincite index [OPTIONS] PATH...",
        help="put documents and folders into the index, or bring it up to date",
        description=(
            "Read documents and folders, cut them into chunks, embed and store them. Run again, it\n"
            "takes what is new, redoes what changed and removes what is gone from those folders.\n"
            "A document that cannot be read costs itself only: it is named, and the exit code is 3."
        ),
        epilog=(
            "examples:\n"
            "  pincite index handbook.pdf manual/\n"
            "  pincite index --exclude 'drafts/*' --index work.sqlite ."
        ),
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="document, or folder that is searched for documents")
    add_options(parser, "index", "chunk", "parse", "embed")
    add_common(parser, json="print one JSON object (pincite.sync/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pincite import pipeline

    if "" in args.paths:
        raise OptionError("PATH", "", "a document or a folder; . is this folder")
    options = load(args).options
    index = pipeline.Index(options.index.path, options)
    with terminal.progress("index", not args.quiet) as step:
        report = index.sync([Path(path) for path in args.paths], progress=step)
    tell(report, args.quiet)
    if args.json:
        terminal.print_json(sync_json(report))
    else:
        print(summary(report))
    if not report.documents:
        terminal.error(f"there is no document that can be read in {', '.join(args.paths)}{passed_over(report)}")
        return 1
    lost = [each.uri for each in report.failures]
    return sources.exit_code(len(report.documents), lost)


def tell(report: SyncReport, quiet: bool) -> None:
    """What failed, and what was read with doubts."""
    for each in report.documents:
        if not quiet:
            terminal.warn_diagnostics(each.uri, each.diagnostics, notes=False)
        if each.error is not None:
            terminal.error(
                f"{with_flags(str(each.error))}{' (its older version stays in the index)' if each.kept else ''}"
            )


def sync_json(report: SyncReport) -> dict[str, Any]:
    return {
        "schema": "pincite.sync/1",
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "failed": report.failed,
        "skipped": report.skipped,
        "chunks_embedded": report.chunks_embedded,
        "documents": [document_json(each) for each in report.documents],
    }


def document_json(each: DocumentReport) -> dict[str, Any]:
    return {
        "uri": each.uri,
        "status": each.status,
        "chunks": each.chunks,
        "kept": each.kept,
        "error": None if each.error is None else {"code": each.error.code, "message": str(each.error)},
        "diagnostics": [
            {"code": found.code, "severity": found.severity, "message": found.message, "page": found.page}
            for found in each.diagnostics
        ],
    }


def summary(report: SyncReport) -> str:
    """One line: what happened to the documents, and how many texts were embedded for it."""
    counts = (
        ("added", report.added),
        ("changed", report.changed),
        ("removed", report.removed),
        ("unchanged", report.unchanged),
        ("failed", report.failed),
    )
    done = ", ".join(f"{count} {word}" for word, count in counts if count)
    return f"{done or 'no documents'}; {plural(report.chunks_embedded, 'chunk')} embedded{passed_over(report)}"


def passed_over(report: SyncReport) -> str:
    return f"; {plural(report.skipped, 'file')} of other formats passed over" if report.skipped else ""


def plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
