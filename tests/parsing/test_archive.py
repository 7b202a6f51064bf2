"""Archives that nobody vouches for: limits hold before anything is inflated."""

from __future__ import annotations

import contextlib
import io
import struct
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import CorruptError, EncryptedError, LimitError, PinciteError
from pincite.parsing.archive import Archive, ArchiveLimits
from tests.parsing.wordfile import forbidden, zipped

NAMES = st.text("abcxyz0", min_size=1, max_size=8)
FEW = ArchiveLimits(entries=5, part_bytes=1000, total_bytes=3000, ratio=50, ratio_from=500)


@given(st.dictionaries(NAMES, st.binary(max_size=300), max_size=6))
def test_what_was_packed_is_read(parts: dict[str, bytes]) -> None:
    """Every part of an archive within the limits comes back as it was."""
    archive = Archive(zipped(parts), "a.zip")

    assert {name: archive.read(name) for name in archive.names} == parts


@given(st.dictionaries(NAMES, st.binary(max_size=40) | st.just(b"\0" * 1500), max_size=9))
def test_no_archive_gives_more_than_its_limits(parts: dict[str, bytes]) -> None:
    """Either a limit is named, or entries, sizes and total are within it."""
    if len(parts) > 5 or any(len(content) > 500 for content in parts.values()):
        with pytest.raises(LimitError, match=r"^a\.zip: "):
            Archive(zipped(parts), "a.zip", FEW)
    else:
        assert len(Archive(zipped(parts), "a.zip", FEW).names) == len(parts)


@given(st.dictionaries(NAMES, st.binary(max_size=100), min_size=1, max_size=4), st.data())
def test_damage_is_a_typed_error(parts: dict[str, bytes], data: st.DataObject) -> None:
    """Whatever byte is lost or changed, reading works or raises an error of ours."""
    packed = bytearray(zipped(parts))
    at = data.draw(st.integers(0, len(packed) - 1))
    if data.draw(st.booleans()):
        del packed[at:]
    else:
        packed[at] ^= data.draw(st.integers(1, 255))
    with contextlib.suppress(PinciteError):
        archive = Archive(bytes(packed), "a.zip")
        for name in archive.names:
            archive.read(name)


@pytest.mark.parametrize("name", ["../evil", "a/../../b", "/etc/x", "C:/x", "..\\x"])
def test_names_that_leave_the_archive_are_refused(name: str) -> None:
    """No part may have a name that climbs out."""
    with pytest.raises(CorruptError, match="unsafe name"):
        Archive(zipped({name: b"x"}), "a.zip")


def test_a_bomb_is_refused_before_it_is_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of 200 megabytes in 200 kilobytes is never opened and costs no memory."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as part:
        for _ in range(200):
            part.write(bytes(2**20))
    data = packed.getvalue()
    monkeypatch.setattr(zipfile.ZipFile, "open", forbidden)
    tracemalloc.start()
    with pytest.raises(LimitError, match="inflates"):
        Archive(data, "a.zip")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 2**22


def test_too_many_entries_are_refused_from_the_directory_alone() -> None:
    """The count at the end of the file is judged before a single entry is made."""
    data = bytearray(zipped({"a": b"x"}))
    end = data.rfind(b"PK\x05\x06")
    struct.pack_into("<H", data, end + 10, 60_000)

    with pytest.raises(LimitError, match="60,000 files"):
        Archive(bytes(data), "a.zip")


def test_an_encrypted_part_needs_its_password() -> None:
    """A part with the encryption flag is named."""
    data = bytearray(zipped({"a": b"x"}))
    data[data.find(b"PK\x01\x02") + 8] |= 1

    with pytest.raises(EncryptedError, match="part a is encrypted"):
        Archive(bytes(data), "a.zip").read("a")


def test_a_part_that_is_missing_is_a_key_error() -> None:
    """Asking for a part is answered as a mapping answers."""
    archive = Archive(zipped({"a": b"x"}), "a.zip")

    assert "b" not in archive
    with pytest.raises(KeyError):
        archive.read("b")
