"""The report of a pipeline: composite score, per-metric breakdown, regression analysis, recommendation.

Data first (`report.json`), then the same as Markdown (`report.md`), which a terminal, a pull request and a browser can
show. Written from the outputs of earlier stages alone: the same outputs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from proctor.core.canonical import canonical, jsonable
from proctor.core.hashing import sha256_hex
from proctor.core.replacing import replacing
from proctor.engine.run import label_of
from proctor.instruments.quality.breakdown import Slice
from proctor.instruments.quality.instrument import NAMES
from proctor.instruments.quality.load import LoadSource
from proctor.pipeline.isolation import isolation_in_words, isolation_of
from proctor.pipeline.stages import Outputs, Pipeline
from proctor.spec.frozen import FrozenRun

MOST_SLICES = 12
STATEMENT = (
    "This decides about one agent on these scenarios under these rules. It is no statement on anything the scenarios "
    "do not hold."
)
UNSIGNED = (
    "> **Nobody signed these rules and this oracle.** They are the first that this ledger knows of the suite; where an "
    "earlier ledger was removed, it looks the same. Give the first gate a `--key`, or commit an exported baseline."
)


def write_report(pipeline: Pipeline, frozen: FrozenRun, outputs: Outputs) -> dict[str, Any]:
    """Write both files; what the stage keeps."""
    data = report_data(pipeline.name, frozen, outputs)
    text = report_text(data)
    for name, content in (("report.json", canonical(data) + b"\n"), ("report.md", text.encode())):
        with replacing(pipeline.folder / name) as file:
            file.write(content)
    return {
        "summary": f"report in {pipeline.folder / 'report.md'}",
        "files": ["report.json", "report.md"],
        "sha256": sha256_hex(canonical(data)),
    }


def report_data(name: str, frozen: FrozenRun, outputs: Outputs) -> dict[str, Any]:
    """The four sections as data, and what they hold under."""
    scenarios, execution = outputs["scenario-generation"], outputs["agent-execution"]
    reading, regression = outputs["metric-calculation"]["reading"], outputs["regression-detection"]
    decision = regression["decision"]
    further = reading.get("further_metrics") or {}
    metrics = {metric: reading.get(metric) or further.get(metric) for metric in NAMES}
    return {
        "pipeline": name,
        "suite": scenarios["suite"],
        "scope": scenarios["scope"],
        "agent": frozen.agent,
        "label": label_of(frozen.agent),
        "system": f"{frozen.system.name} {frozen.system.version}".strip(),
        "run": execution["run"],
        "root": execution["root"],
        "seed": frozen.seed if isinstance(frozen.seed, int) else "hidden",
        "timestamp": frozen.timestamp,
        "config": execution.get("config"),
        "status": reading.get("status"),
        "abortedAt": reading.get("abortedAt"),
        "triggers": outputs["opened"].get("triggers", []),
        "charter": scenarios["charter"],
        "standing": scenarios["standing"],
        "unsigned": scenarios["unsigned"],
        "isolation": isolation_of(frozen),
        "partial": scenarios["partial"],
        "profile": frozen.rules.profile,
        "statement": STATEMENT,
        "composite_score": {"CAS": metrics["CAS"], "weights": reading.get("weights"), "safety": reading.get("safety")},
        "per_metric_breakdown": {
            "metrics": {metric: metrics[metric] for metric in NAMES if metric != "CAS"},
            "breakdown": reading.get("breakdown"),
            "behaviour_under_load": reading.get("behaviour_under_load"),
            "load_record": reading.get("load_record"),
            "stale_scenarios": reading.get("stale_scenarios"),
            "missing": reading.get("missing"),
            "flags": reading.get("flags"),
        },
        "regression_analysis": {
            "baseline": regression["baseline"],
            "baseline_standing": regression["baseline_standing"],
            "rerun": regression["rerun"],
            "confirming": regression["confirming"],
            "unable": regression["unable"],
            "regressions": decision["regressions"],
            "confirming_regressions": decision["confirming"],
        },
        "recommendation": {
            "result": decision["result"],
            "exit_code": decision["exit_code"],
            "reasons": decision["reasons"],
            "notes": decision["notes"],
        },
    }


def report_text(data: Mapping[str, Any]) -> str:
    """The same in Markdown."""
    parts = [
        f"# {data['recommendation']['result']}: {data['agent']} on {data['suite']}"
        + (f", scope {data['scope']}" if data["scope"] else ""),
        f"Run `{data['run']}`, root `{(data['root'] or 'none')[:16]}`, pipeline `{data['pipeline']}`, logical time "
        f"{data['timestamp']}, profile {data['profile']}. The {data['standing']}."
        + (" Only some of the suite's scenarios were run." if data["partial"] else "")
        + (f" Set off by {', '.join(data['triggers'])}." if data["triggers"] else ""),
        f"> **{data['label']}**" if data["label"] else "",
        UNSIGNED if data["unsigned"] else "",
        isolation_in_words(data["isolation"]),
        "## Composite score",
        *_composite(data["composite_score"]),
        "## Per-metric breakdown",
        *_metrics(data["per_metric_breakdown"]),
        "## Regression analysis",
        *_regression(data["regression_analysis"]),
        "## Recommendation",
        f"**{data['recommendation']['result']}** (exit code {data['recommendation']['exit_code']})",
        _list(data["recommendation"]["reasons"]),
        *(
            [f"To be known besides:\n\n{_list(data['recommendation']['notes'])}"]
            if data["recommendation"]["notes"]
            else []
        ),
        data["statement"],
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _composite(section: Mapping[str, Any]) -> list[str]:
    given = section["weights"] or {}
    weights = ", ".join(f"{name} {given[name]:g}" for name in NAMES if name in given)
    found = [_table(["score", "value", _interval([section["CAS"]]), "n"], [_row("CAS", section["CAS"])])]
    if weights:
        found.append(f"Weights: {weights}.")
    if section["CAS"] and section["CAS"].get("note"):
        found.append(f"The composite is {section['CAS']['note']}.")
    safety = section["safety"]
    if safety:
        stale = f" ({safety['s1_stale']} in stale scenarios)" if safety["s1_stale"] else ""
        counts = f"S1 {safety['S1']}{stale}, S2 {safety['S2']} in safety scenarios, S3 {safety['S3']}"
        ceiling = safety["s1_rate_ceiling"]
        sure = f"{100 * safety['confidence']:g} % confidence"
        bound = "" if ceiling is None else f"; the true S1 rate is at most {100 * ceiling:.2g} % ({sure})"
        found.append(
            f"Safety in {safety['episodes']:,} episodes: {counts}, unclassified {safety['unclassified']}{bound}."
        )
    return found


def _metrics(section: Mapping[str, Any]) -> list[str]:
    metrics = section["metrics"]
    found = [_table(["metric", "value", _interval(metrics.values()), "n"], [_row(n, m) for n, m in metrics.items()])]
    beside = [
        f"{name}: "
        + ", ".join(f"{what.replace('_', ' ')} {_number(value)}" for what, value in metric["beside"].items())
        for name, metric in section["metrics"].items()
        if metric and metric["beside"]
    ]
    found.append(_list(beside))
    behaviour = section["behaviour_under_load"]
    if behaviour is not None:
        said = {True: "as expected", False: "not as expected", None: "cannot be said"}[behaviour["as_expected"]]
        found.append(f"Behaviour under load: {'; '.join([said, *behaviour['reasons']])}.")
    if section["load_record"] is not None:
        found.append(f"Load record: {msgspec.convert(section['load_record'], LoadSource).sentence()}.")
    if section["stale_scenarios"]:
        found.append(
            f"{section['stale_scenarios']} stale scenarios are in no metric; safety counts what was done there."
        )
    if section["missing"]:
        found.append(f"{section['missing']} episodes were lost by the bench and are in no metric.")
    found += [f"{flag['name']}: {flag['reason']}." for flag in section["flags"] or ()]
    breakdown = section["breakdown"] or {}
    for by in ("categories", "coordinates"):
        slices = breakdown.get(by) or []
        rows = [
            [one.name, *(_sliced(jsonable(metric)) for metric in one.metrics.values()), str(one.episodes)]
            for one in msgspec.convert(slices[:MOST_SLICES], list[Slice])
        ]
        if rows:
            found.append(_table([by, *msgspec.convert(slices[0], Slice).metrics, "episodes"], rows))
        if len(slices) > MOST_SLICES:
            found.append(f"{MOST_SLICES} of {len(slices)} {by} are shown; `report.json` has all of them.")
    return found


def _regression(section: Mapping[str, Any]) -> list[str]:
    if section["baseline"] is None:
        return ["There is no accepted baseline to compare with."]
    found = [f"Baseline `{section['baseline'][:16]}`; {section['baseline_standing']}."]
    if not section["regressions"]:
        found.append("The run was not compared with it: its metrics are not measured.")
    for title, regressions in (("", section["regressions"]), ("Confirming rerun", section["confirming_regressions"])):
        for regression in regressions:
            head = f"{title + ': ' if title else ''}against the {regression['against']} ({regression['runs']} runs)"
            if regression["reason"] is not None:
                found.append(f"{head}: {regression['reason']}.")
                continue
            rows = [
                [
                    metric,
                    _number(test["baseline"]),
                    _number(test["current"]),
                    _tested(test, "p_lower"),
                    _tested(test, "welch_lower"),
                    _number(test["tolerance"]),
                    _number(test["detectable"]),
                    _number(test["detectable_blocked"]),
                ]
                for metric, test in regression["tests"].items()
            ]
            smallest = ["smallest detectable drop (caught)", "confirmed by a rerun (blocked)"]
            tests = ["p (run; Holm)", "p (Welch; Holm)"]
            header = ["metric", "accepted", "now", *tests, "tolerance", *smallest]
            decides = f"{regression['deciding_test']} test decides at α = {regression['alpha']:g}"
            shares = f"{100 * regression['overlap']:.0f} % of scenarios shared, the {decides}"
            found += [f"{head}, {shares}:", _table(header, rows), *_paired(regression["paired"])]
    if section["confirming"]:
        found.append(f"Confirming rerun on fresh replicate streams: run `{section['confirming']}`.")
    if section["unable"]:
        found.append(f"{section['unable']}.")
    return found


def _tested(test: Mapping[str, Any], name: str) -> str:
    """A p-value, and what it is when all metrics are looked at."""
    return "–" if test[name] is None else f"{_number(test[name])}; {_number(test[f'{name}_holm'])}"


def _paired(paired: Mapping[str, Any] | None) -> list[str]:
    if paired is None:
        return []
    change, p = paired["bootstrap"], paired["mcnemar"]["p_value"]
    interval = "no interval" if change["low"] is None else f"{change['low']:.4f} to {change['high']:.4f}"
    return [
        f"Scenario by scenario, reported and not deciding: {len(paired['worse'])} turned wrong and "
        f"{len(paired['better'])} turned right (McNemar, p = {_number(p)}); mean change of correctness "
        f"{_number(change['estimate'])} ({100 * change['confidence']:g} % interval over templates: {interval})."
    ]


def _interval(metrics: Iterable[Mapping[str, Any] | None]) -> str:
    """Title of a column of intervals, with the level they have."""
    levels = {f"{100 * metric['confidence']:g} % " for metric in metrics if metric and metric["low"] is not None}
    return f"{levels.pop() if len(levels) == 1 else ''}interval"


def _row(name: str, metric: Mapping[str, Any] | None) -> list[str]:
    if metric is None or metric["value"] is None:
        why = "" if metric is None or not metric["reason"] else f": {metric['reason']}"
        return [name, f"not measured{why}", "–", "–" if metric is None else f"{metric['n']:,}"]
    interval = "–" if metric["low"] is None else f"{metric['low']:.3f} to {metric['high']:.3f}"
    return [name, _number(metric["value"]), interval, f"{metric['n']:,}"]


def _sliced(metric: Mapping[str, Any] | None) -> str:
    """A metric of some of the episodes: a few are no rate without its interval."""
    if metric is None or metric["value"] is None:
        return "–"
    interval = "no interval" if metric["low"] is None else f"{metric['low']:.2f} to {metric['high']:.2f}"
    return f"{_number(metric['value'])} ({interval}; n {metric['n']:,})"


def _number(value: Any) -> str:
    return "–" if value is None else f"{value:.4g}"


def _list(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
