"""`pincite config`: which options hold, and where each value comes from."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options, find_config, load
from pincite.options import SECTIONS, Loaded

__all__ = ["register", "run"]

SECRETS = ("parse.password",)


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "config",
        usage="pincite config [show | path] [OPTIONS]",
        help="show the options that hold and where each comes from",
        description=(
            "Show each option, its value and where the value comes from: the default, a preset,\n"
            "the configuration file, an environment variable or an argument (later ones win)."
        ),
        epilog="examples:\n  pincite config show --preset api-400\n  pincite config path",
    )
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "path"),
        default="show",
        metavar="show|path",
        help="show: every option (default); path: the configuration file in use",
    )
    add_options(parser, *SECTIONS)
    add_common(parser, json="print one JSON object (pincite.config/1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    file = Path(args.config) if args.config is not None else find_config(Path.cwd())
    if args.action == "path":
        return show_path(file, args.json)
    loaded = load(args)
    if args.json:
        terminal.print_json(config_json(loaded, file))
    else:
        rows = [(key, shown(each["value"]), each["origin"]) for key, each in values(loaded).items()]
        for line in terminal.columns([("option", "value", "from"), *rows]):
            print(line)
    return 0


def show_path(file: Path | None, as_json: bool) -> int:
    """Exit code 1 where no file is in use, so that a script can ask."""
    if as_json:
        terminal.print_json({"schema": "pincite.config-path/1", "file": None if file is None else str(file)})
    elif file is not None:
        print(file)
    else:
        terminal.say("No configuration file here or above; write pincite.toml to have one.")
    return 0 if file is not None else 1


def values(loaded: Loaded) -> dict[str, dict[str, Any]]:
    """By `section.name`: the value and its origin; a secret shows only that it is there."""
    found = {}
    for section in SECTIONS:
        made = getattr(loaded.options, section)
        for name in made.__dataclass_fields__:
            key, value = f"{section}.{name}", getattr(made, name)
            value = "***" if key in SECRETS and value is not None else value
            found[key] = {"value": list(value) if isinstance(value, tuple) else value, "origin": loaded.origins[key]}
    return found


def config_json(loaded: Loaded, file: Path | None) -> dict[str, Any]:
    return {
        "schema": "pincite.config/1",
        "file": None if file is None else str(file),
        "options": values(loaded),
    }


def shown(value: Any) -> str:
    """A value as TOML writes it, and a dash for none."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
