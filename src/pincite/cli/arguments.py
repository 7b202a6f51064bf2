"""Arguments of the command line, made from the fields of the option classes.

A flag carries the name, the help sentence, the default and the bounds of its field, so that the
command line, the configuration file and the environment never differ. A flag's value is checked
by `load_options`, like that of the other two.
"""

from __future__ import annotations

import argparse
import os
import re
import textwrap
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

from pincite.errors import OptionError
from pincite.options import ENVIRONMENT_PREFIX, PRESETS, SECTIONS, Loaded, file_values, load_options

__all__ = [
    "Parser",
    "add_common",
    "add_options",
    "closest",
    "find_config",
    "flag_of",
    "join_negative_ranges",
    "load",
    "unknown_option",
    "where_given",
    "with_flags",
]

TITLES: Final[Mapping[str, str]] = {
    "parse": "reading documents",
    "chunk": "chunking",
    "embed": "embedding",
    "index": "the index",
    "search": "searching",
    "ask": "answering",
}

FLAGS: Final[Mapping[str, str]] = {
    "index.path": "--index",
    "ask.model": "--answer-model",
    "ask.key_variable": "--answer-key-variable",
    "ask.timeout": "--answer-timeout",
}
"""Options whose flag is not simply their name."""

METAVARS: Final[Mapping[str, str]] = {
    "parse.pages": "PAGES",
    "parse.ocr_languages": "CODES",
    "parse.encoding": "NAME",
    "chunk.preset": "NAME",
    "chunk.counter": "COUNTER",
    "embed.model": "NAME",
    "embed.tokenizer": "COUNTER",
    "embed.key_variable": "NAME",
    "ask.endpoint": "URL",
    "ask.model": "NAME",
    "ask.key_variable": "NAME",
    "index.path": "FILE",
    "index.include": "GLOBS",
    "index.exclude": "GLOBS",
}

WIDTH: Final = 96


class Formatter(argparse.RawDescriptionHelpFormatter):
    """The same help on every terminal and every version of Python."""

    def __init__(self, prog: str, **given: Any) -> None:
        super().__init__(prog, max_help_position=34, width=WIDTH)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return ", ".join(action.option_strings) or str(action.metavar)
        return ", ".join(action.option_strings) + (f" {action.metavar}" if action.metavar else "")


class Parser(argparse.ArgumentParser):
    """Takes options by their full names, and points at help where the use was wrong."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"formatter_class": Formatter, "allow_abbrev": False, "add_help": False, **given})
        self.color = False
        self._positionals.title = "arguments"
        self.add_argument("-h", "--help", action="help", help="print this help and stop")

    @property
    def option_names(self) -> list[str]:
        """Every option string that this parser takes."""
        return list(self._option_string_actions)

    @property
    def commands(self) -> dict[str, Parser]:
        """The commands within this one, by their names."""
        found = [each for each in self._actions if isinstance(each, argparse._SubParsersAction)]
        return dict(found[0].choices) if found else {}

    @property
    def actions(self) -> list[argparse.Action]:
        """Everything that this parser takes besides commands, in the order of its help."""
        return [each for each in self._actions if not isinstance(each, argparse._SubParsersAction)]

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"pincite: error: {message}\nSee: {self.prog} --help\n")


def closest(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?`, or nothing where no known word is near."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {found[0]}?" if found else ""


def join_negative_ranges(argv: Sequence[str]) -> list[str]:
    """`--pages -3-` as `--pages=-3-`: the last three pages begin with a dash like an option."""
    joined: list[str] = []
    for word in argv:
        if joined and joined[-1] == "--pages" and re.match(r"-\d", word):
            joined[-1] = f"--pages={word}"
        else:
            joined.append(word)
    return joined


def add_common(parser: Parser, json: str | None = None) -> None:
    """The options that every verb takes; `json` says what `--json` prints."""
    group = parser.add_argument_group("general")
    if json:
        group.add_argument("--json", action="store_true", help=json)
    group.add_argument(
        "--config",
        metavar="FILE",
        help="configuration file (default: pincite.toml, or pyproject.toml with [tool.pincite], "
        "in this folder or the nearest one above)",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="print no progress and no warnings, only errors")
    group.add_argument("--debug", action="store_true", help="show the traceback of an error")


def add_options(parser: Parser, *sections: str, only: Iterable[str] = ()) -> None:
    """A flag for each option of the sections, or for those in `only` (`section.name`)."""
    chosen = set(only)
    for section in sections:
        group = parser.add_argument_group(TITLES[section])
        hints = typing.get_type_hints(SECTIONS[section])
        for each in fields(SECTIONS[section]):
            key = f"{section}.{each.name}"
            if not chosen or key in chosen:
                add_flag(group, key, each, hints[each.name])


def add_flag(group: argparse._ArgumentGroup, key: str, each: Field[Any], hint: Any) -> None:
    """One flag; its value stays as it was written, and `load_options` judges it."""
    wanted = help_of(each) + (f": {', '.join(PRESETS)}" if key == "chunk.preset" else "")
    if hint is bool:
        group.add_argument(flag_of(key), dest=key, action=argparse.BooleanOptionalAction, help=wanted)
    else:
        group.add_argument(
            flag_of(key),
            dest=key,
            type=plain_number if hint in (int, float) else str,
            metavar=metavar_of(key, hint),
            help=wanted,
        )


def flag_of(key: str) -> str:
    """The flag of an option: `chunk.max_tokens` is `--max-tokens`."""
    return FLAGS.get(key, "--" + key.partition(".")[2].replace("_", "-"))


def metavar_of(key: str, hint: Any) -> str:
    """What help shows for the value."""
    if key in METAVARS:
        return METAVARS[key]
    if isinstance(hint, types.UnionType):
        hint = next(arm for arm in typing.get_args(hint) if arm is not type(None))
    if typing.get_origin(hint) is Literal:
        return "|".join(typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        (item, *_) = typing.get_args(hint)
        return ",".join(typing.get_args(item)) or "LIST"
    return {int: "N", float: "X"}.get(hint, "TEXT")


def help_of(each: Field[Any]) -> str:
    """The sentence of an option with its bounds and its default."""
    text: str = each.metadata["help"]
    text = text if text[:2].isalpha() and text[:2].isupper() else text[0].lower() + text[1:]
    facts = [*bounds_of(each), *default_of(each)]
    return (text + (f" ({'; '.join(facts)})" if facts else "")).replace("%", "%%")


def bounds_of(each: Field[Any]) -> list[str]:
    low, high = each.metadata["low"], each.metadata["high"]
    if low is None:
        return []
    return [f"{low} to {high}" if high is not None else f"at least {low}"]


def default_of(each: Field[Any]) -> list[str]:
    if each.default is True:
        return ["default: yes"]
    if each.default is None or each.default is False or each.default == ():
        return []
    return [f"default: {','.join(each.default) if isinstance(each.default, tuple) else each.default}"]


def plain_number(text: str) -> Any:
    """A whole number as such, so that an error shows it as it was written; all else stays text."""
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else text


def load(args: argparse.Namespace) -> Loaded:
    """All options: the configuration file, then the environment, then the flags."""
    if args.config is not None and not Path(args.config).is_file():
        raise OptionError("--config", args.config, "a TOML file that exists")
    file = Path(args.config) if args.config is not None else find_config(Path.cwd())
    loaded = load_options(file, arguments={key: value for key, value in vars(args).items() if "." in key})
    return loaded if file is None else beside(file, loaded)


def beside(file: Path, loaded: Loaded) -> Loaded:
    """The index that a file names lies relative to that file, so that every folder below finds the same one."""
    if loaded.origins["index.path"] != str(file):
        return loaded
    index = replace(loaded.options.index, path=str(file.parent / loaded.options.index.path))
    return replace(loaded, options=replace(loaded.options, index=index))


def find_config(folder: Path) -> Path | None:
    """The nearest `pincite.toml`, or `pyproject.toml` with a table for this tool, here or above."""
    for here in (folder, *folder.parents):
        if (here / "pincite.toml").is_file():
            return here / "pincite.toml"
        project = here / "pyproject.toml"
        if project.is_file() and has_table(project):
            return project
    return None


def has_table(project: Path) -> bool:
    """Whether a `pyproject.toml` speaks of this tool; a broken one that never names it is somebody else's."""
    import tomllib

    try:
        text = project.read_text(encoding="utf-8-sig", errors="replace")
        tool = tomllib.loads(text).get("tool")
    except OSError:
        return False
    except tomllib.TOMLDecodeError:
        return "tool.pincite" in text
    return isinstance(tool, dict) and "pincite" in tool


def unknown_option(parser: Parser, argv: Sequence[str]) -> str | None:
    """The first word that looks like an option and is none; its value may look like an argument,
    so this is asked before anything else is parsed."""
    for word in argv:
        if word == "--":
            break
        name = word.partition("=")[0]
        if re.match(r"--?[A-Za-z]", name) and name not in parser.option_names:
            return name
    return None


def with_flags(message: str) -> str:
    """A message of the library with the flag beside each option that it names."""

    def flagged(found: re.Match[str]) -> str:
        section, name = found.groups()
        known = section in SECTIONS and any(each.name == name for each in fields(SECTIONS[section]))
        return f"{found[0]} ({flag_of(found[0])})" if known else found[0]

    return re.sub(r"\b([a-z]+)\.([a-z_]+)\b", flagged, message)


def where_given(error: OptionError, argv: Sequence[str]) -> str:
    """` (given by …)`: the flag, the variable or the file that an impossible value came from."""
    section, dot, name = error.name.partition(".")
    if not dot or section not in SECTIONS:
        return ""
    flag, variable = flag_of(error.name), f"{ENVIRONMENT_PREFIX}{section}__{name}".upper()
    if any(word.partition("=")[0] in (flag, f"--no-{flag[2:]}") for word in argv):
        return f" (given by {flag})"
    if variable in os.environ:
        return "" if variable in str(error) else f" (given by {variable} in the environment)"
    file = config_file(argv)
    if file is None or str(file) in str(error) or error.name not in file_values(file):
        return ""
    return f" (given by {file})"


def config_file(argv: Sequence[str]) -> Path | None:
    """The configuration file that these words of the command line lead to."""
    for word, after in zip(argv, [*argv[1:], ""], strict=True):
        if word == "--config":
            return Path(after)
        if word.startswith("--config="):
            return Path(word.partition("=")[2])
    return find_config(Path.cwd())
