"""What a search may be held to, from what a caller writes to what a store understands."""

from __future__ import annotations

import re
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

RANGE: Final = re.compile(r"(\d+)?(-)?(\d+)?")

LAST: Final = 2**31


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
        documents=values(document),
        folders=tuple(each.strip("/") for each in values(folder) if each.strip("/") not in ("", ".")),
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
    """Text that can be encoded: halves of surrogate pairs, which a terminal may hand over, become question marks."""
    return text.encode("utf-8", "replace").decode()


def page_ranges(given: Pages | None) -> tuple[tuple[int, int], ...]:
    if given is None:
        return ()
    if isinstance(given, int):
        given = str(given)
    parts: Iterable[int | str] = given.split(",") if isinstance(given, str) else given
    return tuple(page_range(str(part).replace(" ", "")) for part in parts)


def page_range(text: str) -> tuple[int, int]:
    found = RANGE.fullmatch(text)
    if not found or not (found[1] or found[3]) or (found[3] and not found[2]):
        raise OptionError("pages", text, "physical pages such as 12, 3-7 or 40-")
    low = int(found[1] or 1)
    high = int(found[3]) if found[3] else LAST if found[2] else low
    if low < 1 or high < low:
        raise OptionError("pages", text, "pages from 1 on, the lower one first")
    return low, high
