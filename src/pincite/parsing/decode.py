"""Bytes of a text file to text, with a diagnostic wherever that was not plain UTF-8.

The order is the one of the Encoding Standard: a byte order mark decides, then what the caller
says, then UTF-8. Only then is there guessing, and it is declared: two-byte text without a mark
by its zero bytes, Korean and Vietnamese legacy pages by what they spell, Western Europe last.
A few bad bytes in what is otherwise UTF-8 become U+FFFD, since the rest must not suffer for them.
The mark stays in the text, at offset 0, so that offsets are those of the user's own file.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from pincite.document import Diagnostic, Span
from pincite.errors import OptionError

__all__ = ["Decoded", "decode", "wide_encoding"]

MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

GUESSED: Final = 200_000
"""Bytes that a guess looks at."""

VIETNAMESE_MARK: Final = re.compile("[AEIOUYĂÂÊÔƠƯaeiouyăâêôơư][\u0300\u0301\u0303\u0309\u0323]|[đĐơƠưƯăĂ]")
"""What windows-1258 spells as base letter and combining mark, and letters that Western pages lack."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and how it was read."""

    text: str
    encoding: str
    diagnostics: tuple[Diagnostic, ...] = ()


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """The text of `data`; never fails on bytes, and never yields a lone surrogate."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return lenient(data, name)
    if encoding is not None:
        return lenient(data, checked(encoding))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        wide = wide_encoding(data[:GUESSED])
        return lenient(data, wide) if wide else guessed(data, error)
    if "\0" in text and (wide := wide_encoding(data[:GUESSED])):
        return lenient(data, wide)
    return Decoded(text, "utf-8")


NO_FILES = frozenset({"undefined", "punycode", "idna"})
"""Codecs of Python that no file is written in."""


def checked(encoding: str) -> str:
    """The codec's own name, or an error: text encodings only, and none that spells escapes."""
    try:
        info = codecs.lookup(encoding)
    except (LookupError, ValueError):
        info = None
    unfit = info is not None and (info.name in NO_FILES or "escape" in info.name)
    if info is None or unfit or not getattr(info, "_is_text_encoding", True):
        raise OptionError("parse.encoding", encoding, "the name of a text encoding, such as utf-8 or cp1258")
    return info.name


def lenient(data: bytes, encoding: str) -> Decoded:
    """Decode; bytes that the encoding does not have become U+FFFD and are reported."""
    try:
        text = data.decode(encoding)
    except UnicodeError:
        text = data.decode(encoding, "replace")
        return replaced(text, encoding)
    return Decoded(whole(text), encoding)


def replaced(text: str, encoding: str) -> Decoded:
    """Text with U+FFFD where bytes could not be read, and the diagnostic that says where the first is."""
    text = whole(text)
    first = text.find("\ufffd")
    message = f"{text.count(chr(0xFFFD))} places hold bytes that {encoding} does not have; they read as U+FFFD"
    return Decoded(text, encoding, (bad(message, Span(first, first + 1) if first >= 0 else None),))


def bad(message: str, span: Span | None = None) -> Diagnostic:
    return Diagnostic("bad_encoding", "warning", message, span=span)


def whole(text: str) -> str:
    """The text without lone surrogates, which no encoder accepts."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def wide_encoding(sample: bytes) -> str | None:
    """UTF-16 or UTF-32, by its mark or where zero bytes stand almost always in the same place."""
    for mark, name in MARKS[1:]:
        if sample.startswith(mark):
            return name
    quads = len(sample) // 4 * 4
    if quads < 8:
        return None
    zeros = [sample[place:quads:4].count(0) * 4 / quads for place in range(4)]
    if min(zeros[2:]) > 0.9 and zeros[0] < 0.1:
        return "utf-32-le"
    if min(zeros[:2]) > 0.9 and zeros[3] < 0.1:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    if even > 0.4 and odd < 0.05:
        return "utf-16-be"
    return None


def guessed(data: bytes, error: UnicodeDecodeError) -> Decoded:
    """The encoding of bytes that are not UTF-8."""
    if mostly_utf8(data, error):
        return replaced(data.decode("utf-8", "replace"), "utf-8")
    name = legacy(data)
    text = data.decode(name, "replace")
    if "\ufffd" in text:
        return replaced(text, name)
    return Decoded(text, name, (bad(f"the bytes are not UTF-8; they were read as {name}: name it with `encoding`"),))


def mostly_utf8(data: bytes, error: UnicodeDecodeError) -> bool:
    """Whether most characters beyond ASCII are well-formed UTF-8, so that the others are damage."""
    sample = data[:GUESSED] if error.start < GUESSED // 2 else data[error.start - GUESSED // 2 :][:GUESSED]
    text = sample.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    beyond = sum(1 for letter in text if letter > "\x7f") - broken
    return beyond > 2 * broken or (not beyond and len(sample) > 400 * broken > 0 and strange_bytes(sample))


def strange_bytes(sample: bytes) -> bool:
    """Whether the bytes beyond ASCII are such as no text in a Western page begins a letter with."""
    return not any(byte >= 0xC0 for byte in sample)


def legacy(data: bytes) -> str:
    """The likeliest of the code pages that Vietnamese, Korean and Western files use."""
    sample = data[:GUESSED]
    beyond = sum(1 for byte in sample if byte > 0x7F)
    try:
        korean = sample.decode("cp949", "strict" if len(sample) == len(data) else "ignore")
    except UnicodeDecodeError:
        korean = ""
    syllables = sum(1 for letter in korean if "가" <= letter <= "힣")
    if syllables and 2 * syllables >= 0.7 * beyond:
        return "cp949"
    vietnamese = sample.decode("cp1258", "ignore")
    if len(VIETNAMESE_MARK.findall(vietnamese)) >= 0.4 * beyond:
        return "cp1258"
    return "cp1252" if fits(data, "cp1252") else "latin-1"


def fits(data: bytes, encoding: str) -> bool:
    """Whether the encoding has every byte of the data."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
