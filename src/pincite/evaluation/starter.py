"""The first lines of a golden set, with what each field is for."""

from __future__ import annotations

from typing import Final

__all__ = ["STARTER"]

STARTER: Final = """\
# A golden set: questions that people wrote, with the places that answer them.
#
# Write 10 to 50 rows by hand. Take the questions from those who ask: type them as they do, in their languages,
# with their slips and without their marks. Rows that a machine wrote in bulk measure the machine.
# Check this file with:  pincite golden check FILE

- id: leave-days
  # As a user types it.
  input: how many days of leave do i get
  # What a good answer says. Where no one answer is right, write a rubric instead: what a good answer does.
  expected_output: 24 days of paid annual leave a year.
  # Where the documents say it: the document's uri as `pincite status` and `pincite search` show it, the physical
  # page, and words that stand there. Never ids of chunks: the row is to outlive every change of chunking.
  evidence:
    - document: handbook.pdf
      page: 9
      quote: 24 days of paid annual leave
  # Your own words; thresholds can be set by category.
  category: benefits
  # easy, medium or hard
  difficulty: easy
  # hand, production, ticket or incident. Incident rows are locked: pincite golden lock FILE
  source: hand
  # Why the row is there. Who reads a red gate in a year will ask.
  reason: the question that new employees ask most
  # Rules of this row alone. They are free, and come before any judge.
  rules:
    - contains_any: ["24"]

- id: leave-days-unmarked
  input: toi duoc nghi phep bao nhieu ngay
  # The language, where it is not plain from the letters.
  language: vi
  # Paraphrases of one question share a group.
  group: leave-days
  evidence:
    - document: handbook-vi.pdf
      page: 7
  category: benefits
  difficulty: medium
  source: production
  reason: phones type Vietnamese without its marks

- id: dog-insurance
  input: does the company insure my dog?
  # The documents do not say it, and the system has to say so.
  expect: refuse
  category: out-of-scope
  difficulty: hard
  source: ticket
  reason: the assistant once made up an insurance
"""
