"""Every option, its default and its bounds; a file, then the environment, then a flag.

Options live in `pincite.toml` or under `[tool.pincite]` of `pyproject.toml`, one table a stage.
`PINCITE_CHUNK__MAX_TOKENS=400` overrides the file, and an argument overrides both. A name that
does not exist and a value out of bounds are errors that name the key and what it must be.
Presets are nothing but named values of chunk options.
"""

from __future__ import annotations

import dataclasses
import json
import os
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pincite.errors import OptionError

__all__ = [
    "PRESETS",
    "AskOptions",
    "ChunkOptions",
    "EmbedOptions",
    "IndexOptions",
    "Options",
    "ParseOptions",
    "SearchOptions",
    "load_options",
]

T = TypeVar("T")

ENVIRONMENT_PREFIX: Final = "PINCITE_"
NO_OPTIONS: Final = frozenset({"PINCITE_LAWS"})
"""Variables that the tests read."""


def option(default: Any, help: str, low: float | None = None, high: float | None = None) -> Any:
    """A field with its bounds and the one sentence that help and errors print."""
    return field(default=default, metadata={"help": help, "low": low, "high": high})


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseOptions:
    """How bytes become a Document."""

    pages: str | None = option(None, "Physical pages to read, such as 1-10,15 or -3- for the last three")
    ocr: Literal["auto", "off", "force"] = option("auto", "Recognise text in pictures of pages")
    ocr_languages: tuple[str, ...] = option((), "Tesseract language codes; detected where empty")
    password: str | None = option(None, "Password of encrypted documents")
    encoding: str | None = option(None, "Encoding of text files; detected where absent")
    furniture: bool = option(False, "Keep running heads, feet and page numbers in the text")
    max_bytes: int = option(2**30, "Largest file that is read, in bytes", 1)
    timeout: float = option(600.0, "Seconds that one document may take", 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkOptions:
    """How a Document becomes chunks."""

    preset: str = option("default", "Named values for the options below")
    counter: str = option("model", "model, chars, bytes/3, words*1.33, hf:FILE or tiktoken:FILE")
    max_tokens: int = option(400, "Upper bound of what is embedded, in units of the counter", 1, 10**7)
    min_tokens: int = option(40, "A smaller piece joins a neighbour that has room", 0)
    overlap_tokens: int = option(0, "Text of the previous chunk repeated at the start, inside the budget", 0)
    floor: int = option(16, "Smallest budget that is accepted", 1)
    below_floor: Literal["refuse", "raise"] = option("refuse", "What a budget below the floor does")
    heading_prefix: bool = option(True, "Put the heading path before the text that is embedded")
    count_prefix: bool = option(True, "Count the heading path against the budget")
    oversize: Literal["split", "keep"] = option("split", "What happens to a block over the budget")
    cut_at: tuple[Literal["lines", "sentences", "words"], ...] = option(
        ("sentences", "words"), "Where running text may be cut, best first; graphemes come last"
    )
    cross_pages: bool = option(False, "Let a chunk hold blocks of several pages")
    isolate: tuple[Literal["table", "code", "list", "equation", "figure"], ...] = option(
        (), "Kinds of block that never share a chunk with others"
    )
    table_format: Literal["source", "pipe", "row_record"] = option("source", "How tables are written in chunks")
    table_schema: bool = option(False, "Add a chunk that describes the columns of each table")
    wide_table_columns: int = option(25, "A table with more columns is cut into bands", 2)
    band_columns: int = option(12, "Columns of a band, beside the repeated key column", 1)
    semantic: bool = option(False, "Break where neighbouring blocks differ in meaning")
    semantic_model: str = option("all-MiniLM-L6-v2", "Embedding model that tells how near blocks are in meaning")
    semantic_threshold: float = option(0.3, "Cosine below which neighbouring blocks are parted", -1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedOptions:
    """How texts become vectors."""

    model: str = option("multilingual-e5-small", "Name of the embedding model")
    batch_size: int = option(32, "Texts in one call of the model", 1, 4096)
    threads: int = option(0, "Threads of the model, or requests to an endpoint at a time; 0 chooses", 0, 1024)
    dimensions: int = option(0, "Numbers that an endpoint is asked for in a vector; 0 takes what comes", 0, 65536)
    passage_prefix: str = option("", "Put before each passage at an endpoint or by a hub's model, such as 'passage: '")
    query_prefix: str = option("", "Put before each question at an endpoint or by a hub's model, such as 'query: '")
    text_limit: int = option(0, "Most tokens of a text at an endpoint; 0 asks it", 0, 10**7)
    tokenizer: str = option("bytes", "How an endpoint's tokens are counted: bytes (a bound), endpoint or hf:FILE")
    batch_tokens: int = option(16384, "Tokens in one request to an endpoint", 1, 10**8)
    vector_format: Literal["float", "base64"] = option("float", "How an endpoint is asked to write vectors")
    key_variable: str = option("", "Environment variable that holds the key of an endpoint")
    endpoint_timeout: float = option(300.0, "Seconds that a call of an endpoint may take, with all tries", 1, 86400)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOptions:
    """Where the index is and what goes into it."""

    path: str = option(".pincite/index.sqlite", "File that holds the index")
    include: tuple[str, ...] = option((), "Glob patterns of files to take; all readable ones where empty")
    exclude: tuple[str, ...] = option((), "Glob patterns of files and folders to leave out")
    workers: int = option(0, "Processes that read documents; 0 takes every core", 0, 1024)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How a question becomes passages."""

    limit: int = option(5, "Passages that are returned", 1, 1000)
    mode: Literal["hybrid", "lexical", "vector"] = option("hybrid", "Which lists are searched")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """How passages become an answer."""

    endpoint: str = option("", "Address of an OpenAI-compatible endpoint, such as http://localhost:11434/v1")
    model: str = option("", "Name of the model that answers")
    key_variable: str = option("", "Environment variable that holds the key of the answering endpoint")
    answer_tokens: int = option(1024, "Most tokens of an answer", 16, 10**6)
    timeout: float = option(300.0, "Seconds that a reply may take, with all tries", 1, 86400)
    evidence: float = option(0.0, "Least cosine of a passage that is sent; 0 sends all that were found", 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All options, one section a stage."""

    parse: ParseOptions = field(default_factory=ParseOptions)
    chunk: ChunkOptions = field(default_factory=ChunkOptions)
    embed: EmbedOptions = field(default_factory=EmbedOptions)
    index: IndexOptions = field(default_factory=IndexOptions)
    search: SearchOptions = field(default_factory=SearchOptions)
    ask: AskOptions = field(default_factory=AskOptions)


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "default": {},
    "heading-2000": {
        "counter": "chars",
        "max_tokens": 2000,
        "min_tokens": 0,
        "floor": 200,
        "below_floor": "raise",
        "count_prefix": False,
        "cut_at": (),
        "cross_pages": True,
    },
    "md-heading-v2": {
        "counter": "bytes/3",
        "max_tokens": 4000,
        "min_tokens": 0,
        "heading_prefix": False,
        "isolate": ("table", "code", "figure"),
        "cut_at": ("lines",),
    },
    "packing-target": {
        "counter": "words*1.33",
        "max_tokens": 512,
        "min_tokens": 100,
        "heading_prefix": False,
        "oversize": "keep",
        "cross_pages": True,
        "isolate": ("table", "list", "equation"),
        "table_format": "row_record",
        "table_schema": True,
    },
    "api-400": {"max_tokens": 400, "overlap_tokens": 40},
}


def chunk_options(**given: Any) -> ChunkOptions:
    """Options of one chunking: the preset's values, then those that are given."""
    preset = given.get("preset", "default")
    if preset not in PRESETS:
        raise OptionError("chunk.preset", preset, "one of " + ", ".join(PRESETS))
    return build(ChunkOptions, {**PRESETS[preset], **given}, "chunk")


def build(kind: type[T], values: Mapping[str, Any], section: str) -> T:
    """A validated section; unknown names, wrong types and values out of bounds are refused."""
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    hints = typing.get_type_hints(kind)
    clean = {}
    for name, value in values.items():
        if name not in known:
            raise OptionError(f"{section}.{name}", value, "one of the options " + ", ".join(sorted(known)))
        clean[name] = checked(f"{section}.{name}", value, hints[name], known[name].metadata)
    made = kind(**clean)
    if isinstance(made, ChunkOptions):
        return typing.cast(T, settled(made))
    return made


def settled(options: ChunkOptions) -> ChunkOptions:
    """Chunk options whose bounds hold for one another."""
    if options.max_tokens < options.floor:
        if options.below_floor == "refuse":
            raise OptionError("chunk.max_tokens", options.max_tokens, f"at least {options.floor}")
        options = dataclasses.replace(options, max_tokens=options.floor)
    room = options.max_tokens - options.floor
    if options.overlap_tokens > room:
        raise OptionError(
            "chunk.overlap_tokens", options.overlap_tokens, f"at most {room}, so that text of its own fits"
        )
    half = options.max_tokens // 2
    if options.min_tokens > half:
        if options.min_tokens != default_of(options, "min_tokens"):
            raise OptionError("chunk.min_tokens", options.min_tokens, f"at most {half}, half of max_tokens")
        options = dataclasses.replace(options, min_tokens=half)
    return options


def default_of(options: ChunkOptions, name: str) -> Any:
    """What an option is when nobody gives it, under the preset of these options."""
    plain = next(f.default for f in fields(ChunkOptions) if f.name == name)
    return PRESETS[options.preset].get(name, plain)


def checked(name: str, value: Any, hint: Any, bounds: Mapping[str, Any]) -> Any:
    """`value` as the type of the option, or an OptionError that says what it must be."""
    if isinstance(hint, types.UnionType):
        if value is None or value == "":
            return None
        hint = next(arm for arm in typing.get_args(hint) if arm is not type(None))
    origin = typing.get_origin(hint)
    if origin is Literal:
        if value not in typing.get_args(hint):
            raise OptionError(name, value, "one of " + ", ".join(map(str, typing.get_args(hint))))
        return value
    if origin is tuple:
        items = [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
        if not isinstance(items, (list, tuple)):
            raise OptionError(name, value, "a list")
        return tuple(checked(name, item, typing.get_args(hint)[0], {}) for item in items)
    if hint is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        value = words.get(value.lower(), value) if isinstance(value, str) else value
        if not isinstance(value, bool):
            raise OptionError(name, value, "true or false")
        return value
    if hint in (int, float):
        return number(name, value, hint, bounds)
    if not isinstance(value, str) or "\0" in value:
        raise OptionError(name, value, "text")
    return value


def number(name: str, value: Any, kind: type[int] | type[float], bounds: Mapping[str, Any]) -> int | float:
    low, high = bounds.get("low"), bounds.get("high")
    wanted = "a whole number" if kind is int else "a number"
    if low is not None:
        wanted += f" from {low}" if high is not None else f" of at least {low}"
    if high is not None:
        wanted += f" to {high}"
    try:
        if isinstance(value, bool) or (kind is int and isinstance(value, float) and not value.is_integer()):
            raise ValueError
        found = kind(value)
    except (TypeError, ValueError, OverflowError):
        raise OptionError(name, value, wanted) from None
    if found != found or (low is not None and found < low) or (high is not None and found > high):
        raise OptionError(name, value, wanted)
    return found


SECTIONS: Final = {
    "parse": ParseOptions,
    "chunk": ChunkOptions,
    "embed": EmbedOptions,
    "index": IndexOptions,
    "search": SearchOptions,
    "ask": AskOptions,
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Options and where each value comes from."""

    options: Options
    origins: Mapping[str, str]
    """By `section.name`: `default`, `preset NAME`, a file, an environment variable, or `argument`."""


def load_options(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> Loaded:
    """All options, later sources over earlier ones.

    `file` is a `pincite.toml` or a `pyproject.toml`; `environment` defaults to the process's own;
    `arguments` are keyed `section.name`, and an argument of None counts as not given.
    """
    values: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    origins: dict[str, str] = {}

    def take(key: str, value: Any, origin: str) -> None:
        section, _, name = key.partition(".")
        if section not in SECTIONS:
            raise OptionError(key, value, "in one of the sections " + ", ".join(SECTIONS))
        if name not in {f.name for f in fields(SECTIONS[section])}:
            known = ", ".join(f.name for f in fields(SECTIONS[section]))
            raise OptionError(key, value, f"one of the options of {section}: {known} ({origin})")
        values[section][name] = value
        origins[key] = origin

    for key, value in file_values(file).items():
        take(key, value, str(file))
    for variable, text in sorted((os.environ if environment is None else environment).items()):
        if variable.startswith(ENVIRONMENT_PREFIX) and variable not in NO_OPTIONS:
            if "__" not in variable:
                raise OptionError(variable, text, f"named {ENVIRONMENT_PREFIX}SECTION__NAME, with two underscores")
            key = variable.removeprefix(ENVIRONMENT_PREFIX).lower().replace("__", ".", 1)
            take(key, text, variable)
    for key, value in (arguments or {}).items():
        if value is not None:
            take(key, value, "argument")

    preset = values["chunk"].get("preset", "default")
    if preset not in PRESETS:
        raise OptionError("chunk.preset", preset, "one of " + ", ".join(PRESETS))
    for name, value in PRESETS[preset].items():
        if name not in values["chunk"]:
            values["chunk"][name] = value
            origins[f"chunk.{name}"] = f"preset {preset}"
    made: dict[str, Any] = {section: build(kind, values[section], section) for section, kind in SECTIONS.items()}
    for section, kind in SECTIONS.items():
        for each in fields(kind):
            origins.setdefault(f"{section}.{each.name}", "default")
    return Loaded(Options(**made), origins)


def file_values(file: Path | None) -> dict[str, Any]:
    """Options of a TOML file, keyed `section.name`."""
    if file is None:
        return {}
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise OptionError("config", str(file), f"a readable TOML file ({error})") from error
    if file.name == "pyproject.toml":
        data = data.get("tool", {}).get("pincite", {})
    found = {}
    for section, table in data.items():
        if not isinstance(table, dict):
            raise OptionError(section, table, "inside one of the tables " + ", ".join(f"[{s}]" for s in SECTIONS))
        found.update({f"{section}.{name}": value for name, value in table.items()})
    return found


def signature(section: Any, leave_out: tuple[str, ...] = ()) -> str:
    """Canonical text of a section's values, for telling whether a result is stale."""
    values = {f.name: getattr(section, f.name) for f in fields(section) if f.name not in leave_out}
    return json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
