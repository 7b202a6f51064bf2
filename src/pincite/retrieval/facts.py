"""What a document says of itself, as `key=value`, in the form that filters compare.

Keys and values are folded, so that case and marks make no difference. A list gives one fact for
each of its items, and a table gives the facts of its keys under `table.key`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pincite.document import Metadata
from pincite.errors import OptionError
from pincite.retrieval.analyser import fold

__all__ = ["fact", "facts_of"]

BORDER: Final = "\x1f"
LONGEST: Final = 200
"""Code points of a fact; what is longer is a text and nothing to filter by."""
MOST: Final = 1000
"""Facts of a document that are kept."""


def facts_of(metadata: Metadata) -> str:
    """The facts of a document's front matter and title, each between U+001F; empty where there are none."""
    given: dict[str, Any] = {"title": metadata.title, **metadata.front_matter}
    found = dict.fromkeys(each for each in flat("", given) if len(each) <= LONGEST)
    return BORDER.join(["", *list(found)[:MOST], ""]) if found else ""


def flat(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from flat(f"{key}.{name}" if key else str(name), inner)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from flat(key, item)
    elif value is not None:
        yield joined(key, spelled(value))


def spelled(value: Any) -> str:
    """A value as a person writes it in a filter: `true`, `2024-05-01`, `3`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def joined(key: str, value: str) -> str:
    return f"{fold(key)}={fold(value)}".replace(BORDER, " ")


def fact(text: str) -> str:
    """`key=value` as it was written by a caller, folded."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise OptionError("metadata", text, "KEY=VALUE, such as author=Lan")
    return joined(key, value)
