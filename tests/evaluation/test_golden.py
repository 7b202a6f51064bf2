"""A golden set says what is wrong by row and field, keeps its incidents, and is read for doubts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import GoldenError
from pincite.evaluation.golden import load_golden
from pincite.evaluation.lock import Lock, load_locked, lock_path, read_lock, retire, updated, write_lock
from pincite.evaluation.model import Retrieved
from pincite.evaluation.review import review, review_evidence
from pincite.evaluation.starter import STARTER

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

ROW = {
    "id": "leave",
    "input": "how many days?",
    "expected_output": "24 days",
    "evidence": [{"document": "handbook.pdf", "page": 9}],
    "category": "benefits",
    "source": "hand",
    "reason": "asked most",
}


def golden_file(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_the_starter_and_the_samples_are_golden_sets(tmp_path: Path) -> None:
    """What `golden new` writes loads, and so does the set of the samples; their rows know their lines."""
    path = tmp_path / "new.yaml"
    path.write_text(STARTER, encoding="utf-8")

    assert [row.id for row in load_golden(path)] == ["leave-days", "leave-days-unmarked", "dog-insurance"]
    rows = load_golden(EXAMPLES / "golden.yaml").rows
    lines = (EXAMPLES / "golden.yaml").read_text(encoding="utf-8").split("\n")
    assert all(lines[row.line - 1] == f"- id: {row.id}" for row in rows)


def test_yaml_and_json_lines_say_the_same(tmp_path: Path) -> None:
    """The same rows in both forms have the same fingerprint, wherever they stand in their files."""
    lines = golden_file(tmp_path, ROW)
    whole = tmp_path / "questions.yaml"
    whole.write_text("# a comment\nrows:\n  - " + json.dumps(ROW), encoding="utf-8")

    assert load_golden(lines).fingerprint == load_golden(whole).fingerprint


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reason": None}, "reason"), ({"source": None}, "source"), ({"category": None}, "category"),
        ({"id": None}, "id"), ({"input": "\u200b"}, "input"), ({"source": "generated"}, "source"),
        ({"difficulty": "impossible"}, "difficulty"), ({"expect": "maybe"}, "expect"), ({"anser": "x"}, "anser"),
        ({"evidence": "handbook.pdf"}, "evidence"), ({"evidence": [{"page": 3}]}, "evidence[0].document"),
        ({"evidence": [{"document": "a", "page": 0}]}, "evidence[0].page"),
        ({"evidence": [{"document": "a", "page": "ix"}]}, "evidence[0].page"),
        ({"evidence": [{"document": "a", "quote": ""}]}, "evidence[0].quote"),
        ({"evidence": [{"document": "a", "chunk": "4f1d"}]}, "evidence[0].chunk"),
        ({"evidence": [{"document": "a", "span": [5, 5]}]}, "evidence[0].span"),
        ({"expect": "refuse"}, "evidence"), ({"evidence": [], "expected_output": None}, "expected_output"),
        ({"expected_output": 24}, "expected_output"), ({"rules": ["non_empt"]}, "rules: non_empt"),
        ({"rules": [{"contains_all": []}]}, "rules: contains_all.words"), ({"claims": [""]}, "claims"),
    ],
)  # fmt: skip
def test_a_wrong_row_is_named_with_its_field(tmp_path: Path, change: dict[str, Any], field: str) -> None:
    """The message has the file, the line, the row and the field, so that nobody has to search."""
    row = {name: value for name, value in {**ROW, **change}.items() if value is not None}

    with pytest.raises(GoldenError) as raised:
        load_golden(golden_file(tmp_path, {**ROW, "id": "first"}, row))

    assert raised.value.field == field
    assert raised.value.line == 2
    assert raised.value.row == row.get("id")
    assert "questions.jsonl:2" in str(raised.value)


@pytest.mark.parametrize(
    "text",
    ['{"id": "a", "id": "b"}', "not json", "[1, 2]", '{"id": NaN}', '{"id": "a"', "5"],
)
def test_a_line_that_is_no_row_is_named(tmp_path: Path, text: str) -> None:
    """Damage costs an error with the line, never a traceback."""
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + text, encoding="utf-8")

    with pytest.raises(GoldenError) as raised:
        load_golden(path)

    assert raised.value.line == 2


@pytest.mark.parametrize("text", ["a: b", "- 1", "- {id: a, id: b}", "- &a {id: 1}\n- *a", "- [", "- !!python/none x"])
def test_yaml_that_is_no_golden_set_is_refused(tmp_path: Path, text: str) -> None:
    """Keys that come twice, aliases and tags included: what a reviewer sees is what is read."""
    path = tmp_path / "questions.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(GoldenError):
        load_golden(path)


def test_two_rows_of_one_id_are_refused(tmp_path: Path) -> None:
    """Scores by id would mix them."""
    with pytest.raises(GoldenError, match="line 1 already"):
        load_golden(golden_file(tmp_path, ROW, ROW))


def test_other_tools_sets_are_read(tmp_path: Path) -> None:
    """`question` and `relevant` need no provenance, and a row without any relevant document is refused."""
    golden = load_golden(golden_file(tmp_path, {"id": "q", "question": "?", "relevant": {"a": 3}}))

    assert golden.rows[0].evidence[0].grade == 3
    with pytest.raises(GoldenError):
        load_golden(golden_file(tmp_path, {"id": "q", "question": "?", "relevant": {}}))


def test_a_set_that_lost_an_incident_does_not_load(tmp_path: Path) -> None:
    """Neither without the row, nor with another question under its id, nor as an ordinary row; with a reason it may go."""
    incident = {**ROW, "id": "inc-7", "source": "incident"}
    path = golden_file(tmp_path, ROW, incident)
    write_lock(path, updated(load_golden(path), Lock()))
    assert len(load_locked(path)) == 2

    for rows in ([ROW], [ROW, {**incident, "input": "another?"}], [ROW, {**incident, "source": "hand"}]):
        golden_file(tmp_path, *rows)
        with pytest.raises(GoldenError, match="inc-7"):
            load_locked(path)

    golden_file(tmp_path, ROW)
    write_lock(path, retire(read_lock(path), "inc-7", "withdrawn", "leave"))
    assert len(load_locked(path)) == 1
    assert json.loads(lock_path(path).read_text())["retired"] == {
        "inc-7": {"reason": "withdrawn", "replacement": "leave"}
    }


def test_a_new_reason_does_not_break_the_lock(tmp_path: Path) -> None:
    """Only what a row asks for is locked."""
    incident = {**ROW, "source": "incident"}
    path = golden_file(tmp_path, incident)
    write_lock(path, updated(load_golden(path), Lock()))
    golden_file(tmp_path, {**incident, "reason": "said better", "difficulty": "hard"})

    assert len(load_locked(path)) == 1


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema": "pincite.golden-lock/9"}'])
def test_a_damaged_lock_is_an_error(tmp_path: Path, text: str) -> None:
    """A lock that cannot be read protects nothing, and says so."""
    path = golden_file(tmp_path, ROW)
    lock_path(path).write_text(text)

    with pytest.raises(GoldenError):
        load_locked(path)


def rows(count: int, **values: Any) -> list[dict[str, Any]]:
    return [
        {
            **ROW,
            "id": f"r{n}",
            "input": f"{chr(97 + n % 26) * 4} {n} word{n} other{n * 7}?",
            "reason": f"why {n}",
            **values,
        }
        for n in range(count)
    ]


def codes(path: Path) -> set[str]:
    return {each.code for each in review(load_golden(path))}


def test_sizes_are_doubted(tmp_path: Path) -> None:
    """Fewer than 10 rows and more than 50 are told."""
    assert codes(golden_file(tmp_path, *rows(9))) == {"few_rows"}
    assert codes(golden_file(tmp_path, *rows(10))) == set()
    assert codes(golden_file(tmp_path, *rows(50))) == set()
    assert codes(golden_file(tmp_path, *rows(51))) == {"many_rows"}


def test_near_duplicates_are_doubted_unless_they_are_paraphrases(tmp_path: Path) -> None:
    """The same words in another order are one question; a group says that it is meant."""
    one = {**ROW, "id": "x", "input": "how many days of annual leave do I get?"}
    other = {**ROW, "id": "y", "input": "How many days of annual leave do I get", "reason": "again"}

    assert "near_duplicate" in codes(golden_file(tmp_path, *rows(10), one, other))
    grouped = [{**one, "group": "g"}, {**other, "group": "g"}]
    assert "near_duplicate" not in codes(golden_file(tmp_path, *rows(10), *grouped))


def test_rows_that_were_generated_in_bulk_are_doubted(tmp_path: Path) -> None:
    """One beginning for many rows, and one reason."""
    alike = [{**ROW, "id": f"g{n}", "input": f"According to the document, topic{n} is item{n}?"} for n in range(12)]

    assert {"one_wording", "one_reason"} <= codes(golden_file(tmp_path, *alike))


def test_evidence_that_is_not_in_the_documents_is_doubted(tmp_path: Path) -> None:
    """Another document, another page, other words: each is told by its own name."""
    documents = {"docs/handbook.pdf": [Retrieved("docs/handbook.pdf", 9, 9, "You have 24 days of leave.")]}
    evidence = {
        "good": {"document": "docs/handbook.pdf", "page": 9, "quote": "24 days"},
        "no_document": {"document": "handbook.pdf"},
        "no_page": {"document": "docs/handbook.pdf", "page": 8},
        "no_quote": {"document": "docs/handbook.pdf", "page": 9, "quote": "30 days of holiday"},
    }
    path = golden_file(tmp_path, *({**ROW, "id": name, "evidence": [each]} for name, each in evidence.items()))
    doubts = review_evidence(load_golden(path), documents)

    assert [each.code for each in doubts] == ["no_document", "no_page", "no_quote"]
    assert "did you mean docs/handbook.pdf" in doubts[0].message
