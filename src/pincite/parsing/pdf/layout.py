"""Pages become drafts in reading order: the steps of the layout, one after the other.

On each page: leaders and formulas → furniture → ruled tables → aligned tables → frames → reading order → lines →
paragraphs and code. Over the document: headings → list items, captions and footnotes → what runs
over a column or a page. All of it is pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pincite.document import OutlineEntry
from pincite.parsing.pdf.aligned import aligned_tables
from pincite.parsing.pdf.formulas import with_formulas
from pincite.parsing.pdf.furniture import furniture
from pincite.parsing.pdf.grids import ruled_tables
from pincite.parsing.pdf.headings import with_headings
from pincite.parsing.pdf.joining import joined
from pincite.parsing.pdf.kinds import with_kinds
from pincite.parsing.pdf.leaders import with_leaders
from pincite.parsing.pdf.model import OBLIQUE, Draft, Grid, Layer, PageContent, Segment
from pincite.parsing.pdf.order import reading_order
from pincite.parsing.pdf.panels import Panel, panels
from pincite.parsing.pdf.paragraphs import blocks_of, lines_of, with_code_rows, with_markers
from pincite.parsing.pdf.rows import mended, rows_of, unstretched, wrapped_lines
from pincite.parsing.pdf.run_ins import with_run_ins

__all__ = ["drafts_of"]


def drafts_of(pages: Sequence[PageContent], outline: Sequence[OutlineEntry]) -> list[Draft]:
    """All blocks of the document, furniture among them as page_header and page_footer."""
    pages = [replace(page, layers=tuple(whole(layer) for layer in page.layers)) for page in pages]
    body = body_size(segment for page in pages for layer in page.layers for segment in layer.segments)
    fixed = furniture(pages, body)
    drafts = [draft for page in pages for draft in page_drafts(page, body, fixed)]
    drafts = with_headings(with_run_ins(drafts), outline, body)
    return joined(with_kinds(drafts, body))


def whole(layer: Layer) -> Layer:
    if layer.turn == OBLIQUE:
        return layer
    return replace(layer, segments=tuple(with_formulas(with_leaders(mended(layer.segments)), layer.rules)))


def body_size(segments: Iterable[Segment]) -> float:
    """The font size that most characters have, to half a point; code counts little."""
    sizes: Counter[float] = Counter()
    for segment in segments:
        sizes[round(segment.size * 2) / 2] += 1 if segment.mono else len(segment.text)
    return max(sizes, key=lambda size: (sizes[size], -size)) or 1.0 if sizes else 10.0


def page_drafts(page: PageContent, em: float, fixed: Mapping[int, bool]) -> list[Draft]:
    """One page's blocks; its running heads first, its feet last."""
    heads: list[Draft] = []
    text: list[Draft] = []
    feet: list[Draft] = []
    for layer in page.layers:
        for head, drafts in ((True, heads), (False, feet)):
            mine = [segment for segment in layer.segments if fixed.get(id(segment)) is head]
            kind = "page_header" if head else "page_footer"
            drafts += [Draft(kind, page.number, wrapped_lines(row, page.number, layer)) for row in rows_of(mine)]
        rest = [segment for segment in layer.segments if id(segment) not in fixed]
        if layer.turn == OBLIQUE:
            text += [Draft("paragraph", page.number, wrapped_lines([segment], page.number, layer)) for segment in rest]
        else:
            text += layer_drafts(rest, layer, page.number, em)
    return heads + text + feet


def layer_drafts(segments: Sequence[Segment], layer: Layer, page: int, em: float) -> list[Draft]:
    """Paragraphs, code and tables of one direction of text, in reading order."""
    ruled, rest = ruled_tables(segments, layer, page)
    loose, rest = aligned_tables(rest, layer, page, em, ruled)
    rest = with_code_rows(unstretched(with_markers(rest, em), em))
    framed, rest = panels(rest, layer)
    boxes: list[Segment | Grid | Panel] = [*rest, *ruled, *loose, *framed]
    return blocks_of(lines_of(unpacked(reading_order(boxes, em), em), page, layer), page, em)


def unpacked(ordered: Iterable[Segment | Grid | Panel], em: float) -> Iterator[Segment | Grid]:
    """What stands in frames, in its own order, at the place of the frame."""
    for box in ordered:
        if isinstance(box, Panel):
            yield from reading_order(box.segments, em)
        else:
            yield box
