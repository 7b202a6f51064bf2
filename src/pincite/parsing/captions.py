"""Captions: a paragraph beside a table or a figure that names and numbers it.

The paragraph must stand directly before or after, and say a word for table or figure, a number,
and then a separator or a short title. "Table 3 shows that …" is a sentence and stays one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pincite.document import Block

__all__ = ["is_caption", "with_captions"]

WORDS: Final = "|".join(
    """table tab\\. figure fig\\. fig chart diagram image picture photo plate map scheme listing exhibit illustration
    bảng biểu hình ảnh sơ\\ đồ biểu\\ đồ đồ\\ thị 표 그림 도표 사진 차트
    tabelle abbildung abb\\. tableau tabla cuadro figura tabela quadro 表 图 圖 図""".replace("\\ ", "\0").split()
).replace("\0", "\\s")
NUMBER: Final = r"(?:\s*\d+|\s+(?:[A-Z]|[IVXLC]+))(?:[.-](?:\d+|[A-Za-z]))*[a-z]?"
NAMED: Final = re.compile(rf"[\s>*_<\[(【〈]*(?i:{WORDS}){NUMBER}(?P<mark>\s*[\]>)】〉]?[*_]*\s*(?:[:.\-–—|：．]|\Z))?")
LONGEST: Final = 150
"""Code points of a caption without a separator after its number."""


def is_caption(text: str) -> bool:
    """Whether a paragraph reads as the caption of what it stands beside."""
    start = unicodedata.normalize("NFC", text[:80])
    found = NAMED.match(start)
    if not found:
        return False
    following = start[found.end() : found.end() + 1]
    if found["mark"]:
        return True
    if following.isalnum():
        return False
    shown = text.rstrip("*_ ")
    return len(shown) <= LONGEST and "\n" not in shown and not shown.endswith((".", "!", "?", "。", "…"))


def with_captions(blocks: list[Block], text: str) -> None:
    """Retype, in place, paragraphs that stand beside a table or figure and read as its caption."""
    anchors = [index for index, block in enumerate(blocks) if block.kind == "table" or block.kind == "figure"]
    for index in anchors:
        for beside in (index - 1, index + 1):
            if 0 <= beside < len(blocks) and fits(blocks, beside, index, text):
                blocks[beside] = replace(blocks[beside], kind="caption")


def fits(blocks: Sequence[Block], beside: int, index: int, text: str) -> bool:
    """Whether the neighbour is running text in the same place that reads as a caption."""
    block, anchor = blocks[beside], blocks[index]
    same = block.level == anchor.level and block.attributes.get("quote") == anchor.attributes.get("quote")
    return same and block.kind == "paragraph" and is_caption(text[block.span.start : block.span.end])
