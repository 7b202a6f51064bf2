"""Chooses the format: what the bytes say, held against what the name says.

A name is a promise and the first bytes are evidence. Where both speak and disagree, the document
is refused with both in the message, since reading a program as prose or a PDF as text fills an
index with noise that nobody notices. Where the name says nothing, the bytes decide; text without
a known ending is plain text.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final, Literal

from pincite.errors import FormatError, MismatchError

__all__ = ["FORMATS", "MEDIA_TYPES", "Format", "readable", "sniff"]

Format = Literal["markdown", "plaintext", "pdf", "docx", "html"]

FORMATS: Final[dict[str, Format]] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".mkd": "markdown",
    ".txt": "plaintext",
    ".text": "plaintext",
    ".log": "plaintext",
    ".rst": "plaintext",
    ".csv": "plaintext",
    ".tsv": "plaintext",
    ".pdf": "pdf",
    ".docx": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
"""Format by ending, lower case."""

MEDIA_TYPES: Final[dict[str, Format]] = {
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/plain": "plaintext",
    "text/csv": "plaintext",
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "text/html": "html",
    "application/xhtml+xml": "html",
}
"""Format by media type, without parameters."""

SIGNATURES: Final[tuple[tuple[bytes, str], ...]] = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file or an encrypted one"),
    (b"\x7fELF", "a program"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript document"),
    (b"RIFF", "a RIFF file (sound, picture or film)"),
    (b"ID3", "an MP3 recording"),
    (b"OggS", "an Ogg recording"),
    (b"\x00\x00\x00\x18ftyp", "a film"),
    (b"\x00\x00\x00\x20ftyp", "a film"),
    (b"\xca\xfe\xba\xbe", "a program"),
)

SAMPLE: Final = 1 << 14
"""Bytes that are looked at to tell text from binary data."""

CONTROL_SHARE: Final = 0.02
"""Text holds hardly any control characters; above this share of the sample it is binary data."""

CONTROLS: Final = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"


def readable() -> str:
    """The endings that can be read, for messages."""
    return ", ".join(FORMATS)


def sniff(data: bytes, uri: str, media_type: str | None = None, encoding: str | None = None) -> Format:
    """The format of `data`, or `MismatchError` or `FormatError` that says what came and what to do.

    A text whose `encoding` is given is not judged by its bytes: UTF-16 looks like binary data.
    """
    promised = promise(uri, media_type)
    found = None if encoding and promised not in ("pdf", "docx") else evidence(data)
    if promised in ("pdf", "docx"):
        return check_binary(data, uri, promised, found)
    if found is None:
        return promised or undeclared(data, uri)
    if promised is None and found == "a PDF":
        return "pdf"
    if promised is None and found == "a zip archive" and b"word/" in data:
        return "docx"
    if promised is None:
        raise FormatError(uri, f"it is {found}", f"what can be read: {readable()}")
    raise MismatchError(uri, f"the name promises {promised}, the content is {found}", "rename it to what it is")


def promise(uri: str, media_type: str | None) -> Format | None:
    """What the media type, else the name, says; an ending that is no format of ours says nothing."""
    if media_type:
        kind = media_type.partition(";")[0].strip().lower()
        if kind in MEDIA_TYPES:
            return MEDIA_TYPES[kind]
    return FORMATS.get(PurePosixPath(uri).suffix.lower())


def evidence(data: bytes) -> str | None:
    """What the bytes are, in words, where they are no text."""
    head = data[:16]
    for signature, what in SIGNATURES:
        if head.startswith(signature) and not (signature.isalnum() and is_text(data)):
            return what
    if b"%PDF-" in data[:1024] and not is_text(data):
        return "a PDF"
    return None if is_text(data) else "binary data"


def is_text(data: bytes) -> bool:
    """Whether the data read as text in some encoding: hardly any control characters, or wide characters."""
    sample = data[:SAMPLE]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return looks_wide(sample, marked=True)
    controls = len(sample) - len(sample.translate(None, CONTROLS))
    return controls <= CONTROL_SHARE * len(sample) or looks_wide(sample)


def looks_wide(sample: bytes, marked: bool = False) -> bool:
    """Whether the bytes decode as UTF-16 or UTF-32 text rather than as binary data."""
    from pincite.parsing.decode import wide_encoding

    encoding = wide_encoding(sample)
    if encoding is None:
        return False
    text = sample[: len(sample) // 4 * 4].decode(encoding, "replace")
    strange = sum(1 for letter in text if letter == "\ufffd" or (letter < " " and letter not in "\t\n\v\f\r\x1b"))
    return strange <= CONTROL_SHARE * max(len(text), 1) + marked


def undeclared(data: bytes, uri: str) -> Format:
    """Format of text whose name says nothing."""
    head = data[:1024].lstrip().lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return "html"
    return "plaintext"


def check_binary(data: bytes, uri: str, promised: Format, found: str | None) -> Format:
    """A PDF must be a PDF and a DOCX a zip archive; damage behind the signature is the parser's to judge."""
    if not data.strip():
        return promised
    if promised == "pdf":
        if b"%PDF-" in data[:1024]:
            return promised
        what = found or "text"
        raise MismatchError(uri, f"the name promises a PDF, the content is {what}", "rename it to what it is")
    if found in ("a zip archive", "an empty zip archive", "an old Office file or an encrypted one"):
        return promised
    what = found or "text"
    raise MismatchError(uri, f"the name promises a DOCX, the content is {what}", "rename it to what it is")
