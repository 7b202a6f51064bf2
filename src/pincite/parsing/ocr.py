"""Recognises the text of a picture with the `tesseract` program.

Tesseract is the one free engine measured to read Vietnamese and Korean beside English, and its
language packages are small. It is called as a program, picture in by standard input and words out
as tab-separated values, so no Python wrapper is needed. One thread a call: pages are spread over
processes, and threads inside each would only fight for the same cores.

Korean pages need another page segmentation than the default, which takes them for vertical text.
Where no language is given, the program's own script detection decides between the two.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.errors import DependencyError, LimitError, ReadError

__all__ = ["RecognisedLine", "available_languages", "recognise"]

PREFERRED: Final = ("vie", "eng", "kor")
"""What is tried when no language is given; the first one leads, and Vietnamese contains English."""

INSTALL: Final = "on Debian and Ubuntu run: apt-get install tesseract-ocr tesseract-ocr-vie tesseract-ocr-kor"

SINGLE_COLUMN, AUTOMATIC, SCRIPT_ONLY = "4", "3", "0"

WORD_LEVEL: Final = "5"


HANGUL_GAP, DIGIT_GAP = 0.34, 0.27
"""Gap between boxes, in heights of the line, from which a space stands between Korean words."""

LATIN_SCRIPTS: Final = ("Latin", "Fraktur", "Cyrillic", "Greek")


@dataclass(frozen=True, slots=True)
class Word:
    """One row of the engine's table."""

    text: str
    bbox: tuple[int, int, int, int]
    confidence: float
    """0 to 100, or -1 where the engine does not say."""


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """One line of text that was found in a picture."""

    text: str
    """Words joined by single spaces; never empty."""

    bbox: tuple[int, int, int, int]
    """Left, top, right, bottom in pixels from the top left corner of the picture."""

    confidence: float
    """0 to 1: mean over the characters of what the engine says of each word."""


def recognise(
    image_png: bytes, languages: Sequence[str] = (), dpi: int = 200, timeout: float = 120.0, uri: str = "picture"
) -> list[RecognisedLine]:
    """The lines of a picture in reading order; an empty list where it shows no text.

    `languages` are Tesseract's codes (`eng`, `vie`, `kor`); with none, those of the three that are
    installed and fit the script of the picture. `uri` only names the document in errors. Raises
    DependencyError where the program or a language is missing, LimitError after `timeout` seconds,
    ReadError where the engine cannot read the picture.
    """
    installed = available_languages()
    for language in languages:
        if language not in installed:
            raise DependencyError(f"the Tesseract language {language!r}", install_advice(language))
    chosen = tuple(languages) or fitting(image_png, installed, dpi, timeout)
    segmentation = SINGLE_COLUMN if "kor" in chosen else AUTOMATIC
    arguments = ["-l", "+".join(chosen), "--psm", segmentation, "--dpi", str(dpi), "-c", "tessedit_create_tsv=1"]
    return list(lines_of(run(arguments, image_png, timeout, uri)))


def available_languages() -> tuple[str, ...]:
    """Codes of the languages that the installed Tesseract can read, sorted."""
    return languages_of(program())


def program() -> str:
    """Path of the binary, or the error that says how to get it."""
    path = shutil.which("tesseract")
    if path is None:
        raise DependencyError("the program tesseract, which reads pictures of text,", INSTALL)
    return path


@functools.lru_cache(maxsize=4)
def languages_of(path: str) -> tuple[str, ...]:
    """What one binary can read; `osd` is no language but the detection of scripts."""
    done = subprocess.run([path, "--list-langs"], capture_output=True, text=True, timeout=30, check=False)
    listed = (done.stdout or done.stderr).splitlines()[1:]
    return tuple(sorted(code for code in listed if code.strip() and code != "osd"))


def install_advice(language: str) -> str:
    """How to get one language, by the name of its Debian package."""
    return f"on Debian and Ubuntu run: apt-get install tesseract-ocr-{language.replace('_', '-').lower()}"


def fitting(image_png: bytes, installed: Sequence[str], dpi: int, timeout: float) -> tuple[str, ...]:
    """The preferred languages that are installed and write the script of the picture.

    The detection takes Korean for Japanese or Chinese now and then, never for Latin.
    """
    wanted = [code for code in PREFERRED if code in installed]
    if not wanted:
        raise DependencyError("none of the Tesseract languages eng, vie and kor", INSTALL)
    if "kor" not in wanted or len(wanted) == 1:
        return tuple(wanted)
    script = script_of(image_png, dpi, timeout)
    if script in LATIN_SCRIPTS:
        return tuple(code for code in wanted if code != "kor")
    if script is not None:
        return ("kor", *(code for code in wanted if code == "eng"))
    return tuple(wanted)


def script_of(image_png: bytes, dpi: int, timeout: float) -> str | None:
    """The script that most of the picture is written in, or nothing where too little is shown."""
    try:
        report = run(["-l", "osd", "--psm", SCRIPT_ONLY, "--dpi", str(dpi)], image_png, timeout, "picture")
    except ReadError:
        return None
    found = re.search(r"^Script: (\w+)", report, re.MULTILINE)
    return found.group(1) if found else None


def run(arguments: Sequence[str], image_png: bytes, timeout: float, uri: str) -> str:
    """What Tesseract prints for a picture."""
    command = [program(), "stdin", "stdout", *arguments]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(
            command, input=image_png, capture_output=True, timeout=timeout, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        raise LimitError(
            uri,
            f"recognising the text of one picture took more than {timeout:g} seconds",
            "raise the time limit or lower the resolution",
        ) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ReadError(uri, f"tesseract could not read a picture ({said[-1] if said else done.returncode})")
    return done.stdout.decode("utf-8", "replace")


def lines_of(report: str) -> Iterator[RecognisedLine]:
    """Words of Tesseract's table, put together line by line.

    Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
    """
    words: dict[tuple[str, ...], list[Word]] = {}
    for row in report.split("\n"):
        fields = row.rstrip("\r").split("\t", 11)
        if len(fields) < 12 or fields[0] != WORD_LEVEL or not fields[11].strip():
            continue
        left, top, width, height = map(int, fields[6:10])
        word = Word(fields[11].strip(), (left, top, left + width, top + height), float(fields[10]))
        words.setdefault(tuple(fields[1:5]), []).append(word)
    for line in words.values():
        yield joined(line)


def joined(words: Sequence[Word]) -> RecognisedLine:
    """One line of its words."""
    lefts, tops, rights, bottoms = zip(*(word.bbox for word in words), strict=True)
    letters = sum(len(word.text) for word in words)
    confidence = sum(len(word.text) * max(word.confidence, 0.0) for word in words) / letters / 100
    heights = sorted(word.bbox[3] - word.bbox[1] for word in words)
    em = heights[len(heights) // 2]
    text = words[0].text
    for before, after in itertools.pairwise(words):
        text += ("" if touching(before, after, em) else " ") + after.text
    return RecognisedLine(text, (min(lefts), min(tops), max(rights), max(bottoms)), round(min(confidence, 1.0), 4))


def touching(before: Word, after: Word, em: int) -> bool:
    """Whether two of the engine's words are one word.

    For Hangul it often reports each syllable as a word: the gap between the boxes tells them apart
    (up to 0.3 of the height within a word, from 0.36 between words on rendered pages; a digit
    brings white of its own). Chinese and Japanese are written without spaces.
    """
    last, first = before.text[-1], after.text[0]
    if ideographic(last) and ideographic(first):
        return True
    if not (hangul(last) or hangul(first)):
        return False
    limit = HANGUL_GAP if hangul(last) and hangul(first) else DIGIT_GAP
    return (
        (hangul(last) or last.isdigit())
        and (hangul(first) or first.isdigit())
        and after.bbox[0] - before.bbox[2] < limit * em
    )


def hangul(letter: str) -> bool:
    """Whether it is a Korean syllable or letter."""
    return "\uac00" <= letter <= "\ud7a3" or "\u1100" <= letter <= "\u11ff" or "\u3130" <= letter <= "\u318f"


def ideographic(letter: str) -> bool:
    """Whether it is a Han or Kana character or a full-width sign."""
    return "\u3001" <= letter <= "\u30ff" or "\u3400" <= letter <= "\u9fff" or "\uff01" <= letter <= "\uff60"
