"""Files that are locked, damaged, garbled or no PDF at all."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import CorruptError, EncryptedError, PinciteError, ReadError
from pincite.parsing.pdf.repair import damage

from .made import Sheet, codes, drawn, framed, read, texts

CASES = Path(__file__).parents[2] / "cases"

LOCKED = (CASES / "pdf-locked" / "input.pdf").read_bytes()
SOUND = drawn(*(Sheet([(72, 700, f"This is sheet {name} of three.")]) for name in ("one", "two", "three")))


def test_a_locked_file_asks_for_its_password() -> None:
    """The error is of its own kind and names the option."""
    with pytest.raises(EncryptedError, match=r"made\.pdf: .*password.*parse\.password"):
        read(LOCKED)


def test_a_wrong_password_is_told_from_a_missing_one() -> None:
    """With a password that does not fit, the advice is to check it."""
    with pytest.raises(EncryptedError, match="does not open"):
        read(LOCKED, password="not this one")


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7\nnothing follows", b"no PDF at all", b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF"]
)
def test_what_cannot_be_read_is_corrupt(data: bytes) -> None:
    """Bytes without a document in them end in CorruptError, with advice."""
    with pytest.raises(CorruptError, match=r"made\.pdf") as caught:
        read(data)

    assert caught.value.advice


def test_a_sound_file_has_no_damage() -> None:
    """Nothing is said of a file whose end and table are in order, with or without junk in front."""
    assert damage(SOUND) is None
    assert damage(b"junk in front\n" + SOUND) is None
    assert not read(SOUND).diagnostics


@pytest.mark.parametrize(
    "broken",
    [
        SOUND.replace(b"%%EOF", b""),
        SOUND.replace(b"startxref", b"startxxxx"),
        SOUND.replace(b"startxref\n", b"startxref\n9"),
    ],
    ids=["no-end", "no-pointer", "wrong-pointer"],
)
def test_a_repaired_file_is_read_and_reported(broken: bytes) -> None:
    """Where the engine searched for the objects, the text is there and a warning says so."""
    document = read(broken)

    assert len(texts(document)) == 3
    assert codes(document) == ["repaired_file"]


@given(st.integers(0, len(SOUND)))
@settings(max_examples=60, deadline=None)
def test_a_file_cut_anywhere_ends_in_an_error_or_a_warning(length: int) -> None:
    """A part of a file is never taken for the whole in silence."""
    try:
        document = read(SOUND[:length])
    except ReadError:
        return

    assert length >= len(SOUND) - 1 or "repaired_file" in codes(document)


@given(st.lists(st.tuples(st.integers(0, len(SOUND) - 1), st.integers(0, 255)), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_damaged_bytes_raise_nothing_but_our_own_errors(changes: list[tuple[int, int]]) -> None:
    """Whatever bytes are wrong, the outcome is a document or a typed error."""
    data = bytearray(SOUND)
    for place, value in changes:
        data[place] = value
    with contextlib.suppress(PinciteError):
        read(bytes(data))


def test_text_without_meaning_is_reported_and_left_out() -> None:
    """A font whose codes stand for private characters gives no text; its page is named."""
    bodies = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [97 /g1 /g2 /g3 /g4 /g5 /g6] >> /ToUnicode 6 0 R >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
        stream("BT /F1 11 Tf 72 700 Td (abcdef abc fed) Tj ET"),
        stream("/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <66> <E001> endbfrange endcmap end end"),
    ]  # fmt: skip
    document = read(framed(bodies))

    assert document.text == ""
    assert codes(document, page=1) == ["garbled_text"]


def stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def test_a_page_that_cannot_be_read_costs_itself_only() -> None:
    """The other pages are read, and an error names the one that is missing."""
    document = read(SOUND.replace(b"/Kids [4 0 R 6 0 R 8 0 R]", b"/Kids [4 0 R 1 0 R 8 0 R]"))

    assert texts(document) == ["This is sheet one of three.", "This is sheet three of three."]
    assert [(d.code, d.page, d.severity) for d in document.diagnostics] == [("corrupt_page", 2, "error")]
    assert [page.number for page in document.pages] == [1, 2, 3]


def test_the_right_password_opens_the_file() -> None:
    """A locked file is read with its password, and a wrong one is refused."""
    data = locked("open sesame")

    assert texts(read(data, password="open sesame")) == ["Behind the lock."]
    with pytest.raises(EncryptedError):
        read(data, password="open barley")


PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def locked(password: str) -> bytes:
    """A PDF under the standard handler, revision 2 (ISO 32000-1, 7.6.3)."""
    padded = (password.encode() + PAD)[:32]
    owner = rc4(hashlib.md5(padded).digest()[:5], padded)
    rights, name = (2**32 - 4).to_bytes(4, "little"), b"0123456789abcdef"
    key = hashlib.md5(padded + owner + rights + name).digest()[:5]
    content = rc4(hashlib.md5(key + b"\x05\0\0\0\0").digest()[:10], b"BT /F1 11 Tf 72 700 Td (Behind the lock.) Tj ET")
    bodies = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
        stream(content.decode("latin-1")),
        f"<< /Filter /Standard /V 1 /R 2 /P -4 /O <{owner.hex()}> /U <{rc4(key, PAD).hex()}> >>",
    ]
    end = f"trailer\n<< /Encrypt 6 0 R /ID [<{name.hex()}> <{name.hex()}>] ".encode()
    return framed(bodies).replace(b"trailer\n<< ", end)


def rc4(key: bytes, data: bytes) -> bytes:
    """The stream cipher of old PDFs."""
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
