"""Grey pixels as a PNG file (ISO/IEC 15948), so that a picture can be recognised without an imaging library."""

from __future__ import annotations

import struct
import zlib

__all__ = ["png"]


def png(pixels: bytes, width: int, height: int, stride: int) -> bytes:
    """One byte a pixel, 0 for black, `stride` bytes a row."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = b"".join(b"\0" + pixels[y * stride : y * stride + width] for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")
