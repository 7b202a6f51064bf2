"""Word documents (.docx, .docm, .dotx): Office Open XML, read by a walker of our own.

No ready reader keeps what citations need most: automatic numbers of headings, outline levels
without a style, spans of cells, notes beside the sentence that refers to them. `Document.text` is
the Markdown that this parser writes, LF only. Bold and italic are written, since Word authors mark
terms and run-in titles by nothing else; see `inline` for where they are not.

A Word document has no pages: where they break depends on the printer and the fonts. Page breaks
that the last program left in the file are guesses, so no page is ever cited.
"""

from __future__ import annotations

import hashlib
from collections import Counter

from pincite.chunk import document_id
from pincite.document import Diagnostic, Document, Metadata, Source
from pincite.errors import LimitError
from pincite.options import ParseOptions
from pincite.parsing.docx.body import Body, Notes
from pincite.parsing.docx.names import Element, child, local, text_of, value
from pincite.parsing.docx.numbering import Numbering
from pincite.parsing.docx.package import Package, Part
from pincite.parsing.docx.styles import Styles
from pincite.parsing.writer import Run, Writer

__all__ = ["MEDIA_TYPE", "parse"]

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def parse(data: bytes, uri: str, options: ParseOptions) -> Document:
    """A Word document from its bytes. Raises a ReadError where it cannot be read."""
    try:
        return read(data, uri, options)
    except RecursionError:
        raise LimitError(uri, "it is nested too deeply", "take tables or shapes out of one another") from None


def read(data: bytes, uri: str, options: ParseOptions) -> Document:
    """The same, for nesting that fits the stack."""
    package = Package(data, uri)
    main, counts = package.main, Counter[str]()
    styles = Styles(root(package.related(main, "styles")))
    body = Body(
        main,
        styles,
        Numbering(root(package.related(main, "numbering")), styles),
        notes(package),
        writer := Writer(),
        counts,
    )
    edges = [(kind, body.furniture(part)) for kind, part in furniture(package)]
    if options.furniture:
        write_edges(writer, edges, "header")
    container = child(main.root, "body")
    if container is not None:
        body.write(container)
    if options.furniture:
        write_edges(writer, edges, "footer")
    elif any(lines for _, lines in edges):
        counts["furniture"] += sum(1 for _, lines in edges if lines)
    counts["comments"] += comments(package)
    return Document(
        id=document_id(uri),
        source=Source(uri, MEDIA_TYPE, hashlib.sha256(data).hexdigest(), len(data)),
        text=writer.text,
        blocks=tuple(writer.blocks),
        metadata=metadata(package, body.title),
        diagnostics=tuple(diagnostics(counts, writer.text, options)),
    )


def root(part: Part | None) -> Element | None:
    """The root of a part that may be missing."""
    return part.root if part else None


def notes(package: Package) -> Notes:
    """Footnotes and endnotes, with the formats of their numbers."""
    settings = root(package.related(package.main, "settings"))
    return Notes(
        {kind: package.related(package.main, f"{kind}s") for kind in ("footnote", "endnote")},
        {
            "footnote": value(settings, "footnotePr", "numFmt") or "decimal",
            "endnote": value(settings, "endnotePr", "numFmt") or "lowerRoman",
        },
    )


def furniture(package: Package) -> list[tuple[str, Part]]:
    """Headers and footers, each part once."""
    found = {
        relation.target: relation.kind
        for relation in package.main.relationships.values()
        if relation.kind in ("header", "footer") and not relation.external
    }
    parts = ((kind, package.part(target)) for target, kind in found.items())
    return [(kind, part) for kind, part in parts if part is not None]


def write_edges(writer: Writer, edges: list[tuple[str, list[str]]], kind: str) -> None:
    """Headers or footers as blocks, each text once."""
    texts = dict.fromkeys("\n".join(lines) for found, lines in edges if found == kind and lines)
    for text in texts:
        writer.block("page_header" if kind == "header" else "page_footer", [Run(text)])


def comments(package: Package) -> int:
    """How many comments reviewers left."""
    part = package.related(package.main, "comments")
    return 0 if part is None else sum(1 for entry in part.root if local(entry) == "comment")


def metadata(package: Package, title: str | None) -> Metadata:
    """What the document says of itself: its properties, then the first paragraph in the style Title."""
    properties = package.properties()
    stated = {} if properties is None else {local(entry): text_of(entry) for entry in properties}
    return Metadata(title=stated.get("title") or title, language=stated.get("language") or None)


MESSAGES = {
    "comments": "{} of the reviewers' comments left out",
    "furniture": "{} headers and footers left out; furniture=true keeps them",
    "hidden": "{} pieces of hidden text left out",
    "revisions": "{} tracked deletions left out; insertions are read as accepted",
}

DOUBTS = {
    "objects": ("embedded_objects", "{} embedded objects or files are not read"),
    "pictures": ("pictures_without_text", "{} pictures have no alternative text, so nothing stands for them"),
    "symbols": ("garbled_text", "{} characters of a symbol font have no Unicode and were replaced"),
}


def diagnostics(counts: Counter[str], text: str, options: ParseOptions) -> list[Diagnostic]:
    """What was left out and what is doubtful."""
    found = [
        Diagnostic(f"dropped_{kind}", "info", said.format(counts[kind]))
        for kind, said in MESSAGES.items()
        if counts[kind]
    ]
    found += [
        Diagnostic(code, "warning", said.format(counts[kind])) for kind, (code, said) in DOUBTS.items() if counts[kind]
    ]
    if not text:
        found.append(Diagnostic("empty_document", "warning", "the document shows no text"))
    if options.pages:
        found.append(Diagnostic("no_pages", "warning", "a Word document has no pages, so all of it was read"))
    return found
