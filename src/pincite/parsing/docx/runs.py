"""From a paragraph's runs to its text: breaks, symbols, fields, links, changes, notes and pictures.

Changes are read as accepted: insertions and what was moved here are text, deletions and what was
moved away are not. Field codes are instructions, their results are text. Of alternative contents
the first is taken, so a text box is read once.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pincite.parsing.docx.formula import formula
from pincite.parsing.docx.names import Element, M, R, attribute, child, local, on, value, w
from pincite.parsing.docx.package import Part
from pincite.parsing.docx.styles import Style, Styles
from pincite.parsing.docx.symbols import readable
from pincite.parsing.inline import Piece, superscript

__all__ = ["REMOVED", "Box", "Content", "Equation", "Figure", "Note", "Runs", "chosen"]

REMOVED: Final = frozenset({"del", "moveFrom"})
"""What a change that is accepted takes away."""

SKIPPED: Final = frozenset(
    {"pPr", "rPr", "sdtPr", "sdtEndPr", "delText", "rt", "footnoteRef", "endnoteRef", "fldData", "binData"}
)

CHARACTERS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}

MACHINE_ALT: Final = re.compile(
    r"\s*(AI-generated content may be incorrect\.?|Description automatically generated.*)\s*$", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Note:
    """A reference to a footnote or endnote."""

    kind: str
    """`footnote` or `endnote`."""

    id: str


@dataclass(frozen=True, slots=True)
class Box:
    """A text box that hangs on the paragraph."""

    content: Element


@dataclass(frozen=True, slots=True)
class Equation:
    """A formula."""

    text: str
    displayed: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with the words that describe it."""

    alt: str
    name: str


Content = Piece | Note | Box | Equation | Figure


@dataclass(slots=True)
class Field:
    """A field that is open: its instruction first, its result after that."""

    instruction: str = ""
    in_result: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """The format around a run."""

    style: Style
    link: str = ""


class Runs:
    """Reads the paragraphs of one part in order; fields may run over several of them."""

    def __init__(self, part: Part, styles: Styles, counts: Counter[str]) -> None:
        """`counts` collects what is left out, by kind."""
        self._part, self._styles, self._counts = part, styles, counts
        self._fields: list[Field] = []

    def of(self, paragraph: Element, style: Style) -> list[Content]:
        """What a paragraph holds, in order."""
        found = list(self._inside(paragraph, Form(style)))
        # A field that has no result yet is damaged, or it would hide all that follows.
        self._fields = list(itertools.takewhile(lambda field: field.in_result, self._fields))
        return found

    def _inside(self, element: Element, form: Form) -> Iterator[Content]:
        for inner in element:
            yield from self._one(inner, form)

    def _one(self, element: Element, form: Form) -> Iterator[Content]:
        name = local(element)
        if name in SKIPPED:
            return
        if name in REMOVED:
            self._counts["revisions"] += 1
        elif name == "r" and element.tag != M + "r":
            yield from self._run(element, form)
        elif name == "hyperlink":
            yield from self._inside(element, Form(form.style, self._address(element) or form.link))
        elif name == "fldSimple":
            yield from self._inside(element, Form(form.style, link_of(attribute(element, "instr") or "") or form.link))
        elif name == "sdt":
            if child(element, "sdtPr", "showingPlcHdr") is None:
                yield from self._inside(element, form)
        elif name == "AlternateContent":
            yield from self._chosen(element, form)
        elif name == "oMathPara":
            yield Equation(formula(element), True)
        elif name == "oMath":
            yield Equation(formula(element), False)
        elif name == "txbxContent":
            yield Box(element)
        else:
            yield from self._inside(element, form)

    def _chosen(self, element: Element, form: Form) -> Iterator[Content]:
        """The first alternative that has anything to say."""
        for option in chosen(element):
            found = list(self._inside(option, form))
            if found:
                yield from found
                return

    def _run(self, run: Element, form: Form) -> Iterator[Content]:
        properties = child(run, "rPr")
        style = self._styles.named(value(properties, "rStyle") or "")
        hidden = first(on(properties, "vanish"), style.hidden, form.style.hidden)
        raised = value(properties, "vertAlign") == "superscript"
        font = attribute(child(properties, "rFonts"), "ascii") or style.font or form.style.font
        for part in run:
            name = local(part)
            if name == "fldChar":
                yield from self._field(part)
            elif name == "instrText":
                self._instruct(part.text or "")
            elif hidden or not all(field.in_result for field in self._fields):
                self._counts["hidden"] += bool(hidden and name == "t")
            elif name in CHARACTERS or name in ("t", "sym"):
                text = superscript(self._text(part, name, font)) if raised else self._text(part, name, font)
                yield Piece(
                    text,
                    bold=bool(first(on(properties, "b"), style.bold)),
                    italic=bool(first(on(properties, "i"), style.italic)),
                    link=form.link or self._field_link(),
                    code=style.kind == "code",
                )
            else:
                yield from self._special(part, name, form)

    def _text(self, part: Element, name: str, font: str) -> str:
        if name == "sym":
            text = readable(symbol(part), attribute(part, "font") or "")
        elif name == "t":
            text = readable(cleaned(part.text or ""), font)
        else:
            text = CHARACTERS[name]
        self._counts["symbols"] += text.count("\ufffd")
        return text

    def _special(self, part: Element, name: str, form: Form) -> Iterator[Content]:
        if name in ("footnoteReference", "endnoteReference"):
            yield Note(name.removesuffix("Reference"), attribute(part, "id") or "")
        elif name == "drawing":
            yield from self._drawing(part, form)
        elif name in ("pict", "object"):
            self._counts["objects"] += name == "object"
            yield from self._shape(part, form)
        elif name == "ruby":
            yield from self._ruby(part, form)
        elif name not in ("softHyphen", "lastRenderedPageBreak"):
            yield from self._one(part, form)

    def _ruby(self, part: Element, form: Form) -> Iterator[Content]:
        """The base and, in parentheses, how it is read."""
        for name, around in (("rubyBase", "{}"), ("rt", "({})")):
            for found in part.iterfind(w(name)):
                said = "".join(piece.text for piece in self._inside(found, form) if isinstance(piece, Piece))
                if said.strip():
                    yield Piece(around.format(said), link=form.link)

    def _drawing(self, drawing: Element, form: Form) -> Iterator[Content]:
        """The text boxes of a drawing, or the words that describe it."""
        boxes = list(self._inside(drawing, form))
        if boxes:
            yield from boxes
            return
        described = next((e for e in drawing.iter() if local(e) == "docPr"), None)
        alt = "" if described is None else described.get("descr") or described.get("title") or ""
        blip = next((e.get(R + "embed") or e.get(R + "link") for e in drawing.iter() if local(e) == "blip"), None)
        yield from self._figure(alt, blip)

    def _shape(self, shape: Element, form: Form) -> Iterator[Content]:
        """The same for the older vocabulary of shapes."""
        boxes = list(self._inside(shape, form))
        if boxes:
            yield from boxes
            return
        alt = next((e.get("alt") for e in shape.iter() if e.get("alt")), None) or ""
        words = next((e.get("string") for e in shape.iter() if local(e) == "textpath" and e.get("string")), None)
        blip = next((e.get(R + "id") for e in shape.iter() if local(e) == "imagedata"), None)
        if words:
            yield Piece(words)
        elif alt or blip:
            yield from self._figure(alt, blip)

    def _figure(self, alt: str, blip: str | None) -> Iterator[Figure]:
        alt = " ".join(MACHINE_ALT.sub("", alt).split())
        target = self._part.relationships.get(blip or "")
        if alt:
            yield Figure(alt, posixpath.basename(target.target) if target else "")
        else:
            self._counts["pictures"] += 1

    def _address(self, hyperlink: Element) -> str:
        """Where a link leads outside of the document; empty for a place within it."""
        target = self._part.relationships.get(hyperlink.get(R + "id") or "")
        if target is None or not target.external:
            return ""
        anchor = attribute(hyperlink, "anchor")
        return safe_link(target.target + (f"#{anchor}" if anchor and "#" not in target.target else ""))

    def _field(self, mark: Element) -> Iterator[Content]:
        kind = attribute(mark, "fldCharType")
        if kind == "begin":
            self._fields.append(Field())
            box = child(mark, "ffData", "checkBox")
            if box is not None:
                yield Piece("☒" if first(on(box, "checked"), on(box, "default")) else "☐")
        elif self._fields and kind == "separate":
            self._fields[-1].in_result = True
            self._fields[-1].link = link_of(self._fields[-1].instruction)
        elif self._fields and kind == "end":
            self._fields.pop()

    def _instruct(self, text: str) -> None:
        if self._fields and not self._fields[-1].in_result:
            self._fields[-1].instruction += text

    def _field_link(self) -> str:
        return next((field.link for field in reversed(self._fields) if field.link), "")


def chosen(element: Element) -> list[Element]:
    """The alternatives of an element, in the order in which they are to be tried."""
    return [option for option in element if local(option) in ("Choice", "Fallback")]


def first(*switches: bool | None) -> bool | None:
    """The first switch that is set either way."""
    return next((switch for switch in switches if switch is not None), None)


def cleaned(text: str) -> str:
    """Text as it is shown: without soft hyphens, with a plain hyphen for the one that never breaks."""
    if "\n" in text:
        text = " ".join(text.split())
    return text.replace("\u00ad", "").replace("\ufeff", "").replace("\u2011", "-")


def symbol(part: Element) -> str:
    """The character that a symbol element names."""
    try:
        return chr(int(attribute(part, "char") or "", 16))
    except (ValueError, OverflowError):
        return ""


def link_of(instruction: str) -> str:
    """The address of a HYPERLINK field; empty for other fields and for places within the document."""
    found = re.match(r'\s*HYPERLINK\s+(?:"([^"]*)"|(\S+))', instruction, re.IGNORECASE)
    address = (found.group(1) or found.group(2) or "") if found else ""
    return "" if address.startswith("\\") else safe_link(address)


def safe_link(address: str) -> str:
    """The address, unless it leads to a place in this document, runs code or carries data."""
    return "" if re.match(r"\s*(#|javascript:|vbscript:|data:|about:)", address, re.IGNORECASE) else address.strip()
