"""The engine-facing side: what the layout needs of a PDF engine, and PDFium as that engine.

Only this module knows PDFium. It maps everything to the page as shown (CropBox and Rotate), reads
each character's box and each text object's looks once, and hands out plain values; native objects
are closed before a call returns. PDFium is not thread-safe: readers of one process take turns.
"""

from __future__ import annotations

import ctypes
import math
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Protocol

import pypdfium2
import pypdfium2.raw as pdfium

from pincite.document import BBox, OutlineEntry
from pincite.errors import CorruptError, EncryptedError
from pincite.parsing.pdf.glyphs import HARD_SPACES, SPACE, Face, Glyph, gather, gather_slanted
from pincite.parsing.pdf.legibility import legible
from pincite.parsing.pdf.model import OBLIQUE, Layer, PageContent, Rule, turned
from pincite.parsing.pdf.pitch import with_pitch
from pincite.parsing.pdf.png import png
from pincite.parsing.pdf.rules import merged

__all__ = ["PdfiumReader", "Reader", "opened"]

BOLD = re.compile(r"bold|black|heavy|semib|cmbx|sfbx|,b|-(?:medi|bd|demi)$", re.IGNORECASE)
ITALIC = re.compile(r"italic|oblique|,i|-(?:it|ital)$|cmti|cmsl", re.IGNORECASE)
MONO = re.compile(
    r"courier|mono|nimbusmon|consol|menlo|cmtt|lmtt|typewriter|source ?code|fira ?code|coding", re.IGNORECASE
)

FIXED_PITCH, ITALIC_FLAG = 1, 64
"""Bits of the font descriptor's flags (ISO 32000-1, table 123)."""

MOST_SEGMENTS = 400
"""A path with more pieces is a picture, not rules."""

MOST_PATHS = 20_000
"""A page with more paths is a map or a drawing; the rest is not read."""

DEEPEST_FORM = 4

SLANT = 10.0
"""Degrees off level or upright from which text is slanted."""

WIDEST_RULE = 2.5
"""A filled rectangle as thin as this, in points, is a rule."""


PAIRED = -1
"""In place of the second half of a character that the engine gives in two."""

NO_TITLE = re.compile(
    r"(?:untitled|anonymous|title|document|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|indd|tex|dvi|qxd|xlsx?|pptx?|rtf|odt|pdf))",
    re.IGNORECASE,
)
"""What programs put for a title when nobody gave one."""

ONE_AT_A_TIME = threading.RLock()


class Reader(Protocol):
    """What the layout needs of a PDF engine."""

    @property
    def page_count(self) -> int: ...
    @property
    def title(self) -> str | None:
        """The title that the file's own properties give."""

    @property
    def outline(self) -> tuple[OutlineEntry, ...]: ...
    def page(self, number: int) -> PageContent:
        """One page, numbered from 1; a page that cannot be read says so and is empty."""

    def render(self, number: int, dpi: int) -> bytes:
        """A picture of the page as shown: grey PNG."""


@contextmanager
def opened(data: bytes, uri: str, password: str | None) -> Iterator[Reader]:
    """A reader of `data`, closed at the end. Raises EncryptedError or CorruptError.

    One document of a process is open at a time; another thread waits.
    """
    with ONE_AT_A_TIME:
        try:
            document = pypdfium2.PdfDocument(data, password=password)
        except pypdfium2.PdfiumError as error:
            raise refusal(error, uri, password) from None
        try:
            if not len(document):
                raise CorruptError(uri, "the PDF has no page that can be found", "get a complete copy of it")
            yield PdfiumReader(document)
        finally:
            document.close()


def refusal(error: pypdfium2.PdfiumError, uri: str, password: str | None) -> EncryptedError | CorruptError:
    if error.err_code == pdfium.FPDF_ERR_PASSWORD:
        if password is None:
            return EncryptedError(uri, "the PDF is locked by a password", "give it as parse.password")
        return EncryptedError(uri, "the password does not open the PDF", "check parse.password; case matters")
    if error.err_code == pdfium.FPDF_ERR_SECURITY:
        return EncryptedError(
            uri, "the PDF is locked by a method that cannot be opened here", "save it without protection"
        )
    return CorruptError(uri, "the PDF is damaged beyond repair", "open and save it again, or get a complete copy")


class PdfiumReader:
    """`Reader` over PDFium."""

    def __init__(self, document: Any) -> None:
        self._document = document

    @property
    def page_count(self) -> int:
        return len(self._document)

    @property
    def title(self) -> str | None:
        title = " ".join(self._document.get_metadata_value("Title").split())
        return None if not title or NO_TITLE.fullmatch(title) else title

    @property
    def outline(self) -> tuple[OutlineEntry, ...]:
        entries = []
        for mark in self._document.get_toc():
            target = mark.get_dest()
            index = target.get_index() if target else None
            title = " ".join(mark.get_title().split())
            if title:
                entries.append(OutlineEntry(title, mark.level + 1, None if index is None else index + 1))
        return tuple(entries)

    def page(self, number: int) -> PageContent:
        try:
            page = self._document[number - 1]
        except pypdfium2.PdfiumError:
            return PageContent(number, 0.0, 0.0, damaged=True)
        try:
            return self._content(page, number)
        except pypdfium2.PdfiumError:
            width, height = page.get_size()
            return PageContent(number, width, height, damaged=True)
        finally:
            page.close()

    def render(self, number: int, dpi: int) -> bytes:
        page = self._document[number - 1]
        try:
            bitmap = page.render(scale=dpi / 72, grayscale=True)
            try:
                return png(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride)
            finally:
                bitmap.close()
        finally:
            page.close()

    def _content(self, page: Any, number: int) -> PageContent:
        frame = Frame(page)
        texts = page.get_textpage()
        try:
            glyphs, bad = read_glyphs(texts.raw, frame)
        finally:
            texts.close()
        drawn = Drawings(page, frame)
        kept, illegible = legible(glyphs, bad)
        kept = with_pitch(kept)
        return PageContent(
            number,
            frame.width,
            frame.height,
            frame.rotation,
            self._document.get_page_label(number - 1) or None,
            layers(kept, merged(drawn.rules), frame.width, frame.height),
            tuple(drawn.images),
            drawn.count,
            sum(not glyph[0].isspace() for glyph in glyphs),
            illegible,
        )


class Frame:
    """From PDF user space to points of the page as shown."""

    def __init__(self, page: Any) -> None:
        box = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page.raw, box)
        self.rotation = int(page.get_rotation())
        self._left, self._bottom, self._right, self._top = box.left, box.bottom, box.right, box.top
        self._width, self._height = box.right - box.left, box.top - box.bottom
        swapped = self.rotation in (90, 270)
        self.width, self.height = (self._height, self._width) if swapped else (self._width, self._height)
        self.across, self.down = 2 * self.width, 2 * self.height

    def box(self, left: float, bottom: float, right: float, top: float) -> BBox:
        upright = left - self._left, self._top - top, right - self._left, self._top - bottom
        return turned(upright, self.rotation, self._width, self._height) if self.rotation else upright

    def direction(self, a: float, b: float) -> int:
        """Degrees clockwise of the direction (a, b) on the page as shown: a quarter, or OBLIQUE."""
        degrees = self.rotation - math.degrees(math.atan2(b, a))
        quarter = round(degrees / 90) * 90
        return quarter % 360 if abs(degrees - quarter) < SLANT else OBLIQUE


def layers(glyphs: Sequence[Glyph], rules: Sequence[Rule], width: float, height: float) -> tuple[Layer, ...]:
    """One layer a direction of text: upright text first, then the direction with most text."""
    turns = Counter(glyph[5].turn for glyph in glyphs)
    made = []
    for turn, _ in sorted(turns.items(), key=lambda item: (item[0] != 0, -item[1], item[0])):
        mine: list[Glyph] = [glyph for glyph in glyphs if glyph[5].turn == turn]
        if turn == OBLIQUE:
            made.append(Layer(tuple(gather_slanted(mine)), (), width, height, OBLIQUE))
            continue
        back = -turn % 360
        if turn:
            mine = [(g[0], *turned((g[1], g[2], g[3], g[4]), back, width, height), g[5]) for g in mine]
        frame = (height, width) if turn in (90, 270) else (width, height)
        drawn = tuple(Rule(*turned((r.left, r.top, r.right, r.bottom), back, width, height)) for r in rules)
        made.append(Layer(tuple(gather(mine)), drawn, *frame, turn))
    return tuple(layer for layer in made if layer.segments)


def direct(function: Any, result: Any, *arguments: Any) -> Any:
    """A function of PDFium bound to plain numbers: a third of the time a call for each character."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    return ctypes.PYFUNCTYPE(result, *arguments)(address or 0)


BOX_OF = direct(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
OWNER_OF = direct(pdfium.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)


def read_glyphs(raw: Any, frame: Frame) -> tuple[list[Glyph], set[int]]:
    """All characters in drawing order, and the places of those that the engine has no meaning for."""
    codes = codes_of(raw)
    handle = ctypes.cast(raw, ctypes.c_void_p).value
    rect = (ctypes.c_float * 4)()  # left, top, right, bottom
    at = ctypes.addressof(rect)
    faces = Faces(raw, frame)
    face, known, first = Face(0.0), None, False
    glyphs: list[Glyph] = []
    unmapped: set[int] = set()
    for index, code in enumerate(codes):
        if code == 32:
            glyphs.append((SPACE, 0.0, 0.0, 0.0, 0.0, face))
            continue
        if code == 10 or code == 13 or code == PAIRED:
            continue
        BOX_OF(handle, index, at)
        x0, y1, x1, y0 = rect
        owner = OWNER_OF(handle, index)
        if owner != known or not owner:
            known, first = owner, True
            face = faces.of(index, owner, y1 - y0)
        left, top, right, bottom = frame.box(x0, y0, x1, y1)
        if not (0 <= left + right <= frame.across and 0 <= top + bottom <= frame.down):
            continue  # its middle is off the page
        if first and pdfium.FPDFText_HasUnicodeMapError(raw, index) == 1:
            unmapped.add(len(glyphs))
        first = False
        text = chr(code) if 32 < code < 127 else letter(raw, index, code)
        glyphs.append((text, left, top, right, bottom, face))
    return glyphs, unmapped


def codes_of(raw: Any) -> list[int]:
    """The code point of each character: in one call where text and characters are as many.

    PDFium gives a character beyond U+FFFF as two, its surrogates: the first becomes the character
    and the second PAIRED, so that places in the list stay those of the engine.
    """
    count = pdfium.FPDFText_CountChars(raw)
    buffer = (ctypes.c_ushort * (2 * count + 1))()
    written = pdfium.FPDFText_GetText(raw, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(0, written - 1)].decode("utf-16-le", "surrogatepass")
    if len(text) == count:
        return [ord(char) for char in text]
    codes = [pdfium.FPDFText_GetUnicode(raw, index) for index in range(count)]
    for index, (high, low) in enumerate(pairwise(codes)):
        if 0xD800 <= high < 0xDC00 <= low < 0xE000:
            codes[index] = 0x10000 + ((high - 0xD800) << 10) + low - 0xDC00
            codes[index + 1] = PAIRED
    return codes


def letter(raw: Any, index: int, code: int) -> str:
    """The character; PDFium marks a hyphen at a line end by a number that is none."""
    if (code == 2 or code == 0xFFFE) and pdfium.FPDFText_IsHyphen(raw, index) == 1:
        return "-"
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    text = chr(code)
    return SPACE if text.isspace() and text not in HARD_SPACES else text


class Faces:
    """Looks of text objects; fonts are asked once a page."""

    def __init__(self, raw: Any, frame: Frame) -> None:
        self._raw, self._frame = raw, frame
        self._fonts: dict[int, tuple[int, bool, bool, bool]] = {}
        self._faces: dict[tuple[float, ...], Face] = {}
        self._matrix = pdfium.FS_MATRIX()
        self._size = ctypes.c_float()

    def of(self, index: int, owner: int | None, height: float) -> Face:
        """The look of the character at `index`, drawn by the object at `owner`; `height` is that of its box."""
        matrix = self._matrix
        pdfium.FPDFText_GetMatrix(self._raw, index, matrix)
        if not owner:
            return self._face(None, height, matrix.a, matrix.b, matrix.c, matrix.d)
        item = ctypes.cast(owner, pdfium.FPDF_PAGEOBJECT)
        pdfium.FPDFTextObj_GetFontSize(item, self._size)
        font, size = pdfium.FPDFTextObj_GetFont(item), self._size.value
        key = (ctypes.addressof(font.contents) if font else 0, size, matrix.a, matrix.b, matrix.c, matrix.d)
        if key not in self._faces:
            size = size * math.hypot(matrix.c, matrix.d) or height
            self._faces[key] = self._face(font, size, *key[2:])
        return self._faces[key]

    def _face(self, font: Any, size: float, a: float, b: float, c: float, d: float) -> Face:
        number, bold, italic, mono = self._font(font)
        slanted = abs(c) > 0.1 * abs(d) > 0
        return Face(round(abs(size), 2) or 1.0, bold, italic or slanted, mono, self._frame.direction(a, b), number)

    def _font(self, font: Any) -> tuple[int, bool, bool, bool]:
        handle = ctypes.addressof(font.contents) if font else 0
        if handle not in self._fonts:
            self._fonts[handle] = (len(self._fonts) + 1, *looks(font)) if handle else (0, False, False, False)
        return self._fonts[handle]


def looks(font: Any) -> tuple[bool, bool, bool]:
    """Whether a font is bold, italic, monospaced: by weight and flags, and by name where they say nothing."""
    buffer = ctypes.create_string_buffer(256)
    length = pdfium.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.raw[: max(0, min(length, 256) - 1)].decode("utf-8", "replace")
    flags = max(0, pdfium.FPDFFont_GetFlags(font))
    bold = pdfium.FPDFFont_GetWeight(font) >= 600 or bool(BOLD.search(name))
    italic = bool(flags & ITALIC_FLAG) or bool(ITALIC.search(name))
    return bold, italic, bool(flags & FIXED_PITCH) or bool(MONO.search(name))


class Drawings:
    """Rules and pictures of a page, those inside form objects too."""

    def __init__(self, page: Any, frame: Frame) -> None:
        self.rules: list[Rule] = []
        self.images: list[BBox] = []
        self.count = 0
        self._frame = frame
        self._matrix = pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_float(), ctypes.c_float()
        self._fill, self._stroke = ctypes.c_int(), ctypes.c_int()
        raw = page.raw
        self._walk(pdfium.FPDFPage_CountObjects(raw), pdfium.FPDFPage_GetObject, raw, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), 0)

    def _walk(self, count: int, child: Any, parent: Any, outer: tuple[float, ...], depth: int) -> None:
        for index in range(count):
            item = child(parent, index)
            kind = pdfium.FPDFPageObj_GetType(item)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                continue
            if kind == pdfium.FPDF_PAGEOBJ_FORM:
                if depth < DEEPEST_FORM:
                    inner = times(self._own(item), outer)
                    self._walk(
                        pdfium.FPDFFormObj_CountObjects(item), pdfium.FPDFFormObj_GetObject, item, inner, depth + 1
                    )
                continue
            self.count += 1
            if self.count > MOST_PATHS:
                return
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(item, times(self._own(item), outer))
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                self._image(times(self._own(item), outer))

    def _own(self, item: Any) -> tuple[float, ...]:
        matrix = self._matrix
        pdfium.FPDFPageObj_GetMatrix(item, matrix)
        return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f

    def _image(self, matrix: tuple[float, ...]) -> None:
        """A picture is the unit square under its matrix."""
        a, b, c, d, e, f = matrix
        xs, ys = (e, e + a, e + c, e + a + c), (f, f + b, f + d, f + b + d)
        self.images.append(self._frame.box(min(xs), min(ys), max(xs), max(ys)))

    def _path(self, item: Any, matrix: tuple[float, ...]) -> None:
        pdfium.FPDFPath_GetDrawMode(item, self._fill, self._stroke)
        if not (self._fill.value or self._stroke.value):
            return
        count = pdfium.FPDFPath_CountSegments(item)
        if count > MOST_SEGMENTS:
            return
        edges = self._edges(item, count, matrix)
        if not edges:
            return
        if self._stroke.value:
            for edge in edges:
                self._add(*edge)
            return
        left, right = min(min(x0, x1) for x0, _, x1, _ in edges), max(max(x0, x1) for x0, _, x1, _ in edges)
        low, high = min(min(y0, y1) for _, y0, _, y1 in edges), max(max(y0, y1) for _, y0, _, y1 in edges)
        # A wider filled area is the background of a cell, which is no rule.
        if high - low <= WIDEST_RULE:
            self._add(left, (low + high) / 2, right, (low + high) / 2)
        elif right - left <= WIDEST_RULE:
            self._add((left + right) / 2, low, (left + right) / 2, high)

    def _edges(self, item: Any, count: int, matrix: tuple[float, ...]) -> list[tuple[float, float, float, float]]:
        """The straight pieces of a path, in user space."""
        a, b, c, d, e, f = matrix
        edges: list[tuple[float, float, float, float]] = []
        start = current = (0.0, 0.0)
        for index in range(count):
            piece = pdfium.FPDFPath_GetPathSegment(item, index)
            pdfium.FPDFPathSegment_GetPoint(piece, self._x, self._y)
            x, y = self._x.value, self._y.value
            point = a * x + c * y + e, b * x + d * y + f
            kind = pdfium.FPDFPathSegment_GetType(piece)
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                start = point
            elif kind == pdfium.FPDF_SEGMENT_LINETO:
                edges.append((*current, *point))
            current = point
            if pdfium.FPDFPathSegment_GetClose(piece) and point != start:
                edges.append((*point, *start))
                current = start
        return edges

    def _add(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Keep an edge that is level or upright and long enough to part anything."""
        if (abs(x1 - x0) < 0.8 or abs(y1 - y0) < 0.8) and max(abs(x1 - x0), abs(y1 - y0)) >= 5:
            self.rules.append(Rule(*self._frame.box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))))


def times(inner: tuple[float, ...], outer: tuple[float, ...]) -> tuple[float, ...]:
    """The matrix that applies `inner`, then `outer`."""
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
