"""An answer that is JSON of a given shape (JSON Schema, draft 2020-12 unless the schema names another).

A fence around the JSON is taken off and reported. References that leave the schema are refused, so
that no check depends on a network.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pincite.errors import DependencyError
from pincite.evaluation.model import Response, Row
from pincite.evaluation.rules.rule import Finding, RuleArguments

__all__ = ["Schema", "schema"]

FENCED: Final = re.compile(
    r"\A\s*(```+|~~~+)[ \t]*(?:json5?)?[ \t]*\r?\n(.*?)\r?\n[ \t]*\1[ \t]*\s*\Z", re.DOTALL | re.I
)
SHOWN: Final = 5
"""Faults that a reason names."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The answer is JSON that the schema accepts."""

    name: str
    validator: Any
    threshold: float = 1.0
    warnings: tuple[str, ...] = ()

    def check(self, row: Row, response: Response) -> Finding | None:
        answer = response.answer or ""
        fenced = FENCED.match(answer)
        details = {"fence_stripped": bool(fenced)}
        try:
            value = json.loads(fenced[2] if fenced else answer, parse_constant=refuse)
        except (ValueError, RecursionError) as error:
            return Finding(0.0, f"the answer is no JSON: {error}", details)
        faults = [
            f"{pointer(each.instance_path)}: {str(each.message)[:200]}" for each in self.validator.iter_errors(value)
        ]
        if faults:
            return Finding(0.0, "; ".join(faults[:SHOWN]), {**details, "faults": len(faults)})
        return Finding(1.0, "a fence around the JSON was stripped" if fenced else "", details)


def pointer(path: Any) -> str:
    return "/" + "/".join(map(str, path)) if path else "the whole answer"


def refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")


def schema(name: str, value: Any) -> Schema:
    given = RuleArguments(name, value, "schema")
    shape = given.take("schema")
    given.done()
    if isinstance(shape, str):
        shape = from_file(given, shape)
    if not isinstance(shape, dict) or not shape:
        raise given.fail("must be a JSON Schema, or the path of a file with one; an empty schema would pass anything")
    return Schema(name, validator(given, shape))


def from_file(given: RuleArguments, path: str) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise given.fail(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise given.fail(f"{path} is no JSON: {error}") from None


def validator(given: RuleArguments, shape: dict[str, Any]) -> Any:
    try:
        import jsonschema_rs
    except ImportError:
        raise DependencyError("the package jsonschema-rs", "run: pip install 'pincite[eval]'") from None

    def outside(uri: str) -> Any:
        raise ValueError(f"{uri} lies outside the schema")

    try:
        jsonschema_rs.meta.validate(shape)
        return jsonschema_rs.validator_for(shape, retriever=outside, validate_formats=True)
    except (ValueError, jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError) as error:
        first = str(error).split("\n", 1)[0]
        raise given.fail(f"is no JSON Schema that can be used: {first}") from None
