"""How many examples each law is tried on.

The default run is small and the same every time; `PINCITE_LAWS=thorough` draws new examples and
many more of them.
"""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, settings

__all__ = ["LAW", "few"]

SLOW: Final = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile("modest", max_examples=40, deadline=None, derandomize=True, suppress_health_check=SLOW)
settings.register_profile("thorough", max_examples=5000, deadline=None, print_blob=True, suppress_health_check=SLOW)

LAW: Final = settings.get_profile(os.environ.get("PINCITE_LAWS", "modest"))
"""Settings of a law: decorate its test with them."""


def few(share: int) -> settings:
    """A `share`-th of the examples, for tests that chunk several documents each."""
    return settings(LAW, max_examples=max(LAW.max_examples // share, 10))
