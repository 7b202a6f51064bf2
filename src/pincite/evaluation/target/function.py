"""A function of Python as the system under judgement.

It is given the question, and returns the answer as a text, or a mapping with `answer` and `retrieved`
as a recorded run has them, or a `Response`. What it raises is an error of that row.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pincite.errors import OptionError
from pincite.evaluation.model import Response, Row
from pincite.evaluation.target.recorded import passage_of

__all__ = ["FunctionTarget", "load_function"]


@dataclass(frozen=True, slots=True)
class FunctionTarget:
    """Calls a function for each row."""

    function: Callable[[str], Any]
    name: str = "function"
    version: str | None = None
    """What people call the release. Responses are remembered under it; without one, each run asks anew."""

    corpus: str | None = None
    concurrency: int = 1

    @property
    def fingerprint(self) -> str | None:
        return f"function {self.name} {self.version}" if self.version else None

    def ask(self, row: Row) -> Response:
        began = time.perf_counter()
        try:
            found = response_of(row.id, self.function(row.input))
        except Exception as error:
            return Response(row.id, error=f"{self.name} raised {type(error).__name__}: {error}")
        return found if found.seconds is not None else replace(found, seconds=time.perf_counter() - began)


def response_of(row: str, value: Any) -> Response:
    """The response that a function returned. Raises ValueError, which says what was expected."""
    if isinstance(value, Response):
        return replace(value, row=row)
    if isinstance(value, str):
        return Response(row, answer=value)
    if not isinstance(value, Mapping) or not set(value) <= {"answer", "retrieved", "error", "tokens"}:
        raise ValueError("it must return a text, or a mapping with answer and retrieved")
    answer, error = value.get("answer"), value.get("error")
    if not isinstance(answer, (str, type(None))) or not isinstance(error, (str, type(None))):
        raise ValueError("answer and error must be texts")
    return Response(row, tuple(map(passage_of, value.get("retrieved") or ())), answer, error or None)


def load_function(name: str) -> Callable[[str], Any]:
    """The function that `package.module:name` names. Raises OptionError."""
    module, _, attribute = name.partition(":")
    wanted = "a function as package.module:name, which can be imported from here"
    if not module or not attribute:
        raise OptionError("target", name, wanted)
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError("target", name, f"{wanted} ({error})") from None
    if not callable(found):
        raise OptionError("target", name, wanted)
    return found  # type: ignore[no-any-return]
