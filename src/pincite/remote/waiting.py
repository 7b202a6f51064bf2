"""How long to wait before the next try: what the server asks, or longer each time, with chance in it.

Chance keeps many clients that failed together from coming back together.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

__all__ = ["Pace", "Starts", "asked", "backoff"]

FIRST: Final = 0.5
LONGEST: Final = 30.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Clock, sleep and chance: a test gives its own."""

    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random


def backoff(attempt: int, chance: float) -> float:
    """Seconds before the try after number `attempt`, from 1: half of it sure, half of it by chance (0 to 1)."""
    most = min(LONGEST, FIRST * 2.0 ** min(attempt, 16))
    return most * (0.5 + chance / 2)


def asked(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that `Retry-After` asks for, written as a number or as a date; None where it says nothing readable."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            seconds = float(value) * scale
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - now)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


class Starts:
    """Spaces the starts of requests evenly, so that no minute has more than are allowed."""

    def __init__(self, per_minute: float, pace: Pace) -> None:
        self.gap = 60.0 / per_minute if per_minute > 0 else 0.0
        self.pace, self.lock, self.next = pace, threading.Lock(), -math.inf

    def wait(self, most: float) -> bool:
        """Wait for a turn; False, and no turn is taken, where it would come after more than `most` seconds."""
        if not self.gap:
            return True
        with self.lock:
            now = self.pace.clock()
            turn = max(now, self.next)
            if turn - now > most:
                return False
            self.next = turn + self.gap
        if turn > now:
            self.pace.sleep(turn - now)
        return True
