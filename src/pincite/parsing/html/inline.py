"""Running text of a page: white space as browsers fold it, links, breaks, raised digits, pictures.

Emphasis is not written. On a page, structure has elements of its own, and a quotation must be found
again in the page as it is shown. Links keep their targets, as `[text](target)`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from pincite.parsing.html.mathml import formula
from pincite.parsing.html.tree import Element, tag
from pincite.parsing.inline import Piece, superscript

__all__ = ["Inline", "folded", "source_of"]

NOWHERE: Final = re.compile(r"\s*(?:#|javascript:|vbscript:|data:|blob:|about:)", re.IGNORECASE)

BLANKS: Final = re.compile(r"[ \t\n\f\r]+")
"""White space that browsers fold; a no-break space is none."""

BREAK: Final = "\n"


@dataclass(slots=True)
class Inline:
    """Pieces of the line that is being read, and the elements around the next one."""

    counts: Counter[str]
    pieces: list[Piece] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    raised: int = 0

    def text(self, text: str | None) -> None:
        """Adds text of the page; white space is folded later, when all pieces are there."""
        if text:
            text = BLANKS.sub(" ", text).replace("\u00ad", "").replace("\ufeff", "")
            self.add(superscript(text) if self.raised else text)

    def add(self, text: str) -> None:
        """Adds text as it is."""
        if text:
            self.pieces.append(Piece(text, link=self.links[-1] if self.links else ""))

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
        elif name == "button":
            self.add(" ")
        elif name == "img":
            self.picture(element)
        elif name == "svg":
            self.drawing(element)
            return True
        elif name == "math":
            found = formula(element)
            self.add(f"${found}$" if found else "")
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
        elif name == "button":
            self.add(" ")

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
        labels = (
            " ".join("".join(map(str, part.itertext())).split()) for part in element.iter() if tag(part) == "text"
        )
        self.add(" ".join(label for label in labels if label))

    def taken(self) -> list[Piece]:
        """The line as it is shown, and a fresh one."""
        line, self.pieces = self.pieces, []
        return folded(line)


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
