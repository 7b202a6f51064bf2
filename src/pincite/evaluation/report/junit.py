"""The report as JUnit XML, which CI systems show: one case for each row and metric that decides.

Characters that XML 1.0 cannot hold are left out, since one of them makes the whole report unreadable.
"""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree

from pincite.evaluation.evaluate import Evaluation
from pincite.evaluation.model import Measurement
from pincite.evaluation.verdict import HalfVerdict

__all__ = ["junit_report"]

FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_report(evaluation: Evaluation) -> str:
    """One suite for each half: its verdict first, then its rows."""
    root = ElementTree.Element("testsuites", name="pincite eval")
    for half in (evaluation.verdict.retrieval, evaluation.verdict.generation):
        own = [each for each in evaluation.measurements if each.half == half.half and counts(each)]
        suite = ElementTree.SubElement(root, "testsuite", name=half.half)
        verdict_case(suite, half)
        for each in own:
            row_case(suite, each)
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
        suite.set("tests", str(len(suite)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def counts(each: Measurement) -> bool:
    """Whether a measurement can pass or fail by itself: one that is only reported has no case."""
    return each.threshold is not None or each.status in ("error", "skipped")


def verdict_case(suite: ElementTree.Element, half: HalfVerdict) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=half.half, name="verdict")
    said = "\n".join((*half.failures, *half.gaps))
    if half.outcome == "fail":
        add(case, "failure", said)
    elif half.outcome == "inconclusive":
        add(case, "error", said or "not enough evidence")
    elif half.outcome == "absent":
        add(case, "skipped", "not judged")


def row_case(suite: ElementTree.Element, each: Measurement) -> None:
    name = clean(f"{each.row} {each.metric}")
    case = ElementTree.SubElement(suite, "testcase", classname=f"{each.half}.{each.metric}", name=name)
    score = "" if each.score is None else f"{each.score:.3f} where {each.threshold:g} is wanted"
    said = ": ".join(filter(None, (score, each.reason)))
    if each.status == "fail":
        add(case, "failure", said)
    elif each.status == "error":
        add(case, "error", said)
    elif each.status in ("skipped", "not_applicable"):
        add(case, "skipped", said)


def add(case: ElementTree.Element, tag: str, said: str) -> None:
    said = clean(said)
    ElementTree.SubElement(case, tag, message=said.split("\n", 1)[0][:500]).text = said


def clean(text: str) -> str:
    """A text of characters that XML 1.0 can hold."""
    return FORBIDDEN.sub("", text)
