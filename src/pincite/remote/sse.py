"""Server-sent events, as the HTML standard defines them: bytes to the data of each event.

A stream that is cut off in the middle of an event gives no event for the rest; whether a stream was
whole only its content can say, so that is for the caller to check.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

__all__ = ["events"]

LINE_END = re.compile(r"\r\n|\n|\r")


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of each whole event; comments, names and ids are passed over."""
    data: list[str] = []
    for line in lines(chunks):
        name, _, value = line.partition(":")
        if not line:
            if data:
                yield "\n".join(data)
            data = []
        elif name == "data":
            data.append(value.removeprefix(" "))


def lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Whole lines of UTF-8, whatever the chunks cut through; an unfinished last line is left out."""
    decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
    rest: list[str] = []
    for chunk in chunks:
        text = decode(chunk)
        if rest and rest[-1].endswith("\r"):
            text, rest = "".join(rest) + text, []
        held = text.endswith("\r")  # a line feed may follow
        *whole, last = LINE_END.split(text[:-1] if held else text)
        for line in whole:
            yield "".join([*rest, line])
            rest = []
        rest.append(last + "\r" if held else last)
    if rest and rest[-1].endswith("\r"):
        yield "".join(rest)[:-1]
