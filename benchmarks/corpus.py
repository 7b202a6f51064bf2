"""Markdown to measure with: a folder of yours, or one made from the samples.

The made corpus recombines headings, sentences, lists, tables and code of the sample documents in
three languages, always the same for the same size, so that two runs measure the same work.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from pincite.document import Document
from pincite.parsing import parse_bytes

__all__ = ["folder", "made"]

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
FRONT_MATTER = re.compile(r"\A---\r?\n.*?\r?\n---\r?\n", re.DOTALL)
DOCUMENT_SIZE = 40_000
"""Code points of a made document."""


def folder(path: Path, size: int) -> list[str]:
    """Markdown files of a folder, spread evenly over its names, up to `size` UTF-8 bytes in all."""
    files = sorted(p for p in path.rglob("*.md") if p.is_file())
    order = random.Random(0).sample(files, len(files))
    texts: list[str] = []
    total = 0
    for file in order:
        text = FRONT_MATTER.sub("", file.read_text("utf-8", errors="ignore"))
        if total >= size:
            break
        texts.append(text)
        total += len(text.encode())
    return texts


def made(size: int) -> list[str]:
    """Documents of the samples' blocks in new orders, `size` UTF-8 bytes in all."""
    sources = [read(path) for path in sorted(SAMPLES.iterdir()) if path.suffix in (".pdf", ".md", ".docx", ".html")]
    random_ = random.Random(0)
    texts: list[str] = []
    total = 0
    while total < size:
        text = "\n\n".join(recombined(random_.choice(sources), random_))
        texts.append(text)
        total += len(text.encode())
    return texts


def read(path: Path) -> Document:
    return parse_bytes(path.read_bytes(), path.name)


def recombined(document: Document, random_: random.Random) -> Iterator[str]:
    """Blocks of one document in another order, with words swapped so that no text comes twice."""
    length = 0
    while length < DOCUMENT_SIZE:
        block = random_.choice(document.blocks)
        text = document.text[block.span.start : block.span.end]
        if block.kind == "paragraph":
            words = text.split(" ")
            for _ in range(len(words) // 4):
                left, right = random_.randrange(len(words)), random_.randrange(len(words))
                words[left], words[right] = words[right], words[left]
            text = " ".join(words)
        length += len(text) + 2
        yield text
