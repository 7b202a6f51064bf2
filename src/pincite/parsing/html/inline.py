"""Running text of a page: white space as browsers fold it, links, breaks, raised digits, pictures.

Emphasis is not written. On a page, structure has elements of its own, and a quotation must be found
again in the page as it is shown. Links keep their targets, as `[text](target)`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from pincite.parsing.html.mathml import formula
from pincite.parsing.html.tree import BLOCKS, HIDING, NEVER_SHOWN, Element, hidden, tag, words
from pincite.parsing.inline import Piece, superscript

__all__ = ["Inline", "folded", "source_of"]

NOWHERE: Final = re.compile(r"\s*(?:#|javascript:|vbscript:|data:|blob:|about:)", re.IGNORECASE)

BLANKS: Final = re.compile(r"[ \t\n\f\r]+")
"""White space that browsers fold; a no-break space is none."""

BREAK: Final = "\n"

CONTROLS: Final = frozenset({"button", "textarea"})
"""Fields of a form whose words stand apart from those around them."""

SHOWING_VALUE: Final = frozenset({"text", "submit", "button", "reset", "search", "email", "url", "tel", "number"})
"""Types of input whose value is shown as text."""

EMBEDDED: Final = frozenset({"iframe", "object", "embed", "video", "audio", "canvas", "applet", "frame"})

DOUBLES: Final = frozenset({"katex-html", "mjx-chtml"})
"""Classes of formulas made of letters that stand beside the same formula in MathML."""

LABELS: Final = frozenset({"text", "foreignobject"})
UNDRAWN: Final = frozenset({"title", "desc", "metadata"})
"""Parts of a drawing that describe it and are not drawn."""


@dataclass(slots=True)
class Inline:
    """Pieces of the line that is being read, and the elements around the next one."""

    counts: Counter[str]
    pieces: list[Piece] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    raised: int = 0
    formulas: int = 0
    """Formulas in the line."""

    def text(self, text: str | None) -> None:
        """Adds text of the page; white space is folded later, when all pieces are there."""
        if text:
            text = BLANKS.sub(" ", text).replace("\u00ad", "").replace("\ufeff", "")
            self.add(superscript(text) if self.raised else text)

    def add(self, text: str) -> None:
        """Adds text as it is."""
        if text:
            self.pieces.append(Piece(text, link=self.links[-1] if self.links else ""))

    def formula(self, source: str) -> None:
        """Adds a formula; nothing for an empty one."""
        if source:
            self.add(f"${source}$")
            self.formulas += 1

    def line_break(self) -> None:
        """Ends the line within its paragraph."""
        self.pieces.append(Piece(BREAK, link=self.links[-1] if self.links else ""))

    def start(self, element: Element) -> bool:
        """Begins an inline element; true where it is read as a whole and its inside is to be skipped."""
        name = tag(element)
        if name == "a":
            target = (element.get("href") or "").strip()
            self.links.append("" if NOWHERE.match(target) else target)
        elif name == "sup":
            self.raised += 1
        elif name == "br":
            self.line_break()
        elif name == "q":
            self.add("“")
        elif name == "rt":
            self.add("(")
        elif name in CONTROLS:
            self.add(" ")
        elif name == "select":
            self.add(f" {choices(element)} ")
            return True
        elif name == "input":
            self.field(element)
        elif name == "img":
            self.picture(element)
        elif name == "svg":
            self.drawing(element)
            return True
        elif name == "math":
            self.formula(formula(element))
            return True
        elif name == "del":
            self.counts["revisions"] += 1
            return True
        return False

    def end(self, element: Element) -> None:
        """Ends an inline element."""
        name = tag(element)
        if name == "a":
            self.links.pop()
        elif name == "sup":
            self.raised -= 1
        elif name == "q":
            self.add("”")
        elif name == "rt":
            self.add(")")
        elif name in CONTROLS:
            self.add(" ")

    def field(self, element: Element) -> None:
        """What a field of a form shows before anyone fills it in."""
        if (element.get("type") or "text").strip().lower() in SHOWING_VALUE:
            self.add(f" {' '.join((element.get('value') or '').split())} ")

    def passed_over(self, element: Element) -> None:
        """Counts an element whose inside is not read, where a reader may see something of it."""
        name = tag(element)
        if name in EMBEDDED:
            self.counts["embedded"] += embeds(element)
        elif element.get("aria-hidden") == "true" and name not in NEVER_SHOWN and not words(element) & DOUBLES:
            shown = (element.get("hidden") is None) and not HIDING.search(element.get("style") or "")
            said = shown and any(map(str.isalnum, "".join(map(str, element.itertext()))))
            self.counts["silent"] += said

    def picture(self, element: Element) -> None:
        """A picture by its alternative text; one that is declared to be an ornament stands for nothing."""
        alt = " ".join((element.get("alt") or "").split())
        if alt and not any(map(str.isalnum, alt)):
            self.add(alt)
        elif alt:
            self.add(f"![{alt}]({source_of(element)})")
        elif element.get("alt") is None:
            self.counts["pictures"] += 1

    def drawing(self, element: Element) -> None:
        """The labels of a drawing that stands in the page itself."""
        self.add(f" {' '.join(labels(element).split())} ")

    def taken(self) -> list[Piece]:
        """The line as it is shown, and a fresh one."""
        line, self.pieces, self.formulas = self.pieces, [], 0
        return folded(line)


def choices(select: Element) -> str:
    """The options of a list of choices, with the names of their groups."""
    found = []
    for part in select.iter("option", "optgroup"):
        stated = part.get("label") or ("" if tag(part) == "optgroup" else "".join(map(str, part.itertext())))
        label = " ".join(stated.split())
        if label and not hidden(part):
            found.append(f"{label}:" if tag(part) == "optgroup" else label)
    return " / ".join(found).replace(": / ", ": ")


def embeds(element: Element) -> bool:
    """Whether another document, film or drawing is shown here, not a pixel that counts visitors."""
    if element.get("hidden") is not None or HIDING.search(element.get("style") or ""):
        return False
    if {(element.get("width") or "").strip(), (element.get("height") or "").strip()} & {"0", "1", "0px", "1px"}:
        return False
    return bool(element.get("src") or element.get("data") or len(element) or (element.text or "").strip())


def labels(drawing: Element) -> str:
    """The words that a drawing shows: its texts, line by line, and the pieces of page that stand in it."""
    found: list[str] = []
    showing = 0
    walker = etree.iterwalk(drawing, events=("start", "end"))
    for event, part in walker:
        name = tag(part)
        if event == "start" and part is not drawing and (hidden(part) or name in UNDRAWN):
            walker.skip_subtree()
            continue
        parts = name in LABELS or name in BLOCKS or (name == "tspan" and (part.get("x") or part.get("dy")) is not None)
        if event == "start":
            showing += name in LABELS
            found += [" " if parts else "", part.text or "" if showing else ""]
            continue
        showing -= name in LABELS and not (part is not drawing and hidden(part))
        found += [" " if parts and name != "tspan" else "", part.tail or "" if showing and part is not drawing else ""]
    return "".join(found)


def source_of(element: Element) -> str:
    """Where a picture comes from; empty for one whose bytes stand in the page."""
    stated = (element.get("src") or "").strip()
    if NOWHERE.match(stated) or not stated:
        stated = (element.get("data-src") or "").strip()
    return "" if NOWHERE.match(stated) else stated.replace(" ", "%20")


def folded(pieces: list[Piece]) -> list[Piece]:
    """The pieces with white space folded over their borders, and none at the ends of lines."""
    kept: list[Piece] = []
    after_blank = True
    for piece in pieces:
        if piece.text == BREAK:
            while kept and not (bare := kept[-1].text.rstrip(" ")):
                kept.pop()
            if kept:
                kept[-1] = kept[-1].saying(bare)
            kept.append(piece)
            after_blank = True
            continue
        text = piece.text.lstrip(" ") if after_blank else piece.text
        if text:
            kept.append(piece.saying(text))
            after_blank = text.endswith(" ")
    return kept
