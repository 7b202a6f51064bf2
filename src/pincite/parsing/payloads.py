"""Pictures and fonts that text carries in itself, as base64 after `data:`.

The letters of a payload mean nothing to a reader or to a model and would fill chunk after chunk,
so they are declared drops. What stands around them, the text in place of a picture first of all, stays.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from pincite.document import Block, Diagnostic, Span

__all__ = ["payloads"]

DECLARATION: Final = re.compile(r"data:[\w.+-]*/?[\w.+-]*(?:;[\w.+-]+(?:=[^;,\s]{0,60})?)*;base64,\Z", re.I)
PAYLOAD: Final = re.compile(r"[A-Za-z0-9+/=_%-]+")
SHORTEST: Final = 16
"""Code points; less is an example in prose."""


def payloads(text: str, blocks: Sequence[Block]) -> list[Diagnostic]:
    """A declared drop for each payload outside code."""
    at = text.find(";base64,")
    if at < 0:
        return []
    starts = [block.span.start for block in blocks]
    found = []
    while at >= 0:
        begin = at + 8
        payload = PAYLOAD.match(text, begin)
        if payload and len(payload[0]) >= SHORTEST and DECLARATION.search(text, max(0, begin - 200), begin):
            index = bisect_right(starts, begin) - 1
            if index < 0 or blocks[index].kind != "code" or blocks[index].span.end <= begin:
                said = f"the {len(payload[0])} letters of an embedded file are left out"
                found.append(Diagnostic("dropped_payload", "info", said, span=Span(*payload.span())))
            begin = payload.end()
        at = text.find(";base64,", begin)
    return found
