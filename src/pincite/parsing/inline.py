"""How running text with links and emphasis is written, for every format that has runs.

Word processors cut text into runs at will: after a spelling check, an edit, a change of language.
So runs of one format are joined before any mark is written, and marks stand around whole words
only. Where a change of format falls inside a word the paragraph's emphasis is an accident of
editing and none of it is written: a mark inside a word would part it for search and for quotes.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Piece", "plain", "superscript", "written"]

SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")

UNSPACED = re.compile(r"CJK|HIRAGANA|KATAKANA|THAI|LAO|KHMER|MYANMAR")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one format."""

    text: str
    bold: bool = False
    italic: bool = False
    link: str = ""
    """Where it leads; empty for plain text and for links within the document."""

    code: bool = False
    """Set in the typeface of program text."""

    glued: bool = False
    """A mark that belongs to the word before it, such as a footnote's."""

    def saying(self, text: str) -> Piece:
        """Another text in the same format."""
        return Piece(text, self.bold, self.italic, self.link, self.code, self.glued)

    def unmarked(self) -> Piece:
        """The same text without emphasis."""
        return Piece(self.text, link=self.link, glued=self.glued)


def plain(pieces: Iterable[Piece]) -> str:
    """The words alone."""
    return "".join(piece.text for piece in pieces if not piece.glued)


def written(pieces: Iterable[Piece]) -> str:
    """Markdown of one paragraph; lines are parted by LF."""
    kept = merged(pieces)
    if len(kept) == 1 and form(kept[0]) == BARE:
        return kept[0].text
    joined = settled(widened(kept))
    parts = []
    for link, group in itertools.groupby(joined, key=lambda piece: piece.link):
        text = "".join(marked(piece) for piece in group)
        parts.append(linked(text, link) if link else text)
    return "".join(parts)


def superscript(text: str) -> str:
    """Raised digits and signs as Unicode has them, so that ten to the sixth is not 106."""
    return text.translate(SUPERSCRIPTS) if set(text.strip()) <= set("0123456789+-−=()") else text


def merged(pieces: Iterable[Piece]) -> list[Piece]:
    """Neighbours of one format as one; blank ones take the format that stands on both sides."""
    kept = [piece for piece in pieces if piece.text]
    for at in range(1, len(kept) - 1):
        before, here, after = kept[at - 1 : at + 2]
        if not here.text.strip() and form(before) == form(after):
            kept[at] = before.saying(here.text)
    groups = (list(group) for _, group in itertools.groupby(kept, key=form))
    return [group[0].saying("".join(piece.text for piece in group)) if len(group) > 1 else group[0] for group in groups]


def form(piece: Piece) -> tuple[bool, bool, str, bool, bool]:
    """What two pieces must share to be one."""
    return piece.bold, piece.italic, piece.link, piece.code, piece.glued


BARE = form(Piece(""))


def widened(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with each link that begins or ends inside a word grown over the whole word."""
    if not any(piece.link for piece in pieces):
        return list(pieces)
    texts = [piece.text for piece in pieces]
    for at, piece in enumerate(pieces):
        if piece.link and texts[at]:
            texts[at] = head_of_word(pieces, texts, at) + texts[at]
            texts[at] += tail_of_word(texts, at)
    return [piece.saying(text) for piece, text in zip(pieces, texts, strict=True) if text]


def head_of_word(pieces: Sequence[Piece], texts: list[str], at: int) -> str:
    """Takes what a word that goes on in piece `at` has before it, as far as no other link holds it."""
    taken: list[str] = []
    following = texts[at]
    for before in range(at - 1, -1, -1):
        if pieces[before].link or not inside_word(texts[before], following):
            break
        cut = len(texts[before]) - word_length(reversed(texts[before]))
        following = texts[before][cut:]
        texts[before] = texts[before][:cut]
        taken.append(following)
        if cut:
            break
    return "".join(reversed(taken))


def tail_of_word(texts: list[str], at: int) -> str:
    """Takes what the last word of piece `at` has after it, be it in another link."""
    taken: list[str] = []
    leading = texts[at]
    for after in range(at + 1, len(texts)):
        if not inside_word(leading, texts[after]):
            break
        cut = word_length(texts[after])
        leading = texts[after][:cut]
        texts[after] = texts[after][cut:]
        taken.append(leading)
        if texts[after]:
            break
    return "".join(taken)


def settled(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces without emphasis, where a change of it parts a word or touches another one."""
    for before, after in itertools.pairwise(pieces):
        if style(before) != style(after) and (
            inside_word(before.text, after.text)
            or (any(style(before)) and any(style(after)) and touching(before, after))
        ):
            return [piece.unmarked() for piece in pieces]
    return list(pieces)


def style(piece: Piece) -> tuple[bool, bool, bool]:
    """What is written as marks around it."""
    return piece.bold, piece.italic, piece.code


def touching(before: Piece, after: Piece) -> bool:
    """Whether no white space parts them."""
    return not (before.text[-1].isspace() or after.text[0].isspace())


def marked(piece: Piece) -> str:
    """The text with its marks; white space at the ends stays outside of them."""
    core = piece.text.strip()
    marks = "`" if piece.code else "*" * (2 * piece.bold + piece.italic)
    if not marks or marks[0] in core or not any(map(str.isalnum, core)):
        return piece.text
    at = piece.text.index(core)
    return f"{piece.text[:at]}{marks}{core}{marks}{piece.text[at + len(core) :]}"


def linked(text: str, link: str) -> str:
    """`[text](link)`, or the text alone where it is the address; blanks stay outside."""
    core = text.strip()
    if not core or core in (link, link.removeprefix("mailto:"), link.removeprefix("tel:"), link.rstrip("/")):
        return text
    at = text.index(core)
    target = f"<{link}>" if re.search(r"[\s()<>]", link) else link
    return f"{text[:at]}[{core}]({target}){text[at + len(core) :]}"


def inside_word(before: str, after: str) -> bool:
    """Whether the border between two texts falls inside a word."""
    return bool(before and after) and in_word(before[-1]) and in_word(after[0])


def word_length(letters: Iterable[str]) -> int:
    """How many of the first letters belong to one word, in scripts that part words by spaces."""
    return sum(1 for _ in itertools.takewhile(in_word, letters))


def in_word(letter: str) -> bool:
    """Whether a letter can stand inside a word that spaces set off."""
    if letter.isascii():
        return letter.isalnum()
    return unicodedata.category(letter)[0] in "LNM" and not UNSPACED.match(unicodedata.name(letter, ""))
