"""One index of the samples for all tests of this folder: embedding them is the dear part."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.cli import main


@pytest.fixture(scope="session")
def demo_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which `pincite demo FOLDER` has left its index."""
    folder = tmp_path_factory.mktemp("demo")

    assert main(["demo", "--quiet", str(folder)]) == 0
    return folder
