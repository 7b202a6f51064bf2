"""Formulas of a page as one line of text: the TeX that the page carries, else MathML made linear."""

from __future__ import annotations

from typing import Final

from pincite.parsing.html.tree import Element, tag

__all__ = ["formula"]

DEEPEST: Final = 60
"""Nesting of a formula that is still written with structure; below that, its symbols alone."""

TEX: Final = ("application/x-tex", "tex", "latex", "text/x-tex")

SKIPPED: Final = frozenset({"annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark"})


def formula(element: Element) -> str:
    """The formula in a `math` element."""
    for note in element.iter():
        if tag(note) == "annotation" and (note.get("encoding") or "").lower() in TEX:
            source = "".join(map(str, note.itertext())).strip()
            if source:
                return " ".join(source.split())
    stated = (element.get("alttext") or "").strip()
    return " ".join((stated or one(element, 0)).split())


def one(element: Element, depth: int) -> str:
    """One element of a formula."""
    name = tag(element)
    if name in SKIPPED:
        return ""
    if depth > DEEPEST:
        return "".join(map(str, element.itertext()))
    parts = [one(part, depth + 1) for part in element] if len(element) else []
    if name == "mfrac" and len(parts) == 2:
        return f"\\frac{{{parts[0]}}}{{{parts[1]}}}"
    if name in ("msup", "mover") and len(parts) == 2:
        return f"{parts[0]}^{grouped(parts[1])}"
    if name in ("msub", "munder") and len(parts) == 2:
        return f"{parts[0]}_{grouped(parts[1])}"
    if name in ("msubsup", "munderover") and len(parts) == 3:
        return f"{parts[0]}_{grouped(parts[1])}^{grouped(parts[2])}"
    if name == "mroot" and len(parts) == 2:
        return f"\\sqrt[{parts[1]}]{{{parts[0]}}}"
    if name == "msqrt":
        return f"\\sqrt{{{''.join(parts)}}}"
    if name == "mfenced":
        between = (element.get("separators") or ",")[:1]
        return f"{element.get('open', '(')}{between.join(parts)}{element.get('close', ')')}"
    if name == "mtr":
        return " & ".join(parts)
    if name == "mtable":
        return " \\\\ ".join(parts)
    if name == "mspace":
        return " "
    tails = (part.tail or "" for part in element)
    return "".join([element.text or "", *map("".join, zip(parts, tails, strict=True))]).strip()


def grouped(text: str) -> str:
    """An exponent or index; braces where it is more than one character."""
    return text if len(text) == 1 else f"{{{text}}}"
