"""`pincite doctor`: whether everything that this installation needs is there and works."""

from __future__ import annotations

import argparse

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options

__all__ = ["register", "run"]


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "doctor",
        usage="pincite doctor [OPTIONS]",
        help="check the installation, the model and the index",
        description=(
            "Check Python, SQLite, packages, the embedding model, text recognition, the configuration\n"
            "and the index. Exit code 1 where something needed is broken; what is optional and missing\n"
            "is a warning with a hint."
        ),
        epilog="examples:\n  pincite doctor\n  pincite doctor --json --index handbook.sqlite",
    )
    add_options(parser, "index", only=("index.path",))
    add_options(parser, "embed", only=("embed.model",))
    add_common(parser, json="print one JSON object (pincite.doctor/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pincite.cli.checks import all_checks

    checks = all_checks(args)
    healthy = all(check.ok for check in checks if check.needed)
    if args.json:
        terminal.print_json(
            {
                "schema": "pincite.doctor/1",
                "ok": healthy,
                "checks": [
                    {
                        "name": check.name,
                        "ok": check.ok,
                        "needed": check.needed,
                        "detail": check.detail,
                        "hint": None if check.ok else check.hint,
                    }
                    for check in checks
                ],
            }
        )
        return 0 if healthy else 1
    for line in terminal.columns([(check.verdict, check.name, check.detail) for check in checks]):
        print(line)
    for check in checks:
        if not check.ok:
            print(f"\n{check.name}: {check.hint}")
    return 0 if healthy else 1
