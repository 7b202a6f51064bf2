"""Reading the file of a golden set: YAML or JSON lines, with the line that each row begins on.

A YAML file is a list of rows, or a mapping with the list under `rows`. Values are read as YAML's
core schema has them, but a date stays the text that was typed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from pincite.errors import GoldenError

__all__ = ["RawRow", "read_rows"]

LARGEST: Final = 64_000_000
"""Bytes; a set that people review is far smaller."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row as it was typed."""

    line: int
    """From 1."""

    values: Mapping[str, Any]


class Loader(yaml.SafeLoader):  # type: ignore[misc]
    """YAML without dates, and without keys that come twice or values that stand for others."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            event = self.peek_event()
            raise yaml.constructor.ConstructorError(None, None, "an alias (*name) is not read here", event.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} comes twice", key.start_mark)
            if isinstance(key.value, str):
                seen.add(key.value)
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_rows(path: Path) -> list[RawRow]:
    """The rows of a file in order. Raises GoldenError, which names the file and the line."""
    text = read_text(path)
    if path.suffix.lower() in (".yaml", ".yml"):
        return list(yaml_rows(path, text))
    return list(json_rows(path, text))


def read_text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise GoldenError(str(path), f"it has more than {LARGEST // 1_000_000} MB; split it into several sets")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GoldenError(str(path), f"byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise GoldenError(str(path), f"it cannot be read: {error.strerror or error}") from None


def json_rows(path: Path, text: str) -> Iterator[RawRow]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values = json.loads(line, object_pairs_hook=unique, parse_constant=refuse)
        except (ValueError, RecursionError) as error:
            raise GoldenError(str(path), f"this line is no JSON object: {error}", line=number) from None
        yield raw_row(path, number, values)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key comes twice")
    return found


def refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")


def yaml_rows(path: Path, text: str) -> Iterator[RawRow]:
    loader = Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return
        for row in row_nodes(path, node):
            yield raw_row(path, row.start_mark.line + 1, loader.construct_object(row, deep=True))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise GoldenError(str(path), f"it is no YAML: {error.problem}", line=mark.line + 1 if mark else None) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise GoldenError(str(path), f"it is no YAML: {error}") from None
    finally:
        loader.dispose()


def row_nodes(path: Path, node: Any) -> list[Any]:
    """The nodes of the rows: of a list, or of the list under `rows`."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "rows" and isinstance(value, yaml.SequenceNode):
                return list(value.value)
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    raise GoldenError(str(path), "it must be a list of rows, or have one under 'rows'", line=node.start_mark.line + 1)


def raw_row(path: Path, line: int, values: Any) -> RawRow:
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise GoldenError(str(path), "a row must be a mapping of names to values", line=line)
    return RawRow(line, values)
