"""Turns what the public library gives into the record that README.md describes.

Only names that `import pincite` shows are used, so that a case tests what a user has. Options
and steps that Pincite does not know make a case *not supported*, with the reason; whatever the
library raises on purpose becomes the record's `error`, and what it raises otherwise is left to
fly, since a case must fall on it.
"""

from __future__ import annotations

import codecs
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pincite

__all__ = ["NotSupportedError", "record", "source_text"]

Record = dict[str, Any]
Step = Mapping[str, Any]

SOURCE_TYPES: Final = ("text/markdown", "text/plain")
"""Where `Document.text` is the source file, so that spans point into it."""

EMBEDDER: Final = "hash-256"
"""The test embedder of the flows, where a case names none: words hashed into 256 numbers."""

CODES: Final[dict[str, str]] = {}
"""Words of Pincite whose code in README.md is another."""


class NotSupportedError(Exception):
    """The case asks for something that Pincite does not have."""


def record(folder: Path, case: Mapping[str, Any]) -> Record:
    """The record of one case."""
    given = case["input"]
    if "steps" in given:
        return Flow(folder, case.get("options") or {}).run(given["steps"])
    return document_record(folder / given["file"], case.get("options") or {}, given["media_type"])


def source_text(folder: Path, case: Mapping[str, Any]) -> str | None:
    """The decoded source file, byte order mark and line ends as they stand; None where spans have no such text."""
    given = case["input"]
    if given.get("media_type") not in SOURCE_TYPES:
        return None
    data: bytes = (folder / given["file"]).read_bytes()
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


# One document ------------------------------------------------------------------------------------


def document_record(path: Path, options: Mapping[str, Any], media_type: str) -> Record:
    """Reads and chunks one file twice; a refusal leaves no chunks."""
    parse, chunk = split_options(options, {"max_tokens", "overlap_tokens", "counter", "heading_prefix", "ocr"})
    began = time.process_time()
    try:
        document = pincite.parse(path, **parse)
        chunks = pincite.chunk(document, **chunk)
        took = time.process_time() - began
        again = pincite.chunk(pincite.parse(path, **parse), **chunk)
    except pincite.PinciteError as error:
        took = time.process_time() - began
        return {
            "chunks": [],
            "chunks_again": [],
            "document": {"page_count": None, "warnings": [], "error": error_record(error)},
            "elapsed_seconds": took,
        }
    in_source = media_type in SOURCE_TYPES
    return {
        "chunks": [chunk_record(each, in_source) for each in chunks],
        "chunks_again": [chunk_record(each, in_source) for each in again],
        "document": {
            "page_count": len(document.pages),
            "warnings": [{"code": code(found.code), "page": found.page} for found in document.diagnostics],
            "error": None,
        },
        "elapsed_seconds": took,
    }


def split_options(options: Mapping[str, Any], known: set[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arguments for reading and arguments for chunking."""
    unknown = sorted(set(options) - known)
    if unknown:
        raise NotSupportedError(f"no option {', '.join(unknown)}")
    if options.get("counter", "chars") != "chars":
        raise NotSupportedError(f"no counter {options['counter']!r} in the vocabulary of the cases")
    parse = {name: options[name] for name in ("ocr",) if name in options}
    chunk = {
        name: options[name] for name in ("max_tokens", "overlap_tokens", "counter", "heading_prefix") if name in options
    }
    return parse, chunk


def chunk_record(chunk: pincite.Chunk, in_source: bool) -> Record:
    """A chunk as the cases see it; spans are those of all that the text repeats from the source."""
    spans = [[p.source.start, p.source.end] for p in chunk.pieces if p.source and len(p.source)]
    return {
        "index": chunk.index,
        "id": chunk.id,
        "text": chunk.text,
        "embed_text": chunk.embedding_text,
        "tokens": chunk.tokens,
        "heading_path": list(chunk.heading_path),
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "page_label_start": chunk.page_label_start,
        "spans": spans if in_source else [],
    }


def error_record(error: pincite.PinciteError) -> Record:
    return {"code": code(error.code), "message": str(error)}


def code(word: str) -> str:
    return CODES.get(word, word)


# A flow of steps ---------------------------------------------------------------------------------


class Flow:
    """A working folder and an index that all steps share; each step opens the index anew."""

    def __init__(self, case: Path, options: Mapping[str, Any]) -> None:
        self.case = case
        self.options = options
        self.model = EMBEDDER

    def run(self, steps: Sequence[Step]) -> Record:
        """The record of all steps that have an id."""
        unknown = sorted({step["op"] for step in steps if not hasattr(self, f"do_{step['op']}")})
        if unknown:
            raise NotSupportedError(f"no step {', '.join(unknown)}")
        found: dict[str, Record] = {}
        with tempfile.TemporaryDirectory(prefix="pincite-case-") as place:
            self.files, self.path = Path(place, "files"), Path(place, "index", "index.sqlite")
            self.files.mkdir()
            for step in steps:
                result = self.step(step)
                if "id" in step:
                    found[step["id"]] = result
        return {"steps": found}

    def step(self, step: Step) -> Record:
        """What one step gave; an error that the library raised on purpose is part of it."""
        action: Callable[[Step], Record] = getattr(self, f"do_{step['op']}")
        try:
            return action(step)
        except pincite.PinciteError as error:
            return {"error": error_record(error)}

    def do_write(self, step: Step) -> Record:
        self.place(step["path"]).write_bytes(step["text"].encode())
        return {}

    def do_copy(self, step: Step) -> Record:
        shutil.copyfile(self.case / step["from"], self.place(step["path"]))
        return {}

    def do_remove(self, step: Step) -> Record:
        (self.files / step["path"]).unlink()
        return {}

    def do_touch(self, step: Step) -> Record:
        path = self.files / step["path"]
        later = path.stat().st_mtime + 10
        os.utime(path, (later, later))
        return {}

    def do_move(self, step: Step) -> Record:
        (self.files / step["from"]).rename(self.place(step["to"]))
        return {}

    def do_index(self, step: Step) -> Record:
        self.model = self.named(step)
        plan: dict[str, Any] = {
            "files": str(self.files),
            "path": str(self.path),
            "model": self.model,
            "options": self.given(step),
            "batch_size": step.get("batch_size"),
            "fails_after": step.get("embedder_fails_after"),
        }
        index_options(plan)
        processes = step.get("parallel", 1)
        return sync(plan) if processes == 1 else together(plan, processes)

    def do_stats(self, step: Step) -> Record:
        with self.open(step) as index:
            found = index.stats()
        return {"stats": {"documents": found.documents, "chunks": found.chunks}}

    def do_search(self, step: Step) -> Record:
        with self.open(step) as index:
            hits = index.search(step["query"], limit=step.get("k"), mode=step.get("mode"))
        return {"hits": [{**chunk_record(hit.chunk, in_source=True), "source": hit.citation.uri} for hit in hits]}

    def do_evaluate(self, step: Step) -> Record:
        gate, asked = gate_of(step, self.options)
        found = pincite.evaluate(
            self.case / step["golden"],
            self.case / step["run"],
            gate,
            judge=self.case / step["judge"] if "judge" in step else None,
            baseline=self.files / step["baseline"] if "baseline" in step else None,
            corpus=step.get("corpus_fingerprint"),
        )
        if "save_baseline" in step:
            found.save_baseline(self.place(step["save_baseline"]))
        return {
            "metrics": {
                name: value for name, ours in asked.items() if (value := metric_value(found, ours)) is not None
            },
            "verdict": found.verdict.outcome,
            "report": {"errors": found.errors, "judge_failures": found.judge_failures},
        }

    def do_reset(self, step: Step) -> Record:
        with self.open(step) as index:
            index.reset()
        return {}

    def open(self, step: Step) -> pincite.Index:
        plan = {"path": str(self.path), "model": self.named(step), "options": self.given(step)}
        return pincite.Index(self.path, index_options(plan))

    def given(self, step: Step) -> dict[str, Any]:
        """Options of the case and of the step; the embedder has a place of its own."""
        return {
            name: value for name, value in {**self.options, **(step.get("options") or {})}.items() if name != "embedder"
        }

    def named(self, step: Step) -> str:
        """The embedder of a step: the one it names, or the one that filled the index last."""
        name = {**self.options, **(step.get("options") or {})}.get("embedder")
        if name is None:
            return self.model
        kind, _, size = str(name).rpartition("-")
        if kind != "test-dim" or not size.isdigit():
            raise NotSupportedError(f"no embedder {name!r}")
        return f"hash-{size}"

    def place(self, path: str) -> Path:
        """Where a file of the working folder goes, its folder made."""
        found = self.files / path
        found.parent.mkdir(parents=True, exist_ok=True)
        return found


RULE_NAMES: Final = {"excludes_words": "contains_none"}
"""Rules whose name in README.md is another."""


def gate_of(step: Step, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Pincite's gate for an evaluation, and its name for each metric of the case."""
    asked, rules = step.get("metrics") or [], step.get("rules") or {}
    if not isinstance(rules, Mapping):
        rules = {name: value for each in rules for name, value in each.items()}
    names = {name: RULE_NAMES.get(name, name) for name in rules}
    ranking = [name for name in asked if name not in names and ("@" in name or name in ("mrr", "map", "ndcg"))]
    judged = [name for name in asked if name not in names and name not in ranking]
    floors = {names.get(name, name): {"min": each["min"]} for name, each in (step.get("gate") or {}).items()}
    gate = {
        "metrics": ranking,
        "judged": judged,
        "rules": [{names[name]: value} for name, value in rules.items()],
        "thresholds": floors,
        "gains": options.get("gains", "linear"),
    }
    return gate, {name: names.get(name, name) for name in [*asked, *rules]}


def metric_value(found: pincite.Evaluation, name: str) -> float | None:
    """The mean of a metric; of a rule, the share of rows that pass it."""
    summary = found.summary(name)
    if summary is None or summary.mean is None:
        return None
    if name in ("contains_all", "contains_none"):
        return summary.counts["pass"] / summary.eligible
    return summary.mean


def index_options(plan: Mapping[str, Any]) -> pincite.Options:
    """Pincite's options for the options of a step."""
    given = dict(plan["options"])
    arguments = {"embed.model": plan["model"], "embed.batch_size": plan.get("batch_size"), "index.workers": 1}
    arguments["search.limit"] = given.pop("search_k", None)
    parse, chunk = split_options(given, {"max_tokens", "overlap_tokens", "counter", "heading_prefix", "ocr"})
    arguments |= {f"parse.{name}": value for name, value in parse.items()}
    arguments |= {f"chunk.{name}": value for name, value in chunk.items()}
    return pincite.load_options(environment={}, arguments=arguments).options


def sync(plan: Mapping[str, Any]) -> Record:
    """Brings the index up to date, in this process."""
    options = index_options(plan)
    embedder: Any = None
    if plan["fails_after"] is not None:
        embedder = Failing(pincite.Index(plan["path"], options).embedder, plan["fails_after"])
    with pincite.Index(plan["path"], options, embedder) as index:
        report = index.sync(plan["files"])
    fields = ("added", "changed", "removed", "unchanged", "failed", "chunks_embedded")
    found: Record = {"report": {name: getattr(report, name) for name in fields}}
    gave_up = [each.error for each in report.failures if isinstance(each.error, pincite.EmbeddingError)]
    return {**found, "error": error_record(gave_up[0])} if gave_up else found


class Failing:
    """An embedder that gives up after so many texts, and is otherwise the one it wraps."""

    def __init__(self, inner: Any, after: int) -> None:
        self.inner = inner
        self.left = after

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def embed_passages(self, texts: Sequence[str], *rest: Any, **named: Any) -> Any:
        if self.left < len(texts):
            self.left = 0
            raise pincite.EmbeddingError("the test embedder gave up, as the case wants it to")
        self.left -= len(texts)
        return self.inner.embed_passages(texts, *rest, **named)


def together(plan: Mapping[str, Any], processes: int) -> Record:
    """The same in several processes that start at once; reports are added up."""
    environment = {**os.environ, "PYTHONPATH": str(Path(pincite.__file__).parents[1])}
    command = [sys.executable, __file__, json.dumps(plan)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) for _ in range(processes)]
    outputs = [process.communicate()[0] for process in started]
    if any(process.returncode for process in started):
        raise RuntimeError(f"a parallel run ended with the codes {[process.returncode for process in started]}")
    results = [json.loads(output) for output in outputs]
    total: Record = {"report": {}}
    for result in results:
        for name, value in result.get("report", {}).items():
            total["report"][name] = total["report"].get(name, 0) + value
        if "error" in result:
            total["error"] = result["error"]
    return total


if __name__ == "__main__":
    try:
        outcome = sync(json.loads(sys.argv[1]))
    except pincite.PinciteError as raised:
        outcome = {"error": error_record(raised)}
    print(json.dumps(outcome))
