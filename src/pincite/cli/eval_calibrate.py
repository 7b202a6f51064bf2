"""`pincite eval calibrate`: how far a judge agrees with people."""

from __future__ import annotations

import argparse
from typing import Any, Final

from pincite.cli import terminal
from pincite.cli.arguments import Parser, add_common
from pincite.errors import OptionError

__all__ = ["register", "run"]

NOT_ENOUGH: Final = 13
LEAST: Final = 0.6
"""Kappa from which agreement is called substantial (Landis and Koch, 1977)."""


def register(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "calibrate",
        usage="pincite eval calibrate [OPTIONS] LABELS",
        help="measure how far a judge agrees with people",
        description=(
            "Ask a judge for verdicts on claims that people have labelled, and print how far it agrees with them\n"
            "beyond chance. LABELS has JSON lines of claim, reference, label (supported, contradicted, absent) and\n"
            "language. Exits with 13 where kappa is below --least, or the judge cannot be read."
        ),
        epilog="examples:\n  pincite eval calibrate --judge-endpoint http://localhost:11434/v1 --judge-model qwen3:8b labels.jsonl",
    )
    parser.add_argument("labels", metavar="LABELS", help="labelled claims: JSON lines or YAML")
    parser.add_argument("--gate", metavar="FILE", help="take the judge from this gate's file")
    parser.add_argument("--judge-endpoint", metavar="URL", help="OpenAI-compatible endpoint")
    parser.add_argument("--judge-model", metavar="NAME", help="exact id of the model")
    parser.add_argument("--judge-key-variable", metavar="NAME", help="environment variable with the key")
    parser.add_argument("--least", type=float, default=LEAST, metavar="KAPPA", help=f"least kappa (default: {LEAST})")
    parser.add_argument("--cache", metavar="FILE", help="where verdicts are remembered (default: nowhere)")
    add_common(parser, json="print one JSON object (pincite.calibration/1)")


def run(args: argparse.Namespace) -> int:
    from pincite.cli.eval import model_judge
    from pincite.evaluation.cache import Cache
    from pincite.evaluation.judge.calibration import calibrate, load_labels
    from pincite.evaluation.settings import read_settings

    if not -1 <= args.least <= 1:
        raise OptionError("--least", args.least, "a number from -1 to 1")
    given = {"endpoint": args.judge_endpoint, "model": args.judge_model, "key_variable": args.judge_key_variable}
    settings = read_settings(args.gate, {"judge": {name: value for name, value in given.items() if value is not None}})
    labels = load_labels(args.labels)
    with Cache(args.cache) as cache:
        judge = model_judge(settings, cache, {})
        found = calibrate(judge, labels)
    enough = found.kappa is not None and found.kappa >= args.least and not found.failures
    if args.json:
        terminal.print_json(calibration_json(found, judge.fingerprint, enough))
    else:
        print("\n".join(lines(found, enough, args.least)))
    return 0 if enough else NOT_ENOUGH


def calibration_json(found: Any, fingerprint: str, enough: bool) -> dict[str, Any]:
    return {
        "schema": "pincite.calibration/1",
        "judge": fingerprint,
        "enough": enough,
        "claims": found.claims,
        "failures": found.failures,
        "agreed": found.agreed,
        "kappa": found.kappa,
        "interval": [found.interval.low, found.interval.high] if found.interval else None,
        "by_language": [
            {"language": name, "claims": count, "agreed": share} for name, count, share in found.by_language
        ],
        "differing": [{"claim": label.claim, "label": label.label, "judge": said} for label, said in found.differing],
    }


def lines(found: Any, enough: bool, least: float) -> list[str]:
    interval = f", 95 % from {found.interval.low:.2f} to {found.interval.high:.2f}" if found.interval else ""
    kappa = "–" if found.kappa is None else f"{found.kappa:.2f}"
    shown = [
        f"{found.claims} claims, {found.agreed:.0%} equal, kappa {kappa}{interval}",
        *(f"  {name}: {count} claims, {share:.0%} equal" for name, count, share in found.by_language),
    ]
    if found.failures:
        shown.append(f"  {found.failures} claims on which the judge said nothing that can be read")
    shown += [
        f"  people say {label.label}, the judge says {said}: {label.claim}" for label, said in found.differing[:20]
    ]
    return [
        *shown,
        "The judge can be used." if enough else f"The judge cannot be used: kappa of at least {least:g} is wanted.",
    ]
