"""Which files a source holds."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from pincite.errors import MissingError
from pincite.walking import Patterns, list_source, uri_of


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
    """A link into the source adds nothing; one out of it is followed once."""
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
    assert names(root) == ["a.md", "one.md", "out/c.md", "out/inner/d.md", "sub/b.md"]


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
