"""What was asked before is not asked again: answers of systems and words of judges, by everything they depend on.

One SQLite file. A key holds the fingerprint of whoever was asked, so that a change of model, prompt, release or
index asks anew. Errors are not kept. Thresholds are applied behind it, so that moving one costs nothing.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from pathlib import Path
from typing import Any, Final, Self

from pincite.errors import EvaluationError

__all__ = ["Cache", "key_of"]

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS said (key TEXT PRIMARY KEY, value TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)
"""


def key_of(*parts: Any) -> str:
    """64 hexadecimal digits of everything that an answer depends on."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace")).hexdigest()


class Cache:
    """Remembers JSON values by key; safe for threads. Without a path it remembers for the process only."""

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = str(path) if path is not None else ":memory:"
        self.lock = threading.Lock()
        self.hits = self.misses = 0
        try:
            if path is not None:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(self.path, timeout=30.0, check_same_thread=False, isolation_level=None)
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute(SCHEMA)
        except (sqlite3.Error, OSError) as error:
            advice = "delete it, or name another with --cache"
            raise EvaluationError(f"{self.path}: the cache cannot be used: {error}; {advice}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def get(self, key: str) -> Any:
        """What is known under a key; None where nothing is."""
        with self.lock:
            try:
                row = self.connection.execute("SELECT value FROM said WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error:
                row = None
            self.hits += row is not None
            self.misses += row is None
        return json.loads(row[0]) if row else None

    def put(self, key: str, value: Any) -> None:
        """Remember a value. A cache that cannot be written costs a question and no result."""
        with self.lock:
            try:
                self.connection.execute(
                    "INSERT OR REPLACE INTO said (key, value) VALUES (?, ?)",
                    (key, json.dumps(value, ensure_ascii=False)),
                )
            except sqlite3.Error:
                return
