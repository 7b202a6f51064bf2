"""The documents that `parse` and `chunk` are asked for, one after another."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pincite.cli import terminal
from pincite.cli.arguments import Parser, with_flags
from pincite.errors import EmbeddingError, OptionError, ReadError

if TYPE_CHECKING:
    from pincite.document import Document
    from pincite.options import ParseOptions

__all__ = ["STDIN", "add_files", "exit_code", "for_each"]

STDIN: Final = "-"
LARGE: Final = 1 << 20
"""Bytes from which one file is worth a progress bar."""


def add_files(parser: Parser) -> None:
    """The files, and what standard input is to be called."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="document to read; - is standard input")
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="file name of what comes on standard input, such as report.pdf; its ending may name the format",
    )


def for_each(args: argparse.Namespace, options: ParseOptions, use: Callable[[Document], None]) -> int:
    """Read each file and use it; one that cannot be read costs itself only. The exit code."""
    if args.files.count(STDIN) > 1:
        raise OptionError("FILE", STDIN, "given once: there is one standard input")
    if args.name is not None and STDIN not in args.files:
        raise OptionError("--name", args.name, "given together with the file -, which is standard input")
    failed: list[str] = []
    names = uris(args.files)
    wanted = is_long(args.files) and not args.quiet and not sys.stdout.isatty()
    with terminal.progress(args.verb, wanted) as step:
        for number, file in enumerate(args.files):
            if step:
                step(number, len(args.files), file)
            try:
                document = read(file, args.name or "stdin" if file == STDIN else names[file], options)
                if not args.quiet:
                    warn(document)
                use(document)
            except (ReadError, EmbeddingError) as error:
                terminal.error(with_flags(str(error)))
                failed.append(file)
    return exit_code(len(args.files), failed)


def read(file: str, uri: str, options: ParseOptions) -> Document:
    """One document, from a path or from standard input."""
    from pincite import pipeline

    if file == STDIN:
        return pipeline.parse_bytes(sys.stdin.buffer.read() if sys.stdin else b"", uri, options)
    return pipeline.parse(Path(file), options, uri=uri)


def uris(files: Iterable[str]) -> dict[str, str]:
    """The uri of each file, relative to the folder that all of them are in: two files never share one."""
    from pincite.walking import uri_of

    paths = {file: Path(file).absolute() for file in files if file != STDIN}
    try:
        root = Path(os.path.commonpath([path.parent for path in paths.values()]))
    except ValueError:
        return {file: uri_of(path.name) for file, path in paths.items()}
    return {file: uri_of(path.relative_to(root).as_posix()) for file, path in paths.items()}


def is_long(files: list[str]) -> bool:
    """Whether a person will wait: several files, or a large one."""
    return len(files) > 1 or any(os.path.isfile(file) and os.path.getsize(file) > LARGE for file in files)  # noqa: PTH113, PTH202


def warn(document: Document) -> None:
    """What was doubted while reading; a document without text is no error, but is never silent."""
    terminal.warn_diagnostics(document.source.uri, document.diagnostics)
    if not document.text.strip("\ufeff \t\r\n\f\v") and not document.diagnostics:
        terminal.warn(f"{document.source.uri}: it holds no text")


def exit_code(total: int, failed: list[str]) -> int:
    """0 where all went well, 1 where nothing did, 3 where some documents failed."""
    if not failed:
        return 0
    if len(failed) == total:
        return 1
    terminal.say(f"pincite: {len(failed)} of {total} documents failed: {', '.join(failed)}")
    return 3
