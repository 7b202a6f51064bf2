"""The tables of the embedded store, and opening a file that may be new, ours, damaged or another's."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

from pincite.errors import StoreError

__all__ = ["APPLICATION", "VERSION", "connect", "create"]

APPLICATION: Final = 0x50696E63
"""The application id in the file's header: "Pinc"."""

VERSION: Final = 3
"""Raised whenever a table changes."""

MAGIC: Final = b"SQLite format 3\0"

TABLES: Final = """
CREATE TABLE root (
  key INTEGER PRIMARY KEY,
  location TEXT NOT NULL UNIQUE
);
CREATE TABLE document (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  uri TEXT NOT NULL UNIQUE,
  root INTEGER NOT NULL REFERENCES root(key),
  path TEXT NOT NULL,
  stamp TEXT,
  sha256 TEXT NOT NULL,
  media_type TEXT NOT NULL,
  title TEXT,
  language TEXT,
  pages INTEGER NOT NULL,
  parse_signature TEXT NOT NULL,
  chunk_signature TEXT NOT NULL,
  words_signature TEXT NOT NULL,
  diagnostics TEXT NOT NULL,
  facts TEXT NOT NULL,
  chunks INTEGER NOT NULL,
  UNIQUE (root, path)
);
CREATE TABLE failure (
  root INTEGER NOT NULL REFERENCES root(key),
  path TEXT NOT NULL,
  uri TEXT NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (root, path)
) WITHOUT ROWID;
CREATE TABLE chunk (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER NOT NULL REFERENCES document(key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  page_start INTEGER,
  page_end INTEGER,
  path TEXT NOT NULL,
  length INTEGER NOT NULL,
  text_hash BLOB NOT NULL,
  data TEXT NOT NULL,
  UNIQUE (document, position)
);
CREATE INDEX chunk_text ON chunk (text_hash, document);
CREATE TABLE total (
  chunks INTEGER NOT NULL,
  length INTEGER NOT NULL
);
INSERT INTO total VALUES (0, 0);
CREATE TRIGGER chunk_added AFTER INSERT ON chunk BEGIN
  UPDATE total SET chunks = chunks + 1, length = length + new.length;
END;
CREATE TRIGGER chunk_removed AFTER DELETE ON chunk BEGIN
  UPDATE total SET chunks = chunks - 1, length = length - old.length;
END;
CREATE TABLE model (
  key INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  slots INTEGER NOT NULL,
  nonce BLOB NOT NULL,
  generation INTEGER NOT NULL,
  active INTEGER NOT NULL
);
CREATE TABLE vector (
  model INTEGER NOT NULL REFERENCES model(key) ON DELETE CASCADE,
  text_hash BLOB NOT NULL,
  slot INTEGER NOT NULL,
  PRIMARY KEY (model, text_hash)
) WITHOUT ROWID;
CREATE UNIQUE INDEX vector_slot ON vector (model, slot);
CREATE VIRTUAL TABLE lexicon USING fts5 (heading, folded, exact, tokenize = "ascii tokenchars '-./_:,|~'");
CREATE VIRTUAL TABLE spelling USING fts5 (pairs, detail = none, columnsize = 0, tokenize = "ascii tokenchars '-./_:,|~'");
CREATE VIRTUAL TABLE lexicon_term USING fts5vocab (lexicon, row);
CREATE VIRTUAL TABLE spelling_term USING fts5vocab (spelling, row);
"""


def connect(path: Path, write: bool) -> sqlite3.Connection | None:
    """A connection to our store, or None where there is none yet.

    Raises StoreError for a folder, for a file of another kind, for a damaged one, and for one
    that a newer version wrote. A reader changes nothing, and reads from write-protected media.
    """
    if path.is_dir():
        raise StoreError(f"{path} is a folder; name the file that holds the index, such as {path / 'index.sqlite'}")
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except FileNotFoundError:
        if not write:
            return None
        head = b""
    except OSError as error:
        raise StoreError(f"{path}: the index cannot be opened ({error.strerror or error})") from error
    if head and head != MAGIC:
        raise StoreError(f"{path} is not an index of pincite; it was left as it is, choose another path")
    return write_connection(path) if write else read_connection(path)


def write_connection(path: Path) -> sqlite3.Connection | None:
    connection = opened(path, "rwc")
    if not ours(connection, path):
        return connection
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def read_connection(path: Path) -> sqlite3.Connection | None:
    """A connection that reads; on media that cannot be written, without the files that readers share."""
    connection = opened(path, "ro")
    try:
        found = ours(connection, path)
    except StoreError:
        connection.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        connection = opened(path, "ro", "&immutable=1")
        found = ours(connection, path)
    if not found:
        connection.close()
        return None
    return connection


def opened(path: Path, mode: str, more: str = "") -> sqlite3.Connection:
    try:
        uri = f"file:{quote(os.fsencode(os.path.realpath(path)))}?mode={mode}{more}"
        return sqlite3.connect(uri, uri=True, timeout=30, isolation_level=None, check_same_thread=False)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{path}: the index cannot be opened ({error})") from error


def ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file holds our tables; False where it is new and empty, and StoreError otherwise."""
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {explained(error)}") from error
    if application == APPLICATION and version == VERSION and tables:
        return True
    if application == APPLICATION:
        raise StoreError(
            f"{path} was written by another version of pincite (format {version}, this one reads {VERSION}); "
            "delete it and index again"
        )
    if application == 0 and version == 0 and tables == 0:
        return False
    raise StoreError(f"{path} is a database of another program; it was left as it is, choose another path")


def create(connection: sqlite3.Connection) -> None:
    """Make an empty store in a new file, all of it or nothing."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.executescript(
        f"BEGIN IMMEDIATE;{TABLES}PRAGMA application_id = {APPLICATION};PRAGMA user_version = {VERSION};COMMIT;"
    )


def explained(error: sqlite3.Error) -> str:
    """What the database refused and what to do; only what is known to be damage is called so."""
    text = str(error)
    if "full" in text or "disk I/O" in text:
        return "the disk is full or refuses to be written; the index is as it was before this document, make room and run again"
    if "readonly" in text or "read-only" in text:
        return "the index cannot be written there; choose another place with index.path"
    if "unable to open" in text:
        return "the index or a file beside it cannot be opened; check the permissions of its folder"
    if "locked" in text or "busy" in text:
        return "another program keeps the index locked; wait for it or end it"
    if "malformed" in text or "not a database" in text or "corrupt" in text:
        return f"the index is damaged ({text}); delete it and index again"
    return f"the index could not be used ({text})"
