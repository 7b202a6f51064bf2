"""Blocks into sections: each heading opens one, and a section has one heading path.

A heading's line is not part of its section's text, since the path says it; unless the line says
more than the title does (a link's target, a second line), for then it is kept as text as well,
so that nothing visible is lost. A heading without a title opens nothing and is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite.document import Block, Document

__all__ = ["Section", "sections"]

FURNITURE = frozenset({"page_header", "page_footer", "metadata"})


@dataclass(slots=True)
class Section:
    """What stands between one heading and the next."""

    path: tuple[str, ...]
    """Titles from the root to this section."""

    level: int = 0
    """Of its heading; 0 before the first one."""

    heading: Block | None = None
    body: list[Block] = field(default_factory=list)
    """Blocks in reading order; the heading is among them where its line says more than its title."""

    @property
    def blocks(self) -> list[Block]:
        """The body; the heading where there is nothing else, so that it can be found."""
        return self.body or ([self.heading] if self.heading else [])


def sections(document: Document) -> Iterator[Section]:
    """The sections of a document in reading order, those with nothing to say left out.

    A heading with nothing below it but deeper headings is said by their paths; a heading with
    nothing below it at all comes as a section whose body is empty.
    """
    stack: list[tuple[int, str]] = []
    current = Section(())
    for block in document.blocks:
        title = block.attributes.get("title") if block.kind == "heading" else None
        if not title:
            if block.kind not in FURNITURE:
                current.body.append(block)
            continue
        if current.body or (current.heading and block.level <= current.level):
            yield current
        while stack and stack[-1][0] >= block.level:
            stack.pop()
        stack.append((block.level, title))
        current = Section(tuple(each for _, each in stack), block.level, block)
        if says_more(document.text[block.span.start : block.span.end], title):
            current.body.append(block)
    if current.body or current.heading:
        yield current


def with_heading(section: Section) -> Section:
    """The section with its heading as text: for a body that holds nothing but rules."""
    body = section.blocks
    if section.heading and body[0] is not section.heading:
        body = [section.heading, *body]
    return Section(section.path, section.level, section.heading, body)


HASHES = re.compile(r"[ \t]*#{1,6}[ \t]+")
CLOSING = re.compile(r"[ \t]+#+[ \t]*\Z")
UNDERLINE = re.compile(r"\s*(?:\r\n|\n|\r)[ \t]*(?:=+|-+)[ \t]*\Z")


def says_more(line: str, title: str) -> bool:
    """Whether a heading's source holds something visible that its title does not."""
    hashes = HASHES.match(line)
    said = line[hashes.end() :] if hashes else UNDERLINE.sub("", line)
    if title in (said, CLOSING.sub("", said)):
        return False
    one_line = "\n" not in said and "\r" not in said
    return not (one_line and title in (folded(said), folded(CLOSING.sub("", said))))


def folded(text: str) -> str:
    return " ".join(text.split())
