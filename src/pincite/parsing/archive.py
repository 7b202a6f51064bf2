"""Reads parts of a ZIP package from bytes that nobody vouches for.

Office files are ZIP archives, and an archive can be made to cost far more than its size: millions
of entries, parts that inflate a thousandfold, names that climb out of a folder, entries that share
the same bytes. Everything is judged from the directory before anything is inflated, and only the
parts that are asked for are read, so a hostile file fails in little time and memory.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Final

from pincite.errors import CorruptError, EncryptedError, LimitError

__all__ = ["DEFAULT_LIMITS", "Archive", "ArchiveLimits"]

END_OF_DIRECTORY: Final = b"PK\x05\x06"
ZIP64_LOCATOR: Final = b"PK\x06\x07"
ZIP64_END: Final = b"PK\x06\x06"
END_SIZE: Final = 22
COMMENT_SIZE: Final = 0xFFFF
ENTRY_ROOM: Final = 512
"""Bytes of directory that one entry may take on average, name and extra fields included."""

DRIVE: Final = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLimits:
    """What an archive may cost."""

    entries: int = 10_000
    """Files in the archive."""

    part_bytes: int = 128 * 2**20
    """Size of one part that is read, inflated."""

    total_bytes: int = 4 * 2**30
    """Size of all parts together, inflated, as the directory declares it."""

    ratio: int = 200
    """How often larger than its packed bytes a part may be, once it is above `ratio_from` bytes.
    Documents of many equal rows reach 100; a bomb is near 1000."""

    ratio_from: int = 8 * 2**20


DEFAULT_LIMITS: Final = ArchiveLimits()


class Archive:
    """The parts of one ZIP archive by name, read on demand and within limits."""

    def __init__(self, data: bytes, uri: str, limits: ArchiveLimits = DEFAULT_LIMITS) -> None:
        """Checks the directory; raises CorruptError, EncryptedError or LimitError."""
        self._uri, self._limits, self._data = uri, limits, data
        self._check_directory_size()
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (
            zipfile.BadZipFile,
            ValueError,
            OSError,
            struct.error,
            UnicodeDecodeError,
            NotImplementedError,
        ) as error:
            raise CorruptError(uri, f"the ZIP archive is damaged ({error})", "export the document again") from None
        self._entries = {
            entry.filename.replace("\\", "/"): entry for entry in self._zip.infolist() if not entry.is_dir()
        }
        self._check_entries()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all files, in the order of the directory."""
        return tuple(self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """A part, inflated. Raises KeyError where the archive has none of that name."""
        entry = self._entries[name]
        if entry.flag_bits & 0x1:
            raise EncryptedError(self._uri, f"its part {name} is encrypted", "save it without a password")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise CorruptError(
                self._uri, f"its part {name} is packed in a way that documents do not use", "save it again"
            )
        if entry.file_size > self._limits.part_bytes:
            raise LimitError(
                self._uri, f"its part {name} has {entry.file_size:,} bytes; the limit is {self._limits.part_bytes:,}"
            )
        try:
            with self._zip.open(entry) as part:
                content = part.read(entry.file_size + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            OSError,
            ValueError,
            struct.error,
        ) as error:
            raise CorruptError(
                self._uri, f"its part {name} is damaged ({error})", "export the document again"
            ) from None
        if len(content) != entry.file_size:
            raise CorruptError(self._uri, f"its part {name} is cut short", "export the document again")
        return content

    def _check_directory_size(self) -> None:
        """Refuses a directory that is too long before anything builds objects from it."""
        entries, size = directory(self._data)
        if entries > self._limits.entries or size > self._limits.entries * ENTRY_ROOM:
            raise LimitError(
                self._uri,
                f"the ZIP archive lists {max(entries, size // ENTRY_ROOM):,} files; the limit is {self._limits.entries:,}",
            )

    def _check_entries(self) -> None:
        """Refuses names that leave the archive, bombs, and entries that share their bytes."""
        for name, entry in self._entries.items():
            if unsafe(name):
                raise CorruptError(
                    self._uri,
                    f"the ZIP archive holds the unsafe name {name!r}",
                    "get the document from its author again",
                )
            packed = max(entry.compress_size, 1)
            if entry.file_size > self._limits.ratio_from and entry.file_size > packed * self._limits.ratio:
                raise LimitError(
                    self._uri,
                    f"its part {name} inflates {entry.file_size // packed:,} times; the limit is {self._limits.ratio}",
                )
        total = sum(entry.file_size for entry in self._entries.values())
        if total > self._limits.total_bytes:
            raise LimitError(
                self._uri, f"its parts have {total:,} bytes in all; the limit is {self._limits.total_bytes:,}"
            )
        if sum(entry.compress_size for entry in self._entries.values()) > len(self._data):
            raise CorruptError(self._uri, "parts of the ZIP archive overlap", "export the document again")


def directory(data: bytes) -> tuple[int, int]:
    """How many entries the archive says it has, and the bytes of its directory; zeros without one."""
    at = data.rfind(END_OF_DIRECTORY, max(0, len(data) - END_SIZE - COMMENT_SIZE))
    if at < 0 or at + END_SIZE > len(data):
        return 0, 0
    entries, size = struct.unpack_from("<HI", data, at + 10)
    locator = at - 20
    if locator >= 0 and data[locator : locator + 4] == ZIP64_LOCATOR:
        (end,) = struct.unpack_from("<Q", data, locator + 8)
        if end + 56 <= len(data) and data[end : end + 4] == ZIP64_END:
            entries, size = struct.unpack_from("<QQ", data, end + 32)
    return entries, size


def unsafe(name: str) -> bool:
    """Whether a name would leave the folder that an archive is unpacked into."""
    return name.startswith("/") or "\0" in name or DRIVE.match(name) is not None or ".." in name.split("/")
