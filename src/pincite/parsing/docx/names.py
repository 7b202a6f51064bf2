"""Names and small readings that all of WordprocessingML shares (ECMA-376 part 1, clause 17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

__all__ = ["Element", "M", "R", "W", "attribute", "child", "local", "on", "text_of", "value", "w"]

Element = etree._Element

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

OFF: Final = ("0", "false", "off", "none")


def w(name: str) -> str:
    """The full name of an element or attribute of WordprocessingML."""
    return W + name


def local(element: Element) -> str:
    """The name without its namespace; empty for comments and processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def child(element: Element | None, *path: str) -> Element | None:
    """The first element down a path of WordprocessingML names, or nothing."""
    for name in path:
        if element is None:
            return None
        element = element.find(W + name)
    return element


def attribute(element: Element | None, name: str) -> str | None:
    """An attribute of WordprocessingML, or nothing."""
    return None if element is None else element.get(W + name)


def value(element: Element | None, *path: str) -> str | None:
    """The `val` of the element down a path, or nothing."""
    return attribute(child(element, *path), "val")


def on(element: Element | None, *path: str) -> bool | None:
    """A switch: nothing where it is absent, true where it stands without a value."""
    found = child(element, *path)
    return None if found is None else (found.get(W + "val") or "true").lower() not in OFF


def text_of(element: Element | None) -> str:
    """All text below an element of another vocabulary."""
    return "" if element is None else "".join(strings(element)).strip()


def strings(element: Element) -> Iterator[str]:
    """The strings below an element, in order."""
    for part in element.itertext():
        yield str(part)
