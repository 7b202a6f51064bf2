"""Which pages the user wants: `1-10,15`, `7-` to the end, `-3-` for the last three."""

from __future__ import annotations

import re

from pincite.errors import OptionError

__all__ = ["selected"]

PART = re.compile(r"(?P<first>\d+)(?:-(?P<last>\d*))?|-(?P<tail>\d+)-")


def selected(pages: str | None, count: int) -> list[int]:
    """Physical page numbers from 1, rising and each once. `count` is the number of pages there are."""
    if pages is None:
        return list(range(1, count + 1))
    chosen: set[int] = set()
    for part in pages.replace(" ", "").split(","):
        found = PART.fullmatch(part)
        if not found:
            raise refusal(pages, part, count, "is not a range")
        first, last = bounds(found, count)
        if not 1 <= first <= last <= count:
            raise refusal(pages, part, count, "is not in the document")
        chosen.update(range(first, last + 1))
    return sorted(chosen)


def bounds(found: re.Match[str], count: int) -> tuple[int, int]:
    """First and last page of one part; the caller checks that they exist."""
    if found["tail"] is not None:
        return count - int(found["tail"]) + 1 if int(found["tail"]) else 0, count
    first = int(found["first"])
    if found["last"] is None:
        return first, first
    return first, int(found["last"]) if found["last"] else count


def refusal(pages: str, part: str, count: int, fault: str) -> OptionError:
    there = f"1 to {count}" if count > 1 else "1 only"
    wanted = f"ranges such as 1-10,15 or -3- for the last three; {part!r} {fault}, the document has pages {there}"
    return OptionError("parse.pages", pages, wanted)
