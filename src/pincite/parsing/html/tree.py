"""Small readings of an HTML tree that the other modules share."""

from __future__ import annotations

import functools
import re
from typing import Final

from lxml import etree

__all__ = ["BLOCKS", "HEADINGS", "HIDING", "NEVER_SHOWN", "Element", "heading_level", "hidden", "role", "tag", "words"]

Element = etree._Element

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

BLOCKS: Final = HEADINGS | frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frameset",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "noframes",
        "noscript",
        "ol",
        "optgroup",
        "option",
        "p",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
"""Elements that begin and end a line."""

NEVER_SHOWN: Final = frozenset(
    [
        "applet",
        "area",
        "audio",
        "base",
        "canvas",
        "col",
        "colgroup",
        "command",
        "datalist",
        "embed",
        "frame",
        "head",
        "iframe",
        "link",
        "meta",
        "object",
        "param",
        "rp",
        "script",
        "source",
        "style",
        "template",
        "title",
        "track",
        "video",
    ]
)
"""Elements whose content is code, or a stand-in for what a browser would show."""

HIDING: Final = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE)


def tag(element: Element) -> str:
    """The name in lower case without a prefix; empty for what is no element."""
    name = element.tag
    return plain_name(name) if isinstance(name, str) else ""


@functools.lru_cache(maxsize=1024)
def plain_name(name: str) -> str:
    return name.rpartition("}")[2].lower()


def role(element: Element) -> str:
    """The first role that the page gives an element."""
    return next(iter((element.get("role") or "").lower().split()), "")


def words(element: Element) -> set[str]:
    """The words of class and id, in lower case."""
    return set(f"{element.get('class') or ''} {element.get('id') or ''}".lower().split())


def heading_level(element: Element) -> int:
    """1 to 6 for a heading, or 0."""
    name = tag(element)
    if name in HEADINGS:
        return int(name[1])
    if role(element) == "heading":
        stated = element.get("aria-level") or "2"
        return min(max(int(stated), 1), 6) if stated.isascii() and stated.isdigit() else 2
    return 0


def hidden(element: Element) -> bool:
    """Whether a browser shows nothing of the element, as far as the element itself says."""
    name = tag(element)
    if name in NEVER_SHOWN:
        return True
    if name == "dialog":
        return element.get("open") is None
    stated = element.get("hidden")
    if stated is not None and stated.lower() != "until-found":
        return True
    return element.get("aria-hidden") == "true" or HIDING.search(element.get("style") or "") is not None
