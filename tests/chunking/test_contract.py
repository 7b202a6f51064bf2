"""What a chunk promises to those who build on it: numbers, pages, paths, overlap, and tables under their header."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pincite.chunk import chunk_json
from pincite.counting import count, counter_for
from pincite.document import Document
from pincite.parsing.writer import Run, Writer

from .building import cells, chunks, paged, words


def handbook() -> Document:
    """Four pages: leave on page 2 under Benefits, then salaries in a table over pages 3 and 4."""
    writer = Writer()
    writer.heading([Run("Employee Handbook", 1)], 1)
    writer.block("paragraph", [Run(words(30), 1)])
    writer.heading([Run("2. Benefits", 2)], 2)
    writer.block("paragraph", [Run("Each employee has 24 days of paid vacation a year.", 2)])
    writer.heading([Run("3. Salaries", 3)], 2)
    rows = [cells(f"Grade {number}", f"{number * 100} EUR", page=3 + number // 20) for number in range(40)]
    writer.table([cells("Grade", "Salary", page=3), *rows], 2)
    return paged(writer, 4)


@pytest.fixture(params=[60, 150, 400])
def budget(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_every_chunk_has_its_number_path_and_pages(budget: int) -> None:
    """Numbers from 0 without holes, tokens above 0, a path, and pages within the document."""
    found = chunks(handbook(), counter="chars", max_tokens=budget)

    assert [chunk.index for chunk in found] == list(range(len(found)))
    assert all(0 < chunk.tokens <= budget for chunk in found)
    assert all(isinstance(chunk_json(chunk)["heading_path"], list) for chunk in found)
    assert all(c.page_start and c.page_end and 1 <= c.page_start <= c.page_end <= 4 for c in found)


def test_the_sentence_is_found_under_its_heading_on_its_page(budget: int) -> None:
    """The days of vacation stand under Employee Handbook, 2. Benefits, on page 2."""
    found = [chunk for chunk in chunks(handbook(), counter="chars", max_tokens=budget) if "vacation" in chunk.text]

    assert {chunk.heading_path for chunk in found} == {("Employee Handbook", "2. Benefits")}
    assert {(chunk.page_start, chunk.page_end) for chunk in found} == {(2, 2)}


def test_a_table_longer_than_the_budget_repeats_its_header(budget: int) -> None:
    """No chunk begins with a body row unless the header stands before it; pages follow the rows."""
    found = [chunk for chunk in chunks(handbook(), counter="chars", max_tokens=budget) if "EUR" in chunk.text]

    assert len(found) > 1
    assert all(chunk.text.startswith("| Grade | Salary |\n| --- | --- |\n") for chunk in found)
    assert [chunk.page_start for chunk in found] == sorted(c.page_start or 0 for c in found)
    assert (found[0].page_start, found[-1].page_end) == (3, 4)


def test_leaving_content_out_leaves_the_rest_as_it_was() -> None:
    """The printed form without texts has the same ids, spans and pages."""
    for chunk in chunks(handbook(), counter="chars", max_tokens=100):
        whole, bare = chunk_json(chunk), chunk_json(chunk, content=False)

        assert "text" not in bare
        assert "embedding_text" not in bare
        assert bare == {name: value for name, value in whole.items() if name not in ("text", "embedding_text")}


@pytest.mark.parametrize("counter", ["chars", "bytes/3", "words*1.33"])
def test_overlap_is_within_its_bound_and_the_budget(counter: str) -> None:
    """Budget 400 with 40 of overlap: none over 400 with path and overlap, no overlap over 40, and there is some."""
    text = "# Guide\n\n" + "\n\n".join(
        " ".join(f"Sentence {p}.{s} tells of leave and pay." for s in range(30)) for p in range(30)
    )

    found = chunks(text, preset="api-400", counter=counter)

    assert len(found) > 2
    assert all(chunk.tokens <= 400 for chunk in found)
    laps = ["".join(c.text[p.start : p.end] for p in c.pieces if p.role == "overlap") for c in found]
    assert sum(map(bool, laps)) >= len(found) // 2
    assert all(count(counter_for(counter), lap) <= 40 for lap in laps)
    for (before, _), (_, lap) in pairwise(zip(found, laps, strict=True)):
        assert lap in before.text


def test_pages_are_those_of_the_file_when_only_some_are_read() -> None:
    """A document of pages 11 to 20 of a longer one keeps their numbers."""
    writer = Writer()
    for page in range(11, 21):
        writer.block("paragraph", [Run(words(20, f"p{page}w"), page)])

    found = chunks(paged(writer, 20), counter="chars", max_tokens=200)

    assert (found[0].page_start, found[-1].page_end) == (11, 20)
    assert all((c.page_start or 0) >= 11 for c in found)
