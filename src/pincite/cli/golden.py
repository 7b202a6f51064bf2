"""`pincite golden`: the questions that a release is judged by, and the requests that ask them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common, add_options, load
from pincite.errors import EvaluationError, MissingError, OptionError, PinciteError

__all__ = ["register", "run"]

DOUBTS: Final = 20
"""Doubts that are printed; JSON has all."""


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "golden",
        usage="pincite golden COMMAND [OPTIONS] ...",
        help="start, check and lock a golden set; import a captured request",
        description=(
            "A golden set is a file of questions that people wrote, each with the document, page or words\n"
            "that answer it. `pincite eval gate` judges a release by it."
        ),
        epilog="examples:\n  pincite golden new questions.yaml\n  pincite golden check questions.yaml",
    )
    actions = parser.add_subparsers(
        title="commands", dest="action", metavar="COMMAND", parser_class=Parser, prog="pincite golden", required=True
    )
    register_new(actions)
    register_check(actions)
    register_lock(actions)
    register_retire(actions)
    register_import(actions)
    parser.set_defaults(run=run)


def register_new(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "new",
        usage="pincite golden new [OPTIONS] FILE",
        help="write a golden set to start from",
        description="Write a golden set with three rows and a comment on each field. An existing file is left alone.",
        epilog="examples:\n  pincite golden new questions.yaml",
    )
    parser.add_argument("file", metavar="FILE", help="where to write it; its name ends in .yaml")
    add_common(parser)


def register_check(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "check",
        usage="pincite golden check [OPTIONS] FILE",
        help="validate a golden set, and tell what is doubtful about it",
        description=(
            "Validate every row and name the row and the field of what is wrong. Warn of too few and too many\n"
            "rows, of near-duplicates, of rows that share one wording, and of evidence that is not in the index."
        ),
        epilog="examples:\n  pincite golden check questions.yaml\n  pincite golden check --no-index questions.yaml",
    )
    parser.add_argument("file", metavar="FILE", help="the golden set: YAML or JSON lines")
    parser.add_argument("--no-index", action="store_true", help="do not look the evidence up in the index")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where anything is doubtful")
    add_options(parser, "index", only=("index.path",))
    add_common(parser, json="print one JSON object (pincite.golden-check/1)")


def register_lock(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "lock",
        usage="pincite golden lock [OPTIONS] FILE",
        help="lock the incident rows, so that none is lost unnoticed",
        description=(
            "Write the ids of all rows whose source is incident into FILE.lock, which belongs into version\n"
            "control. From then on the set does not load without them, or where one was changed."
        ),
        epilog="examples:\n  pincite golden lock questions.yaml\n  pincite golden lock --changed inc-7 questions.yaml",
    )
    parser.add_argument("file", metavar="FILE", help="the golden set")
    parser.add_argument("--changed", action="append", default=[], metavar="ID", help="accept the change of this row")
    add_common(parser)


def register_retire(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "retire",
        usage="pincite golden retire --reason TEXT [OPTIONS] FILE ID",
        help="take an incident row out of the lock, with a reason",
        description="Let a locked row go. The lock keeps its id, the reason and the row that stands for it now.",
        epilog="examples:\n  pincite golden retire --reason 'the product was withdrawn' questions.yaml inc-7",
    )
    parser.add_argument("file", metavar="FILE", help="the golden set")
    parser.add_argument("id", metavar="ID", help="id of the row")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why the row may go")
    parser.add_argument("--replacement", metavar="ID", help="row that stands for it now")
    add_common(parser)


def register_import(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "import",
        usage="pincite golden import [OPTIONS] SOURCE FILE",
        help="make a request template of a cURL command, a HAR file or a Postman collection",
        description=(
            "Turn a captured request into a template: secrets become environment variables, and the captured\n"
            "question becomes {{input}}. Refused where the question stands nowhere in the request. SOURCE is a\n"
            "file with a cURL command, a HAR file, a Postman collection, or - for standard input."
        ),
        epilog=(
            "examples:\n"
            "  pincite golden import --answer '$.answer' chat.curl chat.yaml\n"
            "  pincite golden import --url /api/chat --question 'How many days?' --answer '$.text' site.har chat.yaml"
        ),
    )
    parser.add_argument("source", metavar="SOURCE", help="what was captured")
    parser.add_argument("file", metavar="FILE", help="where the template is written")
    parser.add_argument(
        "--question", metavar="TEXT", help="the question that was captured (default: found by its place)"
    )
    parser.add_argument(
        "--url", metavar="TEXT", help="part of the address, or of the name, of the request that is meant"
    )
    parser.add_argument("--answer", metavar="PATH", help="JSONPath of the answer in the reply")
    parser.add_argument("--passages", metavar="PATH", help="JSONPath of the passages in the reply, best first")
    for name in ("document", "page", "text"):
        parser.add_argument(f"--passage-{name}", metavar="PATH", help=f"JSONPath of the {name} in each passage")
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    actions = {"new": new, "check": check, "lock": lock, "retire": retire, "import": import_request}
    return actions[args.action](args)


def new(args: argparse.Namespace) -> int:
    from pincite.evaluation.starter import STARTER

    path = Path(args.file)
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise OptionError("FILE", args.file, "a name that ends in .yaml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(STARTER)
    except FileExistsError:
        raise EvaluationError(f"{path}: there is such a file already; it was left alone") from None
    terminal.say(f"Written: {path}. Change its rows, then: pincite golden check {path}")
    return 0


def check(args: argparse.Namespace) -> int:
    from pincite.evaluation.lock import incidents, load_locked, read_lock
    from pincite.evaluation.review import Doubt, review, review_evidence

    golden = load_locked(args.file)
    doubts = review(golden)
    if args.no_index:
        looked = False
    else:
        looked, found = passages(args, [each.document for row in golden for each in row.evidence])
        doubts += review_evidence(golden, found) if looked else []
    loose = sorted(set(incidents(golden)) - set(read_lock(args.file).incidents))
    if loose:
        doubts.append(
            Doubt(
                "not_locked", f"incident rows are not locked: {', '.join(loose)}; run: pincite golden lock {args.file}"
            )
        )
    if args.json:
        terminal.print_json(check_json(args.file, len(golden), looked, doubts))
    else:
        for each in doubts[:DOUBTS]:
            terminal.warn(f"{args.file}{f':{each.line}' if each.line else ''}: {each.message} [{each.code}]")
        if len(doubts) > DOUBTS:
            terminal.say(f"… and {len(doubts) - DOUBTS} more; --json prints all")
        beside = "" if looked or args.no_index else "; there is no index to look its evidence up in"
        print(f"{args.file}: {len(golden)} rows, {len(doubts)} doubt{'s' * (len(doubts) != 1)}{beside}")
    return int(bool(doubts) and args.strict)


def check_json(path: str, rows: int, looked: bool, doubts: list[Any]) -> dict[str, Any]:
    return {
        "schema": "pincite.golden-check/1",
        "path": path,
        "rows": rows,
        "evidence_checked": looked,
        "doubts": [{"code": each.code, "message": each.message, "line": each.line} for each in doubts],
    }


def passages(args: argparse.Namespace, names: list[str]) -> tuple[bool, dict[str, list[Any]]]:
    """Whether there is an index, and the passages of the documents that it has: texts of those named alone."""
    from pincite import pipeline
    from pincite.evaluation.ranking import named
    from pincite.evaluation.target.index import chunk_passage

    options = load(args).options
    index = pipeline.Index(options.index.path, options)
    if not index.path.exists():
        return False, {}
    wanted = {named(name) for name in names}
    found: dict[str, list[Any]] = {}
    for row in index.documents():
        known = index.show(row.uri) if named(row.uri) in wanted else None
        found[row.uri] = (
            [chunk_passage(each) for each in known.chunks] if isinstance(known, pipeline.ShownDocument) else []
        )
    return True, found


def lock(args: argparse.Namespace) -> int:
    from pincite.evaluation.golden import load_golden
    from pincite.evaluation.lock import load_locked, lock_path, read_lock, updated, write_lock

    golden, known = load_golden(args.file), read_lock(args.file)
    for name in args.changed:
        if name not in known.incidents:
            raise OptionError("--changed", name, "the id of a locked row")
    after = updated(golden, known, frozenset(args.changed))
    write_lock(args.file, after)
    load_locked(args.file)
    terminal.say(f"{lock_path(args.file)}: {len(after.incidents)} incident rows are locked")
    return 0


def retire(args: argparse.Namespace) -> int:
    from pincite.evaluation import lock as locks

    known = locks.read_lock(args.file)
    if args.id not in known.incidents:
        raise OptionError("ID", args.id, "the id of a locked row")
    if not args.reason.strip():
        raise OptionError("--reason", args.reason, "the reason why the row may go")
    locks.write_lock(args.file, locks.retire(known, args.id, args.reason.strip(), args.replacement))
    terminal.say(f"{args.id} is retired; {locks.lock_path(args.file)} keeps the reason")
    return 0


def import_request(args: argparse.Namespace) -> int:
    import yaml

    from pincite.evaluation.importing.captured import imported
    from pincite.evaluation.target.reading import ReplyReader

    path = Path(args.file)
    if path.exists():
        raise EvaluationError(f"{path}: there is such a file already; it was left alone")
    if not args.answer and not args.passages:
        raise OptionError(
            "--answer", None, "a JSONPath of the answer in the reply, such as $.answer; or give --passages"
        )
    named = {"document": args.passage_document, "page": args.passage_page, "text": args.passage_text}
    found = imported(
        captured(args.source, args.url), args.question, args.answer, args.passages,
        {name: value for name, value in named.items() if value},
    )  # fmt: skip
    ReplyReader(found.template)
    path.write_text(
        yaml.safe_dump(found.template.as_mapping(), allow_unicode=True, sort_keys=False, width=100), "utf-8"
    )
    terminal.say(f"{path}: {{{{input}}}} stands for {found.question[:80]!r}")
    for name, what in found.variables.items():
        terminal.say(f"Set {name} in the environment: it was {what}. Its value is not kept.")
    return 0


def captured(source: str, url: str | None) -> Any:
    """The request of a source, by what the source is."""
    import json
    import sys

    from pincite.evaluation.importing.curl import from_curl
    from pincite.evaluation.importing.har import from_har
    from pincite.evaluation.importing.postman import from_postman

    if source == "-":
        text = sys.stdin.read()
    else:
        try:
            text = Path(source).read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            raise MissingError(source, "there is no such file", "check the path") from None
        except UnicodeDecodeError:
            raise EvaluationError(
                f"{source}: it is no text; save the request as a cURL command, HAR or Postman file"
            ) from None
    if not text.lstrip().startswith("{"):
        return from_curl(text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise EvaluationError(f"{source}: it is neither a cURL command nor JSON") from None
    try:
        return from_har(data, url) if "log" in data else from_postman(data, url)
    except PinciteError as error:
        raise EvaluationError(f"{source}: {error}") from None
