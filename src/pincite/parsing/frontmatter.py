"""Front matter: YAML between `---` lines or TOML between `+++` lines, at the very top.

A thematic break at the top looks the same, and the text behind it must not be swallowed, so a
YAML region counts only if it reads as a mapping, or at least looks like one. What is read becomes
plain values that JSON can hold.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pincite.document import Diagnostic, Span

__all__ = ["FrontMatter", "front_matter"]

LARGEST: Final = 1 << 16
"""Code points; what is longer is no front matter."""

MOST_VALUES: Final = 10_000
"""Values after aliases are expanded; a few lines of YAML can stand for billions."""

OPENING: Final = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n?|\n)")
CLOSING: Final = {
    "---": re.compile(r"(?:^|(?<=[\r\n]))(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)"),
    "+++": re.compile(r"(?:^|(?<=[\r\n]))\+\+\+[ \t]*(?:\r\n?|\n|\Z)"),
}
KEY: Final = re.compile(r"""["']?[^\W\d][\w .-]{0,60}["']?[ \t]*:(?:[ \t]|$)""")
ORDINARY: Final = re.compile(r"""\s*$|\s+\S|\s*#|\s*-(\s|$)|["']?[^\W\d][\w .-]{0,60}["']?[ \t]*:(?:[ \t]|$)|[\]}]""")
LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands at the top, and where the text begins."""

    end: int
    """Offset of the first line after it."""

    values: Mapping[str, Any] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str | None:
        value = self.values.get("title")
        return value if isinstance(value, str) else None

    @property
    def language(self) -> str | None:
        """A language tag, where one of the usual keys holds one."""
        for key in ("lang", "language", "locale"):
            value = self.values.get(key)
            if isinstance(value, str) and LANGUAGE.match(value):
                return value.replace("_", "-")
        return None


class TooMuchError(ValueError):
    """More values than front matter has."""


def front_matter(text: str, start: int = 0) -> FrontMatter:
    """The front matter that begins at `start`; where there is none, an empty one that ends there."""
    opening = OPENING.match(text, start)
    if not opening:
        return FrontMatter(start)
    region = text[opening.end() : opening.end() + LARGEST]
    closing = CLOSING[opening[1]].search(region)
    if not closing:
        return FrontMatter(start)
    inner = region[: closing.start()]
    end = opening.end() + closing.end()
    shown = Span(start, start + len(text[start:end].rstrip()))
    dropped = Diagnostic("dropped_front_matter", "info", "the front matter is metadata, not text", span=shown)
    try:
        values = (
            read_yaml(inner) if opening[1] == "---" else tomllib.loads(inner.replace("\r\n", "\n").replace("\r", "\n"))
        )
        if values is None and not inner.strip():
            values = {}
        if not isinstance(values, dict):
            return FrontMatter(start)
        plain = Plain().mapping(values)
    except (ValueError, TypeError, RecursionError, OverflowError, AttributeError) as error:
        if opening[1] == "---" and not looks_like_mapping(inner):
            return FrontMatter(start)
        reason = " ".join(str(error).split())[:200]
        broken = Diagnostic("bad_front_matter", "warning", f"the front matter cannot be read: {reason}", span=shown)
        return FrontMatter(end, {"raw": inner}, (broken, dropped))
    return FrontMatter(end, plain, (dropped,))


def read_yaml(text: str) -> Any:
    """The values of YAML; its own error class is a ValueError here."""
    import yaml  # type: ignore[import-untyped,unused-ignore]

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def looks_like_mapping(inner: str) -> bool:
    """Whether a region that is no YAML was meant as keys and values."""
    lines = [line for line in re.split(r"\r\n?|\n", inner) if line.strip()]
    if not lines or not any(KEY.match(line) for line in lines[:2]):
        return False
    return all(ORDINARY.match(line) for line in lines)


class Plain:
    """Turns values of YAML and TOML into such as JSON holds, and counts them."""

    def __init__(self) -> None:
        self.left = MOST_VALUES

    def mapping(self, values: Mapping[Any, Any]) -> dict[str, Any]:
        return {str(self.value(key)): self.value(value) for key, value in values.items()}

    def value(self, value: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise TooMuchError(f"it stands for more than {MOST_VALUES} values")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if isinstance(value, int):
            return value if abs(value) < 1 << 63 else hex(value)
        if isinstance(value, float):
            return value if abs(value) < float("inf") else str(value)
        if isinstance(value, datetime.date | datetime.time):
            return value.isoformat()
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        if isinstance(value, Mapping):
            return self.mapping(value)
        if isinstance(value, list | tuple | set | frozenset):
            return [self.value(item) for item in value]
        return str(value)
