"""What a paragraph's style makes of it, through all the styles that it is based on.

A heading is a paragraph with an outline level, wherever the level is stated: on the paragraph, on
its style, on a style that the style is based on, or by the built-in name `heading 1` to `heading 9`,
which is English in every language of Word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from pincite.parsing.docx.names import Element, attribute, child, on, value, w

__all__ = ["Style", "StyleKind", "Styles", "indent", "number"]

StyleKind = Literal["", "title", "caption", "quote", "code", "continuation"]

BODY_LEVEL: Final = 9
DEEPEST: Final = 6

KINDS: Final[tuple[tuple[str, StyleKind], ...]] = (
    (r"title", "title"),
    (r"caption", "caption"),
    (r"(intense |block )?quote|block text|quotations?", "quote"),
    (
        r"html preformatted|(source|block)? ?code( ?block)?|macro text|verbatim|preformatted text|listing|(html|inline) code|(verbatim|code) char|source text",
        "code",
    ),
    (r"list continue( \d)?|list paragraph", "continuation"),
)


@dataclass(frozen=True, slots=True)
class Style:
    """A style with all that it inherits."""

    id: str = ""
    kind: StyleKind = ""
    heading: int = 0
    """1 to 6, or 0 where it is none."""

    list_id: str | None = None
    """`numId` of the list that its paragraphs are items of."""

    list_level: str | None = None
    list_depth: int = 0
    """Depth from 1 that a built-in list style such as `List Bullet 3` stands for, or 0."""

    bold: bool | None = None
    italic: bool | None = None
    hidden: bool | None = None
    indent: int | None = None
    """Left indent in twentieths of a point."""

    font: str = ""


class Styles:
    """All styles of a document, worked out on demand."""

    def __init__(self, root: Element | None) -> None:
        found = () if root is None else root.iterfind(w("style"))
        self._elements = {attribute(style, "styleId") or "": style for style in found}
        self._default = next(
            (
                name
                for name, style in self._elements.items()
                if attribute(style, "type") == "paragraph" and attribute(style, "default") in ("1", "true", "on")
            ),
            "",
        )
        self._known: dict[str, Style] = {}

    def of_paragraph(self, properties: Element | None) -> Style:
        """The style of a paragraph with these properties."""
        return self.named(value(properties, "pStyle") or self._default)

    def named(self, name: str) -> Style:
        """A style by its id; an empty one where it is not defined."""
        if name not in self._known:
            self._known[name] = inherited(name, list(self._chain(name)))
        return self._known[name]

    def element(self, name: str) -> Element | None:
        """A style as it is defined."""
        return self._elements.get(name)

    def _chain(self, name: str) -> Iterator[Element]:
        """The style and those that it is based on; a circle ends where it closes."""
        seen = set()
        while name in self._elements and name not in seen:
            seen.add(name)
            yield self._elements[name]
            name = value(self._elements[name], "basedOn") or ""


def inherited(name: str, chain: list[Element]) -> Style:
    """One style of its definition and those below it, nearest first."""

    def nearest(*path: str) -> str | None:
        return next((found for style in chain if (found := value(style, *path)) is not None), None)

    def switched(*path: str) -> bool | None:
        return next((found for style in chain if (found := on(style, *path)) is not None), None)

    indents = (indent(child(style, "pPr")) for style in chain)
    fonts = (attribute(child(style, "rPr", "rFonts"), "ascii") for style in chain)
    return Style(
        id=name,
        kind=next((kind for style in chain if (kind := kind_of(style))), ""),
        heading=heading_of(chain),
        list_id=nearest("pPr", "numPr", "numId"),
        list_level=nearest("pPr", "numPr", "ilvl"),
        list_depth=next((depth for style in chain if (depth := depth_of(style))), 0),
        bold=switched("rPr", "b"),
        italic=switched("rPr", "i"),
        hidden=switched("rPr", "vanish"),
        indent=next((found for found in indents if found is not None), None),
        font=next((found for found in fonts if found), ""),
    )


def heading_of(chain: list[Element]) -> int:
    """The level of the nearest style that states one; a level of body text ends the search."""
    for style in chain:
        stated = number(value(style, "pPr", "outlineLvl"))
        if stated is not None:
            return 0 if not 0 <= stated < BODY_LEVEL else min(stated + 1, DEEPEST)
        named = re.fullmatch(r"heading ?([1-9])", name_of(style))
        if named:
            return min(int(named.group(1)), DEEPEST)
    return 0


def kind_of(style: Element) -> StyleKind:
    """What a style is for, by its name."""
    name = name_of(style)
    return next((kind for pattern, kind in KINDS if re.fullmatch(pattern, name)), "")


def depth_of(style: Element) -> int:
    """The depth that the name of a list style states: each of them is a list of one level in the file."""
    named = re.fullmatch(r"list (?:bullet|number)(?: ([2-5]))?", name_of(style))
    return int(named.group(1) or 1) if named else 0


def name_of(style: Element) -> str:
    """The name in lower case; built-in ones are the same in every language."""
    return (value(style, "name") or "").strip().lower()


def indent(properties: Element | None) -> int | None:
    """Left indent that paragraph properties state, in twentieths of a point."""
    stated = child(properties, "ind")
    return number(attribute(stated, "left") or attribute(stated, "start"))


def number(text: str | None) -> int | None:
    """A whole number, or nothing where the text is none."""
    try:
        return int(float(text)) if text else None
    except (ValueError, OverflowError):
        return None
