"""The encoding of a web page: a byte order mark, what the caller says, what the page says, a guess.

What a page says is read as the Encoding Standard reads it, where `iso-8859-1` means windows-1252
and `euc-kr` means its Windows extension. A page that is valid UTF-8 beyond ASCII is UTF-8 whatever
it says: no text in another encoding passes that test by accident.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from pincite.document import Diagnostic
from pincite.parsing.decode import MARKS, Decoded, decode

__all__ = ["decoded"]

PRESCAN: Final = 4096

DECLARED: Final = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]*?\b(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:+-]+)""", re.IGNORECASE
)

STANDARD: Final = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "utf-16": "utf-8",
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
}
"""What the standard reads where a page names one of the first; codecs by their Python names."""


def decoded(data: bytes, encoding: str | None) -> Decoded:
    """The text of a page without its byte order mark. `encoding` is what the caller says."""
    if encoding is None and not any(data.startswith(mark) for mark, _ in MARKS):
        encoding = declared(data)
        if encoding is not None and encoding != "utf-8" and utf8(data):
            return Decoded(data.decode("utf-8"), "utf-8", (contradiction(encoding),))
        if encoding == "utf-8":
            encoding = None
    found = decode(data, encoding)
    return Decoded(found.text.lstrip("\ufeff"), found.encoding, found.diagnostics)


def declared(data: bytes) -> str | None:
    """The codec that the page names near its start, or nothing where it names none that is known."""
    found = DECLARED.search(data, 0, PRESCAN)
    if not found:
        return None
    label = found.group(1).decode("ascii").lower()
    try:
        name = codecs.lookup({"ks_c_5601-1987": "cp949", "x-sjis": "cp932", "x-gbk": "gb18030"}.get(label, label)).name
    except LookupError:
        return None
    return STANDARD.get(name, name)


def utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 and hold a character beyond ASCII."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not data.isascii()


def contradiction(encoding: str) -> Diagnostic:
    """Says that the page names a wrong encoding."""
    return Diagnostic("bad_encoding", "warning", f"the page says {encoding} and is UTF-8; it was read as UTF-8")
