"""Which files a source holds."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.errors import LimitError, MissingError
from pincite.walking import Patterns, contents, list_source, plain, spelled, uri_of


def made(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("words")


def names(folder: Path, *, include: tuple[str, ...] = (), exclude: tuple[str, ...] = (), own: str = "") -> list[str]:
    return [each.relative for each in list_source(folder, (".md", ".pdf"), include, exclude, own).files]


def test_readable_files_are_listed_by_name(tmp_path: Path) -> None:
    """Endings count in any case; what nothing reads is counted."""
    made(tmp_path, "b.md", "a/c.PDF", "a/x.jpg", "z.exe")
    listing = list_source(tmp_path, (".md", ".pdf"))
    assert [each.relative for each in listing.files] == ["a/c.PDF", "b.md"]
    assert listing.skipped == 2


def test_hidden_and_foreign_folders_are_left_out(tmp_path: Path) -> None:
    made(
        tmp_path, "a.md", ".hidden.md", ".git/b.md", "node_modules/c.md", "x/__pycache__/d.md", "env/pyvenv.cfg", "env/e.md"
    )  # fmt: skip
    assert names(tmp_path) == ["a.md"]


def test_the_indexs_own_files_are_left_out(tmp_path: Path) -> None:
    made(tmp_path, "a.md", "index.md", "index.md-wal", "index.md.lock")
    assert names(tmp_path, include=("*",), own=str(tmp_path / "index.md")) == ["a.md"]


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ((), ("*.pdf",), ["a.md", "sub/c.md", "sub/deep/d.md"]),
        ((), ("sub/",), ["a.md", "b.pdf"]),
        ((), ("sub/deep",), ["a.md", "b.pdf", "sub/c.md"]),
        ((), ("/a.md",), ["b.pdf", "sub/c.md", "sub/deep/d.md"]),
        ((), ("**/d.md",), ["a.md", "b.pdf", "sub/c.md"]),
        (("sub/**",), (), ["sub/c.md", "sub/deep/d.md", "sub/x.dat"]),
        (("*.dat", "a.*"), (), ["a.md", "sub/x.dat"]),
        (("sub",), ("*.dat",), ["sub/c.md", "sub/deep/d.md"]),
        ((), ("[ab].*",), ["sub/c.md", "sub/deep/d.md"]),
        ((), ("*", "!*.pdf"), ["b.pdf"]),
    ],
)
def test_patterns_choose(
    tmp_path: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    """As in `.gitignore`; an included file is tried whatever its ending is."""
    made(tmp_path, "a.md", "b.pdf", "sub/c.md", "sub/deep/d.md", "sub/x.dat")
    assert names(tmp_path, include=include, exclude=exclude) == expected


def test_ignore_files_count_from_their_own_folder(tmp_path: Path) -> None:
    """An inner file may take back what an outer one ignores."""
    made(tmp_path, "draft.md", "keep.md", "sub/draft.md", "sub/only.md", "out/x.md", "sub/out.md")
    (tmp_path / ".gitignore").write_text("# comment\ndraft.md\n/out\n\n")
    (tmp_path / "sub" / ".gitignore").write_text("!draft.md\n/only.md\n")
    assert names(tmp_path) == ["keep.md", "sub/draft.md", "sub/out.md"]


def test_links_that_lead_in_circles_end(tmp_path: Path) -> None:
    """A link to what is listed already adds nothing; one out of the source is followed once."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    made(root, "a.md", "sub/b.md")
    made(outside, "c.md", "inner/d.md")
    (root / "sub" / "up").symlink_to(root)
    (root / "self").symlink_to("self")
    (root / "twice.md").symlink_to(root / "a.md")
    (root / "broken.md").symlink_to(root / "nowhere.md")
    (root / "out").symlink_to(outside)
    (outside / "back").symlink_to(root)
    (outside / "inner" / "again").symlink_to(outside)
    (root / "one.md").symlink_to(outside / "c.md")
    assert names(root) == ["a.md", "out/c.md", "out/inner/d.md", "sub/b.md"]
    assert sorted(each.uri for each in list_source(root, (".md",)).problems) == ["broken.md", "self"]


def test_a_link_to_what_is_not_listed_otherwise_is_its_name(tmp_path: Path) -> None:
    """Stores of content keep the bytes in hidden folders or under other endings; each is listed once."""
    made(tmp_path, ".store/k1", "v/x.dat", ".versions/deep/n.md")
    (tmp_path / "a.md").symlink_to(".store/k1")
    (tmp_path / "b.md").symlink_to(".store/k1")
    (tmp_path / "r.md").symlink_to("v/x.dat")
    (tmp_path / "now").symlink_to(".versions/deep")
    assert names(tmp_path) == ["a.md", "now/n.md", "r.md"]


def test_a_link_to_a_folder_above_lists_nothing_twice(tmp_path: Path) -> None:
    made(tmp_path, "d/a.md", "b.md")
    (tmp_path / "d" / "up").symlink_to("..")
    assert names(tmp_path / "d") == ["a.md", "up/b.md"]


def test_a_link_that_leads_nowhere_is_not_known_to_be_gone(tmp_path: Path) -> None:
    """What lies behind may only be out of reach; a picture that nothing would read is not worth a word."""
    (tmp_path / "mount").symlink_to("elsewhere")
    (tmp_path / "photo.jpg").symlink_to("elsewhere.jpg")
    listing = list_source(tmp_path, (".md",))
    assert set(listing.unlisted) == {"mount", "photo.jpg"}
    assert [each.uri for each in listing.problems] == ["mount"]


def test_what_only_begins_like_the_index_is_listed(tmp_path: Path) -> None:
    """An index called kb leaves the folder kb-docs alone, and all its own files out."""
    own = ["kb", "kb-wal", "kb-shm", "kb-journal", "kb.lock", "kb-0123456789ab-1.f32"]
    made(tmp_path, *own, "kb-docs/a.md", "kb-notes.md", "kb.md", "sub/kb-wal")
    wanted = ["kb-docs/a.md", "kb-notes.md", "kb.md", "sub/kb-wal"]
    assert names(tmp_path, include=("*",), own=str(tmp_path / "kb")) == wanted


def test_a_very_deep_folder_is_no_limit(tmp_path: Path) -> None:
    """Folders are entered one after another, not one inside the call for another."""
    deep = tmp_path
    for _ in range(400):
        deep = deep / "a"
        deep.mkdir()
    (deep / "x.md").write_text("words")
    assert len(names(tmp_path)) == 1


def test_a_pipe_is_refused_and_never_opened_to_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(MissingError, match="pipe"):
        list_source(tmp_path / "pipe.md", (".md",))
    with pytest.raises(MissingError, match="pipe"):
        contents(tmp_path / "pipe.md", "pipe.md", 10)
    with pytest.raises(MissingError, match="device"):
        contents("/dev/zero", "zero", 10)


def test_reading_ends_at_the_limit_whatever_the_size_is_said_to_be(tmp_path: Path) -> None:
    """Files of the system have no size and any number of bytes."""
    made(tmp_path, "a.md")
    assert contents(tmp_path / "a.md", "a.md", 5).data == b"words"
    with pytest.raises(LimitError, match="limit is 4"):
        contents(tmp_path / "a.md", "a.md", 4)
    if Path("/proc/self/maps").exists():
        with pytest.raises(LimitError, match="limit is 100"):
            contents("/proc/self/maps", "maps", 100)


@given(st.binary(min_size=1, max_size=20).filter(lambda name: b"\0" not in name))
@example(b"a\xe9")
@example(b"a\\xe9")
@example(b"\\x5cxe9\xe9")
def test_names_of_any_bytes_are_kept_apart(name: bytes) -> None:
    """The plain form is text, and leads back to the very bytes."""
    path = os.fsdecode(name)
    plain(path).encode()
    assert spelled(plain(path)) == path


def test_special_files_are_left_out(tmp_path: Path) -> None:
    """Reading a pipe would wait for ever."""
    made(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert names(tmp_path) == ["a.md"]


def test_a_source_may_be_one_file_of_any_ending(tmp_path: Path) -> None:
    made(tmp_path, "notes.weird")
    listing = list_source(tmp_path / "notes.weird", (".md",))
    assert (listing.single, listing.root) == ("notes.weird", tmp_path.resolve())


def test_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="check the path"):
        list_source(tmp_path / "gone", (".md",))


def test_a_uri_is_composed_text(tmp_path: Path) -> None:
    """Whatever the file system holds: decomposed marks, or bytes that are no text."""
    assert uri_of(unicodedata.normalize("NFD", "Sổ tay/é.md")) == "Sổ tay/é.md"
    assert uri_of(os.fsdecode(b"caf\xe9.md")) == "caf\\xe9.md"


def test_a_name_that_is_no_text_can_be_listed(tmp_path: Path) -> None:
    try:
        (Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md"))).write_text("x")
    except OSError:
        pytest.skip("platform: this file system takes text only")
    [found] = list_source(tmp_path, (".md",)).files
    assert found.relative == "caf\\xe9.md"
    assert Path(found.path).read_text() == "x"


@pytest.mark.parametrize("line", ["[", "[]", "\\", "!", "/", "***", "a[b", "[!]", "{a,b}"])
def test_a_strange_pattern_is_no_error(line: str) -> None:
    Patterns.of([line]).match("a/b")


def test_a_file_that_vanishes_while_it_is_listed_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no failure, and its folder is completely listed."""
    made(tmp_path, "a.md")

    def vanish(entry: object) -> os.stat_result:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("pincite.walking.looked", vanish)
    listing = list_source(tmp_path, (".md",))
    assert (listing.files, listing.unlisted) == ([], {})


def test_an_ignore_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    made(tmp_path, "a.md", "build/o.md")
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfbuild/\n")
    assert names(tmp_path) == ["a.md"]
