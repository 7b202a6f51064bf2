"""Automatic numbers, which stand nowhere in the text of the file: "7.1", "Điều 5.", "제3조", "(a)".

A paragraph names a list and a level; `numbering.xml` says how that level counts and what is shown
(ECMA-376 part 1, clause 17.9). Numbers are made in reading order: counters are kept per abstract
list, since lists that share one go on counting each other's items, and a list with a start of its
own begins anew at its first item.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pincite.parsing.docx.names import Element, attribute, child, on, value, w
from pincite.parsing.docx.styles import Style, Styles, indent, number
from pincite.parsing.numerals import numeral

__all__ = ["Item", "Numbering"]

LEVELS: Final = 9
NO_LIST: Final = "0"


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list counts."""

    form: str = "decimal"
    shown: str = ""
    """The template with `%1` to `%9` for the counters of the levels."""

    start: int = 1
    restart: int | None = None
    """Level from 1 whose items set this one back; 0 for never, nothing for each higher one."""

    legal: bool = False
    """Show all counters in decimal."""

    gap: str = " "
    """What stands between number and text."""

    style: str = ""
    indent: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A paragraph's place in a list."""

    list_id: str
    level: int
    """From 0; as deep as a style such as `List Bullet 2` says, which the file gives the first level of a list of its own."""

    number: str
    """As it is shown, without white space around it; empty for bullets and hidden numbers."""

    gap: str
    bullet: bool
    indent: int | None


class Numbering:
    """The lists of a document with their counters."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract = (
            {} if root is None else {attribute(e, "abstractNumId"): e for e in root.iterfind(w("abstractNum"))}
        )
        self._lists = {} if root is None else {attribute(e, "numId"): e for e in root.iterfind(w("num"))}
        self._levels: dict[str, tuple[str, dict[int, Level]]] = {}
        self._counters: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()

    def item(self, properties: Element | None, style: Style) -> Item | None:
        """The place of the next paragraph, counted; nothing where it is in no list."""
        list_id = value(properties, "numPr", "numId") or style.list_id
        if list_id is None or list_id == NO_LIST or list_id not in self._lists:
            return None
        abstract, levels = self._resolved(list_id)
        level = self._level(properties, style, levels)
        here = levels.get(level, Level())
        shown = max(level, style.list_depth - 1)
        if here.form == "bullet":
            return Item(list_id, shown, "", here.gap, True, here.indent)
        self._count(list_id, abstract, level, levels)
        return Item(list_id, shown, self._shown(abstract, level, levels), here.gap, False, here.indent)

    def _level(self, properties: Element | None, style: Style, levels: dict[int, Level]) -> int:
        stated = value(properties, "numPr", "ilvl")
        if stated is None and value(properties, "numPr", "numId") is None:
            linked = (level for level, found in levels.items() if style.id and found.style == style.id)
            stated = next((str(level) for level in linked), style.list_level)
        return min(max(number(stated) or 0, 0), LEVELS - 1)

    def _count(self, list_id: str, abstract: str, level: int, levels: dict[int, Level]) -> None:
        counters = self._counters.setdefault(abstract, [None] * LEVELS)
        if (list_id, level) not in self._begun:
            self._begun.add((list_id, level))
            if self._overridden(list_id, level):
                counters[level] = None
        before = counters[level]
        counters[level] = levels.get(level, Level()).start if before is None else before + 1
        for deeper in range(level + 1, LEVELS):
            restart = levels.get(deeper, Level()).restart
            if restart is None or level < restart:
                counters[deeper] = None

    def _shown(self, abstract: str, level: int, levels: dict[int, Level]) -> str:
        counters, here = self._counters[abstract], levels.get(level, Level())

        def counter(found: re.Match[str]) -> str:
            at = int(found.group(1)) - 1
            of = levels.get(at, Level())
            count = counters[at]
            return numeral(of.start if count is None else count, "decimal" if here.legal else of.form)

        shown = re.sub(r"%([1-9])", counter, here.shown)
        return shown if re.search(r"\w", shown) or here.form not in ("none", "") else ""

    def _overridden(self, list_id: str, level: int) -> bool:
        return any(
            number(attribute(override, "ilvl")) == level and child(override, "startOverride") is not None
            for override in self._lists[list_id].iterfind(w("lvlOverride"))
        )

    def _resolved(self, list_id: str) -> tuple[str, dict[int, Level]]:
        """The counters' key and the levels of a list."""
        if list_id not in self._levels:
            element = self._lists[list_id]
            abstract = self._linked(value(element, "abstractNumId") or "")
            found = self._abstract.get(abstract)
            levels = {} if found is None else dict(levels_of(found))
            for override in element.iterfind(w("lvlOverride")):
                at = number(attribute(override, "ilvl")) or 0
                own = child(override, "lvl")
                if own is not None:
                    levels[at] = level_of(own)
                start = number(value(override, "startOverride"))
                if start is not None:
                    levels[at] = started(levels.get(at, Level()), start)
            self._levels[list_id] = abstract, levels
        return self._levels[list_id]

    def _linked(self, abstract: str) -> str:
        """The abstract list that a list style stands for, where this one only points to the style."""
        seen = set()
        while abstract not in seen:
            seen.add(abstract)
            style = value(self._abstract.get(abstract), "numStyleLink")
            list_id = self._styles.named(style).list_id if style else None
            target = value(self._lists.get(list_id), "abstractNumId") if list_id else None
            abstract = target or abstract
        return abstract


def levels_of(abstract: Element) -> list[tuple[int, Level]]:
    """The levels that an abstract list defines."""
    return [(number(attribute(level, "ilvl")) or 0, level_of(level)) for level in abstract.iterfind(w("lvl"))]


def level_of(element: Element) -> Level:
    """One level as it is defined."""
    start, restart = number(value(element, "start")), number(value(element, "lvlRestart"))
    suffix = value(element, "suff") or "tab"
    picture = child(element, "lvlPicBulletId") is not None
    form = next((found for e in element.iter(w("numFmt")) if (found := attribute(e, "val"))), "decimal")
    return Level(
        form="bullet" if picture else form,
        shown=value(element, "lvlText") or "",
        start=0 if start is None else start,
        restart=restart,
        legal=bool(on(element, "isLgl")),
        gap="" if suffix == "nothing" else " ",
        style=value(element, "pStyle") or "",
        indent=indent(child(element, "pPr")),
    )


def started(level: Level, start: int) -> Level:
    """The level with another first number."""
    return Level(level.form, level.shown, start, level.restart, level.legal, level.gap, level.style, level.indent)
