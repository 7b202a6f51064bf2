"""Pages whose words are in pictures, and what to do about them.

A page needs recognition when it draws something and no text of it can be read. Blank pages
draw nothing and need nothing.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace

from pincite.document import Diagnostic, Severity
from pincite.errors import DependencyError, ReadError
from pincite.options import ParseOptions
from pincite.parsing.pdf.model import Layer, PageContent, Segment, Word
from pincite.parsing.pdf.reader import Reader

__all__ = ["read_page"]

DPI = 200
"""Enough for 10 point text; finer pictures cost time and gain nothing."""

GARBLED = 0.02
"""Share of illegible characters from which the report is a warning."""

FEW, MOST, PATHS = 40, 0.6, 5
"""Characters, and share of the page under pictures, of a scan with a number or stamp as text; and
paths from which a drawing may show words."""

SPREAD = 0.35
"""Share by which the heights of lines of one font size differ, as their letters do."""

SHARE = 0.95
"""Height of a line of text from ascenders to descenders, in font sizes."""

MANY = 0.5
"""Share of illegible characters from which the page is recognised instead."""


def read_page(reader: Reader, number: int, options: ParseOptions) -> tuple[PageContent, list[Diagnostic]]:
    """A page as the options want it read, and what is to be said of it."""
    page = reader.page(number)
    if page.damaged:
        message = f"page {number} is damaged and could not be read; its text is missing"
        return page, [Diagnostic("corrupt_page", "error", message, page=number)]
    faults = faults_of(page)
    wanted = options.ocr == "force" or (options.ocr == "auto" and needs_recognition(page))
    if not wanted or (not page.drawings and not page.characters):
        return page, faults
    try:
        return recognised(reader, page, options), [recognition_note(page)]
    except (DependencyError, ReadError) as error:
        if options.ocr == "force":
            raise
        message = f"page {number} needs text recognition, which failed: {error}"
        return page, [*faults, Diagnostic("needs_ocr", "warning", message, page=number)]


def needs_recognition(page: PageContent) -> bool:
    return page.illegible > MANY * page.characters or silent(page)


def silent(page: PageContent) -> bool:
    """Whether the page shows something and its own text says next to nothing of it.

    A scan may carry a page number or a stamp as text. A rule or a frame on an empty page is no
    picture of words.
    """
    if page.layers:
        pictured = sum((right - left) * (bottom - top) for left, top, right, bottom in page.images)
        return page.characters < FEW and pictured > MOST * page.width * page.height
    return bool(page.images) or page.drawings >= PATHS or bool(page.illegible)


def faults_of(page: PageContent) -> list[Diagnostic]:
    """What the page's own text layer lacks."""
    if page.illegible:
        message = (
            f"{page.illegible} of {page.characters} characters on page {page.number} have no known meaning "
            "and are left out; read the page with ocr = force, or get the document in another format"
        )
        severity: Severity = "warning" if page.illegible > GARBLED * page.characters else "info"
        return [Diagnostic("garbled_text", severity, message, page=page.number)]
    if silent(page):
        message = f"page {page.number} is a picture or a drawing with no text, or next to none, to read"
        return [Diagnostic("no_text_layer", "warning", message, page=page.number)]
    return []


def recognition_note(page: PageContent) -> Diagnostic:
    return Diagnostic(
        "ocr", "info", f"the text of page {page.number} was recognised from its picture", page=page.number
    )


def recognised(reader: Reader, page: PageContent, options: ParseOptions) -> PageContent:
    """The page with recognised lines in place of its own text. Raises DependencyError."""
    from pincite.parsing.ocr import recognise

    lines = recognise(reader.render(page.number, DPI), options.ocr_languages, DPI)
    lines = [line for line in lines if line.text.strip()]
    usual = statistics.median(line.bbox[3] - line.bbox[1] for line in lines) if lines else 0.0
    found = [segment_of(line.text, line.bbox, usual, line.confidence) for line in lines]
    own = () if options.ocr == "force" or page.illegible else upright(page)
    new = [segment for segment in found if not any(over(segment, other) for other in own)]
    layer = Layer((*own, *new), page.layers[0].rules if own else (), page.width, page.height)
    return replace(page, layers=(layer,) if layer.segments else (), illegible=0)


def upright(page: PageContent) -> tuple[Segment, ...]:
    """The page's own text that runs from left to right."""
    return tuple(segment for layer in page.layers if not layer.turn for segment in layer.segments)


def over(segment: Segment, other: Segment) -> bool:
    """Whether the middle of a recognised line is on text that the page has itself."""
    x, y = (segment.left + segment.right) / 2, (segment.top + segment.bottom) / 2
    return other.left <= x <= other.right and other.top <= y <= other.bottom


def segment_of(text: str, bbox: Sequence[float], usual: float, confidence: float) -> Segment:
    """A recognised line; its words share its width by their length.

    The height of its box tells its font size, but hangs on its letters as well: a line about as
    high as is usual on the page (`usual`, in pixels) has the size that is usual.
    """
    left, top, right, bottom = (value * 72 / DPI for value in bbox)
    height = usual * 72 / DPI
    size = (height if abs(bottom - top - height) < SPREAD * height else bottom - top) / SHARE
    parts = text.split()
    unit = (right - left) / max(1, sum(map(len, parts)) + len(parts) - 1)
    words, at = [], left
    for part in parts:
        words.append(Word(part, at, top, at + len(part) * unit, bottom, size))
        at += (len(part) + 1) * unit
    return Segment.of(words, confidence=confidence)
