"""Damage that PDFium mends without a word: the user is told, since text may be missing.

A whole PDF ends with `startxref`, the offset of a cross-reference section and `%%EOF`
(ISO 32000-1, 7.5.5). Where one of the three is missing or points nowhere, the engine searched
the bytes for objects instead.
"""

from __future__ import annotations

import re

__all__ = ["damage"]

TAIL = 2048
"""Bytes at the end in which the trailer has to be; the standard says 1024, files say otherwise."""

POINTER = re.compile(rb"startxref\s+(\d+)\s*%%EOF")
SECTION = re.compile(rb"\s*(?:xref\b|\d+\s+\d+\s+obj\b)")


def damage(data: bytes) -> str | None:
    """What is wrong with the file's frame, in a few words; nothing where it is sound."""
    start = data.find(b"%PDF-", 0, 1024)
    tail = data[-TAIL:]
    if b"%%EOF" not in tail:
        return "its end is missing"
    pointers = POINTER.findall(tail)
    if not pointers:
        return "it does not say where its table of objects is"
    offset = int(pointers[-1])
    if not any(SECTION.match(data, place) for place in (offset, offset + max(0, start))):
        return "its table of objects is not where the file says"
    return None
