"""What people see: messages and progress on standard error, data on standard output."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pincite.document import Diagnostic

__all__ = ["columns", "error", "print_json", "progress", "say", "warn", "warn_diagnostics", "width", "wrapped"]

MANY: Final = 4
"""From so many findings of one kind on, only the first is shown, with the number of the others."""

Step = Callable[[int, int, str], None]
"""Called with how many are done, of how many, and what comes now."""


def say(message: str) -> None:
    """A line for people, beside the data."""
    print(message, file=sys.stderr)


def error(message: str) -> None:
    say(f"pincite: error: {message}")


def warn(message: str) -> None:
    say(f"pincite: warning: {message}")


def warn_diagnostics(uri: str, diagnostics: Iterable[Diagnostic], notes: bool = True) -> None:
    """What was dropped, doubted or repaired in a document; many of one kind take one line."""
    kinds: dict[tuple[str, str], list[Diagnostic]] = {}
    for each in diagnostics:
        if notes or each.severity != "info":
            kinds.setdefault((each.severity, each.code), []).append(each)
    for alike in kinds.values():
        for each in alike if len(alike) < MANY else alike[:1]:
            more = len(alike) - 1 if len(alike) >= MANY else 0
            place = f", page {each.page}" if each.page is not None else ""
            word = "note" if each.severity == "info" else each.severity
            rest = f" (and {more} more like it{on_pages(alike[1:])})" if more else ""
            say(f"pincite: {word}: {uri}{place}: {each.message}{rest} [{each.code}]")


def on_pages(diagnostics: Sequence[Diagnostic]) -> str:
    """`, pages 3-9, 12`, or nothing where no page is meant."""
    runs: list[list[int]] = []
    for page in sorted({each.page for each in diagnostics if each.page is not None}):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    shown = [str(low) if low == high else f"{low}-{high}" for low, high in runs[:8]]
    return f", pages {', '.join(shown)}{', …' if len(runs) > 8 else ''}" if runs else ""


def print_json(value: Any) -> None:
    """One JSON value on a line of its own."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False))


def columns(rows: Iterable[Sequence[str]], gap: int = 2) -> Iterator[str]:
    """Lines with the cells of each row under one another; wide letters take two places."""
    table = [list(row) for row in rows]
    widths = [max(width(cell) for cell in column) for column in zip(*table, strict=True)]
    for row in table:
        cells = [cell + " " * (size - width(cell) + gap) for cell, size in zip(row, widths, strict=True)]
        yield "".join(cells).rstrip()


def width(text: str) -> int:
    """Places that a text takes on a terminal."""
    shown = (char for char in text if not unicodedata.combining(char))
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in shown)


def wrapped(text: str, places: int, indent: str = "") -> Iterator[str]:
    """Lines of at most so many places; blank ones are left out, and a word longer than a line stands alone."""
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and width(longer) > places:
                yield indent + line
                longer = word
            line = longer
        if line:
            yield indent + line


@contextmanager
def progress(verb: str, wanted: bool) -> Iterator[Step | None]:
    """A bar on standard error while the block runs; None where there is no terminal to draw on."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[now]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(verb, total=None, now="")
        yield lambda done, total, now: bar.update(task, completed=done, total=total or None, now=now)
