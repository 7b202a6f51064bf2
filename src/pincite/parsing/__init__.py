"""Bytes of any format that can be read to a `Document`; one module a format.

`parse_bytes` is pure: it opens no file and asks no network. Formats are imported when the first
document of their kind comes, so that reading Markdown does not load a PDF engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from pincite.collecting import resting
from pincite.document import Document
from pincite.errors import LimitError
from pincite.options import ParseOptions
from pincite.parsing.sniff import FORMATS, sniff

__all__ = ["FORMATS", "VERSION", "parse_bytes"]

VERSION = "1"
"""Raised whenever the same bytes and options may give another document than before: indexes then read theirs again."""

DEFAULTS = ParseOptions()


class Parser(Protocol):
    """What each module of a format offers as `parse`."""

    def __call__(self, data: bytes, uri: str, options: ParseOptions) -> Document: ...


def parse_bytes(data: bytes, uri: str, options: ParseOptions = DEFAULTS, media_type: str | None = None) -> Document:
    """The document that `data` hold.

    `uri` names it in messages and its ending tells the format, unless `media_type` does.
    Raises a `ReadError` where nothing can be read; an empty document is no error.
    """
    if len(data) > options.max_bytes:
        raise LimitError(
            uri, f"it has {len(data):,} bytes, the limit is {options.max_bytes:,}", "raise parse.max_bytes"
        )
    name = sniff(data, uri, media_type, options.encoding)
    if not data.strip():
        name = "plaintext"
    parse = cast(Parser, import_module(f"pincite.parsing.{name}").parse)
    with resting():
        return parse(data, uri, options)
