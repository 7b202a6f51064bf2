"""Every case holds, but for those that `cases/falling.json` names with a reason.

The list only shrinks: a case in it that holds makes its test fail, until it is taken out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from .cases import run

FALLING: Final[dict[str, str]] = json.loads((run.HERE / "falling.json").read_text(encoding="utf-8"))
"""Id of each case that is known to fall or is not supported, and why."""

MAY_FALL: Final = ("pdf-", "docx", "html", "evaluation")
"""Kinds that are not finished. Of others, only cases of level policy or stretch may stand in the list."""


@pytest.mark.parametrize("folder", run.cases(run.HERE), ids=lambda folder: folder.name)
def test_a_case_holds_or_is_listed_with_its_reason(folder: Path) -> None:
    """A case that falls stands in the list; one that stands in the list falls."""
    outcome = run.judge(folder)

    if outcome.id in FALLING:
        assert outcome.status != "holds", f"{outcome.id} holds: take it out of falling.json"
    else:
        assert outcome.status == "holds", "; ".join(outcome.reasons)


def test_the_list_names_only_what_may_fall() -> None:
    """Each entry is a case that exists, of a kind or level that may fall, with a reason."""
    found = {
        folder.name: json.loads((folder / "case.json").read_text(encoding="utf-8")) for folder in run.cases(run.HERE)
    }

    for name, reason in FALLING.items():
        assert name in found
        assert found[name]["kind"].startswith(MAY_FALL) or found[name]["level"] in ("policy", "stretch"), name
        assert reason.strip()


def test_a_folder_names_its_case() -> None:
    """The id of a case is the name of its folder, so that a failure leads to the files."""
    for folder in run.cases(run.HERE):
        assert json.loads((folder / "case.json").read_text(encoding="utf-8"))["id"] == folder.name
