"""Office Math (ECMA-376 part 1, clause 22) as one line of LaTeX-like text.

Only structure is written, in the commands that everyone knows; symbols stay the characters that
they are, so that a formula can be searched for by what a reader sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pincite.parsing.docx.names import Element, M, W, local

__all__ = ["formula"]

ACCENTS: Final = {
    "\u0302": "\\hat",
    "\u0303": "\\tilde",
    "\u0304": "\\bar",
    "\u20d7": "\\vec",
    "\u0307": "\\dot",
    "\u0305": "\\overline",
}

SKIPPED: Final = frozenset({"del", "moveFrom", "instrText", "delText"})


def formula(element: Element) -> str:
    """The formula below an element, on one line."""
    return " ".join(inner(element).split())


def inner(element: Element | None) -> str:
    """All that stands inside an element, in order."""
    return "" if element is None else "".join(map(one, element))


def one(element: Element) -> str:
    """One element of a formula."""
    name = local(element)
    if name == "t":
        return element.text or ""
    if name.endswith("Pr") or name in SKIPPED:
        return ""
    write = WRITERS.get(name) if element.tag == M + name else None
    if write:
        return write(element)
    if element.tag == W + "br":
        return " "
    return inner(element)


def part(element: Element, name: str) -> str:
    """One operand, such as the base of a power."""
    return inner(element.find(M + name)).strip()


def setting(element: Element, name: str, default: str) -> str:
    """A character that the properties of an element name; an empty one counts."""
    found = element.find(f"{M}{local(element)}Pr/{M}{name}")
    return default if found is None else found.get(M + "val", "")


def grouped(text: str) -> str:
    """An exponent or index; braces where it is more than one character."""
    return text if len(text) == 1 else f"{{{text}}}"


def fraction(element: Element) -> str:
    return f"\\frac{{{part(element, 'num')}}}{{{part(element, 'den')}}}"


def scripts(element: Element) -> str:
    below, above = part(element, "sub"), part(element, "sup")
    return part(element, "e") + (f"_{grouped(below)}" if below else "") + (f"^{grouped(above)}" if above else "")


def prescripts(element: Element) -> str:
    return f"{{}}_{grouped(part(element, 'sub'))}^{grouped(part(element, 'sup'))}{part(element, 'e')}"


def root(element: Element) -> str:
    degree = part(element, "deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{part(element, 'e')}}}"


def operator(element: Element) -> str:
    below, above = part(element, "sub"), part(element, "sup")
    sign = setting(element, "chr", "∫")
    return f"{sign}{f'_{grouped(below)}' if below else ''}{f'^{grouped(above)}' if above else ''} {part(element, 'e')}"


def delimited(element: Element) -> str:
    between = setting(element, "sepChr", "|")
    operands = between.join(inner(operand).strip() for operand in element.iterfind(M + "e"))
    return setting(element, "begChr", "(") + operands + setting(element, "endChr", ")")


def function(element: Element) -> str:
    return f"{part(element, 'fName')} {part(element, 'e')}"


def accented(element: Element) -> str:
    sign = setting(element, "chr", "\u0302")
    base = part(element, "e")
    return f"{ACCENTS[sign]}{{{base}}}" if sign in ACCENTS else base + sign


def barred(element: Element) -> str:
    name = "overline" if setting(element, "pos", "bot") == "top" else "underline"
    return f"\\{name}{{{part(element, 'e')}}}"


def limited(mark: str) -> Callable[[Element], str]:
    return lambda element: f"{part(element, 'e')}{mark}{grouped(part(element, 'lim'))}"


def stacked(element: Element) -> str:
    return " \\\\ ".join(inner(line).strip() for line in element.iterfind(M + "e"))


def matrix(element: Element) -> str:
    rows = (" & ".join(inner(cell).strip() for cell in row.iterfind(M + "e")) for row in element.iterfind(M + "mr"))
    return "\\begin{matrix} " + " \\\\ ".join(rows) + " \\end{matrix}"


WRITERS: Final[Mapping[str, Callable[[Element], str]]] = {
    "f": fraction,
    "sSup": scripts,
    "sSub": scripts,
    "sSubSup": scripts,
    "sPre": prescripts,
    "rad": root,
    "nary": operator,
    "d": delimited,
    "func": function,
    "acc": accented,
    "bar": barred,
    "limLow": limited("_"),
    "limUpp": limited("^"),
    "eqArr": stacked,
    "m": matrix,
}
