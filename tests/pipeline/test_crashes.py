"""Killed, doubled and read at the same time: the index is whole at every moment."""

from __future__ import annotations

import itertools
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pincite.pipeline import Index, ShownDocument
from tests.pipeline.child import OPTIONS

DOCUMENTS = 20
SECTIONS = 5


def write_version(docs: Path, version: int) -> None:
    """All documents, each section of which names the version."""
    docs.mkdir(exist_ok=True)
    for number in range(DOCUMENTS):
        sections = (
            f"# Section {at} of {number}\n\nDocument {number} in version {version} says {at}.\n\n"
            for at in range(SECTIONS)
        )
        (docs / f"d{number}.md").write_text("".join(sections), encoding="utf-8")


def child(docs: Path, path: Path, *limit: str) -> subprocess.Popen[str]:
    """A process that is ready to sync and waits for a line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.pipeline.child", str(docs), str(path), *limit],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def finished(process: subprocess.Popen[str]) -> list[int]:
    """What it printed: added, changed, unchanged, failed, embedded; nothing where it was killed."""
    out, _ = process.communicate(timeout=60)
    return [int(word) for word in out.split()]


def versions(index: Index) -> dict[str, set[str]]:
    """The versions that the chunks of each document name; each has its number of chunks."""
    found = {}
    for row in index.documents():
        shown = index.show(row.uri)
        assert isinstance(shown, ShownDocument)
        assert len(shown.chunks) == SECTIONS
        assert [chunk.index for chunk in shown.chunks] == list(range(SECTIONS))
        found[row.uri] = set(re.findall(r"version (\d+)", " ".join(chunk.text for chunk in shown.chunks)))
    return found


def test_a_sync_that_is_killed_leaves_every_document_whole(tmp_path: Path) -> None:
    """Old or new, never half, never lost; the next sync completes the work."""
    docs, path = tmp_path / "docs", tmp_path / "index.sqlite"
    index = Index(path, OPTIONS)
    write_version(docs, 0)
    began = time.monotonic()
    index.sync(docs)
    took = time.monotonic() - began
    chance = random.Random(7)
    killed = 0
    for version in itertools.count(1):
        write_version(docs, version)
        process = child(docs, path)
        go(process)
        time.sleep(chance.uniform(0, took))
        process.kill()
        killed += not finished(process)
        assert index.verify() == []
        found = versions(index)
        assert len(found) == DOCUMENTS
        assert all(len(each) == 1 for each in found.values())
        assert index.search("document 3", limit=1, mode="vector")
        if version >= 4 and killed:
            break
        took = took if killed else took / 2
    report = index.sync(docs)
    assert report.failed == 0
    assert set().union(*versions(index).values()) == {"4"}
    assert index.sync(docs).unchanged == DOCUMENTS
    assert index.verify() == []


def test_a_first_sync_that_is_killed_is_completed(tmp_path: Path) -> None:
    """Also where the kill falls into the making of the file."""
    docs = tmp_path / "docs"
    write_version(docs, 0)
    for number, delay in enumerate((0.0, 0.02)):
        path = tmp_path / f"{number}.sqlite"
        process = child(docs, path)
        go(process)
        time.sleep(delay)
        process.kill()
        finished(process)
        index = Index(path, OPTIONS)
        report = index.sync(docs)
        assert report.added + report.unchanged == DOCUMENTS
        assert len(versions(index)) == DOCUMENTS
        assert index.verify() == []


def test_two_syncs_at_once_end_as_one_would(tmp_path: Path) -> None:
    """One works, the other waits and finds nothing to do; no text is embedded twice."""
    docs, path = tmp_path / "docs", tmp_path / "index.sqlite"
    write_version(docs, 0)
    pair = [child(docs, path), child(docs, path)]
    for process in pair:
        go(process)
    reports = [finished(process) for process in pair]
    assert sorted(report[0] for report in reports) == [0, DOCUMENTS]
    assert sorted(report[2] for report in reports) == [0, DOCUMENTS]
    assert sum(report[4] for report in reports) == DOCUMENTS * SECTIONS
    index = Index(path, OPTIONS)
    assert (index.stats().documents, index.stats().chunks) == (DOCUMENTS, DOCUMENTS * SECTIONS)
    assert index.verify() == []


def test_readers_see_whole_documents_while_a_sync_goes_on(tmp_path: Path) -> None:
    """Each search and each look at a document is of one moment."""
    docs, path = tmp_path / "docs", tmp_path / "index.sqlite"
    write_version(docs, 0)
    Index(path, OPTIONS).sync(docs)
    done = threading.Event()

    def write() -> None:
        for version in range(1, 4):
            write_version(docs, version)
            Index(path, OPTIONS).sync(docs)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    reader = Index(path, OPTIONS)
    looks = 0
    try:
        while not done.is_set():
            assert len(reader.search("document version says", limit=5)) == 5
            shown = reader.show("d7.md")
            assert isinstance(shown, ShownDocument)
            assert len(shown.chunks) == SECTIONS
            assert len(set(re.findall(r"version (\d+)", " ".join(each.text for each in shown.chunks)))) == 1
            looks += 1
    finally:
        writer.join()
    assert looks > 3


@pytest.mark.skipif(sys.platform == "win32", reason="platform: limits on files are of POSIX")
def test_a_disk_that_fills_up_costs_nothing_that_was_there(tmp_path: Path) -> None:
    """The sync ends in a sentence and the old documents are found."""
    docs, path = tmp_path / "docs", tmp_path / "index.sqlite"
    write_version(docs, 0)
    index = Index(path, OPTIONS)
    index.sync(docs)
    for number in range(100):
        (docs / f"new{number}.md").write_text(f"# New\n\n{'word ' * 60}{number}\n" * 8)
    process = child(docs, path, str(path.stat().st_size + 200_000))
    go(process)
    said, _ = process.communicate(timeout=60)
    assert said.startswith(f"refused {path}")
    assert index.verify() == []
    assert index.search("document 3", limit=1)
    assert index.sync(docs).failed == 0
    assert index.stats().documents == DOCUMENTS + 100
    assert index.verify() == []
