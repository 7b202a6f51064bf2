"""The manual says what the command line does."""

from __future__ import annotations

import runpy

from pincite.cli import commands

from .conftest import ROOT

MANUAL = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_the_manual_is_up_to_date() -> None:
    """`python scripts/write_commands.py` would change nothing."""
    written = runpy.run_path(str(ROOT / "scripts" / "write_commands.py"))["manual"]()

    assert written == MANUAL


def test_every_command_and_option_stands_in_the_manual() -> None:
    """Each verb has a section, and each of its options stands in it."""
    for verb, parser in commands().items():
        part = MANUAL.partition(f"\n## pincite {verb}\n")[2].partition("\n## ")[0]
        assert part, f"the manual has no section for {verb}"
        for action in parser.actions:
            for name in action.option_strings or [str(action.metavar)]:
                assert name in part, f"{verb} {name} is missing from the manual"


def test_every_option_has_a_sentence() -> None:
    """No option is listed without saying what it does."""
    for verb, parser in commands().items():
        assert [a.option_strings or a.metavar for a in parser.actions if not a.help] == [], verb
