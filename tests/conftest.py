"""A test is never skipped for want of a package, a program, a language or a font: it fails and says so.

A skip that nobody sees would turn a check off. What the platform cannot do at all, such as a file
system that takes only names that are text, is another matter: such a reason begins with PLATFORM.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import pytest

PLATFORM: Final = "platform: "
"""How the reason of a skip begins that no installation can mend."""

REMEDY: Final = (
    "a test may not be skipped for want of something. Run `make test`, which installs what is missing: Python packages "
    "(`make setup`), and by scripts/system.sh the Debian packages tesseract-ocr, tesseract-ocr-eng, tesseract-ocr-vie, "
    "tesseract-ocr-kor, fontconfig and fonts-nanum. A reason that lies in the platform begins with 'platform: '."
)


def refused(report: Any) -> bool:
    """Turns the report of a skip into that of a failure, unless the platform is the reason or failure was expected."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return False
    told = report.longrepr
    path, line, reason = told if isinstance(told, tuple) else (report.nodeid, 0, str(told))
    reason = reason.removeprefix("Skipped: ")
    if reason.startswith(PLATFORM):
        return False
    report.outcome, report.longrepr = "failed", f"{path}:{line}: skipped: {reason}\n{REMEDY}"
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Covers `pytest.skip`, marks, and `importorskip` inside a test or a fixture."""
    report = yield
    refused(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Covers `importorskip` and `pytest.skip` at the top of a module."""
    report = yield
    refused(report)
    return report
