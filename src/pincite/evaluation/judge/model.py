"""A language model as a judge: claims first, then a verdict on each, with a quote that code looks up.

Claims of the expected output are those that people wrote into the row, else the judge's own, remembered. A
verdict without a quote that stands in the text is asked for once more and then counts as not supported. What the
judge cannot say in the form that it was asked for is an error of the row, never a score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pincite.errors import RemoteError
from pincite.evaluation.cache import Cache
from pincite.evaluation.judge.asking import Asker, Asking
from pincite.evaluation.judge.instrument import Budget, BudgetSpentError, Instrument
from pincite.evaluation.judge.support import checked, free_verdict, quoted_in
from pincite.evaluation.judge.verdicts import (
    Verdict,
    VerdictError,
    read_claims,
    read_matrix,
    read_numbers,
    read_rubric,
    read_verdicts,
    read_word,
)
from pincite.evaluation.judged import JudgedMetric
from pincite.evaluation.model import Measurement, Response, Row
from pincite.wording import blank, without_citations

__all__ = ["ModelJudge", "sentences"]


class NotApplicableError(Exception):
    """The row has nothing that this metric could judge; the message says what is missing."""


Scored = tuple[float, str, dict[str, Any]]
"""A score, its reason, and what a report shows beside it."""


class ModelJudge:
    """Measures the judged metrics of a row. Safe for threads."""

    def __init__(
        self,
        chat: Asking,
        instrument: Instrument,
        cache: Cache | None = None,
        budget: Budget | None = None,
        thresholds: Mapping[str, float] | None = None,
        concurrency: int = 4,
    ) -> None:
        """`thresholds` are the least scores of a row that pass, by metric, where they are not the metric's own."""
        self.instrument, self.budget = instrument, budget or Budget()
        self.asker = Asker(chat, instrument.fingerprint, cache or Cache(), self.budget)
        self.thresholds, self.concurrency = thresholds or {}, max(1, concurrency)
        self.ways: Final[Mapping[str, Callable[[Row, Response], Scored]]] = {
            "answer_precision": self.answer_precision,
            "faithfulness": self.faithfulness,
            "contextual_recall": self.contextual_recall,
            "contextual_precision": self.contextual_precision,
            "contextual_relevancy": self.contextual_relevancy,
            "answer_relevancy": self.answer_relevancy,
        }

    @property
    def fingerprint(self) -> str:
        return self.instrument.fingerprint

    def measure(self, metrics: Sequence[JudgedMetric], row: Row, response: Response) -> list[Measurement]:
        return [self.one(metric, row, response) for metric in metrics]

    def one(self, metric: JudgedMetric, row: Row, response: Response) -> Measurement:
        least = self.thresholds.get(metric.name, metric.threshold)

        def made(
            status: Any, score: float | None, reason: str, details: Mapping[str, Any] | None = None
        ) -> Measurement:
            return Measurement(row.id, metric.name, metric.half, status, score, least, reason, details or {})

        try:
            score, reason, details = self.ways[metric.name](row, response)
        except NotApplicableError as error:
            return made("not_applicable", None, str(error))
        except VerdictError as error:
            return made("error", None, f"the judge cannot be read: {error}", {"judge_failure": True})
        except BudgetSpentError as error:
            return made("skipped", None, str(error))
        except RemoteError as error:
            return made("error", None, f"the judge failed: {error}", {"judge_failure": True})
        return made("pass" if score >= least - 1e-12 else "fail", score, reason, details)

    # The metrics

    def answer_precision(self, row: Row, response: Response) -> Scored:
        """Claims of the answer that the expected output supports."""
        answer = answer_of(row, response)
        if row.expect == "refuse":
            return self.refusal(row, answer)
        if blank(answer):
            return 0.0, "the answer is empty", {}
        if not row.expected_output:
            return self.by_rubric(row, answer)
        free = free_verdict(answer, row.expected_output)
        if free:
            return share([answer], [free])
        claims = self.claims(answer)
        if not claims:
            return 0.0, "the answer claims nothing", {}
        return share(claims, self.supported(claims, [row.expected_output]))

    def refusal(self, row: Row, answer: str) -> Scored:
        """Whether the answer refuses, where it should."""
        if blank(answer):
            return 0.0, "the answer is empty", {}
        word = self.asker.ask(
            "refusal", lambda raw: read_word(raw, "refuses", ("yes", "no")), question=row.input, answer=answer
        )
        return (1.0, "", {}) if word == "yes" else (0.0, "the answer does not refuse, and should", {})

    def by_rubric(self, row: Row, answer: str) -> Scored:
        """Criteria of the rubric that the answer meets."""
        if not row.rubric:
            raise NotApplicableError("the row has neither an expected output nor a rubric")
        found = self.asker.ask("rubric", read_rubric, question=row.input, rubric=row.rubric, answer=answer)
        missed = [criterion for criterion, met in found if not met]
        reason = f"not met: {'; '.join(missed)}" if missed else ""
        return 1 - len(missed) / len(found), reason, {"criteria": [{"criterion": c, "met": met} for c, met in found]}

    def faithfulness(self, row: Row, response: Response) -> Scored:
        """Claims of the answer that the passages support."""
        answer = answer_of(row, response)
        if row.expect == "refuse":
            raise NotApplicableError("the row expects a refusal")
        if blank(answer):
            return 0.0, "the answer is empty", {}
        claims = self.claims(answer)
        if not claims:
            raise NotApplicableError("the answer claims nothing")
        texts = [passage.text for passage in response.passages]
        if all(map(blank, texts)):
            return 0.0, "there are no passages that could support the answer", {"claims": claims}
        return share(claims, self.supported(claims, texts))

    def contextual_recall(self, row: Row, response: Response) -> Scored:
        """Claims of the expected output that some passage supports."""
        claims, columns = self.matrix(row, response)
        missing = [claim for claim, passages in zip(claims, columns, strict=True) if not passages]
        reason = f"in no passage: {'; '.join(missing)}" if missing else ""
        return 1 - len(missing) / len(claims), reason, matrix_details(claims, columns)

    def contextual_precision(self, row: Row, response: Response) -> Scored:
        """How far up the passages that support an expected claim stand; the plain share of them beside it."""
        claims, columns = self.matrix(row, response)
        useful = {passage for passages in columns for passage in passages}
        count = len(response.passages)
        found, total = 0, 0.0
        for rank in range(1, count + 1):
            if rank in useful:
                found += 1
                total += found / rank
        plain = found / count if count else 0.0
        score = total / found if found else 0.0
        return score, f"{found} of {count} passages support an expected claim", {
            **matrix_details(claims, columns), "plain_share": plain,
        }  # fmt: skip

    def contextual_relevancy(self, row: Row, response: Response) -> Scored:
        """Sentences of the passages that help to answer."""
        said = [each for passage in response.passages for each in sentences(passage.text)]
        if not said:
            return 0.0, "there are no passages", {}
        helpful = self.asker.ask(
            "sentences", lambda raw: read_numbers(raw, "helpful", len(said)), question=row.input, sentences=said
        )
        return len(helpful) / len(said), f"{len(helpful)} of {len(said)} sentences help", {"helpful": sorted(helpful)}

    def answer_relevancy(self, row: Row, response: Response) -> Scored:
        """Claims of the answer that help to answer the question."""
        answer = answer_of(row, response)
        if row.expect == "refuse":
            raise NotApplicableError("the row expects a refusal")
        claims = [] if blank(answer) else self.claims(answer)
        if not claims:
            return 0.0, "the answer claims nothing", {}
        verdicts = self.asker.ask(
            "relevancy", lambda raw: read_verdicts(raw, len(claims)), question=row.input, claims=claims
        )
        return share(claims, verdicts)

    # The steps

    def claims(self, text: str) -> list[str]:
        """The claims of a text, citations left out."""
        return self.asker.ask("claims", read_claims, text=without_citations(text))

    def expected_claims(self, row: Row) -> list[str]:
        if row.expect == "refuse":
            raise NotApplicableError("the row expects a refusal")
        found = list(row.claims) or (self.claims(row.expected_output) if row.expected_output else [])
        if not found:
            raise NotApplicableError("there are no claims to expect")
        return found

    def supported(self, claims: Sequence[str], texts: Sequence[str]) -> list[Verdict]:
        """A verdict on each claim, believed only with a quote that stands in the texts."""
        free = [next(filter(None, (free_verdict(claim, text) for text in texts)), None) for claim in claims]
        left = [claim for claim, verdict in zip(claims, free, strict=True) if verdict is None]
        asked = iter(self.believed(left, texts) if left else [])
        return [verdict or next(asked) for verdict in free]

    def believed(self, claims: Sequence[str], texts: Sequence[str]) -> list[Verdict]:
        """The judge's verdicts; those whose quotes stand nowhere are asked for once more, one by one."""
        found = []
        for claim, verdict in zip(claims, self.verdicts(claims, texts), strict=True):
            each, sure = checked(verdict, texts)
            if not sure and len(claims) > 1:
                each, sure = checked(self.verdicts([claim], texts)[0], texts)
            reason = f"unverified: {verdict.quote!r} stands nowhere in the text"
            found.append(each if sure else Verdict("absent", verdict.quote, None, reason))
        return found

    def verdicts(self, claims: Sequence[str], texts: Sequence[str]) -> list[Verdict]:
        return self.asker.ask("support", lambda raw: read_verdicts(raw, len(claims)), claims=claims, reference=texts)

    def matrix(self, row: Row, response: Response) -> tuple[list[str], list[list[int]]]:
        """The expected claims, and for each the numbers of the passages that support it by a quote that stands there."""
        claims = self.expected_claims(row)
        texts = [passage.text for passage in response.passages]
        if all(map(blank, texts)):
            return claims, [[] for _ in claims]
        said = self.asker.ask("matrix", lambda raw: read_matrix(raw, len(claims)), claims=claims, passages=texts)
        return claims, [
            sorted({n for n, quote in pairs if n <= len(texts) and quoted_in(quote, texts[n - 1 : n])})
            for pairs in said
        ]


def answer_of(row: Row, response: Response) -> str:
    if response.answer is None:
        raise NotApplicableError("the system does not answer")
    return response.answer


def share(claims: Sequence[str], verdicts: Sequence[Verdict]) -> Scored:
    """The share of claims that are supported, with each verdict."""
    against = [claim for claim, verdict in zip(claims, verdicts, strict=True) if verdict.saying == "contradicted"]
    missing = [claim for claim, verdict in zip(claims, verdicts, strict=True) if verdict.saying == "absent"]
    reasons = [f"contradicted: {'; '.join(against)}"] if against else []
    reasons += [f"not supported: {'; '.join(missing)}"] if missing else []
    details = {
        "conflict": bool(against),
        "verdicts": [
            {"claim": claim, "verdict": v.saying, "quote": v.quote, "passage": v.source, "reason": v.reason}
            for claim, v in zip(claims, verdicts, strict=True)
        ],
    }
    return 1 - (len(against) + len(missing)) / len(claims), "; ".join(reasons), details


def matrix_details(claims: Sequence[str], columns: Sequence[Sequence[int]]) -> dict[str, Any]:
    return {
        "verdicts": [{"claim": claim, "passages": list(found)} for claim, found in zip(claims, columns, strict=True)]
    }


def sentences(text: str) -> list[str]:
    """The sentences of a text by ICU, in any language."""
    from icu4py.breakers import SentenceBreaker

    return [shown for each in SentenceBreaker(text, "root") if not blank(shown := str(each).strip())]
