"""What is checked of every document at run time: nothing visible is lost, nothing is over the budget.

The findings are diagnostics. A text that is lost is a fault of this package, said aloud; a chunk over
the budget is expected only where blocks are kept whole by option, or one character exceeds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.chunk import Chunk
from pincite.document import Block, Diagnostic, Document, Span

__all__ = ["audit"]

INVISIBLE = "\ufeff"
NO_TEXT = frozenset({"heading", "page_header", "page_footer", "metadata"})
SEPARATORS = frozenset("-_=.*~ \t\r\n\xa0>\ufeff")


def audit(document: Document, chunks: Sequence[Chunk], max_tokens: int, rewritten: bool = False) -> list[Diagnostic]:
    """Diagnostics for every text that no chunk holds and for every chunk over the budget.

    A text of nothing but rules and separators makes no chunk; that is a declared drop. Where tables
    are `rewritten`, their delimiters and the names of their columns are not looked for.
    """
    found = [
        Diagnostic(
            "over_budget", "warning", f"Chunk {chunk.index} has {chunk.tokens} tokens; {max_tokens} are allowed."
        )
        for chunk in chunks
        if chunk.tokens > max_tokens and "over_budget" in chunk.flags
    ]
    for start, end in uncovered(document, chunks, rewritten):
        text = document.text[start:end]
        start += len(text) - len(text.lstrip())
        span = Span(start, start + len(text.strip()))
        if SEPARATORS.issuperset(text):
            found.append(Diagnostic("dropped_separator", "info", "A rule without text made no chunk.", span=span))
        else:
            found.append(
                Diagnostic(
                    "lost_text", "error", f"No chunk holds {text.strip()[:60]!r}. Please report this.", span=span
                )
            )
    return found


def uncovered(document: Document, chunks: Sequence[Chunk], rewritten: bool) -> Iterator[tuple[int, int]]:
    """Ranges with something visible that is in no chunk, no path and no declared drop."""
    titles = {title for chunk in chunks for title in chunk.heading_path}
    covered = [(span.start, span.end) for chunk in chunks for span in chunk.spans]
    covered += [(d.span.start, d.span.end) for d in document.diagnostics if d.drops and d.span]
    for block in document.blocks:
        if block.kind in NO_TEXT and (block.kind != "heading" or block.attributes.get("title") in titles):
            covered.append((block.span.start, block.span.end))
        elif rewritten and block.table:
            covered += outside_cells(block)
    covered.sort()
    covered.append((len(document.text), len(document.text)))
    at = 0
    for start, end in covered:
        if start > at and document.text[at:start].strip().strip(INVISIBLE).strip():
            yield at, start
        at = max(at, end)


def outside_cells(block: Block) -> Iterator[tuple[int, int]]:
    """What of a table is not the content of a cell below its header."""
    at = block.span.start
    assert block.table is not None
    for row in block.table.rows:
        for cell in row.cells:
            yield at, cell.span.start
            at = cell.span.end
    yield at, block.span.end
