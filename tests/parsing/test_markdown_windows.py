"""A long text is parsed a window at a time, and nobody can tell from the result."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from pincite.parsing import markdown_scan

from .test_promises import markdown


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(markdown())
def test_windows_change_nothing(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Blocks are the same whether the parser sees the whole text or 16 characters at once."""
    shown = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").replace("\ufeff", " ")
    whole = markdown_scan.scan(shown)
    monkeypatch.setattr(markdown_scan, "WINDOW", 16)

    assert markdown_scan.scan(shown) == whole
