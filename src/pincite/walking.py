"""Which files of a source are documents, and whether the listing of it is complete.

Left out are hidden files and folders, those of version control and of package managers, what a
`.gitignore` inside the source ignores, and what no parser reads. Links are followed after
everything that has a name of its own, folders before files, and each folder is entered once: so
nothing is listed twice through a link, no loop is followed, and a link to a file in a hidden folder
is the name of that file. A link that leads nowhere is told, and what the index holds of it stays.
"""

from __future__ import annotations

import heapq
import os
import re
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from pincite.errors import LimitError, MissingError, ReadError

__all__ = [
    "Contents",
    "Found",
    "Listing",
    "Patterns",
    "composed",
    "contents",
    "list_source",
    "plain",
    "spelled",
    "uri_of",
]

SKIPPED: Final = frozenset({"node_modules", "__pycache__", "__pypackages__", "CVS", "_darcs"})
"""Folders that hold no documents of their own, beside those whose names begin with a dot."""

OWN: Final = re.compile(r"(-wal|-shm|-journal|\.lock|-[0-9a-f]{12}-\d+\.f32)?")
"""What follows the name of an index in the names of its files."""

ESCAPE: Final = re.compile(r"\\(?=x[0-9a-f]{2})")
"""A backslash that would be read as the beginning of an escaped byte."""

ESCAPED: Final = re.compile(rb"\\x([0-9a-f]{2})")

PIECE: Final = 1 << 20

Ignores = tuple[tuple[str, "Patterns"], ...]
"""Rules of ignore files, each with the folder that it lies in, outer ones first."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that a source holds."""

    path: str
    relative: str
    """To the source, as `plain` spells it."""

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

    unlisted: dict[str, ReadError | None] = field(default_factory=dict)
    """Paths relative to the root of what could not be listed: what the index holds of these is not known to be
    gone. With the reason, where it concerns anyone."""

    single: str | None = None
    """Where the source is one file: its path relative to the root."""

    skipped: int = 0
    """Files whose format nothing reads."""

    @property
    def problems(self) -> list[ReadError]:
        """Why folders and files could not be listed."""
        return [each for each in self.unlisted.values() if each is not None]


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
    `own` is the resolved path of the index, whose files are no documents. A pipe or a device is
    refused: reading it would wait, or never end.
    """
    try:
        kind = source.stat()
    except OSError as error:
        raise MissingError(
            str(source), f"there is nothing to read ({error.strerror or error})", "check the path"
        ) from error
    if stat.S_ISDIR(kind.st_mode):
        walk = Walk(source.resolve(), kind, tuple(endings), Patterns.of(include), Patterns.of(exclude), own)
        return walk.run()
    if not stat.S_ISREG(kind.st_mode):
        raise irregular(str(source))
    found = file_found(str(source), source.name, kind)
    return Listing(root=source.parent.resolve(), files=[found], single=found.relative)


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """A link that is yet to be followed."""

    relative: str
    path: str = field(compare=False)
    ignores: Ignores = field(compare=False)


class Walk:
    """One walk over one folder."""

    def __init__(
        self,
        root: Path,
        kind: os.stat_result,
        endings: tuple[str, ...],
        include: Patterns,
        exclude: Patterns,
        own: str,
    ) -> None:
        self.listing = Listing(root)
        self.endings, self.include, self.exclude, self.own = endings, include, exclude, own
        self.own_name = os.path.basename(own)  # noqa: PTH119 - compared for each entry
        self.folders = {(kind.st_dev, kind.st_ino)}
        self.files: set[tuple[int, int]] = set()
        self.pending: list[tuple[str, str, Ignores]] = [(str(root), "", ())]
        self.links: list[Link] = []

    def run(self) -> Listing:
        """The whole listing; a MissingError where the folder itself cannot be opened."""
        self.enter_pending()
        if "" in self.listing.unlisted:
            raise self.listing.problems[0]
        self.follow()
        self.listing.files.sort(key=lambda each: each.relative)
        return self.listing

    def enter_pending(self) -> None:
        while self.pending:
            self.folder(*self.pending.pop())

    def folder(self, folder: str, relative: str, ignores: Ignores) -> None:
        """List what a folder holds; `ignores` are the rules of the folders above."""
        try:
            with os.scandir(folder) as entries:
                inside = list(entries)
        except OSError as error:
            self.problem(relative, folder, f"it cannot be opened ({error.strerror or error})")
            return
        names = {entry.name for entry in inside}
        if "pyvenv.cfg" in names:
            return
        if ".gitignore" in names:
            ignores = (*ignores, (relative, ignore_file(Path(folder, ".gitignore"))))
        before = f"{relative}/" if relative else ""
        for entry in inside:
            if not (entry.name.startswith(".") or entry.name in SKIPPED or self.is_own(entry)):
                self.entry(entry, before + entry.name, ignores)

    def entry(self, entry: os.DirEntry[str], relative: str, ignores: Ignores) -> None:
        if entry.is_symlink():
            heapq.heappush(self.links, Link(relative, entry.path, ignores))
            return
        folder = entry.is_dir(follow_symlinks=False)
        if self.ignored(relative, folder, ignores):
            return
        try:
            if folder:
                self.enter(entry.path, relative, looked(entry), ignores)
            elif entry.is_file(follow_symlinks=False):
                if self.is_wanted(relative):
                    self.file(entry.path, relative, looked(entry))
                else:
                    self.listing.skipped += 1
        except FileNotFoundError:  # gone since the folder was listed
            return
        except OSError as error:
            self.problem(relative, entry.path, f"it cannot be opened ({error.strerror or error})")

    def enter(self, path: str, relative: str, kind: os.stat_result, ignores: Ignores) -> None:
        """Note a folder to be listed, unless it was before."""
        mark = (kind.st_dev, kind.st_ino)
        if mark not in self.folders:
            self.folders.add(mark)
            self.pending.append((path, relative, ignores))

    def file(self, path: str, relative: str, kind: os.stat_result) -> None:
        self.files.add((kind.st_dev, kind.st_ino))
        self.listing.files.append(file_found(path, relative, kind))

    def follow(self) -> None:
        """List what has no other name than that of a link; links in what they lead to are followed as well."""
        files: list[tuple[Link, os.stat_result]] = []
        while self.links:
            link = heapq.heappop(self.links)
            try:
                kind = os.stat(link.path)  # noqa: PTH116
            except OSError as error:
                self.unreachable(link, error)
                continue
            folder = stat.S_ISDIR(kind.st_mode)
            if self.ignored(link.relative, folder, link.ignores):
                continue
            if folder:
                self.enter(link.path, link.relative, kind, link.ignores)
                self.enter_pending()
            elif stat.S_ISREG(kind.st_mode):
                files.append((link, kind))
        for link, kind in files:
            if (kind.st_dev, kind.st_ino) in self.files:
                continue
            if self.is_wanted(link.relative):
                self.file(link.path, link.relative, kind)
            else:
                self.listing.skipped += 1

    def unreachable(self, link: Link, error: OSError) -> None:
        """Tell of a link that leads nowhere for now, unless by its name nothing would read what it leads to."""
        if self.ignored(link.relative, True, link.ignores) or self.ignored(link.relative, False, link.ignores):
            return
        name = link.relative.rpartition("/")[2]
        if "." in name and not self.is_wanted(link.relative):
            self.listing.unlisted[plain(link.relative)] = None
            self.listing.skipped += 1
            return
        reason = f"it is a link to what cannot be reached ({error.strerror or error})"
        self.problem(link.relative, link.path, reason, "mend or remove the link")

    def is_wanted(self, relative: str) -> bool:
        if self.include.rules:
            return self.include.match(uri_of(relative))
        return relative.lower().endswith(self.endings)

    def is_own(self, entry: os.DirEntry[str]) -> bool:
        """Whether this is a file of the index, under whatever path its folder was reached."""
        if not self.own or not entry.name.startswith(self.own_name):
            return False
        parent = os.path.dirname(self.own)  # noqa: PTH120
        return bool(OWN.fullmatch(entry.name, len(self.own_name))) and parent == os.path.realpath(
            os.path.dirname(entry.path)  # noqa: PTH120
        )

    def ignored(self, relative: str, folder: bool, ignores: Ignores) -> bool:
        if self.exclude.rules and self.exclude.match(uri_of(relative), folder):
            return True
        verdict = None
        for base, patterns in ignores:
            below = relative[len(base) + 1 :] if base else relative
            found = patterns.verdict(below, folder)
            verdict = verdict if found is None else found
        return bool(verdict)

    def problem(self, relative: str, path: str, reason: str, advice: str = "check its permissions") -> None:
        self.listing.unlisted[plain(relative)] = MissingError(uri_of(relative) or path, reason, advice)


def looked(entry: os.DirEntry[str]) -> os.stat_result:
    """The looks of an entry that is no link; on Windows a listing knows no inodes."""
    return os.stat(entry.path) if os.name == "nt" else entry.stat(follow_symlinks=False)  # noqa: PTH116


def ignore_file(path: Path) -> Patterns:
    try:
        return Patterns.of(path.read_text(encoding="utf-8-sig", errors="replace").splitlines())
    except OSError:
        return Patterns(())


def file_found(path: str, relative: str, kind: os.stat_result) -> Found:
    stamp = f"{kind.st_size}:{kind.st_mtime_ns}:{kind.st_ctime_ns}:{kind.st_ino}"
    return Found(path, plain(relative), stamp, max(kind.st_mtime, kind.st_ctime), kind.st_size)


def plain(path: str) -> str:
    """A path as text that any file and database can hold; two paths never become one.

    Forward slashes, and bytes that are no text as `\\xff`; where a name really holds a backslash that
    could be read so, it becomes `\\x5c`. `spelled` turns it back.
    """
    if os.sep == "/":
        if path.isascii() and "\\" not in path:
            return path
        path = ESCAPE.sub(r"\\x5c", path)
    try:
        data = os.fsencode(path)
    except UnicodeEncodeError:
        data = path.encode("utf-8", "backslashreplace")
    return data.decode("utf-8", "backslashreplace").replace(os.sep, "/")


def spelled(path: str) -> str:
    """The path that `plain` was given, to be handed to the system."""
    if os.sep != "/" or "\\" not in path:
        return path
    return os.fsdecode(ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), path.encode()))


def uri_of(relative: str) -> str:
    """A path as a uri: forward slashes, NFC."""
    return composed(plain(relative))


def composed(text: str) -> str:
    """Text that looks the same is the same: NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file holds, and how it looked before and after it was read."""

    data: bytes
    before: os.stat_result
    after: os.stat_result


def contents(path: str | os.PathLike[str], uri: str, limit: int) -> Contents:
    """Read a file of at most `limit` bytes, whatever its size is said to be.

    Raises LimitError for a larger one, OSError for one that cannot be opened, and MissingError for what is no
    file: a pipe or a device is opened without waiting, and never read.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        before = os.fstat(descriptor)
        if stat.S_ISDIR(before.st_mode):
            raise MissingError(uri, "it is a folder", "name a file, or index the folder")
        if not stat.S_ISREG(before.st_mode):
            raise irregular(uri)
        if before.st_size > limit:
            raise over(uri, f"{before.st_size:,} bytes", limit)
    except BaseException:
        os.close(descriptor)
        raise
    with open(descriptor, "rb") as file:  # noqa: PTH123
        parts = [file.read(before.st_size + 1)]
        size = len(parts[0])
        while len(parts[-1]) and size <= limit:
            parts.append(file.read(PIECE))
            size += len(parts[-1])
        if size > limit:
            raise over(uri, "more bytes than its size says", limit)
        return Contents(b"".join(parts), before, os.fstat(descriptor))


def over(uri: str, found: str, limit: int) -> LimitError:
    return LimitError(uri, f"it has {found}, the limit is {limit:,}", "raise parse.max_bytes")


def irregular(name: str) -> MissingError:
    return MissingError(
        name,
        "it is a pipe, a socket or a device, not a file",
        "name a file; - is standard input where one may be given",
    )
