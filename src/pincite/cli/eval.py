"""`pincite eval`: whether a release may go out, by a golden set."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli import eval_calibrate, eval_chunking, eval_floors, terminal
from pincite.cli.arguments import Parser, add_common, add_options, load
from pincite.errors import EvaluationError, OptionError

if TYPE_CHECKING:
    from pincite.evaluation.cache import Cache
    from pincite.evaluation.evaluate import Evaluation
    from pincite.evaluation.judge.model import ModelJudge
    from pincite.evaluation.judged import Judge
    from pincite.evaluation.settings import Settings
    from pincite.evaluation.target.target import Target
    from pincite.options import Options

__all__ = ["register", "run"]


def register(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "eval",
        usage="pincite eval COMMAND [OPTIONS] ...",
        help="judge a release by a golden set: retrieval apart from generation",
        description=(
            "Judge a release by questions that people wrote. Free rules come first, then ranking metrics, then a\n"
            "judge. Retrieval and generation have verdicts of their own, and nothing passes without evidence."
        ),
        epilog=(
            "examples:\n"
            "  pincite eval gate questions.yaml\n"
            "  pincite eval gate --gate gate.yaml --baseline main.json --html report.html questions.yaml\n"
            "  pincite eval chunking --set max_tokens=200 --set max_tokens=400 questions.yaml docs/"
        ),
    )
    actions = parser.add_subparsers(
        title="commands", dest="action", metavar="COMMAND", parser_class=Parser, prog="pincite eval", required=True
    )
    register_gate(actions)
    eval_floors.register(actions)
    eval_calibrate.register(actions)
    eval_chunking.register(actions)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    actions = {
        "gate": gate,
        "floors": eval_floors.run,
        "calibrate": eval_calibrate.run,
        "chunking": eval_chunking.run,
    }
    return actions[args.action](args)


def register_gate(actions: argparse._SubParsersAction[Parser]) -> None:
    parser = actions.add_parser(
        "gate",
        usage="pincite eval gate [OPTIONS] GOLDEN",
        help="ask every question, measure, decide",
        description=(
            "Ask a system every question of the golden set, measure what it returns, and decide. The system is\n"
            "the index, unless --run, --request or --call names another.\n\n"
            "Exit codes: 0 passed, 10 retrieval failed, 11 generation failed, 12 both failed, 13 not enough\n"
            "evidence to decide."
        ),
        epilog=(
            "examples:\n"
            "  pincite eval gate questions.yaml\n"
            "  pincite eval gate --min recall@5=0.9 --metric nDCG@10 --metric recall@5 questions.yaml\n"
            "  pincite eval gate --run answers.jsonl --rule numbers_grounded questions.yaml\n"
            "  pincite eval gate --request chat.yaml --judge-endpoint http://localhost:11434/v1 \\\n"
            "      --judge-model qwen3:8b --html report.html questions.yaml"
        ),
    )
    parser.add_argument("golden", metavar="GOLDEN", help="the golden set: YAML or JSON lines")
    parser.add_argument(
        "--gate", metavar="FILE", help="what is asked: metrics, rules, thresholds, target, judge (YAML)"
    )
    add_target(parser)
    asked = parser.add_argument_group("what is asked")
    asked.add_argument(
        "--metric", action="append", metavar="METRIC", help="a ranking metric, such as nDCG@10 or 'recall@5 (pages)'"
    )
    asked.add_argument(
        "--rule",
        action="append",
        metavar="RULE",
        help="a rule for every row: a name, or YAML such as '{length: {max: 800}}'",
    )
    asked.add_argument("--min", action="append", metavar="METRIC=MEAN", help="the least mean of a metric")
    asked.add_argument(
        "--claim", action="append", metavar="METRIC=BY", help="by how much this release claims to be better"
    )
    asked.add_argument("--waive", action="append", metavar="ROW=REASON", help="a row that may be broken, and why")
    asked.add_argument(
        "--profile", choices=("standard", "strict"), help="strict: for medical, legal and financial texts"
    )
    asked.add_argument("--keep-going", action="store_true", help="ask the judge although a free stage failed")
    asked.add_argument("--floors", metavar="FILE", help="floors that were raised before (see: pincite eval floors)")
    add_judge(parser)
    kept = parser.add_argument_group("runs before and after")
    kept.add_argument("--baseline", metavar="FILE", help="compare with this run, row by row")
    kept.add_argument("--save-baseline", metavar="FILE", help="store this run to compare later ones with")
    kept.add_argument("--note", default="", metavar="TEXT", help="what to call the stored run: a version, a commit")
    kept.add_argument(
        "--cache", metavar="FILE", help="where answers and verdicts are remembered (default: .pincite/eval.sqlite)"
    )
    kept.add_argument("--fresh", action="store_true", help="remember nothing: ask everything anew")
    reports = parser.add_argument_group("reports")
    reports.add_argument("--html", metavar="FILE", help="write one self-contained page with plots and every row")
    reports.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    reports.add_argument("--markdown", metavar="FILE", help="write Markdown for a pull request")
    add_options(parser, "search", only=("search.mode",))
    add_options(parser, "index", only=("index.path",))
    add_common(parser, json="print one JSON object (pincite.evaluation/1)")


def add_target(parser: Parser) -> None:
    target = parser.add_argument_group("the system under judgement")
    target.add_argument(
        "--run", dest="target_run", metavar="FILE", help="a recorded run: JSON lines of id, retrieved, answer"
    )
    target.add_argument(
        "--request", metavar="FILE", help="an HTTP endpoint, by its request template (see: pincite golden import)"
    )
    target.add_argument("--call", metavar="MODULE:NAME", help="a function of Python that is given the question")
    target.add_argument(
        "--version-name", metavar="TEXT", help="what the release is called; its answers are remembered under it"
    )
    target.add_argument(
        "--corpus", metavar="TEXT", help="what its documents are called; runs over others are not compared"
    )
    target.add_argument(
        "--top-k", type=int, metavar="N", help="passages for a question, as many as the model sees (default: 5)"
    )
    target.add_argument("--concurrency", type=int, metavar="N", help="questions under way at one time (default: 4)")
    target.add_argument("--per-minute", type=float, metavar="N", help="requests that may begin in a minute")
    target.add_argument(
        "--seconds", type=float, metavar="N", help="time for one question, tries included (default: 120)"
    )


def add_judge(parser: Parser) -> None:
    judge = parser.add_argument_group("the judge")
    judge.add_argument(
        "--judge-endpoint", metavar="URL", help="OpenAI-compatible endpoint, such as http://localhost:11434/v1"
    )
    judge.add_argument("--judge-model", metavar="NAME", help="exact id of the model")
    judge.add_argument("--judge-key-variable", metavar="NAME", help="environment variable with the key")
    judge.add_argument("--judge-recorded", metavar="FILE", help="verdicts that were recorded, in place of a model")
    judge.add_argument("--judge-alias", action="store_true", help="allow a name such as latest, whose model changes")
    judge.add_argument(
        "--judged",
        action="append",
        metavar="METRIC",
        help="a judged metric; by default answer_precision, faithfulness, contextual_recall",
    )
    judge.add_argument("--max-calls", type=int, metavar="N", help="most calls of the judge")
    judge.add_argument("--max-tokens-judged", type=int, metavar="N", help="most tokens of the judge")
    judge.add_argument("--max-cost", type=float, metavar="N", help="most money; needs prices in the gate's file")


def gate(args: argparse.Namespace) -> int:
    from pincite.evaluation.cache import Cache
    from pincite.evaluation.compare import read_baseline
    from pincite.evaluation.evaluate import evaluate_responses
    from pincite.evaluation.floors import read_floors, with_floors
    from pincite.evaluation.lock import load_locked

    settings = settings_of(args)
    asked = with_floors(settings.gate, read_floors(args.floors)) if args.floors else settings.gate
    golden = load_locked(args.golden)
    baseline = read_baseline(args.baseline) if args.baseline else None
    began = time.perf_counter()
    with Cache(None if args.fresh else args.cache or Path(".pincite", "eval.sqlite")) as cache:
        target = None if settings.target.run else target_of(settings, load(args).options)
        judge = judge_of(settings, cache)
        responses = answers(args, settings, target, golden.rows, cache)
        found = evaluate_responses(
            golden, responses, asked, judge, baseline, corpus_name(settings, target), {**facts(settings, target)}
        )  # fmt: skip
        found = with_costs(found, judge, time.perf_counter() - began)
    report(args, found)
    if args.save_baseline:
        found.save_baseline(args.save_baseline, args.note)
    return found.verdict.exit_code


def settings_of(args: argparse.Namespace) -> Settings:
    """The gate's file with what is given on the command line in its place."""
    import yaml

    from pincite.evaluation.settings import read_settings

    gate: dict[str, Any] = {}
    if args.metric:
        gate["metrics"] = args.metric
    if args.rule:
        try:
            gate["rules"] = [yaml.safe_load(each) for each in args.rule]
        except yaml.YAMLError:
            raise OptionError("--rule", args.rule, "a rule's name, or YAML such as '{length: {max: 800}}'") from None
    for name, flag, given in (("thresholds", "--min", args.min), ("claims", "--claim", args.claim)):
        if given:
            gate[name] = {key: share(flag, value) for key, value in (parted(flag, each) for each in given)}
    if args.waive:
        gate["waivers"] = dict(parted("--waive", each) for each in args.waive)
    if args.profile:
        gate["profile"] = args.profile
    if args.keep_going:
        gate["keep_going"] = True
    if args.judged:
        gate["judged"] = args.judged
    target = {
        "run": args.target_run, "request": args.request, "call": args.call, "version": args.version_name,
        "corpus": args.corpus, "top_k": args.top_k, "concurrency": args.concurrency, "per_minute": args.per_minute,
        "seconds": args.seconds,
    }  # fmt: skip
    judge = {
        "endpoint": args.judge_endpoint, "model": args.judge_model, "key_variable": args.judge_key_variable,
        "recorded": args.judge_recorded, "alias": args.judge_alias or None, "max_calls": args.max_calls,
        "max_tokens": args.max_tokens_judged, "max_cost": args.max_cost,
    }  # fmt: skip
    given = {"gate": gate, "target": present(target), "judge": present(judge)}
    return read_settings(args.gate, given)


def present(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def parted(flag: str, text: str) -> tuple[str, str]:
    """The name and the value of `recall@5=0.9`."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise OptionError(flag, text, "a name and a value with = between them, such as recall@5=0.9")
    return name.strip(), value.strip()


def share(flag: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise OptionError(flag, text, "a number from 0 to 1 behind the =") from None


def target_of(settings: Settings, options: Options) -> Target:
    """The system under judgement."""
    chosen = settings.target
    if chosen.request:
        from pincite.evaluation.target.http import HttpTarget
        from pincite.evaluation.target.template import load_template
        from pincite.remote import Limits

        limits = Limits(
            read=chosen.seconds, total=chosen.seconds, concurrent=chosen.concurrency, per_minute=chosen.per_minute
        )
        return HttpTarget(load_template(chosen.request), version=chosen.version, corpus=chosen.corpus, limits=limits)
    if chosen.call:
        import sys

        from pincite.evaluation.target.function import FunctionTarget, load_function

        sys.path.insert(0, "")
        function = load_function(chosen.call)
        return FunctionTarget(function, chosen.call, chosen.version, chosen.corpus, chosen.concurrency)
    return index_target(options, chosen.top_k)


def index_target(options: Options, top_k: int) -> Target:
    from pincite import __version__, pipeline
    from pincite.evaluation.target.index import IndexTarget, corpus_of

    index = pipeline.Index(options.index.path, options)
    if not index.path.exists():
        raise EvaluationError(
            f"{index.path}: there is no index; make one with `pincite index`, or judge another system with --run, --request or --call"
        )
    with index.reading() as store:
        revision = store.revision()
    corpus = corpus_of((row.uri, row.sha256) for row in index.documents())
    settings = f"{__version__} {revision} {options.search!r} {options.embed!r}"
    return IndexTarget(index, top_k, settings, corpus, options.search.mode, str(index.path))


def judge_of(settings: Settings, cache: Cache) -> Judge | None:
    """The judge; None where none is named. One that is named by half is refused."""
    chosen = settings.judge
    thresholds = {name: settings.gate.row_threshold(name) for name in settings.gate.judged}
    if chosen.recorded:
        from pincite.evaluation.judge.recorded import load_recorded_judge

        return load_recorded_judge(chosen.recorded, thresholds)
    if not chosen.endpoint and not chosen.model:
        return None
    return model_judge(settings, cache, thresholds)


def model_judge(settings: Settings, cache: Cache, thresholds: dict[str, float]) -> ModelJudge:
    from pincite.evaluation.judge.instrument import Budget, Instrument
    from pincite.evaluation.judge.model import ModelJudge
    from pincite.remote import Chat, Client, Endpoint, Limits

    chosen = settings.judge
    if not chosen.endpoint or not chosen.model:
        missing = "--judge-model" if chosen.endpoint else "--judge-endpoint"
        raise OptionError(missing, None, "given as well: a judge is a model at an endpoint")
    instrument = Instrument(
        chosen.model,
        chosen.endpoint,
        chosen.version,
        chosen.temperature,
        chosen.seed,
        chosen.reply_tokens,
        chosen.alias,
    )
    budget = Budget(chosen.max_calls, chosen.max_tokens, chosen.max_cost, chosen.price_in, chosen.price_out)
    endpoint = Endpoint(
        chosen.endpoint, chosen.key_variable, Limits(concurrent=chosen.concurrency), option="--judge-endpoint"
    )
    chat = Chat(
        Client(endpoint), chosen.model, temperature=chosen.temperature, seed=chosen.seed, max_tokens=chosen.reply_tokens
    )
    return ModelJudge(chat, instrument, cache, budget, thresholds, chosen.concurrency)


def answers(args: argparse.Namespace, settings: Settings, target: Target | None, rows: Any, cache: Cache) -> list[Any]:
    """The response to each row, with a bar while the system is asked."""
    from pincite.evaluation.asking import ask_all
    from pincite.evaluation.target.recorded import load_run

    if target is None:
        return load_run(str(settings.target.run))
    with terminal.progress("asking", not args.quiet) as step:
        done = (lambda number: step(number, len(rows), "")) if step else None
        return ask_all(target, rows, cache, done)


def corpus_name(settings: Settings, target: Target | None) -> str | None:
    return settings.target.corpus or (target.corpus if target else None)


def facts(settings: Settings, target: Target | None) -> dict[str, str]:
    from pincite import __version__

    found = {"pincite": __version__, "target": target.name if target else f"recorded run {settings.target.run}"}
    if settings.target.version:
        found["version"] = settings.target.version
    if settings.judge.model:
        found["judge"] = f"{settings.judge.model} at {settings.judge.endpoint}"
    return found


def with_costs(found: Evaluation, judge: Judge | None, seconds: float) -> Evaluation:
    """The evaluation with what it took."""
    from dataclasses import replace

    from pincite.evaluation.judge.model import ModelJudge

    more = {"seconds": f"{seconds:.1f}"}
    if isinstance(judge, ModelJudge):
        budget = judge.budget
        more |= {"judge calls": str(budget.calls), "judge tokens": f"{budget.tokens_in} in, {budget.tokens_out} out"}
        if budget.price_in or budget.price_out:
            more["judge cost"] = f"{budget.cost:.4f}"
        if judge.asker.models:
            more["judge says it is"] = ", ".join(sorted(judge.asker.models))
    return replace(found, facts={**found.facts, **more})


def report(args: argparse.Namespace, found: Evaluation) -> None:
    """Everything that was asked for: files first, then standard output."""
    from pincite.evaluation.report.data import evaluation_json
    from pincite.evaluation.report.html import html_report
    from pincite.evaluation.report.junit import junit_report
    from pincite.evaluation.report.markdown import markdown_report
    from pincite.evaluation.report.text import text_report

    for path, make in ((args.html, html_report), (args.junit, junit_report), (args.markdown, markdown_report)):
        if path:
            written(path, make(found))
    if args.json:
        terminal.print_json(evaluation_json(found))
    else:
        print(text_report(found), end="")


def written(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise EvaluationError(f"{path}: the report cannot be written: {error.strerror or error}") from None
