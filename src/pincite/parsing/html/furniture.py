"""What of a page is navigation and frame rather than text.

The rule is to doubt before dropping: an element goes only where the page says what it is (`nav`, a
role, a telling class) and what it holds agrees (mostly links, or little text at the edge of the
page). Measures are taken for the whole page in one pass, so that nesting costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from lxml import etree

from pincite.parsing.html.tree import HEADINGS, Element, hidden, role, tag, words

__all__ = ["Mass", "Survey", "survey"]

ROLES: Final[Mapping[str, str]] = {
    "navigation": "nav",
    "menu": "nav",
    "menubar": "nav",
    "search": "nav",
    "banner": "header",
    "contentinfo": "footer",
    "complementary": "aside",
    "alertdialog": "notice",
}

MAIN: Final = frozenset({"main", "article"})
SECTIONING: Final = MAIN | {"section", "blockquote", "figure", "td", "li", "details"}

TELLING: Final = re.compile(
    r"(?:site-?|main-?|page-?|top-?|global-?)?nav(?:bar|igation)?|breadcrumbs?|pagination|pager|side-?bar|toolbar"
    r"|(?:social|share)(?:-?(?:links|buttons|bar|icons))?|related(?:-?(?:posts|articles|links))?|skip-?(?:link|nav|to-content)s?"
    r"|(?:site-?|page-?)footer|menu"
)
FOOTERS: Final = frozenset({"footer", "site-footer", "page-footer", "global-footer", "colophon"})
"""Names of the foot of a page; `footer` only as an id, since cards have a class of that name."""

NOTICE: Final = re.compile(
    r"(?:cookie|gdpr|consent)(?:-?(?:banner|notice|bar|consent|popup|message|overlay|law-?info))?s?"
)

SHORT: Final = 300
LONG: Final = 2000


@dataclass(slots=True)
class Mass:
    """How much text an element holds, white space aside."""

    text: int = 0
    linked: int = 0
    """Of it, inside links."""

    headings: int = 0
    """Headings below it."""

    tables: int = 0
    """Tables below it."""

    codes: int = 0
    """Blocks of program text below it."""

    @property
    def mostly_links(self) -> bool:
        return 2 * self.linked >= self.text


@dataclass(frozen=True, slots=True)
class Survey:
    """What one pass over a page found."""

    total: int
    """Characters of text."""

    has_main: bool
    """Whether the page marks its main text, and that has text."""

    furniture: Mapping[Element, str]
    """Elements that frame the text, each with a word for what it is."""

    laid_out: frozenset[Element]
    """Lists whose items hold headings: they place sections and list nothing."""

    masses: Mapping[Element, Mass]
    """Of the elements in `furniture`."""

    tables: Mapping[Element, Mass]
    """What each table holds."""


@dataclass(slots=True)
class Open:
    """An element whose end has not come."""

    element: Element
    name: str
    candidate: str
    mass: Mass
    inside: bool
    """Whether it stands in a part of the page that is text of its own."""


def survey(root: Element) -> Survey:
    """Measures a page."""
    stack: list[Open] = []
    candidates: list[tuple[Open, bool]] = []
    laid_out: set[Element] = set()
    tables: dict[Element, Mass] = {}
    total = Mass()
    marked = articles = links = 0
    article_count = 0
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        name = tag(element)
        if event == "start":
            if hidden(element) or name == "noscript":
                walker.skip_subtree()
                stack.append(Open(element, name, "", Mass(), True))
                continue
            inside = bool(stack) and (
                stack[-1].inside or stack[-1].name in SECTIONING or role(stack[-1].element) == "main"
            )
            stack.append(Open(element, name, candidate(element, name), Mass(), inside))
            links += name == "a"
            count(stack[-1].mass, element.text, links)
            continue
        closed = stack.pop()
        links -= name == "a" and not hidden(element)
        if name == "table":
            tables[element] = replace(closed.mass)
        closed.mass.headings += name in HEADINGS
        closed.mass.tables += name == "table"
        closed.mass.codes += name == "pre"
        if name in ("ul", "ol", "menu") and closed.mass.headings:
            laid_out.add(element)
        if name == "main" or role(element) == "main":
            marked += closed.mass.text
        elif name == "article":
            articles = max(articles, closed.mass.text)
            article_count += 1
        if closed.candidate:
            candidates.append((closed, closed.inside))
        parent = stack[-1].mass if stack else total
        parent.text += closed.mass.text
        parent.linked += closed.mass.linked
        parent.headings += closed.mass.headings
        parent.tables += closed.mass.tables
        parent.codes += closed.mass.codes
        if stack:
            count(parent, element.tail, links)
    has_main = marked > 0 or articles > SHORT or 2 * articles > total.text or (article_count == 1 and articles > 0)
    kept = [(found, inside) for found, inside in candidates if frames(found, inside, has_main, total.text)]
    return Survey(
        total.text,
        has_main,
        {found.element: found.candidate for found, _ in kept},
        frozenset(laid_out),
        {found.element: found.mass for found, _ in kept},
        tables,
    )


def count(mass: Mass, text: str | None, links: int) -> None:
    """Adds the visible characters of a text."""
    if text:
        length = len(text) - sum(map(text.count, " \n\t\r"))
        mass.text += length
        mass.linked += length if links else 0


def candidate(element: Element, name: str) -> str:
    """What an element says of itself: `nav`, `aside`, `header`, `footer`, `telling`, `notice`, or nothing."""
    if name in ("nav", "aside", "header", "footer", "search"):
        return "nav" if name == "search" else name
    named = ROLES.get(role(element))
    if named:
        return named
    if name in ("div", "section", "ul", "ol", "p", "a", "form", "table"):
        found = words(element)
        if (element.get("id") or "").lower() in FOOTERS or found & (FOOTERS - {"footer"}):
            return "footer"
        if any(NOTICE.fullmatch(word) for word in found):
            return "notice"
        if any(TELLING.fullmatch(word) for word in found):
            return "telling"
    return ""


def frames(found: Open, inside: bool, has_main: bool, total: int) -> bool:
    """Whether what an element says of itself is borne out by where it stands and what it holds."""
    mass, kind = found.mass, found.candidate
    if kind in ("nav", "telling"):
        return mass.mostly_links or (kind == "nav" and mass.text < SHORT and not mass.headings)
    if not has_main and 2 * mass.text > total:
        return False
    if kind == "notice":
        return mass.text < LONG
    if inside:
        return kind == "aside" and mass.mostly_links
    if kind == "header":
        return not mass.headings and (has_main or mass.mostly_links)
    if kind == "aside":
        return has_main or mass.mostly_links or mass.text < SHORT
    return mass.text < LONG or mass.mostly_links
