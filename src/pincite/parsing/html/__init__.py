"""Web pages (HTML and XHTML), read by a walker of our own over lxml.

`Document.text` is the Markdown that this parser writes, LF only, and spans refer to it: a page's
source is mostly not text, and a quotation must show the words as a reader sees them. Navigation
and page furniture are left out where the page says what they are, and a diagnostic names them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter

from lxml import etree
from lxml import html as lxml_html

from pincite.chunk import document_id
from pincite.document import Diagnostic, Document, Metadata, Source
from pincite.errors import LimitError
from pincite.options import ParseOptions
from pincite.parsing.html.encoding import decoded
from pincite.parsing.html.furniture import survey
from pincite.parsing.html.tree import Element
from pincite.parsing.html.walk import Walk
from pincite.parsing.writer import Writer

__all__ = ["MEDIA_TYPE", "parse"]

MEDIA_TYPE = "text/html"

DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
ENDS = re.compile(r"</(?:html|body)\s*>", re.IGNORECASE)
"""End tags that a page may leave out, and after which the parser would read nothing more; a block ends there."""

LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*")

NAMED = 5
"""Pieces of furniture that a diagnostic quotes."""

FEW = 500
"""Characters of running text that are worth more than a clean cut."""


def parse(data: bytes, uri: str, options: ParseOptions) -> Document:
    """A page from its bytes. Raises LimitError where it is nested without end."""
    source = decoded(data, options.encoding)
    root = tree(source.text, uri)
    walk = main_text(root, options.furniture)
    return Document(
        id=document_id(uri),
        source=Source(uri, MEDIA_TYPE, hashlib.sha256(data).hexdigest(), len(data)),
        text=walk.writer.text,
        blocks=tuple(walk.writer.blocks),
        metadata=Metadata(title_of(root), language_of(root)),
        diagnostics=(*source.diagnostics, *diagnostics(walk, options)),
    )


def tree(text: str, uri: str) -> Element:
    """The root of a page; an empty one where there is no element and no text."""
    text = ENDS.sub("<div></div>", DECLARATION.sub("", text.replace("\0", ""), count=1))
    parser = lxml_html.HTMLParser(remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    try:
        root = lxml_html.document_fromstring(text, parser=parser)
    except etree.ParserError:
        return lxml_html.document_fromstring("<html></html>")
    if any("depth" in entry.message for entry in parser.error_log):
        raise LimitError(uri, "its elements are nested too deeply", "it is no page that a browser was meant to show")
    return root


def main_text(root: Element, keep_all: bool) -> Walk:
    """The page written; all of it, where leaving out its furniture would leave too little."""
    found = survey(root)
    walk = Walk(Writer(), found, Counter(), keep_all)
    walk.write(root)
    lost = sum(mass.text - mass.linked for mass in found.masses.values())
    if walk.dropped and (not walk.writer.text or (lost > FEW and lost > len(walk.writer.text))):
        walk = Walk(Writer(), found, Counter(), keep_all=True, doubted=True)
        walk.write(root)
    if not walk.writer.text:
        walk = Walk(Writer(), found, Counter(), keep_all=True, keep_noscript=True)
        walk.write(root)
    return walk


def title_of(root: Element) -> str | None:
    """What the page calls itself."""
    found = root.find("head/title")
    return None if found is None else " ".join("".join(map(str, found.itertext())).split()) or None


def language_of(root: Element) -> str | None:
    """The language that the page declares, where it is a language tag."""
    stated = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang") or ""
    return stated.strip() if LANGUAGE_TAG.fullmatch(stated.strip()) else None


def diagnostics(walk: Walk, options: ParseOptions) -> list[Diagnostic]:
    """What was left out and what is doubtful."""
    found = []
    if walk.dropped:
        shown = ", ".join(f"{what} “{start}”" for what, start in walk.dropped[:NAMED])
        more = f" and {len(walk.dropped) - NAMED} more" if len(walk.dropped) > NAMED else ""
        message = f"left out as page furniture: {shown}{more}; furniture=true keeps it"
        found.append(Diagnostic("dropped_furniture", "info", message))
    if walk.doubted:
        message = "the main text could not be told from page furniture, so all of the page was read"
        found.append(Diagnostic("no_main_text", "warning", message))
    if walk.counts["revisions"]:
        message = f"{walk.counts['revisions']} deleted passages left out"
        found.append(Diagnostic("dropped_revisions", "info", message))
    if walk.counts["gutters"]:
        message = f"{walk.counts['gutters']} line numbers and buttons beside program text left out"
        found.append(Diagnostic("dropped_gutters", "info", message))
    if walk.counts["silent"]:
        message = f"{walk.counts['silent']} passages left out that the page marks as not to be read aloud (aria-hidden)"
        found.append(Diagnostic("dropped_hidden", "info", message))
    if walk.counts["embedded"]:
        message = f"{walk.counts['embedded']} embedded pages, films or drawings are not read"
        found.append(Diagnostic("embedded_objects", "warning", message))
    if walk.counts["pictures"]:
        message = f"{walk.counts['pictures']} pictures have no alternative text, so nothing stands for them"
        found.append(Diagnostic("pictures_without_text", "warning", message))
    if not walk.writer.text:
        found.append(Diagnostic("empty_document", "warning", "the page shows no text"))
    if options.pages:
        found.append(Diagnostic("no_pages", "warning", "a web page has no pages, so all of it was read"))
    return found
