"""Files for tests, made byte by byte: a PDF plain, cut short or locked, and an archive that explodes."""

from __future__ import annotations

import io
import zipfile
from hashlib import md5

PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
FILE_ID = b"0123456789abcdef"


def pdf(*lines: str, password: str | None = None) -> bytes:
    """A PDF of one page with these lines; locked with 40-bit RC4 where a password is given."""
    shown = " ".join(f"({line}) Tj 0 -20 Td" for line in lines)
    content = f"BT /F1 12 Tf 72 700 Td {shown} ET".encode()
    encrypt, trailer = [], b""
    if password is not None:
        key, entry = locked(password.encode())
        content = rc4(md5(key + b"\x04\x00\x00\x00\x00").digest()[:10], content)
        encrypt = [entry]
        trailer = b" /Encrypt 6 0 R"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        *encrypt,
    ]
    out, offsets = io.BytesIO(b"%PDF-1.4\n"), []
    out.seek(0, io.SEEK_END)
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    identity = FILE_ID.hex().encode()
    out.write(b"trailer << /Size %d /Root 1 0 R /ID [<%s> <%s>]" % (len(objects) + 1, identity, identity))
    out.write(b"%s >>\nstartxref\n%d\n%%%%EOF\n" % (trailer, start))
    return out.getvalue()


def locked(password: bytes) -> tuple[bytes, bytes]:
    """The key and the dictionary of the standard handler, revision 2 (ISO 32000-1, 7.6.3)."""
    padded, permissions = (password + PADDING)[:32], b"\xfc\xff\xff\xff"
    owner = rc4(md5(padded).digest()[:5], padded)
    key = md5(padded + owner + permissions + FILE_ID).digest()[:5]
    user = rc4(key, PADDING)
    values = (owner.hex().encode(), user.hex().encode())
    return key, b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % values


def rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def bomb() -> bytes:
    """An archive in the form of a DOCX whose text inflates a thousandfold to 60 MB."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"<w:t>" + b" " * 60_000_000)
    return out.getvalue()
