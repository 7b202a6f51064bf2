"""What a search may be held to, from what a caller writes to what a store understands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, get_args

from pincite.chunk import ChunkKind
from pincite.errors import OptionError
from pincite.retrieval.analyser import fold
from pincite.storage.records import Filter

__all__ = ["Pages", "Text", "clean", "make_filter"]

Text = str | Sequence[str]
"""One value or several, of which any will do."""

Pages = int | str | Sequence[int | str]
"""A page, or ranges such as "3-7", "12", "3-7,12", "40-"."""

RANGE: Final = re.compile(r"([0-9]{1,10})?(-)?([0-9]{1,10})?")

LAST: Final = 2**31
"""The highest page that may be named."""


def make_filter(
    document: Text | None = None,
    folder: Text | None = None,
    heading: Text | None = None,
    pages: Pages | None = None,
    language: Text | None = None,
    kind: Text | None = None,
) -> Filter:
    """A filter that lets through what meets every condition that is given.

    `document` is an id, a uri or a glob pattern of uris; `folder` a folder of uris; `heading` a
    part of the heading path in any case and with or without marks, several levels parted by
    " > "; `pages` physical pages; `language` a tag such as vi; `kind` a kind of chunk.
    """
    for each in values(kind):
        if each not in get_args(ChunkKind):
            raise OptionError("kind", each, "one of " + ", ".join(get_args(ChunkKind)))
    return Filter(
        documents=tuple(map(path, values(document))),
        folders=tuple(each for each in map(path, values(folder)) if each),
        headings=tuple("\x1f".join(fold(title) for title in each.split(" > ")) for each in values(heading)),
        pages=page_ranges(pages),
        languages=tuple(each.lower() for each in values(language)),
        kinds=values(kind),
    )


def values(given: Text | None) -> tuple[str, ...]:
    if given is None:
        return ()
    return tuple(map(clean, (given,) if isinstance(given, str) else given))


def clean(text: str) -> str:
    """Text that can be encoded: a byte that is no text, which a terminal may hand over, as a uri spells it (`\\xff`).

    Halves of surrogate pairs become question marks.
    """
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()


def path(text: str) -> str:
    """A uri or a folder as an index spells it: composed, without `./` before and `/` behind."""
    parts = unicodedata.normalize("NFC", text).split("/")
    return "/".join(part for part in parts if part not in ("", "."))


def page_ranges(given: Pages | None) -> tuple[tuple[int, int], ...]:
    if given is None:
        return ()
    if isinstance(given, int):
        given = [given]
    parts: Iterable[int | str] = [given] if isinstance(given, str) else given
    return tuple(page_range(each.replace(" ", "")) for part in parts for each in written(part).split(","))


def written(part: int | str) -> str:
    return part if isinstance(part, str) else str(min(part, LAST + 1))


def page_range(text: str) -> tuple[int, int]:
    found = RANGE.fullmatch(text)
    if not found or not (found[1] or found[3]) or (found[3] and not found[2]):
        shown = text if len(text) < 60 else f"{text[:60]}…"
        raise OptionError("pages", shown, "physical pages such as 12, 3-7 or 40-")
    low = int(found[1] or 1)
    high = int(found[3]) if found[3] else LAST if found[2] else low
    if low < 1 or high < low or high > LAST:
        raise OptionError("pages", text, f"pages from 1 to {LAST:,}, the lower one first")
    return low, high
