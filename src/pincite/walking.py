"""Which files of a source are documents, and whether the listing of it is complete.

Left out are hidden files and folders, those of version control and of package managers, what a
`.gitignore` inside the source ignores, and what no parser reads. A link inside a source that
points into the source is left out, since its target is listed under its own name; so no loop of
links is ever followed.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from pincite.errors import MissingError, ReadError

__all__ = ["Found", "Listing", "Patterns", "list_source", "uri_of"]

SKIPPED: Final = frozenset({"node_modules", "__pycache__", "__pypackages__", "CVS", "_darcs"})
"""Folders that hold no documents of their own, beside those whose names begin with a dot."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that a source holds."""

    path: str
    relative: str
    """To the source, as the file system spells it, with forward slashes; bytes that are no text as `\\xff`."""

    stamp: str
    """Size, times and inode: as long as it stays the same, so do the bytes."""

    changed: float
    """The later of its times, in seconds since 1970."""

    size: int


@dataclass(slots=True)
class Listing:
    """What a source holds."""

    root: Path
    """The folder that uris are relative to."""

    files: list[Found] = field(default_factory=list)
    """By name."""

    problems: list[ReadError] = field(default_factory=list)
    """Folders and files that could not be listed."""

    unlisted: list[str] = field(default_factory=list)
    """Their paths relative to the root: what the index holds of these is not known to be gone."""

    single: str | None = None
    """Where the source is one file: its path relative to the root."""

    skipped: int = 0
    """Files whose format nothing reads."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Glob patterns as in `.gitignore`; the last that matches a path decides."""

    rules: tuple[tuple[re.Pattern[str], bool, bool], ...]
    """Expression, whether it takes back, whether it is for folders only."""

    @classmethod
    def of(cls, lines: Sequence[str]) -> Patterns:
        return cls(tuple(rule for line in lines if (rule := parsed_rule(line))))

    def verdict(self, relative: str, folder: bool) -> bool | None:
        """Whether the path is matched; None where no rule speaks of it."""
        found: bool | None = None
        for expression, negative, folders_only in self.rules:
            if (folder or not folders_only) and expression.fullmatch(relative):
                found = not negative
        return found

    def match(self, relative: str, folder: bool = False) -> bool:
        """Whether the path or a folder that it lies in is matched."""
        if not self.rules:
            return False
        parts = relative.split("/")
        outer = ("/".join(parts[:count]) for count in range(1, len(parts)))
        return bool(self.verdict(relative, folder)) or any(self.verdict(each, True) for each in outer)


def parsed_rule(line: str) -> tuple[re.Pattern[str], bool, bool] | None:
    text = line.rstrip("\n\r").rstrip(" ")
    negative = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    if not text or line.startswith("#"):
        return None
    anchored = "/" in text
    return compiled(text.lstrip("/"), anchored), negative, folders_only


@lru_cache(maxsize=1000)
def compiled(glob: str, anchored: bool) -> re.Pattern[str]:
    """`*` and `?` stay inside a name, `**` crosses folders; without a slash any folder may come before."""
    out = "" if anchored else "(?:.*/)?"
    at = 0
    while at < len(glob):
        if glob.startswith("**/", at):
            out, at = out + "(?:.*/)?", at + 3
        elif glob.startswith("**", at):
            out, at = out + ".*", at + 2
        elif glob[at] == "[" and (end := glob.find("]", at + 2)) > 0:
            inside = glob[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            out, at = out + "[" + ("^" + inside[1:] if inside[0] == "!" else inside) + "]", end + 1
        elif glob[at] == "\\" and at + 1 < len(glob):
            out, at = out + re.escape(glob[at + 1]), at + 2
        else:
            out, at = out + {"*": "[^/]*", "?": "[^/]"}.get(glob[at], re.escape(glob[at])), at + 1
    try:
        return re.compile(out, re.DOTALL)
    except re.error:
        return re.compile(re.escape(glob))


def list_source(
    source: Path, endings: Sequence[str], include: Sequence[str] = (), exclude: Sequence[str] = (), own: str = ""
) -> Listing:
    """The files of a folder, or the one file that is named; MissingError where there is nothing.

    `endings` are those that can be read; with `include` a file must match a pattern of it instead.
    Files whose path begins with `own` belong to the index.
    """
    try:
        kind = source.stat()
    except OSError as error:
        raise MissingError(
            str(source), f"there is nothing to read ({error.strerror or error})", "check the path"
        ) from error
    if not stat.S_ISDIR(kind.st_mode):
        found = file_found(str(source), source.name, kind)
        return Listing(root=source.parent.resolve(), files=[found], single=found.relative)
    walk = Walk(source.resolve(), tuple(endings), Patterns.of(include), Patterns.of(exclude), own)
    walk.folder(walk.listing.root, "", [])
    if walk.listing.unlisted == [""]:
        raise walk.listing.problems[0]
    walk.listing.files.sort(key=lambda each: each.relative)
    return walk.listing


class Walk:
    """One walk over one folder."""

    def __init__(self, root: Path, endings: tuple[str, ...], include: Patterns, exclude: Patterns, own: str) -> None:
        self.listing = Listing(root)
        self.endings, self.include, self.exclude, self.own = endings, include, exclude, own
        self.seen: set[tuple[int, int]] = set()

    def folder(self, folder: Path, relative: str, ignores: list[tuple[str, Patterns]]) -> None:
        """Enter what a folder holds; `ignores` are the rules of the folders above, by their paths."""
        try:
            with os.scandir(folder) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.problem(relative, folder, error)
            return
        if any(entry.name == "pyvenv.cfg" for entry in inside):
            return
        own = next((entry for entry in inside if entry.name == ".gitignore"), None)
        ignores = [*ignores, (relative, ignore_file(Path(own.path)))] if own else ignores
        for entry in inside:
            self.entry(entry, f"{relative}/{entry.name}" if relative else entry.name, ignores)

    def entry(self, entry: os.DirEntry[str], relative: str, ignores: list[tuple[str, Patterns]]) -> None:
        if entry.name.startswith(".") or entry.name in SKIPPED or (self.own and entry.path.startswith(self.own)):
            return
        try:
            if entry.is_symlink() and self.inside(entry.path):
                return
            kind = entry.stat()
        except OSError as error:
            if not entry.is_symlink():
                self.problem(relative, Path(entry.path), error)
            return
        folder = stat.S_ISDIR(kind.st_mode)
        if self.ignored(relative, folder, ignores):
            return
        if folder:
            self.enter(entry, relative, kind, ignores)
        elif stat.S_ISREG(kind.st_mode):
            self.file(entry, relative, kind)

    def enter(
        self, entry: os.DirEntry[str], relative: str, kind: os.stat_result, ignores: list[tuple[str, Patterns]]
    ) -> None:
        if entry.is_symlink() or self.seen:
            mark = (kind.st_dev, kind.st_ino)
            if mark in self.seen:
                return
            self.seen.add(mark)
        self.folder(Path(entry.path), relative, ignores)

    def file(self, entry: os.DirEntry[str], relative: str, kind: os.stat_result) -> None:
        wanted = (
            self.include.match(uri_of(relative)) if self.include.rules else entry.name.lower().endswith(self.endings)
        )
        if wanted:
            self.listing.files.append(file_found(entry.path, relative, kind))
        else:
            self.listing.skipped += 1

    def inside(self, path: str) -> bool:
        """Whether a link points into the source, where its target has a name of its own."""
        return Path(os.path.realpath(path)).is_relative_to(self.listing.root)

    def ignored(self, relative: str, folder: bool, ignores: list[tuple[str, Patterns]]) -> bool:
        if self.exclude.rules and self.exclude.match(uri_of(relative), folder):
            return True
        verdict = None
        for base, patterns in ignores:
            below = relative[len(base) + 1 :] if base else relative
            found = patterns.verdict(below, folder)
            verdict = verdict if found is None else found
        return bool(verdict)

    def problem(self, relative: str, path: Path, error: OSError) -> None:
        self.listing.unlisted.append(plain(relative))
        self.listing.problems.append(
            MissingError(
                uri_of(relative) or str(path),
                f"it cannot be opened ({error.strerror or error})",
                "check its permissions",
            )
        )


def ignore_file(path: Path) -> Patterns:
    try:
        return Patterns.of(path.read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError:
        return Patterns(())


def file_found(path: str, relative: str, kind: os.stat_result) -> Found:
    stamp = f"{kind.st_size}:{kind.st_mtime_ns}:{kind.st_ctime_ns}:{kind.st_ino}"
    return Found(path, plain(relative), stamp, max(kind.st_mtime, kind.st_ctime), kind.st_size)


def plain(relative: str) -> str:
    """A path as text that any file and database can hold."""
    if os.sep == "/" and relative.isascii():
        return relative
    return os.fsencode(relative).decode("utf-8", "backslashreplace").replace(os.sep, "/")


def uri_of(relative: str) -> str:
    """A path as a uri: forward slashes, NFC."""
    text = plain(relative)
    return text if text.isascii() else unicodedata.normalize("NFC", text)
