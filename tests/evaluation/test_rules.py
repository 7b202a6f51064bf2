"""Rules are free and say the same every time; what they cannot mean is refused before anything is asked."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.errors import GoldenError
from pincite.evaluation.model import Response, Retrieved, Row
from pincite.evaluation.rules import RULES, rule_of

HANDBOOK = Retrieved("docs/handbook.pdf", 9, 9, "You have 24 days of paid annual leave and 1.000.000 đồng.")

SHAPE = {
    "type": "object",
    "properties": {"days": {"enum": [24, 25]}},
    "required": ["days"],
    "additionalProperties": False,
}


def checked(spec: Any, answer: str, row: Row | None = None) -> tuple[float, bool] | None:
    """Score and whether it passes; None where there is nothing to check."""
    rule = rule_of(spec)
    found = rule.check(row or Row("r", "How many days?"), Response("r", (HANDBOOK,), answer))
    return None if found is None else (found.score, found.score >= rule.threshold)


@pytest.mark.parametrize(
    ("spec", "answer", "score"),
    [
        ({"contains_all": list("abcdef")}, "a, b and c", 0.5),
        ({"contains_any": ["24", "25"]}, "it is 25.", 1),
        ({"contains_any": ["24", "25"]}, "it is 250.", 0),
        ({"contains_none": ["cat"]}, "a category", 1),
        ({"contains_none": {"words": ["cat"], "match": "substring"}}, "a category", 0),
        ({"contains_all": ["nghỉ phép"]}, "Được NGHI\u0309 PHE\u0301P năm", 1),
        ({"contains_all": ["nghỉ"]}, "nghỉn", 0),
        ({"contains_all": ["24일", "휴가"]}, "휴가는 24일입니다", 1),
        ({"contains_all": ["年休"]}, "取得年休假", 1),
        ("non_empty", "", 0),
        ("non_empty", "   ", 0),
        ("non_empty", "\u200b\ufeff", 0),
        ("non_empty", "24", 1),
        ({"length": {"min": 1, "max": 5}}, "hello", 1),
        ({"length": {"min": 1, "max": 5}}, "hello!", 0),
        ({"length": {"min": 1, "max": 5}}, "", 0),
        ({"length": {"max": 2}}, "👨‍👩‍👧e\u0301", 1),
        ({"length": {"min": 3, "max": 3, "unit": "words"}}, "hai mươi bốn!", 1),
        ({"regex": r"(?s)^(?!.*\d{16}).*$"}, "4111111111111111", 0),
        ({"regex": r"(?s)^(?!.*\d{16}).*$"}, "4111 1111 1111 1111", 1),
        ({"regex": r"(?s)^(?!.*\d{16}).*$"}, "ok\nline", 1),
        ({"regex": r"\d+"}, "answer 3", 1),
        ({"regex": {"pattern": r"\[DOC-\d+\]", "match": "full"}}, "see [DOC-12].", 0),
        ({"regex": {"pattern": "secret", "expect": "no_match"}}, "a secret", 0),
        ({"json_schema": SHAPE}, '{"days": 24}', 1),
        ({"json_schema": SHAPE}, '{"days": 24, "more": 1}', 0),
        ({"json_schema": SHAPE}, "{}", 0),
        ({"json_schema": SHAPE}, '{"days": 3}', 0),
        ({"json_schema": SHAPE}, "{", 0),
        ({"json_schema": SHAPE}, '{"days": NaN}', 0),
        ({"json_schema": SHAPE}, '```json\n{"days": 24}\n```', 1),
        ({"exact": "1000"}, "1,000", 1),
        ({"exact": "24 days"}, "24 Days (p. 2)", 1),
        ({"exact": "24 days"}, "25 days", 0),
        ({"starts_with": "You have"}, "you HAVE 24 days", 1),
        ({"ends_with": ["days", "ngày"]}, "24 hours", 0),
        ({"language": "vi"}, "Bạn được hai mươi bốn ngày phép mỗi năm", 1),
        ({"language": "ko"}, "You have the right to 24 days of leave in a year", 0),
        ("citation_present", "24 days [1]", 1),
        ("citation_present", "24 days", 0),
        ("citation_correct", "You have “24 days of paid annual leave” [1].", 1),
        ("citation_correct", "You have “25 days” [1].", 0),
        ("citation_correct", "You have “25 days”, not “24 days” [1][2].", 0),
        ("citation_correct", "See [0].", 0),
        ("citation_correct", "24 days (handbook.pdf, p. 9).", 1),
        ("citation_correct", "24일 (handbook.pdf, 9쪽)", 1),
        ("citation_correct", "24 days (handbook.pdf#page=8).", 0),
        ("citation_correct", "24 days (book.pdf, p. 9).", 0),
        ("numbers_grounded", "1. 24 days and 1,000,000 [1] (p. 77)", 1),
        ("numbers_grounded", "24 days and 2 more", 0.5),
        ("numbers_grounded", "٢٤ أيام", 1),
    ],
)  # fmt: skip
def test_scores(spec: Any, answer: str, score: float) -> None:
    """Each row is an answer, a rule and the share of it that holds."""
    found = checked(spec, answer)

    assert found is not None
    assert found[0] == pytest.approx(score)
    assert found[1] == (score == 1)


@pytest.mark.parametrize(
    "spec",
    [
        {"contains_all": []}, {"contains_any": []}, {"contains_none": []}, {"contains_all": [""]},
        {"contains_all": ["\u200b"]}, {"contains_all": [24]}, {"contains_all": {"words": ["a"], "match": "fuzzy"}},
        {"contains_all": {"words": ["a"], "threshold": 0}}, {"contains_any": {"words": ["a"], "threshold": 0.5}},
        {"contains_al": ["a"]}, {"length": {}}, {"length": {"min": 5, "max": 1}}, {"length": {"mx": 5}},
        {"length": {"max": 1.5}}, {"regex": "("}, {"regex": ""}, {"regex": {"pattern": "a", "seconds": 0}},
        {"json_schema": {}}, {"json_schema": {"type": "nonsense"}}, {"json_schema": {"$ref": "http://a.example/b"}},
        {"json_schema": "missing.json"}, {"language": "klingon"}, {"non_empty": False}, {"exact": []},
        {"citation_correct": {"threshold": 2}}, {"citation_correct": {"strict": True}}, {"a": 1, "b": 2}, "", 3, None,
    ],
)  # fmt: skip
def test_rules_that_cannot_mean_anything_are_refused(spec: Any) -> None:
    """A rule that would pass anything, or nothing, is a mistake of the configuration and not a score."""
    with pytest.raises(GoldenError):
        rule_of(spec)


def test_a_threshold_below_all_passes_a_part() -> None:
    """Half of the words are enough where somebody says so, and not otherwise."""
    assert checked({"contains_all": {"words": ["a", "b"], "threshold": 0.5}}, "a") == (0.5, True)
    assert checked({"contains_all": ["a", "b"]}, "a") == (0.5, False)


def test_a_pattern_that_passes_nearly_anything_is_told() -> None:
    """`\\d+` is found in any sentence with a number; one that forbids is meant to pass."""
    assert rule_of({"regex": r"\d+"}).warnings
    assert rule_of({"regex": ".*"}).warnings
    assert not rule_of({"regex": r"\b24 days\b"}).warnings
    assert not rule_of({"regex": r"(?s)^(?!.*\d{16}).*$"}).warnings
    assert not rule_of({"regex": {"pattern": "secret", "expect": "no_match"}}).warnings


@pytest.mark.timeout(20)
def test_a_hostile_pattern_ends() -> None:
    """An expression that would run for years is stopped, and the answer fails with the reason."""
    rule = rule_of({"regex": {"pattern": r"^(\w+\s?)*$", "seconds": 0.05}})
    found = rule.check(Row("r", "?"), Response("r", (), "word " * 40 + "!"))

    assert found is not None
    assert found.score == 0


def test_the_fence_around_json_is_reported() -> None:
    """An answer that only passes without its fence says so."""
    found = rule_of({"json_schema": SHAPE}).check(Row("r", "?"), Response("r", (), '```\n{"days": 24}\n```'))

    assert found is not None
    assert found.details["fence_stripped"] is True
    assert "fence" in found.reason


@pytest.mark.parametrize("name", ["citation_correct", "numbers_grounded"])
def test_nothing_to_check_is_no_score(name: str) -> None:
    """An answer without citations, or without numbers, is neither right nor wrong about them."""
    assert checked(name, "I do not know.") is None


def test_a_refusal_needs_no_citation() -> None:
    """Where the documents do not say it there is nothing to cite."""
    assert checked("citation_present", "I do not know.", Row("r", "?", expect="refuse")) is None


def test_every_rule_is_tried_here() -> None:
    """A rule without an example is not ready."""
    marks = [mark for mark in test_scores.pytestmark if mark.name == "parametrize"]
    tried = {spec if isinstance(spec, str) else next(iter(spec)) for spec, *_ in marks[0].args[1]}

    assert tried == set(RULES)
