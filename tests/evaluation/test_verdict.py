"""The gate never passes without evidence, and says which half to mend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite.errors import EvaluationError, GoldenError, OptionError
from pincite.evaluation.compare import Baseline, compare, read_baseline, write_baseline
from pincite.evaluation.evaluate import Evaluation, evaluate, evaluate_responses
from pincite.evaluation.floors import Floors, lowered, raised, read_floors, with_floors, write_floors
from pincite.evaluation.gate import Gate
from pincite.evaluation.identity import Identity
from pincite.evaluation.judged import JUDGED
from pincite.evaluation.model import Measurement, Response, Row
from tests.evaluation.making import golden, good, response, row

NAMES = tuple(f"r{n}" for n in range(12))
ROWS = tuple(map(row, NAMES))
RULES = {"rules": ["non_empty", {"contains_any": ["24"]}]}


def judged(rows: Any, responses: Any, settings: dict[str, Any] | None = None, **given: Any) -> Evaluation:
    return evaluate_responses(golden(*rows), responses, Gate.of(settings or {}), **given)


def outcomes(found: Evaluation) -> tuple[str, str, int]:
    verdict = found.verdict
    return verdict.retrieval.outcome, verdict.generation.outcome, verdict.exit_code


@pytest.mark.parametrize(
    ("page", "answer", "expected"),
    [
        (9, "24 days", ("pass", "pass", 0)),
        (3, "24 days", ("fail", "pass", 10)),
        (9, "25 days", ("pass", "fail", 11)),
        (3, "25 days", ("fail", "fail", 12)),
        (None, "24 days", ("fail", "pass", 10)),
        (9, "", ("pass", "fail", 11)),
    ],
)  # fmt: skip
def test_each_half_fails_by_itself(page: int | None, answer: str, expected: tuple[str, str, int]) -> None:
    """A spoilt retriever turns one half red, a spoilt generator the other; exit codes tell them apart."""
    found = judged(ROWS, [response(name, page, answer) for name in NAMES], RULES)

    assert outcomes(found) == expected


def test_the_diagnosis_names_the_half_to_mend_and_the_one_to_leave() -> None:
    """Low recall: leave the prompt. High recall and low precision: leave retrieval."""
    bad_retrieval = judged(ROWS, [response(name, 3) for name in NAMES], RULES).verdict.diagnosis
    bad_generation = judged(ROWS, [response(name, 9, "25 days") for name in NAMES], RULES).verdict.diagnosis

    assert bad_retrieval.startswith("retrieval")
    assert "leave the prompt" in bad_retrieval
    assert bad_generation.startswith("generation")
    assert "leave retrieval" in bad_generation


def test_no_rows_never_pass() -> None:
    """An empty set is no evidence."""
    assert judged((), []).verdict.exit_code == 13


def test_errors_alone_never_pass_and_blame_nobody() -> None:
    """A system that was down is not enough evidence for either half."""
    found = judged(ROWS, [Response(name, error="connection refused") for name in NAMES], RULES)

    assert outcomes(found) == ("inconclusive", "inconclusive", 13)
    assert found.errors == len(NAMES)


@pytest.mark.parametrize("broken", [1, 2, 11])
def test_a_broken_row_can_never_raise_the_mean(broken: int) -> None:
    """The denominator is the question set: each row that broke counts as 0 and keeps the gate from passing."""
    responses = [Response(name, error="timeout") for name in NAMES[:broken]] + good(*NAMES[broken:])
    found = judged(ROWS, responses)

    summary = found.summary("recall@5")
    assert summary is not None
    assert summary.mean == pytest.approx(1 - broken / 12)
    assert summary.counts["error"] == broken
    assert outcomes(found)[2] == 13


def test_a_row_without_a_response_is_an_error() -> None:
    """A run that leaves hard questions out does not pass."""
    found = judged(ROWS, good(*NAMES[:-1]))

    assert found.errors == 1
    assert found.verdict.exit_code == 13


def test_too_many_errors_do_not_hide_a_failure() -> None:
    """Where even perfect unknown rows could not reach the floor, the half fails."""
    responses = [response(name, 3) for name in NAMES[:6]] + [Response(name, error="x") for name in NAMES[6:]]

    assert outcomes(judged(ROWS, responses))[0] == "fail"


def test_a_row_without_evidence_is_not_applicable() -> None:
    """It enters no mean, and is counted beside it."""
    found = judged((*ROWS, row("none", evidence=())), [*good(*NAMES), response("none", 3)])

    summary = found.summary("recall@5")
    assert summary is not None
    assert (summary.mean, summary.counts["not_applicable"], summary.eligible) == (1.0, 1, 12)


def test_an_incident_that_fails_fails_its_half() -> None:
    """However good the mean is; a waiver with its reason lets it be."""
    rows = (*ROWS, row("inc", source="incident"))
    responses = [*good(*NAMES), response("inc", 3)]
    thresholds = {"thresholds": {"recall@5": {"min": 0.5, "row": 0.5}}}

    assert outcomes(judged(rows, responses, thresholds))[0] == "fail"
    waived = {**thresholds, "waivers": {"inc": "the page moves next week"}}
    assert outcomes(judged(rows, responses, waived))[0] == "pass"


def test_nothing_to_decide_on_is_no_pass() -> None:
    """Metrics without any threshold, and no baseline, decide nothing."""
    found = judged(ROWS, good(*NAMES), {"metrics": ["nDCG@3"]})

    assert found.verdict.exit_code == 13
    assert "no threshold" in found.verdict.retrieval.gaps[0]


def test_thresholds_by_category() -> None:
    """A good mean does not hide a category that is below its own."""
    rows = [row(name, category="legal" if n < 2 else "other") for n, name in enumerate(NAMES)]
    responses = [response(name, 3 if n == 0 else 9) for n, name in enumerate(NAMES)]
    settings = {"thresholds": {"recall@5": {"min": 0.8, "categories": {"legal": 0.9}}}}

    found = judged(rows, responses, settings)
    assert found.verdict.retrieval.failures == ("recall@5 is 0.500 in category legal, below 0.9",)


def test_a_row_with_one_failing_metric_fails() -> None:
    """Two rules that pass do not outvote a third."""
    settings = {"rules": ["non_empty", {"contains_any": ["24"]}, {"contains_none": ["days"]}]}

    assert outcomes(judged(ROWS, good(*NAMES), settings))[1] == "fail"


def test_rules_of_a_row_are_not_asked_of_a_system_that_only_retrieves() -> None:
    """Its generation half is not judged; rules that the gate asks of every row are then missing evidence."""
    rows = [row(name, rules=({"contains_any": ["24"]},)) for name in NAMES]
    responses = [response(name, answer=None) for name in NAMES]

    assert outcomes(judged(rows, responses)) == ("pass", "absent", 0)
    assert outcomes(judged(rows, responses, {"rules": ["non_empty"]})) == ("pass", "inconclusive", 13)


class Counting:
    """A judge that counts how often it is asked."""

    fingerprint = "counting"
    concurrency = 1

    def __init__(self, score: float | None = 1.0) -> None:
        self.calls, self.score = 0, score

    def measure(self, metrics: Any, one: Row, response: Response) -> list[Measurement]:
        self.calls += 1
        status = "error" if self.score is None else "pass" if self.score >= 0.8 else "fail"
        return [Measurement(one.id, m.name, m.half, status, self.score, m.threshold) for m in metrics]  # type: ignore[arg-type]


@pytest.mark.parametrize(("page", "answer"), [(9, "25 days"), (3, "24 days")])
def test_no_judge_is_asked_where_a_free_stage_failed(page: int, answer: str) -> None:
    """Neither rules nor retrieval that fail let money be spent; `keep_going` does."""
    responses = [response(name, page, answer) for name in NAMES]
    settings = {**RULES, "judged": ["faithfulness"]}
    judge = Counting()

    found = judged(ROWS, responses, settings, judge=judge)
    assert judge.calls == 0
    assert found.summary("faithfulness").counts["skipped"] == len(NAMES)  # type: ignore[union-attr]
    judged(ROWS, responses, {**settings, "keep_going": True}, judge=judge)
    assert judge.calls == len(NAMES)


def test_judged_metrics_without_a_judge_are_no_pass() -> None:
    """What was asked for and not measured is missing."""
    assert judged(ROWS, good(*NAMES), {"judged": ["faithfulness"]}).verdict.exit_code == 13


def test_a_judge_that_breaks_is_no_pass() -> None:
    """Errors of the judge are missing evidence, whatever the other half says."""
    found = judged(ROWS, good(*NAMES), {"judged": ["faithfulness"]}, judge=Counting(None))

    assert outcomes(found) == ("pass", "inconclusive", 13)


def test_all_six_judged_metrics_are_warned_of() -> None:
    """Most of them say the same, and each costs calls."""
    assert judged(ROWS, good(*NAMES), {"judged": list(JUDGED)}, judge=Counting()).warnings
    assert not judged(ROWS, good(*NAMES), {"judged": ["faithfulness"]}, judge=Counting()).warnings


def test_the_strict_profile_asks_for_more() -> None:
    """Faithfulness of 0.9 passes by default, and not where the texts are medical, legal or financial."""
    standard, strict = Gate.of({"profile": "standard"}), Gate.of({"profile": "strict"})

    assert (standard.row_threshold("faithfulness"), strict.row_threshold("faithfulness")) == (0.7, 0.95)
    assert strict.threshold("faithfulness").mean == 0.95  # type: ignore[union-attr]
    lax = Gate.of({"profile": "strict", "thresholds": {"faithfulness": 0.5}})
    assert lax.row_threshold("faithfulness") == 0.95


# Beside a baseline ------------------------------------------------------------------------------


def stored(folder: Path, found: Evaluation) -> Baseline:
    path = folder / "baseline.json"
    found.save_baseline(path, "v1")
    return read_baseline(path)


def test_the_same_run_passes_beside_itself(tmp_path: Path) -> None:
    """Nothing broken, nothing fixed."""
    before = judged(ROWS, good(*NAMES), RULES)
    after = judged(ROWS, good(*NAMES), RULES, baseline=stored(tmp_path, before))

    assert after.verdict.exit_code == 0
    assert after.comparison is not None
    assert all(not each.broken and not each.fixed for each in after.comparison.changes)


def test_a_newly_broken_row_fails_though_the_mean_is_better(tmp_path: Path) -> None:
    """Two rows fixed and one broken is no release, until somebody writes down why it may be."""
    before = judged(ROWS, [response(name, 9 if n > 1 else 3) for n, name in enumerate(NAMES)])
    after = [response(name, 3 if n == 5 else 9) for n, name in enumerate(NAMES)]
    baseline = stored(tmp_path, before)

    found = judged(ROWS, after, baseline=baseline)
    assert found.verdict.exit_code == 10
    assert "row r5 passed before and is broken now" in found.verdict.retrieval.failures
    assert judged(ROWS, after, {"waivers": {"r5": "moved on purpose"}}, baseline=baseline).verdict.exit_code == 0


@pytest.mark.parametrize("what", ["corpus", "golden", "judge", "gains"])
def test_runs_that_differ_in_more_than_the_system_are_not_compared(tmp_path: Path, what: str) -> None:
    """Other documents, other questions, another judge, other gains: named, and no pass."""
    settings: dict[str, Any] = {"judged": ["faithfulness"]}
    baseline = stored(tmp_path, judged(ROWS, good(*NAMES), settings, judge=Counting(), corpus="a"))
    judge, rows = Counting(), ROWS
    if what == "judge":
        judge.fingerprint = "another"
    if what == "golden":
        rows = (*ROWS[:-1], row(NAMES[-1], input="another question?"))
    if what == "gains":
        settings = {**settings, "gains": "exponential"}

    found = judged(
        rows, good(*NAMES), settings, judge=judge, corpus="b" if what == "corpus" else "a", baseline=baseline
    )
    assert found.verdict.exit_code == 13
    assert found.comparison is not None
    assert len(found.comparison.differences) == 1
    assert found.verdict.gaps


def test_a_claim_on_few_rows_is_no_pass(tmp_path: Path) -> None:
    """Twelve rows bear no claim of being better; forty that all gained do."""
    settings = {"claims": {"recall@5": 0.1}}
    before = judged(ROWS, [response(name, 3) for name in NAMES])
    few = judged(ROWS, good(*NAMES), settings, baseline=stored(tmp_path, before))
    assert few.verdict.exit_code == 13

    names = [f"n{n}" for n in range(40)]
    rows = list(map(row, names))
    before = judged(rows, [response(name, 3 if n % 2 else 9) for n, name in enumerate(names)])
    many = judged(rows, good(*names), settings, baseline=stored(tmp_path, before))
    assert many.verdict.exit_code == 0


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"schema": "pincite.baseline/9", "scores": {}}'])
def test_a_damaged_baseline_is_an_error(tmp_path: Path, text: str) -> None:
    """And so is one that is not there."""
    path = tmp_path / "baseline.json"
    path.write_text(text)

    with pytest.raises(EvaluationError):
        read_baseline(path)
    with pytest.raises(EvaluationError):
        read_baseline(tmp_path / "none.json")


def test_a_baseline_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A folder that is not there leaves nothing behind."""
    with pytest.raises(EvaluationError):
        write_baseline(tmp_path / "no" / "baseline.json", Identity("g"), [])

    assert list(tmp_path.iterdir()) == []


def test_a_score_that_is_gone_is_unknown_and_not_equal() -> None:
    """A row that was measured before and broke now is named."""
    old = Baseline(Identity("g"), {("recall@5", "r"): ("retrieval", "pass", 1.0)})
    now = [Measurement("r", "recall@5", "retrieval", "error")]

    assert compare(old, Identity("g"), now).changes[0].unknown == ("r",)


# Floors and settings ------------------------------------------------------------------------------


def test_floors_are_raised_by_a_run_and_lowered_only_with_a_reason(tmp_path: Path) -> None:
    """A floor never sinks by itself; why it was lowered is kept."""
    path = tmp_path / "floors.json"
    write_floors(path, raised(read_floors(path), judged(ROWS, good(*NAMES)).summaries, ["recall@5"]))
    assert read_floors(path).floors == {"recall@5": 1.0}
    worse = judged(ROWS, [response(name, 3) for name in NAMES]).summaries
    assert raised(read_floors(path), worse).floors["recall@5"] == 1.0

    with pytest.raises(OptionError):
        lowered(read_floors(path), "recall@5", 0.9, " ")
    with pytest.raises(OptionError):
        lowered(read_floors(path), "recall@5", 1.0, "no lower")
    write_floors(path, lowered(read_floors(path), "recall@5", 0.9, "the archive was added"))
    assert read_floors(path).lowerings == (
        {"metric": "recall@5", "from": 1.0, "to": 0.9, "reason": "the archive was added"},
    )


def test_a_floor_never_weakens_a_threshold() -> None:
    """Of the two the higher counts, and a floor says nothing of single rows."""
    gate = Gate.of({"thresholds": {"recall@5": 0.9}})

    assert with_floors(gate, Floors({"recall@5": 0.5})).threshold("recall@5").mean == 0.9  # type: ignore[union-attr]
    high = with_floors(gate, Floors({"recall@5": 0.95, "faithfulness": 0.99}))
    assert high.threshold("recall@5").mean == 0.95  # type: ignore[union-attr]
    assert (high.threshold("faithfulness").mean, high.row_threshold("faithfulness")) == (0.99, 0.7)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "settings",
    [
        {"metric": []}, {"metrics": "recall@5"}, {"metrics": ["recall"]}, {"rules": [{"regex": "("}]},
        {"judged": ["truth"]}, {"profile": "lax"}, {"keep_going": "yes"}, {"thresholds": {"recall@5": 80}},
        {"thresholds": {"recall@5": {"max": 1}}}, {"thresholds": {"recal@5": 0.8}}, {"thresholds": {"recall@5": True}},
        {"waivers": {"r": ""}}, {"claims": {"recall@5": -0.1}}, {"gains": "cubic"},
    ],
)  # fmt: skip
def test_a_gate_that_cannot_mean_anything_is_refused(settings: dict[str, Any]) -> None:
    """Before a question is asked, with the name of the key."""
    with pytest.raises((OptionError, GoldenError)):
        Gate.of(settings)


def test_the_public_function_judges_files(tmp_path: Path) -> None:
    """A golden set and a recorded run in, a verdict out."""
    (tmp_path / "golden.jsonl").write_text('{"id": "q", "question": "?", "relevant": {"a": 1}}')
    (tmp_path / "run.jsonl").write_text('{"id": "q", "retrieved": ["a", {"document": "b", "page": 2}]}')

    found = evaluate(tmp_path / "golden.jsonl", tmp_path / "run.jsonl", {"thresholds": {"recall@5": 1}})
    assert found.verdict.outcome == "pass"


@pytest.mark.parametrize(
    "line",
    ['{"id": ""}', '{"id": "q", "retrieved": "a"}', '{"id": "q", "retrieved": [{"page": 1}]}', '{"id": "q", "answer": 5}',
     '{"id": "q", "retrieved": [{"document": "a", "page": 0}]}', '{"id": "q", "retrieved": [{"document": "a", "spans": [1]}]}',
     '{"id": "q", "retrieved": [{"document": "a", "page_start": 5, "page_end": 4}]}'],
)  # fmt: skip
def test_a_recorded_run_that_is_wrong_is_named(tmp_path: Path, line: str) -> None:
    """By its file and line."""
    (tmp_path / "golden.jsonl").write_text('{"id": "q", "question": "?", "relevant": {"a": 1}}')
    (tmp_path / "run.jsonl").write_text(line)

    with pytest.raises(GoldenError, match=r"run\.jsonl:1"):
        evaluate(tmp_path / "golden.jsonl", tmp_path / "run.jsonl")
