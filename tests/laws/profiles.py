"""How many examples each law is tried on.

The default run is small and the same every time; `PINCITE_LAWS=thorough` draws new examples and
many more of them.
"""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, Phase, settings

__all__ = ["LAW", "few"]

SLOW: Final = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

PHASES: Final = [phase for phase in Phase if phase is not Phase.explain]
"""Explaining a failure traces every line, which takes minutes on documents of this size."""

COMMON: Final = settings(deadline=None, suppress_health_check=SLOW, phases=PHASES)

settings.register_profile("modest", COMMON, max_examples=40, derandomize=True, database=None)
settings.register_profile("thorough", COMMON, max_examples=5000, print_blob=True)

LAW: Final = settings.get_profile(os.environ.get("PINCITE_LAWS", "modest"))
"""Settings of a law: decorate its test with them."""


def few(share: int) -> settings:
    """A `share`-th of the examples, for tests that chunk several documents each."""
    return settings(LAW, max_examples=max(LAW.max_examples // share, 10))
