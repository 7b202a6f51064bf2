"""What is judged: something that is asked a question and returns passages, an answer, or both."""

from __future__ import annotations

from typing import Protocol

from pincite.evaluation.model import Response, Row

__all__ = ["Target"]


class Target(Protocol):
    """A system under judgement."""

    @property
    def name(self) -> str:
        """For people, in reports."""

    @property
    def fingerprint(self) -> str | None:
        """Everything that a response depends on beside the question; None where nobody can know.

        Responses are remembered under it. Where it is None each run asks anew, since an old answer
        would be evidence for a system that has changed meanwhile.
        """

    @property
    def corpus(self) -> str | None:
        """Fingerprint of the documents; None where it is not known."""

    @property
    def concurrency(self) -> int:
        """Questions that may be under way at one time, at least 1."""

    def ask(self, row: Row) -> Response:
        """The response to one row; what goes wrong is its `error`, and nothing is raised for it."""
