"""`pincite config` and the way options reach a command."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pincite.cli import build_parser
from pincite.cli.arguments import flag_of
from pincite.options import SECTIONS

from .conftest import Run

KEYS = [f"{section}.{each.name}" for section, kind in SECTIONS.items() for each in dataclasses.fields(kind)]


def test_show_is_as_expected(run: Run, expect: Callable[[str, str], None]) -> None:
    """Without a file every option shows its default."""
    ran = run("config", "show")

    assert (ran.code, ran.err) == (0, "")
    expect("config-show.txt", ran.out)


def test_every_option_has_a_value_and_an_origin(run: Run, valid: Callable[[Any], None]) -> None:
    """The JSON names each option of options.py once."""
    shown = run("config", "--json").json
    valid(shown)

    assert sorted(shown["options"]) == sorted(KEYS)
    assert {each["origin"] for each in shown["options"].values()} == {"default"}


def test_the_later_source_wins(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flag goes over the environment, the environment over the file, the file over the preset."""
    file = tmp_path / "pincite.toml"
    file.write_text("[chunk]\npreset = 'api-400'\nmin_tokens = 1\nfloor = 17\nmax_tokens = 100\n[parse]\npages = '1'\n")
    monkeypatch.setenv("PINCITE_CHUNK__FLOOR", "18")
    monkeypatch.setenv("PINCITE_CHUNK__MAX_TOKENS", "200")
    options = run("config", "--json", "--max-tokens", "300").json["options"]

    assert options["chunk.overlap_tokens"] == {"value": 40, "origin": "preset api-400"}
    assert options["chunk.min_tokens"] == {"value": 1, "origin": str(file)}
    assert options["chunk.floor"] == {"value": 18, "origin": "PINCITE_CHUNK__FLOOR"}
    assert options["chunk.max_tokens"] == {"value": 300, "origin": "argument"}


def test_the_nearest_file_above_is_used(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pincite.toml goes before pyproject.toml, and a pyproject.toml that is not about us is passed by."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.pincite.chunk]\nmax_tokens = 77\n")
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    (inner / "pyproject.toml").write_text("not TOML at all")
    monkeypatch.chdir(inner)

    assert run("config", "path").out == f"{tmp_path / 'pyproject.toml'}\n"
    assert run("config", "--json").json["options"]["chunk.max_tokens"]["value"] == 77

    (tmp_path / "pincite.toml").write_text("")
    assert run("config", "path").out == f"{tmp_path / 'pincite.toml'}\n"


def test_a_variable_that_names_no_section_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that is spelled with one underscore does not pass in silence."""
    monkeypatch.setenv("PINCITE_MAX_TOKENS", "5")

    ran = run("config")

    assert ran.code == 2
    assert "PINCITE_MAX_TOKENS" in ran.err
    assert "PINCITE_SECTION__NAME" in ran.err


def test_path_says_when_there_is_none(run: Run, valid: Callable[[Any], None]) -> None:
    """No file in use is exit code 1, so that a script can ask."""
    ran = run("config", "path", "--json")
    valid(ran.json)

    assert (ran.code, ran.json["file"]) == (1, None)
    assert run("config", "path").out == ""


def test_every_folder_below_a_file_uses_the_same_index(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path of the index is relative to the file that names it; a flag's is relative to where one is."""
    (tmp_path / "below").mkdir()
    (tmp_path / "pincite.toml").write_text("[index]\npath = 'work.sqlite'\n")
    monkeypatch.chdir(tmp_path / "below")

    assert run("config", "--json").json["options"]["index.path"]["value"] == str(tmp_path / "work.sqlite")
    assert run("config", "--json", "--index", "x").json["options"]["index.path"]["value"] == "x"


def test_a_named_file_is_used(run: Run, tmp_path: Path) -> None:
    """--config goes over what lies in the folder."""
    (tmp_path / "pincite.toml").write_text("[chunk]\nmax_tokens = 50\n")
    (tmp_path / "other.toml").write_text("[chunk]\nmax_tokens = 60\n")

    assert run("config", "--json", "--config", "other.toml").json["options"]["chunk.max_tokens"]["value"] == 60


def test_switches_turn_on_and_off(run: Run) -> None:
    """--semantic turns on, --no-heading-prefix turns off; neither takes a value."""
    options = run("config", "--json", "--semantic", "--no-heading-prefix").json["options"]

    assert options["chunk.semantic"]["value"] is True
    assert options["chunk.heading_prefix"]["value"] is False
    assert options["chunk.table_schema"]["origin"] == "default"


def test_lists_are_written_with_commas(run: Run) -> None:
    """A list on the command line has commas between its items."""
    options = run("config", "--json", "--ocr-languages", "vie, eng", "--isolate", "table").json["options"]

    assert options["parse.ocr_languages"]["value"] == ["vie", "eng"]
    assert options["chunk.isolate"]["value"] == ["table"]


def test_the_last_pages_may_begin_with_a_dash(run: Run) -> None:
    """`--pages -3-` is a value, though it looks like an option."""
    assert run("config", "--json", "--pages", "-3-").json["options"]["parse.pages"]["value"] == "-3-"


def test_a_password_is_never_shown(run: Run) -> None:
    """Configuration gets pasted into bug reports."""
    for form in ([], ["--json"]):
        ran = run("config", "--password", "hunter2", *form)
        assert "***" in ran.out
        assert "hunter2" not in ran.out + ran.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--max-tokens", "0"], "chunk.max_tokens is 0; it must be a whole number from 1 to 10000000"),
        (["--max-tokens", "-1"], "chunk.max_tokens is -1; it must be a whole number from 1 to 10000000"),
        (["--max-tokens", "15"], "chunk.max_tokens is 15; it must be at least 16"),
        (["--max-tokens=many"], "chunk.max_tokens is 'many'; it must be a whole number from 1 to 10000000"),
        (["--ocr", "yes"], "parse.ocr is 'yes'; it must be one of auto, off, force"),
        (["--isolate", "tables"], "chunk.isolate is 'tables'; it must be one of table, code, list, equation, figure"),
        (["--limit", "0"], "search.limit is 0; it must be a whole number from 1 to 1000"),
        (["--semantic-threshold", "nan"], "chunk.semantic_threshold is 'nan'; it must be a number from -1.0 to 1.0"),
    ],
)
def test_an_impossible_value_names_key_range_and_flag(arguments: list[str], sentence: str, run: Run) -> None:
    """An option out of bounds ends with code 2 before anything is done."""
    ran = run("config", *arguments)
    flag = arguments[0].partition("=")[0]

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"pincite: error: {sentence} (given by {flag})\n"


def test_an_impossible_value_names_where_it_stands(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message leads to the file or to the variable."""
    (tmp_path / "pincite.toml").write_text("[chunk]\nmax_tokens = 3\n")
    assert f"(given by {tmp_path / 'pincite.toml'})" in run("config").err

    monkeypatch.setenv("PINCITE_CHUNK__MAX_TOKENS", "x")
    assert "(given by PINCITE_CHUNK__MAX_TOKENS in the environment)" in run("config").err


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("[chunk]\nmax_token = 3\n", "chunk.max_token is 3; it must be one of the options of chunk: "),
        ("[chunks]\nmax_tokens = 3\n", "chunks.max_tokens is 3; it must be in one of the sections "),
        ("max_tokens = 3\n", "max_tokens is 3; it must be inside one of the tables "),
        ("[chunk\n", "it must be a readable TOML file"),
    ],
)
def test_a_wrong_file_is_explained(content: str, part: str, run: Run, tmp_path: Path) -> None:
    """Unknown names and broken TOML in a file are code 2 and a sentence."""
    (tmp_path / "pincite.toml").write_text(content)
    ran = run("config")

    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err


def test_a_file_that_is_not_there_is_explained(run: Run) -> None:
    """--config of a missing file is wrong use."""
    ran = run("config", "--config", "none.toml")

    assert ran.code == 2
    assert ran.err == "pincite: error: --config is 'none.toml'; it must be a TOML file that exists\n"


SAMPLES: Mapping[str, tuple[str, Any]] = {
    "parse.pages": ("3", "3"),
    "parse.ocr": ("off", "off"),
    "parse.ocr_languages": ("vie,eng", ["vie", "eng"]),
    "parse.password": ("sesame", "***"),
    "parse.encoding": ("cp949", "cp949"),
    "parse.max_bytes": ("1000", 1000),
    "parse.timeout": ("2.5", 2.5),
    "chunk.preset": ("api-400", "api-400"),
    "chunk.counter": ("chars", "chars"),
    "chunk.max_tokens": ("300", 300),
    "chunk.min_tokens": ("7", 7),
    "chunk.overlap_tokens": ("7", 7),
    "chunk.floor": ("17", 17),
    "chunk.below_floor": ("raise", "raise"),
    "chunk.oversize": ("keep", "keep"),
    "chunk.cut_at": ("lines,words", ["lines", "words"]),
    "chunk.isolate": ("table", ["table"]),
    "chunk.table_format": ("pipe", "pipe"),
    "chunk.wide_table_columns": ("30", 30),
    "chunk.band_columns": ("9", 9),
    "chunk.semantic_model": ("multilingual-e5-small", "multilingual-e5-small"),
    "chunk.semantic_threshold": ("-0.5", -0.5),
    "embed.model": ("hash-8", "hash-8"),
    "embed.batch_size": ("8", 8),
    "embed.threads": ("1", 1),
    "embed.dimensions": ("256", 256),
    "embed.passage_prefix": ("passage: ", "passage: "),
    "embed.query_prefix": ("query: ", "query: "),
    "embed.text_limit": ("512", 512),
    "embed.tokenizer": ("endpoint", "endpoint"),
    "embed.batch_tokens": ("8192", 8192),
    "embed.vector_format": ("base64", "base64"),
    "embed.key_variable": ("SOME_KEY", "SOME_KEY"),
    "embed.endpoint_timeout": ("30", 30.0),
    "index.path": ("x.sqlite", "x.sqlite"),
    "index.include": ("*.md", ["*.md"]),
    "index.exclude": ("drafts/*,old", ["drafts/*", "old"]),
    "index.workers": ("1", 1),
    "search.limit": ("9", 9),
    "search.mode": ("lexical", "lexical"),
    "ask.endpoint": ("http://localhost:1/v1", "http://localhost:1/v1"),
    "ask.model": ("m", "m"),
    "ask.key_variable": ("SOME_KEY", "SOME_KEY"),
    "ask.answer_tokens": ("99", 99),
    "ask.timeout": ("9.5", 9.5),
    "ask.evidence": ("0.5", 0.5),
}
SWITCHES = [
    f"{section}.{each.name}"
    for section, kind in SECTIONS.items()
    for each in dataclasses.fields(kind)
    if each.type == "bool"
]


@pytest.mark.parametrize("key", KEYS)
def test_every_option_is_reachable_in_three_ways(
    key: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each option has a flag, a variable and a place in the file, and all three take the same value."""
    section, _, name = key.partition(".")
    value: Any
    if key in SWITCHES:
        value = not run("config", "--json").json["options"][key]["value"]
        text, flags = str(value).lower(), [flag_of(key) if value else f"--no-{flag_of(key)[2:]}"]
    else:
        text, value = SAMPLES[key]
        flags = [flag_of(key), text]
    by_flag = run("config", "--json", *flags).json["options"][key]
    with monkeypatch.context() as patch:
        patch.setenv(f"PINCITE_{section}__{name}".upper(), text)
        by_variable = run("config", "--json").json["options"][key]
    (tmp_path / "pincite.toml").write_text(f"[{section}]\n{name} = {toml(text if value == '***' else value)}\n")
    by_file = run("config", "--json").json["options"][key]

    assert [each["value"] for each in (by_flag, by_variable)] == [value] * 2
    assert by_file["value"] == (str(tmp_path / value) if key == "index.path" else value)
    assert by_flag["origin"] == "argument"
    assert by_variable["origin"] == f"PINCITE_{section}__{name}".upper()
    assert by_file["origin"] == str(tmp_path / "pincite.toml")


def toml(value: Any) -> str:
    """JSON writes these values as TOML does."""
    return json.dumps(value)


@pytest.mark.parametrize(
    ("verb", "sections"),
    [
        ("parse", ["parse"]),
        ("chunk", ["parse", "chunk", "embed"]),
        ("index", ["parse", "chunk", "embed", "index"]),
        ("search", ["search"]),
        ("ask", ["search", "ask"]),
        ("config", list(SECTIONS)),
    ],
)
def test_a_command_has_the_options_of_its_stages(verb: str, sections: list[str]) -> None:
    """Each command takes every option of what it does."""
    _, verbs = build_parser()
    wanted = {flag_of(key) for key in KEYS if key.partition(".")[0] in sections}

    assert wanted <= set(verbs[verb].option_names)


def test_a_project_file_of_any_shape_is_no_error(run: Run, tmp_path: Path) -> None:
    """One that does not speak of this tool is somebody else's."""
    for text in ("tool = 5", "tool = [1]", "[tool", ""):
        (tmp_path / "pyproject.toml").write_text(text)
        assert run("config").code == 0


def test_a_broken_project_file_that_speaks_of_this_tool_is_not_passed_over(run: Run, tmp_path: Path) -> None:
    """Its options are meant to hold."""
    (tmp_path / "pyproject.toml").write_text("[tool.pincite.chunk]\nmax_tokens = 100\n[broken\n")
    ran = run("config")

    assert ran.code == 2
    assert "pyproject.toml" in ran.err


def test_a_configuration_file_may_begin_with_a_byte_order_mark(run: Run, tmp_path: Path) -> None:
    """Editors on Windows write one."""
    (tmp_path / "pincite.toml").write_bytes(b"\xef\xbb\xbf[chunk]\nmax_tokens = 123\n")
    ran = run("config")

    assert ran.code == 0
    assert "123" in ran.out
