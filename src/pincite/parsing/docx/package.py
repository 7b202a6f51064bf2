"""The parts of a Word file and how they refer to one another (ECMA-376 part 2, OPC).

Parts are found through relationships, never by their usual names, since other programs name them
otherwise. XML is read without document types, entities and network: a Word file has none of them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from lxml import etree

from pincite.errors import CorruptError, EncryptedError, FormatError, LimitError, MismatchError, ReadError
from pincite.parsing.archive import Archive
from pincite.parsing.docx.names import Element, local

__all__ = ["Package", "Part", "Relationship", "parsed"]

COMPOUND_FILE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP_START: Final = b"PK"

STRICT: Final = (
    (b"http://purl.oclc.org/ooxml/officeDocument", b"http://schemas.openxmlformats.org/officeDocument/2006"),
    (
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    ),
    (b"http://purl.oclc.org/ooxml/drawingml/", b"http://schemas.openxmlformats.org/drawingml/2006/"),
)
"""Namespaces of ISO 29500 Strict and those that everyone writes; the words in them are the same."""

OTHERS: Final = (
    ("xl/", "an Excel workbook"),
    ("ppt/", "a PowerPoint presentation"),
    ("content.xml", "an OpenDocument file"),
)

AGAIN: Final = "export the document again"


@dataclass(frozen=True, slots=True)
class Relationship:
    """One reference from a part."""

    kind: str
    """Last word of its type: `hyperlink`, `styles`, `image`, …"""

    target: str
    """Name of a part, or an address where `external`."""

    external: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One part that was read as XML."""

    name: str
    root: Element
    relationships: Mapping[str, Relationship]

    def first(self, kind: str) -> Relationship | None:
        """The first reference of a kind to another part."""
        return next((found for found in self.relationships.values() if found.kind == kind and not found.external), None)


class Package:
    """A Word file, opened; `main` is its document part."""

    def __init__(self, data: bytes, uri: str) -> None:
        """Raises a ReadError that says what the bytes are where they are no Word file."""
        self._uri = uri
        refuse_others(data, uri)
        self._archive = Archive(data, uri)
        self.main = self._main()

    def part(self, name: str) -> Part | None:
        """A part by name, or nothing where the package has none of that name."""
        if name not in self._archive:
            return None
        return Part(name, parsed(self._archive.read(name), self._uri, name), self._relationships(name))

    def related(self, part: Part, kind: str) -> Part | None:
        """The part that another one refers to as its styles, numbering, notes, …"""
        found = part.first(kind)
        return self.part(found.target) if found else None

    def properties(self) -> Element | None:
        """Title, language and the like, where the package states them and they can be read."""
        found = next((r for r in self._relationships("").values() if r.kind == "core-properties"), None)
        try:
            part = self.part(found.target) if found else None
        except ReadError:
            return None
        return part.root if part else None

    def _main(self) -> Part:
        found = next((r for r in self._relationships("").values() if r.kind == "officeDocument"), None)
        name = found.target if found else "word/document.xml"
        part = self.part(name) if name.endswith(".xml") else None
        if part is not None and local(part.root) == "document":
            return part
        for start, what in OTHERS:
            if any(entry.startswith(start) for entry in self._archive.names):
                raise MismatchError(
                    self._uri, f"it is {what}, not a Word document", "give the file its right extension"
                )
        if "[Content_Types].xml" in self._archive or any(entry.startswith("word/") for entry in self._archive.names):
            raise CorruptError(self._uri, f"the Word document has no readable part {name}", AGAIN)
        raise MismatchError(self._uri, "it is a ZIP archive, not a Word document", "unpack it and read its files")

    def _relationships(self, name: str) -> dict[str, Relationship]:
        folder, _, base = name.rpartition("/")
        listed = posixpath.join(folder, "_rels", f"{base}.rels")
        if listed not in self._archive:
            return {}
        found = {}
        for entry in parsed(self._archive.read(listed), self._uri, listed):
            target, external = entry.get("Target") or "", entry.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
            found[entry.get("Id") or ""] = Relationship((entry.get("Type") or "").rpartition("/")[2], target, external)
        return found


def refuse_others(data: bytes, uri: str) -> None:
    """Says what the bytes are, where the first ones show that they are no ZIP archive."""
    if data.startswith(ZIP_START):
        return
    if data.startswith(COMPOUND_FILE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise EncryptedError(uri, "the document is protected by a password", "save it without one in Word")
        if "WordDocument".encode("utf-16-le") in data:
            raise FormatError(
                uri, "it is in the binary format of Word 97 to 2003", "save it as .docx in Word or LibreOffice"
            )
        raise FormatError(uri, "it is a compound file of an older program", "save it as .docx")
    if not data.strip():
        raise CorruptError(uri, "the file is empty", "copy or download it again")
    raise MismatchError(uri, f"it is {guess(data)}, not a Word document", "give the file its right extension")


def guess(data: bytes) -> str:
    """A name for a few formats that are given the extension .docx by mistake."""
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{\\rtf"):
        return "an RTF file"
    if start.startswith(b"%PDF-"):
        return "a PDF file"
    if re.match(rb"<(!doctype html|html|head|body|\?xml)", start, re.IGNORECASE):
        return "an HTML or XML file"
    return "no ZIP archive"


def parsed(data: bytes, uri: str, name: str) -> Element:
    """The root of a part. Raises CorruptError, or LimitError where it is nested without end."""
    for strict, usual in STRICT:
        data = data.replace(strict, usual)
    if any("<!DOCTYPE".encode(code) in data for code in ("utf-8", "utf-16-le", "utf-16-be")):
        raise CorruptError(uri, f"its part {name} declares a document type, which no Word file has", AGAIN)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        if "depth" in str(error) or "too long" in str(error) or "huge" in str(error).lower():
            raise LimitError(
                uri, f"its part {name} is nested too deeply or holds too long a text ({error.msg})"
            ) from None
        raise CorruptError(uri, f"its part {name} is no well-formed XML ({error.msg})", AGAIN) from None
