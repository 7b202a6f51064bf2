"""Ordered segments and grids become lines, and lines become blocks.

Lines belong to one paragraph while pitch, size and weight stay; a short last line, an indent after
a full stop, a list marker or a jump begins a new one. Lines of monospaced text are code.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from pincite.parsing.pdf.formulas import is_formula
from pincite.parsing.pdf.model import Draft, Grid, Layer, Line, Segment, Word
from pincite.parsing.pdf.numbering import number_of
from pincite.parsing.pdf.rows import rows_of

__all__ = ["DASH", "LEADER", "MARKER", "blocks_of", "lines_of", "marker_of", "with_code_rows", "with_markers"]

BULLET = re.compile(r"[•·●■▪◦○‣➢✓❖\-–—*](?:\s|$)")
"""A list marker that is no number, at the start of a line."""

MARKER = re.compile(r"(?:[•·●■▪◦○‣➢✓❖\-–—*]|\(?(?:\d{1,3}|[a-zđ]|[ivx]{1,4})[.)])(?=\s|$)")
"""Any list marker, at the start of a line."""

DASH = re.compile(r"[-–—]\s")
"""A marker that may as well be a dash between two sentences."""

LONE_MARKER = re.compile(
    r"[•·●■▪◦○‣➢✓❖\-–—*]|\(?(?:\d{1,3}|[a-zđ]|[ivxIVX]{1,4}|[A-Z])[.)]|\d{1,2}(?:\.\d{1,2}){0,4}\.?"
)
"""A marker or heading number that stands in a segment of its own."""

DOTS = "•●■▪◦○‣➢✓❖"
"""Bullets that are nothing else."""

LEADER = re.compile(r"(?:[.·․…]\s*){4,}[\dIVXLCivxlc]+$")
"""Dots up to a page number: a line of a table of contents ends."""

STOP = tuple(".:;?!。：；？！…")


def with_markers(segments: Sequence[Segment], em: float) -> list[Segment]:
    """Segments with their list marker or number, where that is set apart by a tabulator."""
    made: list[Segment] = []
    for row in rows_of(segments):
        for segment in row:
            last = made[-1] if made else None
            if (
                last
                and segment is not row[0]
                and LONE_MARKER.fullmatch(last.text)
                and segment.left - last.right < 3 * em
            ):
                made[-1] = Segment.of((*last.words, *segment.words), segment.space_after, segment.confidence)
            else:
                made.append(segment)
    return made


def with_code_rows(segments: Sequence[Segment]) -> list[Segment]:
    """Pieces of one row of code as one segment, so that gaps inside code part no columns.

    Two columns of a page may hold code side by side: pieces stay apart where the nearest rows of
    prose keep to one side as well.
    """
    if not any(segment.mono for segment in segments):
        return list(segments)
    rows = rows_of(segments)
    prose = [number for number, row in enumerate(rows) if not all(segment.mono for segment in row)]
    made: list[Segment] = []
    for number, row in enumerate(rows):
        at = bisect(prose, number)
        near = [segment for k in prose[max(0, at - 2) : at + 2] for segment in rows[k] if not segment.mono]
        run = [row[0]]
        for segment in row[1:]:
            if run[-1].mono and segment.mono and not divided(run[-1], segment, near):
                run[-1] = Segment.of((*run[-1].words, *segment.words), segment.space_after, segment.confidence)
            else:
                run.append(segment)
        made += run
    return made


def divided(last: Segment, segment: Segment, prose: Sequence[Segment]) -> bool:
    """Whether the prose near two pieces of code stands on both sides of the gap and never in it."""
    before = any(text.right <= last.right for text in prose)
    after = any(text.left >= segment.left for text in prose)
    return before and after and not any(text.left < last.right and text.right > segment.left for text in prose)


def lines_of(ordered: Iterable[Segment | Grid], page: int, layer: Layer) -> Iterator[Line | Grid]:
    """Segments that follow one another on a base line become one line."""
    run: list[Segment] = []
    for item in ordered:
        if isinstance(item, Segment) and run and follows(run[-1], item):
            run.append(item)
            continue
        if run:
            yield Line.of(run, page, layer)
        run = []
        if isinstance(item, Segment):
            run = [item]
        else:
            yield item
    if run:
        yield Line.of(run, page, layer)


def follows(last: Segment, segment: Segment) -> bool:
    height = max(last.bottom - last.top, segment.bottom - segment.top)
    apart = abs((last.top + last.bottom) - (segment.top + segment.bottom)) / 2
    return apart < 0.4 * height and segment.left > last.left


def blocks_of(lines: Iterable[Line | Grid], page: int, em: float) -> list[Draft]:
    """Drafts of kind paragraph, code and table, in the order of the lines."""
    made: list[Draft] = []
    run: list[Line] = []

    def close() -> None:
        if run:
            kind = "code" if all(is_code(line) for line in run) else "paragraph"
            made.append(Draft(kind, page, tuple(run)))
            run.clear()

    items = list(lines)
    for item, following in zip_longest(items, items[1:]):
        if isinstance(item, Grid):
            close()
            made.append(Draft("table", page, grid=item))
            continue
        if run and begins(run, item, em) and not (dashed(run, item, following) and flows(run, item, em)):
            close()
        run.append(item)
    close()
    return inlined(made)


def inlined(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts, with a line that is all names from code put back into the sentence around it."""
    made: list[Draft] = []
    for draft in drafts:
        before = made[-1] if made else None
        if before and before.kind == "paragraph" and draft.lines and interrupted(before.lines[-1], draft.lines[0]):
            if draft.kind == "code" and len(draft.lines) == 1:
                made[-1] = replace(before, lines=before.lines + draft.lines)
                continue
            if draft.kind == "paragraph" and is_code(before.lines[-1]):
                made[-1] = replace(before, lines=before.lines + draft.lines)
                continue
        made.append(draft)
    return made


def interrupted(last: Line, line: Line) -> bool:
    """Whether a line goes on below another, flush with it, in the middle of a sentence."""
    if last.text.endswith(STOP) or MARKER.match(line.text) or abs(line.left - last.left) > 2:
        return False
    return (
        0 < line.top - last.top < 1.5 * max(line.height, last.height) and abs(line.size - last.size) < 0.2 * last.size
    )


def begins(run: Sequence[Line], line: Line, em: float) -> bool:
    """Whether `line` begins a new block after the lines of `run`."""
    last = run[-1]
    step = line.top - last.top
    reach = limit(run, line)
    if is_code(line) != is_code(last) or step < -0.2 * em:
        return True
    if is_code(line):
        return step > 1.6 * reach
    if step > reach or not alike(last, line):
        return True
    if abs(line.left - last.left) > 2 * em and is_formula(line) != is_formula(last):
        return True  # a displayed formula stands off the margin
    if line.left > last.right + em or line.right < last.left - em or LEADER.search(last.text):
        return True
    return (
        marked(run, line)
        or ended(run, line)
        or outdented(run, line)
        or defined(run, line)
        or divided_by_number(run, line)
    )


def dashed(run: Sequence[Line], line: Line, following: Line | Grid | None) -> bool:
    """Whether a line begins with the dash of a sentence: below a full line, flush with it, and in no list.

    An item has another item or its own hanging lines below it.
    """
    if not DASH.match(line.text) or MARKER.match(run[0].text) or run[-1].text.endswith((":", ",", ";")):
        return False
    left, right = min(other.left for other in run), max(other.right for other in [*run, line])
    if abs(line.left - left) > 0.5 * line.size or run[-1].right < right - 0.15 * (right - left):
        return False
    if not isinstance(following, Line):
        return False
    return not MARKER.match(following.text) and abs(following.left - line.left) < 0.5 * line.size


def flows(run: Sequence[Line], line: Line, em: float) -> bool:
    """Whether a line follows at the pitch of the lines before it and looks like them."""
    return -0.2 * em <= line.top - run[-1].top <= limit(run, line) and alike(run[-1], line)


def is_code(line: Line) -> bool:
    """Whether a line is monospaced and no list item, whose words may all be names from code."""
    return line.mono and line.text[0] not in DOTS


def limit(run: Sequence[Line], line: Line) -> float:
    """The largest step from line to line within the paragraph."""
    if len(run) > 1:
        return 1.35 * (run[-1].top - run[0].top) / (len(run) - 1) + 1
    return 1.7 * max(line.height, run[-1].height)


def alike(last: Line, line: Line) -> bool:
    return abs(line.size - last.size) <= 0.08 * max(line.size, last.size) and line.bold == last.bold


def marked(run: Sequence[Line], line: Line) -> bool:
    """Whether the line begins with a list marker that is no part of the sentence before it."""
    if not MARKER.match(line.text):
        return False
    last = run[-1]
    if line.text[0] in DOTS or MARKER.match(run[0].text):
        return True
    return last.text.endswith((*STOP, ",")) or last.right < line.right - 0.2 * (line.right - line.left)


def outdented(run: Sequence[Line], line: Line) -> bool:
    """Whether a list item is over: the line stands left of its text, where lines of the item do not."""
    first = run[0]
    if not MARKER.match(first.text) or line.left > first.left + 0.3 * line.size:
        return False
    hangs = len(run) > 1 and run[1].left > first.left + 0.5 * first.size
    return hangs or line.left < first.left - 0.5 * line.size or (len(run) == 1 and run[-1].text.endswith(STOP))


def defined(run: Sequence[Line], line: Line) -> bool:
    """Whether the line begins with a bold term as the paragraph did, after a full stop."""
    first, term = run[0].segments[0].words[0], line.segments[0].words[0]
    return first.bold and term.bold and not line.bold and run[-1].text.endswith(STOP)


def divided_by_number(run: Sequence[Line], line: Line) -> bool:
    """Whether the line begins with the number of a division, and does not only mention one.

    A line of running text may begin with "Section 5": there the line before it is full.
    """
    number = number_of(line.text)
    if not number or not number.strong:
        return False
    right = max(other.right for other in [*run, line])
    short = run[-1].right < right - 0.25 * (right - min(other.left for other in run))
    return (line.bold and len(line.text) < 120) or short or run[-1].text.endswith(STOP)


def ended(run: Sequence[Line], line: Line) -> bool:
    """Whether the last line ends the paragraph: short with a full stop, or before an indent."""
    last = run[-1]
    if len(run) < 2 or not last.text.endswith(STOP):
        return False
    left, right = min(other.left for other in run), max(other.right for other in run)
    short = last.right < right - 0.25 * (right - left)
    indented = line.left > left + 0.9 * line.size and abs(last.left - left) < 2
    return short or indented


def marker_of(line: Line) -> tuple[str, Line]:
    """The list marker of a line, or an empty one, and the line without it."""
    found = MARKER.match(line.text)
    words: tuple[Word, ...] = tuple(word for segment in line.segments for word in segment.words)
    if not found or len(words) < 2 or words[0].text != found[0]:
        return "", line
    rest = Segment.of(words[1:], line.space_after, line.confidence)
    marker = "-" if BULLET.match(line.text) else found[0]
    return marker, Line.of([rest], line.page, line.layer)
