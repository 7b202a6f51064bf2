"""What people see on a terminal, and what programs get instead."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.cli import terminal
from pincite.document import Diagnostic


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_bar_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error gets a bar where a person looks, and nothing where it is a file."""
    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with terminal.progress("index", wanted=True) as step:
            assert (step is not None) == drawn
            if step:
                step(0, 0, "listing files")
                step(1, 2, "a[b].pdf")
        assert ("a[b].pdf" in stream.getvalue()) == drawn


def test_no_bar_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """--quiet draws nothing on a terminal either."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    with terminal.progress("index", wanted=False) as step:
        assert step is None


def test_diagnostics_name_page_severity_and_code(capsys: pytest.CaptureFixture[str]) -> None:
    """A doubt is one line with all that is needed to look it up."""
    found = [Diagnostic("no_text_layer", "warning", "The page is a picture.", page=3), Diagnostic("x", "info", "Fine.")]
    terminal.warn_diagnostics("a.pdf", found)

    assert capsys.readouterr().err == (
        "pincite: warning: a.pdf, page 3: The page is a picture. [no_text_layer]\npincite: note: a.pdf: Fine. [x]\n"
    )


def test_columns_stand_under_one_another_in_every_script() -> None:
    """Korean letters take two places and marks none."""
    lines = list(terminal.columns([("휴가", "x"), ("leave", "x"), ("ti\u0302n", "x")]))

    assert {terminal.width(line.partition("x")[0]) for line in lines} == {7}


@settings(deadline=None)
@given(st.text(), st.integers(10, 60))
def test_wrapping_keeps_every_word(text: str, places: int) -> None:
    """Wrapped lines hold the same words in the same order, and are too long only for one word."""
    lines = list(terminal.wrapped(text, places, indent="  "))

    assert " ".join(lines).split() == text.split()
    assert all(terminal.width(line) <= places + 2 or len(line.split()) == 1 for line in lines)


def test_many_findings_of_one_kind_take_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Thirty running heads are one note with the pages, and a warning among them is not drowned."""
    found = [Diagnostic("furniture", "info", f"Left out: {page}.", page=page) for page in (1, 2, 3, 4, 5, 9)]
    terminal.warn_diagnostics("a.pdf", [*found, Diagnostic("no_text_layer", "warning", "A picture.", page=6)])
    both = capsys.readouterr().err
    terminal.warn_diagnostics("a.pdf", found, notes=False)

    assert both == (
        "pincite: note: a.pdf, page 1: Left out: 1. (and 5 more like it, pages 2-5, 9) [furniture]\n"
        "pincite: warning: a.pdf, page 6: A picture. [no_text_layer]\n"
    )
    assert capsys.readouterr().err == ""
