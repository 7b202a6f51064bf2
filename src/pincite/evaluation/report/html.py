"""The report as one page that needs nothing else: verdict, plots, and every row with what it was judged on.

Whatever documents, systems and judges wrote is escaped, and the page's own policy lets nothing be loaded. Its one
script filters rows; without it all are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, Final

from pincite.evaluation.evaluate import Evaluation
from pincite.evaluation.metrics import Metric
from pincite.evaluation.model import Evidence, Measurement, Retrieved, Row
from pincite.evaluation.ranking import HELD, finest, held, ranked
from pincite.evaluation.report.plots import bars, diverging, steps
from pincite.evaluation.report.words import HEADS, change_line, gaps, half_title, headline, reasons, summary_cells
from pincite.evaluation.summary import Summary
from pincite.evaluation.verdict import HalfVerdict

__all__ = ["html_report"]

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5a6472; --page: #fff; --card: #f5f6f8; --edge: #d9dde3;
  --good: #2a78b8; --bad: #c4500f; --none: #8a6d00; --track: #e6e9ee; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #a3adba; --page: #14181f; --card: #1d232c;
  --edge: #343c48; --good: #5aa9e6; --bad: #f08c4f; --none: #d9b64a; --track: #2a313c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
.banner { border-left: .5rem solid var(--none); background: var(--card); padding: 1rem 1.25rem; border-radius: .25rem; }
.banner.pass { border-color: var(--good); } .banner.fail { border-color: var(--bad); }
.banner p { margin: .5rem 0 0; } .soft, figcaption { color: var(--soft); }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid var(--edge); }
th:first-child, td:first-child, th:last-child, td:last-child { text-align: left; } th { color: var(--soft); font-weight: 500; }
td { font-variant-numeric: tabular-nums; }
.halves { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); }
.scroll { overflow-x: auto; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; max-width: 46rem; } svg text { font: 13px system-ui, sans-serif; fill: currentColor; }
svg .good, .dot.pass { fill: var(--good); } svg .bad { fill: var(--bad); } svg .track { fill: var(--track); }
svg .floor { stroke: var(--ink); stroke-width: 2; } svg .grid { stroke: var(--edge); } svg .line { fill: none; stroke: var(--good); stroke-width: 2; }
details { border: 1px solid var(--edge); border-radius: .35rem; margin: .5rem 0; background: var(--page); }
summary { cursor: pointer; padding: .5rem .75rem; } summary:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--good); outline-offset: 1px; }
details > div { padding: 0 .9rem .9rem; } ol { padding-left: 1.5rem; } li { margin: .4rem 0; }
.tag { display: inline-block; border-radius: .3rem; padding: 0 .45rem; font-size: .8rem; border: 1px solid currentColor; margin-right: .35rem; }
.tag.pass { color: var(--good); } .tag.fail, .tag.error { color: var(--bad); } .tag.skipped, .tag.not_applicable, .tag.inconclusive { color: var(--none); }
blockquote { margin: .25rem 0; padding: .25rem .75rem; border-left: 3px solid var(--edge); white-space: pre-wrap; overflow-wrap: anywhere; max-height: 16rem; overflow: auto; }
li.held > blockquote { border-color: var(--good); }
.tools { display: flex; flex-wrap: wrap; gap: .75rem; margin: .75rem 0; } input, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: .3rem; padding: .3rem .5rem; }
[hidden] { display: none; }
"""

SCRIPT: Final = """
const rows = [...document.querySelectorAll('details.row')], find = document.getElementById('find'), show = document.getElementById('show');
const count = document.getElementById('count');
function filter() {
  const words = find.value.toLowerCase(); let seen = 0;
  for (const row of rows) {
    const wanted = (show.value === 'all' || row.dataset.state === show.value || row.dataset.category === show.value)
      && row.textContent.toLowerCase().includes(words);
    row.hidden = !wanted; seen += wanted;
  }
  count.textContent = seen + ' of ' + rows.length + ' rows';
}
find.addEventListener('input', filter); show.addEventListener('change', filter);
document.querySelector('.tools').hidden = false; filter();
"""

CUTOFFS: Final = (1, 2, 3, 5, 10, 20)


def html_report(evaluation: Evaluation) -> str:
    """The whole page."""
    title = escape(headline(evaluation))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><main>"
        + "\n".join(sections(evaluation))
        + f"</main><script>{SCRIPT}</script></body></html>\n"
    )


def sections(evaluation: Evaluation) -> Iterator[str]:
    verdict = evaluation.verdict
    yield f'<header class="banner {verdict.outcome}"><h1>{escape(headline(evaluation))}</h1>'
    yield f"<p><strong>Diagnosis:</strong> {escape(verdict.diagnosis)}</p>"
    yield from listed([*gaps(evaluation)])
    yield "</header>"
    yield '<div class="halves">'
    yield from half_section(evaluation, verdict.retrieval)
    yield from half_section(evaluation, verdict.generation)
    yield "</div>"
    yield from plots(evaluation)
    yield from compared(evaluation)
    if evaluation.warnings:
        yield "<h2>Warnings</h2>"
        yield from listed(evaluation.warnings)
    yield from row_sections(evaluation)
    yield from facts(evaluation)


def listed(sentences: Any) -> Iterator[str]:
    items = "".join(f"<li>{escape(each)}</li>" for each in sentences)
    if items:
        yield f"<ul>{items}</ul>"


def half_section(evaluation: Evaluation, half: HalfVerdict) -> Iterator[str]:
    yield f"<section><h2>{escape(half_title(half))}</h2>"
    own = [each for each in evaluation.summaries if each.half == half.half and each.eligible]
    if own:
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in HEADS)
        lines = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in summary_cells(each)) + "</tr>" for each in own
        )
        yield f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>'
    yield from listed(reasons(half))
    yield "</section>"


def plots(evaluation: Evaluation) -> Iterator[str]:
    """Recall by the number of results, scores by category."""
    recall = recall_by_k(evaluation)
    if recall:
        yield "<h2>Recall by the number of results</h2>"
        yield steps("recall@k: the share of the evidence that is among the first k results", recall)
    gated = [each for each in evaluation.summaries if each.threshold and each.mean is not None]
    if gated:
        yield "<h2>Metrics and their floors</h2>"
        yield bars(
            "mean of each gated metric; the line is its floor",
            [(each.metric, each.mean or 0.0, each.threshold.mean if each.threshold else None) for each in gated],
        )
    yield from category_plots(gated or evaluation.summaries)


def category_plots(summaries: Any) -> Iterator[str]:
    found: list[Summary] = [each for each in summaries if len(each.by_category) > 1]
    if found:
        yield "<h2>Scores by category</h2>"
    for each in found[:4]:
        limits = each.threshold.categories if each.threshold else {}
        floor = each.threshold.mean if each.threshold else None
        yield bars(
            f"{each.metric} by category",
            [(name, mean, limits.get(name, floor)) for name, mean in each.by_category.items()],
        )


def recall_by_k(evaluation: Evaluation) -> list[tuple[int, float]]:
    """Recall at several cuts, over the rows that have evidence; a row that broke counts as 0."""
    rankings = []
    for row in evaluation.golden:
        level = finest(row)
        ranking = ranked(row, evaluation.responses[row.id].passages, level) if level else None
        if ranking is not None:
            rankings.append(ranking)
    most = max((len(each.gains) for each in rankings), default=0)
    return [
        (k, sum(Metric("recall", k).of(each) for each in rankings) / len(rankings))
        for k in CUTOFFS
        if k == 1 or k <= most
    ] if most else []  # fmt: skip


def compared(evaluation: Evaluation) -> Iterator[str]:
    comparison = evaluation.comparison
    if comparison is None:
        return
    yield f"<h2>{escape(f'Beside the baseline {comparison.note}'.rstrip())}</h2>"
    if comparison.differences:
        yield f"<p>Not compared: {escape(' and '.join(comparison.differences))} differ.</p>"
        return
    yield diverging(
        "rows that are worse (left) and better (right)",
        [(each.metric, each.pair.wins, each.pair.losses) for each in comparison.changes],
    )
    for each in comparison.changes:
        yield f"<p>{escape(change_line(each))}"
        if each.broken:
            yield f"<br>newly broken: {escape(', '.join(each.broken))}"
        if each.fixed:
            yield f"<br>newly fixed: {escape(', '.join(each.fixed))}"
        yield "</p>"


def row_sections(evaluation: Evaluation) -> Iterator[str]:
    categories = sorted({row.category for row in evaluation.golden if row.category})
    states = [("fail", "rows that fail"), ("error", "rows that broke"), ("pass", "rows that pass")]
    choices = "".join(
        f'<option value="{escape(value)}">{escape(name)}</option>'
        for value, name in [("all", "all rows"), *states, *((f"in {each}", f"category {each}") for each in categories)]
    )
    yield "<h2>Rows</h2>"
    yield (
        '<div class="tools" hidden><label>Find <input id="find" type="search"></label>'
        f'<label>Show <select id="show">{choices}</select></label><output id="count" class="soft"></output></div>'
    )
    for row in sorted(evaluation.golden, key=lambda row: ORDER.index(state_of(evaluation.of_row(row.id)))):
        yield from row_section(evaluation, row)


ORDER: Final = ("error", "fail", "inconclusive", "pass")


def state_of(measurements: list[Measurement]) -> str:
    """The worst that was found of a row; a metric that is only reported fails nothing."""
    statuses = {each.status for each in measurements if each.threshold is not None or each.status == "error"}
    if "error" in statuses:
        return "error"
    found = [each for each in measurements if each.half == "retrieval" and each.measured]
    missed = bool(found) and not any(each.score for each in found)
    if "fail" in statuses or missed:
        return "fail"
    return "inconclusive" if "skipped" in statuses or not any(each.measured for each in measurements) else "pass"


def row_section(evaluation: Evaluation, row: Row) -> Iterator[str]:
    measurements = evaluation.of_row(row.id)
    response, state = evaluation.responses[row.id], state_of(measurements)
    facts = " · ".join(filter(None, (row.category, row.difficulty, row.source)))
    yield (
        f'<details class="row" data-state="{state}" data-category="in {escape(row.category)}">'
        f'<summary><span class="tag {state}">{state}</span><strong>{escape(row.id)}</strong> {escape(row.input)} '
        f'<span class="soft">{escape(facts)}</span></summary><div>'
    )
    if row.reason:
        yield f'<p class="soft">{escape(row.reason)}</p>'
    yield measured(measurements)
    if response.error:
        yield f"<h3>Error</h3><blockquote>{escape(response.error)}</blockquote>"
    if row.expected_output:
        yield f"<h3>Expected</h3><blockquote>{escape(row.expected_output)}</blockquote>"
    if response.answer is not None:
        yield f"<h3>Answer</h3><blockquote>{escape(response.answer)}</blockquote>"
    yield from verdicts(measurements)
    if row.evidence:
        yield "<h3>Evidence</h3><ul>" + "".join(f"<li>{evidence(each)}</li>" for each in row.evidence) + "</ul>"
    if response.passages:
        yield "<h3>Passages</h3><ol>" + "".join(passage(row, each) for each in response.passages) + "</ol>"
    yield "</div></details>"


def measured(measurements: list[Measurement]) -> str:
    parts = []
    for each in measurements:
        score = "" if each.score is None else f" {each.score:.2f}"
        plain = each.threshold is None and each.status in ("pass", "fail")
        said = escape(f"{each.metric}{score}")
        reason = f' title="{escape(each.reason)}"' if each.reason else ""
        parts.append(f'<span class="tag {"" if plain else each.status}"{reason}>{said}</span>')
    wrong = [each for each in measurements if each.reason and each.status in ("fail", "error", "skipped")]
    return f"<p>{''.join(parts)}</p>" + "".join(
        f"<p>{escape(each.metric)}: {escape(each.reason)}</p>" for each in wrong
    )


def verdicts(measurements: list[Measurement]) -> Iterator[str]:
    """What a judge said of each claim."""
    for each in measurements:
        said = each.details.get("verdicts")
        if not said:
            continue
        items = []
        for verdict in said:
            word = (
                verdict.get("verdict")
                or ", ".join(f"passage {n}" for n in verdict.get("passages", ()))
                or "in no passage"
            )
            beside = f" – “{escape(verdict['quote'])}”" if verdict.get("quote") else ""
            reason = f' <span class="soft">{escape(verdict["reason"])}</span>' if verdict.get("reason") else ""
            items.append(f"<li>{escape(verdict['claim'])}: <strong>{escape(word)}</strong>{beside}{reason}</li>")
        yield f"<h3>{escape(each.metric)}</h3><ul>{''.join(items)}</ul>"


def evidence(each: Evidence) -> str:
    page = f", page {each.page}" if each.page else ""
    quote = f": “{each.quote}”" if each.quote else ""
    return escape(f"{each.document}{page}{quote}")


def passage(row: Row, each: Retrieved) -> str:
    """One passage; marked where it holds a piece of the evidence."""
    pages = f", page {each.page_start}" if each.page_start else ""
    if each.page_end and each.page_end != each.page_start:
        pages = f", pages {each.page_start}–{each.page_end}"
    good = any(holds(one, each) for one in row.evidence)
    mark = ' <span class="tag pass">evidence</span>' if good else ""
    body = f"<blockquote>{escape(each.text)}</blockquote>" if each.text else ""
    return f'<li class="{"held" if good else ""}">{escape(each.document + pages)}{mark}{body}</li>'


def holds(one: Evidence, each: Retrieved) -> bool:
    if one.quote or one.span:
        return held(one, each) >= HELD
    return one.document == each.document and (one.page is None or one.page in each.pages)


def facts(evaluation: Evaluation) -> Iterator[str]:
    """What the run was made with."""
    known = {**evaluation.facts, **{k: v for k, v in evaluation.identity.as_json().items() if v}}
    lines = "".join(f"<tr><td>{escape(name)}</td><td>{escape(str(value))}</td></tr>" for name, value in known.items())
    yield f'<h2>Made with</h2><div class="scroll"><table><tbody>{lines}</tbody></table></div>'
