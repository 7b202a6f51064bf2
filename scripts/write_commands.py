"""Writes docs/commands.md from the command line itself, so that the manual never tells another story.

Run it after a command or an option changed; a test fails while the file is out of date.
"""

from __future__ import annotations

import json
from pathlib import Path

from pincite.cli import build_parser, commands

ROOT = Path(__file__).resolve().parent.parent
MANUAL = ROOT / "docs" / "commands.md"
SCHEMAS = ROOT / "docs" / "schemas"

OPENING = """\
# Commands

This page is written by `python scripts/write_commands.py`; change the commands, not the page.

## Output and exit codes

Data go to standard output, and everything else (progress, warnings, errors) to standard error.
With `--json` the data are JSON of a published form; a form never changes under its name, it gets a new number.
A progress bar is drawn where standard error is a terminal.
`--quiet` leaves only errors.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | failed |
| 2 | wrong use or configuration; nothing was read or written |
| 3 | done, but some documents failed; each is named |
| 10 | `eval gate`: retrieval failed |
| 11 | `eval gate`: generation failed |
| 12 | `eval gate`: both failed |
| 13 | `eval gate`: not enough evidence to pass |
| 130 | interrupted |
| 141 | nobody reads the output any more, as in `pincite chunk … \\| head` |

## Configuration

Each option can stand in a configuration file, in the environment and on the command line; the later wins.
The file is the nearest `pincite.toml`, or `pyproject.toml` with a table `[tool.pincite]`, in the current folder or above.

```toml
[chunk]
max_tokens = 300

[index]
path = "handbook.sqlite"
```

A relative `path` of the index in a file is relative to that file, so that every folder below uses the same index.
In the environment the same option is `PINCITE_CHUNK__MAX_TOKENS=300`, and on the command line `--max-tokens 300`.
A list is written with commas in the latter two.
A switch is turned off by `--no-` before its name.
A name that does not exist and a value out of bounds are errors that name the option and what it must be.
`pincite config show` prints each value and where it comes from.
"""


def manual() -> str:
    """The whole page."""
    parser, _ = build_parser()
    parts = [OPENING, forms(), section("pincite", parser.format_help())]
    parts += [section(f"pincite {verb}", each.format_help()) for verb, each in commands().items()]
    return "\n".join(parts)


def forms() -> str:
    """The table of JSON forms, from the schemas themselves."""
    lines = ["## JSON", "", "| form | what it is |", "| --- | --- |"]
    for file in sorted(SCHEMAS.glob("*.json")):
        schema = json.loads(file.read_text(encoding="utf-8"))
        name = schema["properties"]["schema"]["const"]
        lines.append(f"| [`{name}`](schemas/{file.name}) | {schema['description']} |")
    return "\n".join(lines) + "\n"


def section(title: str, help: str) -> str:
    return f"## {title}\n\n```text\n{help}```\n"


if __name__ == "__main__":
    MANUAL.write_text(manual(), encoding="utf-8")
