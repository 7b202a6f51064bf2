"""A green run means something: nothing is left out in silence, and growth is seen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .effort import GROWTH, growth, steps

SKIPPING = """
import pytest

@pytest.mark.skipif(True, reason="no font")
def test_mark(): ...

def test_call(): pytest.skip("no program")

def test_import(): pytest.importorskip("no_such_package")

def test_platform(): pytest.skip("platform: no such device")

@pytest.mark.xfail(strict=True)
def test_expected(): assert False
"""


def test_a_skip_for_want_of_something_is_a_failure(tmp_path: Path) -> None:
    """Marks, calls and imports, in a test and at the top of a module; the platform and expected failures go by."""
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    (tmp_path / "test_in_tests.py").write_text(SKIPPING)
    (tmp_path / "test_at_top.py").write_text("import pytest\n\npytest.importorskip('no_such_package')\n")

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--continue-on-collection-errors", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1
    assert "2 failed, 1 skipped, 1 xfailed, 2 errors" in done.stdout.splitlines()[-1]
    assert "could not import 'no_such_package'" in done.stdout
    assert "Run `make test`, which installs what is missing" in done.stdout


def test_a_square_is_seen() -> None:
    """Calls in a loop in a loop, and turns of a loop on one line, grow with the square and are told."""
    assert growth(lambda size: [[abs(n) for n in range(size)] for _ in range(size)], 60) > 3
    assert growth(lambda size: [0 for _ in range(size * size)], 60) > 3


def test_a_line_is_not_taken_for_a_square() -> None:
    """What does the same for each item passes, and the same work is the same number."""
    assert growth(lambda size: [abs(n) for n in range(size)], 3000) <= GROWTH
    assert steps(lambda: sorted(range(99), key=abs)) == steps(lambda: sorted(range(99), key=abs))
