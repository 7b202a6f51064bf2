"""The golden set: questions that people wrote, with what answers them.

A row says where the answer stands by document, page or quoted words, never by a chunk, so that it
outlives every change of chunking. It says where it comes from and why it is there, since a row that
nobody can explain is deleted at the first red gate.

Sets of others, which have `question` and `relevant` (a grade for each document), are read as well.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from pincite.document import Span
from pincite.errors import GoldenError
from pincite.evaluation.golden_file import RawRow, read_rows
from pincite.evaluation.model import DIFFICULTIES, EXPECTATIONS, SOURCES, Evidence, Row
from pincite.evaluation.rules import rules_of
from pincite.wording import blank

__all__ = ["GoldenSet", "load_golden"]

FIELDS: Final = (
    "id", "input", "expected_output", "rubric", "claims", "evidence", "expect",
    "category", "difficulty", "source", "reason", "group", "language", "rules",
)  # fmt: skip
NEEDED: Final = ("id", "input", "category", "source", "reason")
PLAIN_FIELDS: Final = ("id", "question", "relevant", "expected")
PLACE: Final = ("document", "page", "quote", "span", "grade")


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """The rows of one file, in order."""

    rows: tuple[Row, ...]
    path: str = ""

    @property
    def fingerprint(self) -> str:
        """64 hexadecimal digits that change with anything that a score depends on."""
        facts = [row_facts(row) for row in self.rows]
        return hashlib.sha256(json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)


def row_facts(row: Row) -> dict[str, Any]:
    """What a row asks for, without where it stands in its file and why it is there."""
    return {
        "id": row.id, "input": row.input, "expected_output": row.expected_output, "rubric": row.rubric,
        "claims": list(row.claims), "expect": row.expect, "rules": list(row.rules), "language": row.language,
        "evidence": [
            [each.document, each.page, each.quote, each.span and [each.span.start, each.span.end], each.grade]
            for each in row.evidence
        ],
    }  # fmt: skip


def load_golden(path: Path | str) -> GoldenSet:
    """The golden set of a file. Raises GoldenError, which names the file, the row and the field."""
    path = Path(path)
    raw = read_rows(path)
    rows = [Reading(path, each).row() for each in raw]
    first: dict[str, Row] = {}
    for row in rows:
        if (before := first.setdefault(row.id, row)) is not row:
            raise GoldenError(
                str(path), f"the id stands at line {before.line} already; give each row its own", line=row.line,
                row=row.id, field="id",
            )  # fmt: skip
    return GoldenSet(tuple(rows), str(path))


@dataclass(frozen=True, slots=True)
class Reading:
    """One row while it is validated."""

    path: Path
    raw: RawRow

    @property
    def values(self) -> Mapping[str, Any]:
        return self.raw.values

    def fail(self, field: str, wanted: str) -> GoldenError:
        name = self.values.get("id")
        return GoldenError(
            str(self.path), wanted, line=self.raw.line, row=name if isinstance(name, str) else None, field=field
        )

    def row(self) -> Row:
        plain = "question" in self.values or "relevant" in self.values
        self.only(self.values, PLAIN_FIELDS if plain else FIELDS, "")
        return self.plain() if plain else self.native()

    def plain(self) -> Row:
        """A row of `question` and `relevant`, as other tools write them."""
        relevant = self.values.get("relevant")
        if not isinstance(relevant, dict) or not relevant:
            raise self.fail("relevant", "must name at least one document with its grade")
        return Row(
            id=self.text("id"),
            input=self.text("question"),
            expected_output=self.text("expected", needed=False),
            evidence=tuple(
                Evidence(str(document), grade=self.whole(grade, f"relevant.{document}"))
                for document, grade in relevant.items()
            ),
            line=self.raw.line,
        )

    def native(self) -> Row:
        for name in NEEDED:
            self.text(name)
        expect = self.choice("expect", EXPECTATIONS, "answer")
        evidence = tuple(self.place(number, each) for number, each in enumerate(self.listed("evidence")))
        row = Row(
            id=self.text("id"),
            input=self.text("input"),
            expected_output=self.text("expected_output", needed=False),
            rubric=self.text("rubric", needed=False),
            claims=tuple(self.listed_texts("claims")),
            evidence=evidence,
            expect=expect,  # type: ignore[arg-type]
            category=self.text("category"),
            difficulty=self.choice("difficulty", DIFFICULTIES, ""),
            source=self.choice("source", SOURCES, ""),
            reason=self.text("reason"),
            group=self.text("group", needed=False) or None,
            language=self.text("language", needed=False) or None,
            rules=tuple(self.rules()),
            line=self.raw.line,
        )
        if not (row.expected_output or row.rubric or row.evidence or row.rules or expect == "refuse"):
            raise self.fail(
                "expected_output", "is absent, and so are rubric, evidence and rules; the row asks for nothing"
            )
        if expect == "refuse" and row.evidence:
            raise self.fail("evidence", "must be empty where the row expects a refusal")
        return row

    def rules(self) -> list[Mapping[str, Any]]:
        found = self.listed("rules")
        try:
            rules_of(found)
        except GoldenError as error:
            raise self.fail(f"rules: {error.field}" if error.field else "rules", error.reason) from None
        return [{each: True} if isinstance(each, str) else each for each in found]

    def place(self, number: int, value: Any) -> Evidence:
        """A piece of evidence: a document's uri, or a mapping with it."""
        name = f"evidence[{number}]"
        if isinstance(value, str):
            value = {"document": value}
        if not isinstance(value, dict):
            raise self.fail(name, "must be a document's uri, or a mapping with document, page and quote")
        self.only(value, PLACE, f"{name}.")
        document = value.get("document")
        if not isinstance(document, str) or not document.strip():
            raise self.fail(f"{name}.document", "must be the uri of a document, as the index shows it")
        page, quote = value.get("page"), value.get("quote")
        if page is not None:
            page = self.whole(page, f"{name}.page")
        if quote is not None and (not isinstance(quote, str) or blank(quote)):
            raise self.fail(f"{name}.quote", "must be words of the document")
        grade = self.whole(value.get("grade", 1), f"{name}.grade")
        return Evidence(document, page, quote, self.span(value.get("span"), f"{name}.span"), grade)

    def span(self, value: Any, name: str) -> Span | None:
        if value is None:
            return None
        if isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value):
            start, end = value
            if 0 <= start < end:
                return Span(start, end)
        raise self.fail(name, "must be [start, end] in code points of the document's text")

    def only(self, given: Mapping[str, Any], known: Sequence[str], before: str) -> None:
        for key in given:
            if key not in known:
                near = get_close_matches(str(key), known, 1)
                meant = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"
                raise self.fail(f"{before}{key}", f"is no field of a golden row{meant}")

    def text(self, name: str, needed: bool = True) -> str:
        value = self.values.get(name)
        if value is None and not needed:
            return ""
        if value is None:
            raise self.fail(name, "is missing; every row needs it")
        if isinstance(value, (int, float)) and not isinstance(value, bool) and name in ("id", "expected_output"):
            raise self.fail(name, f"is the number {value}; write it between quotes")
        if not isinstance(value, str) or (needed and blank(value)):
            raise self.fail(name, "must be a text that is not empty")
        return value if name in ("input", "expected_output", "rubric") else value.strip()

    def choice(self, name: str, known: Sequence[str], default: str) -> str:
        value = self.values.get(name, default)
        if value not in known and value != default:
            raise self.fail(name, f"must be one of {', '.join(known)}")
        return str(value)

    def listed(self, name: str) -> list[Any]:
        value = self.values.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.fail(name, "must be a list")
        return value

    def listed_texts(self, name: str) -> list[str]:
        found = self.listed(name)
        for each in found:
            if not isinstance(each, str) or blank(each):
                raise self.fail(name, "must be a list of sentences")
        return found

    def whole(self, value: Any, name: str) -> int:
        """A whole number of at least 1."""
        if isinstance(value, float) and math.isfinite(value) and value == int(value):
            value = int(value)
        if type(value) is not int or value < 1:
            raise self.fail(name, "must be a whole number of at least 1")
        return value
