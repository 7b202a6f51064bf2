"""`pincite eval floors`: floors under the means, raised after a good run and lowered only with a reason."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common
from pincite.errors import EvaluationError, OptionError

__all__ = ["register", "run"]


def register(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "floors",
        usage="pincite eval floors [OPTIONS] FILE",
        help="raise the floors to what a run reached, or lower one with a reason",
        description=(
            "Keep the least means that later releases have to reach. --raise-to takes the JSON report of a run\n"
            "that passed and raises each floor to its mean. Lowering a floor needs a reason, which is kept."
        ),
        epilog=(
            "examples:\n"
            "  pincite eval gate --json questions.yaml > run.json && pincite eval floors --raise-to run.json floors.json\n"
            "  pincite eval floors --lower recall@5 --to 0.85 --reason 'the archive was added' floors.json"
        ),
    )
    parser.add_argument("file", metavar="FILE", help="where the floors are kept; belongs into version control")
    parser.add_argument("--raise-to", metavar="REPORT", help="JSON report of a run that passed")
    parser.add_argument("--metric", action="append", default=[], metavar="METRIC", help="raise this one alone")
    parser.add_argument("--lower", metavar="METRIC", help="lower the floor of this metric")
    parser.add_argument("--to", type=float, metavar="MEAN", help="what is enough from now on")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why less is enough")
    add_common(parser, json="print one JSON object (pincite.floors/1)")


def run(args: argparse.Namespace) -> int:
    from pincite.evaluation.floors import SCHEMA, lowered, raised, read_floors, write_floors
    from pincite.evaluation.gate import metric_name

    floors = read_floors(args.file)
    if args.raise_to and args.lower:
        raise OptionError("--lower", args.lower, "given without --raise-to")
    if args.raise_to:
        floors = raised(floors, means(args.raise_to), list(map(metric_name, args.metric)))
        write_floors(args.file, floors)
    elif args.lower:
        if args.to is None:
            raise OptionError("--to", None, "given with --lower: what is enough from now on")
        floors = lowered(floors, metric_name(args.lower), args.to, args.reason)
        write_floors(args.file, floors)
    if args.json:
        terminal.print_json({"schema": SCHEMA, "floors": dict(floors.floors), "lowerings": list(floors.lowerings)})
    else:
        for line in terminal.columns(
            [(name, f"{value:g}") for name, value in sorted(floors.floors.items())] or [("no floors", "")]
        ):
            print(line)
    return 0


def means(path: str) -> list[Any]:
    """The summaries of a JSON report. Raises EvaluationError where the run did not pass."""
    from pincite.evaluation.floors import Reached

    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if data["schema"] != "pincite.evaluation/1":
            raise ValueError
        if data["verdict"]["outcome"] != "pass":
            raise EvaluationError(f"{path}: this run did not pass, so it raises no floor")
        return [Reached(each["metric"], each["mean"], each["eligible"] - each["measured"]) for each in data["metrics"]]
    except OSError as error:
        raise EvaluationError(f"{path}: the report cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise EvaluationError(f"{path}: no JSON report of `pincite eval gate --json`") from None
