"""The command line: one module a verb, each with `register(subparsers)` and `run(args) -> int`.

A verb's module is imported to print help, so it imports what it needs only in `run`. Data go to
standard output, everything else to standard error. What `run` returns is the exit code:

0 done · 1 failed · 2 wrong use or configuration · 3 done, but some documents failed (named) ·
130 interrupted · 141 nobody reads the output any more.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

from pincite.cli import terminal
from pincite.cli.arguments import Parser, closest, join_negative_ranges, unknown_option, where_given, with_flags
from pincite.errors import DependencyError, OptionError, PinciteError, QueryError

__all__ = ["VERBS", "build_parser", "commands", "main"]

VERBS: Final = (
    "parse",
    "chunk",
    "index",
    "search",
    "ask",
    "show",
    "eval",
    "golden",
    "status",
    "model",
    "doctor",
    "config",
    "demo",
)
"""In the order in which help lists them; `pincite.cli.NAME` is the module of each."""

DONE: Final = 0
FAILED: Final = 1
WRONG_USE: Final = 2
INTERRUPTED: Final = 130
"""128 and the number of the signal, as shells report it."""
UNREAD: Final = 141


class Version(argparse.Action):
    """Prints the version."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from pincite import __version__

        print(f"pincite {__version__}")
        parser.exit()


def build_parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the whole command line, and that of each verb."""
    parser = Parser(
        prog="pincite",
        usage="pincite COMMAND [OPTIONS] ...",
        description="Documents in, cited passages out.",
        epilog=(
            "examples:\n"
            "  pincite index handbook.pdf manual/\n"
            "  pincite search 'how many days of leave do I get?'\n"
            "  pincite chunk --max-tokens 300 handbook.pdf > chunks.jsonl\n\n"
            "exit codes: 0 done, 1 failed, 2 wrong use or configuration,\n"
            "            3 done, but some documents failed; eval gate: 10 to 13"
        ),
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and stop")
    subparsers = parser.add_subparsers(
        title="commands", dest="verb", metavar="COMMAND", parser_class=Parser, prog="pincite"
    )
    for verb in VERBS:
        importlib.import_module(f"pincite.cli.{verb}").register(subparsers)
    return parser, dict(subparsers.choices)


def commands() -> dict[str, Parser]:
    """The parser of each command by its words: `search`, `eval`, `eval gate`, ..."""
    _, verbs = build_parser()
    found: dict[str, Parser] = {}
    for verb, parser in verbs.items():
        found[verb] = parser
        found |= {f"{verb} {name}": each for name, each in parser.commands.items()}
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never raises for what a user did."""
    plain_streams()
    code = DONE
    try:
        code = perform(join_negative_ranges(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        silence_output()
        return UNREAD
    except OSError as error:
        silence_output()
        if code == DONE:
            terminal.error(f"standard output: {error.strerror or error}")
        return code or FAILED
    return code


def perform(argv: Sequence[str]) -> int:
    """One command; every error becomes a sentence and an exit code."""
    try:
        args = parse_arguments(argv)
        code: int = args.run(args)
        return code
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else DONE
    except BrokenPipeError:
        raise
    except Exception as error:
        return explain(error, argv)


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments; an unknown command or option ends with the closest known one."""
    parser, verbs = build_parser()
    if not argv:
        parser.print_help(sys.stderr)
        parser.exit(WRONG_USE)
    if not argv[0].startswith("-") and argv[0] not in verbs:
        parser.error(f"there is no command {argv[0]!r}{closest(argv[0], verbs)}")
    chosen = within(verbs.get(argv[0], parser), argv[1:])
    unknown = unknown_option(chosen, argv)
    if unknown:
        chosen.error(f"there is no option {unknown}{closest(unknown, chosen.option_names)}")
    args, extra = parser.parse_known_args(argv)
    if extra:
        chosen.error(f"{extra[0]!r} is one argument too many")
    return args


def within(parser: Parser, argv: Sequence[str]) -> Parser:
    """The parser of the command within a command, where there is one and the next word names it."""
    choices = parser.commands
    return choices[argv[0]] if argv and argv[0] in choices else parser


def explain(error: Exception, argv: Sequence[str]) -> int:
    """Say in a sentence or two what went wrong; the traceback is for who asks for it."""
    if "--debug" in argv:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, OptionError):
        terminal.error(f"{error}{where_given(error, argv)}")
        return WRONG_USE
    if isinstance(error, PinciteError):
        terminal.error(with_flags(str(error)))
        return WRONG_USE if isinstance(error, DependencyError | QueryError) else FAILED
    if isinstance(error, OSError) and error.strerror:
        terminal.error(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
        return FAILED
    if isinstance(error, MemoryError):
        terminal.error("not enough memory; give fewer or smaller documents at a time")
        return FAILED
    terminal.error(f"this is a bug in pincite: {type(error).__name__}: {error}")
    if "--debug" not in argv:
        terminal.say("Run the same command with --debug and report what it prints.")
    return FAILED


def plain_streams() -> None:
    """UTF-8 and LF on every system; neither a name that is no text nor a closed stream ends the run."""
    if sys.stdout is None:
        sys.stdout = io.StringIO()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def silence_output() -> None:
    """Point standard output nowhere, so that the interpreter's last flush does not fail as well."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = io.StringIO()
