"""Vectors of one model in one file of float32 rows, mapped into memory to search.

The file is written before the database says so: append, sync to disk, then commit the slot. A
crash between leaves rows that no slot names, and a database that was put back from a copy does
not know the newest ones; either way the next writer goes on behind them. No row is ever written
again, so every copy of a database finds its vectors or finds too few, and never others. Which
file belongs to it is told by a random number that both hold. When much of a file is unused, a new
one is written beside it and the old one is removed.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from blake3 import blake3

from pincite.errors import StoreError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

__all__ = ["VectorFile"]

MAGIC: Final = b"PINCITEV"
VERSION: Final = 2
HEADER: Final = struct.Struct("<8sII32s16s")
"""Magic, version, dimensions, BLAKE3 of the model fingerprint, nonce: 64 bytes, so that rows are aligned."""

NONCE: Final = 16
"""Bytes that tell one file of vectors from every other."""


class VectorFile:
    """The rows of one model, of one generation."""

    def __init__(self, store: Path, fingerprint: str, dimensions: int, nonce: bytes, generation: int) -> None:
        self.dimensions = dimensions
        mark = blake3(fingerprint.encode()).digest()
        self.header = HEADER.pack(MAGIC, VERSION, dimensions, mark, nonce)
        self.path = store.with_name(f"{store.name}-{blake3(mark + nonce).hexdigest(length=6)}-{generation}.f32")
        self.row_size = 4 * dimensions

    def rows(self) -> int:
        """Whole rows in the file; 0 where it is missing or not what it should be."""
        try:
            with self.path.open("rb") as file:
                header = file.read(HEADER.size)
                size = os.fstat(file.fileno()).st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise self.refused("be read", error) from error
        if header != self.header:
            return 0
        return max(0, size - HEADER.size) // self.row_size

    def write(self, first: int, rows: Matrix) -> None:
        """Put rows at `first` and the following slots, safely on disk before this returns."""
        data = memoryview(rows.astype("<f4", copy=False).tobytes())
        offset = HEADER.size + first * self.row_size
        try:
            new = not self.path.exists()
            with open(self.path, "r+b" if not new else "w+b") as file:  # noqa: PTH123 - one mode of two
                file.write(self.header)
                file.seek(offset)
                file.write(data)
                file.truncate()
                file.flush()
                os.fsync(file.fileno())
            if new:
                sync_folder(self.path.parent)
        except OSError as error:
            raise self.refused("be written", error) from error

    def mapped(self, slots: int) -> Matrix:
        """The first `slots` rows, as they are on disk; nothing is loaded before it is used."""
        import numpy as np

        if slots == 0:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        found = self.rows()
        if found < slots:
            raise StoreError(
                f"{self.path}: {slots} vectors should be here and {found} are; run `pincite index` to make them again"
            )
        rows: Any = np.memmap(self.path, dtype="<f4", mode="r", offset=HEADER.size, shape=(slots, self.dimensions))
        return np.asarray(rows)

    def remove(self) -> None:
        """Take the file away; who has it mapped may go on reading it."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise self.refused("be removed", error) from error

    def refused(self, what: str, error: OSError) -> StoreError:
        return StoreError(f"{self.path}: vectors cannot {what} ({error.strerror or error})")


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a power cut, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
