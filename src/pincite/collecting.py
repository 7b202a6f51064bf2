"""The garbage collector rests while a document is taken apart.

Reading and chunking make many small objects without a cycle among them. The collector would look
through all of them again and again as they grow in number, and find nothing: a tenth of the time
on a small document, and more than twice the time for twice the text on a large one.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["resting"]


@contextmanager
def resting() -> Iterator[None]:
    """No collections inside; afterwards as it was. Whoever found it at work sets it to work again."""
    at_work = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if at_work:
            gc.enable()
