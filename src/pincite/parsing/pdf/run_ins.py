"""Headings that run into their paragraph: `제1조(목적) 이 규칙은 …`, `**Article 5. Scope** The rules …`.

A numbered name in bold at the start of a paragraph whose text is not bold is the heading of that
paragraph, and so is the number and the title in brackets of a Korean article, bold or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pincite.parsing.pdf.model import Draft, Line, Segment, Word
from pincite.parsing.pdf.numbering import number_of

__all__ = ["with_run_ins"]

ARTICLE = re.compile(r"제\s*\d+\s*조(?:의\s*\d+)?\s*[(（][^()（）]{1,40}[)）]")

LONGEST = 12
"""Words of such a heading, at most."""


def with_run_ins(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts, with such headings as drafts of their own, of kind heading and no level yet."""
    made: list[Draft] = []
    for draft in drafts:
        words = first_words(draft)
        count = heading_words(words)
        if count:
            line = draft.lines[0]
            rest = (part(line, words[count:]), *draft.lines[1:]) if count < len(words) else draft.lines[1:]
            made.append(Draft("heading", draft.page, (part(line, words[:count]),)))
            if rest:
                made.append(replace(draft, lines=rest))
        else:
            made.append(draft)
    return made


def first_words(draft: Draft) -> tuple[Word, ...]:
    if draft.kind != "paragraph":
        return ()
    return tuple(word for segment in draft.lines[0].segments for word in segment.words)


def heading_words(words: tuple[Word, ...]) -> int:
    """How many of the first words are a heading; 0 where none are, or the whole line is one."""
    for count in range(1, min(LONGEST, len(words)) + 1):
        if ARTICLE.fullmatch(" ".join(word.text for word in words[:count])):
            return count
    bold = next((count for count, word in enumerate(words) if not word.bold), len(words))
    if 0 < bold <= LONGEST and bold < len(words):
        number = number_of(" ".join(word.text for word in words[:bold]))
        return bold if number and number.strong else 0
    return 0


def part(line: Line, words: tuple[Word, ...]) -> Line:
    return Line.of([Segment.of(words, line.space_after, line.confidence)], line.page, line.layer)
