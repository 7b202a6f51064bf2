"""Counts the work that a call does, so that its growth can be judged on a busy machine.

Seconds say how busy the machine is; the number of steps is the same each time. A step is a call of
a function, or of a method of a library, or a line that runs, each turn of a loop on one line
included. What happens inside one call of a library is not seen: where that matters, the test hands
in something so long that a square of it would pass the test's time limit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

__all__ = ["GROWTH", "growth", "steps"]

GROWTH: Final = 2.3
"""How much more work twice the input may cost; a square would cost four times as much."""

SLACK: Final = 2000
"""Steps that do not count: caches that fill, buffers that are full once more."""


def steps(action: Callable[[], object]) -> int:
    """Functions called and lines run by `action`, in this thread."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "c_call"

    def traced(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event in ("call", "line")
        return traced

    before = sys.getprofile(), sys.gettrace()
    sys.setprofile(called)
    sys.settrace(traced)
    try:
        action()
    finally:
        sys.settrace(before[1])
        sys.setprofile(before[0])
    return count


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times the steps of `work(size)` those of `work(2 * size)` are; to be compared with GROWTH."""
    work(max(size // 50, 1))
    small, large = steps(lambda: work(size)), steps(lambda: work(2 * size))
    return max(large - SLACK, 0) / small
