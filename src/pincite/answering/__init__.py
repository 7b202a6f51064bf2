"""Passages to an answer that can be checked, or a refusal that says why.

A model's word is taken for nothing: each reference must be to a passage that it was given, and the
numbers and the quoted words of each sentence must stand in the passages that the sentence cites.
What fails is sent back once with the faults; what fails again is refused.
"""

from __future__ import annotations

from pincite.answering.answer import Answer, Refusal, answer, answer_json

__all__ = ["Answer", "Refusal", "answer", "answer_json"]
