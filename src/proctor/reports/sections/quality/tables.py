"""The tables of the quality section: what stands beside each metric, harm, and the breakdowns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proctor.instruments.load_reading import ScenarioReading
from proctor.instruments.quality.breakdown import Slice
from proctor.instruments.quality.installed import beside_titles
from proctor.instruments.quality.instrument import NAMES, QualityReading
from proctor.instruments.quality.metrics import Measured
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import facts, fold, table
from proctor.reports.numbers import NOT_MEASURED, count, interval, percent


def metric_table(reading: QualityReading) -> Markup:
    """Every metric with what has to be read with it."""
    rows: list[list[Child]] = [
        [
            NAMES.get(name, name),
            percent(one.value),
            interval(one.low, one.high),
            f"{one.n:,}",
            str(one.clusters) if one.clusters else "–",
            _beside(name, one) or "–",
            "; ".join(part for part in (one.note, one.reason or "", one.method) if part),
        ]
        for name, one in reading.metrics.items()
    ]
    header = ["metric", "value", "interval", "n", "templates", "beside it", "how"]
    return fold("What stands beside the metrics", table("Metrics", header, rows, right=(1, 2, 3, 4)))


def _beside(name: str, one: Measured) -> str:
    """What stands beside a metric. A report may hold one that is not installed here: then its own words are shown."""
    named = beside_titles(name, one.beside)
    return "; ".join(f"{named[key]} {percent(value)}" for key, value in one.beside.items())


def harm(reading: QualityReading) -> Markup | None:
    """What was done that should not have been, and what was left out of the count."""
    safety = reading.safety
    if safety is None:
        return None
    behaviour = reading.behaviour_under_load
    load = NOT_MEASURED
    if behaviour is not None:
        verdict = {True: "as expected", False: "not as expected", None: "not known"}[behaviour.as_expected]
        load = ": ".join([verdict, "; ".join(behaviour.reasons)] if behaviour.reasons else [verdict])
    stopped = None if reading.aborted_at is None else f"stopped after {count(reading.aborted_at, 'episode')}"
    return facts(
        [
            ("Status", f"{reading.status}{f', {stopped}' if stopped else ''}"),
            ("S1, critical", safety.sentence()),
            ("S2, serious", f"{safety.s2:,} in safety scenarios, {safety.s2_elsewhere:,} elsewhere"),
            ("S3, minor", f"{safety.s3:,}"),
            ("Unclassified acts", f"{safety.unclassified:,}"),
            ("Behaviour under load", load),
            *([] if behaviour is None or behaviour.alone is None else [("Alone", behaviour.alone.sentence())]),
            *([] if reading.load_record is None else [("Load record", reading.load_record.sentence())]),
            ("Stale scenarios", f"{reading.stale_scenarios:,} in no metric ({count(reading.stale, 'episode')})"),
            ("Lost by the bench", count(reading.missing, "episode")),
        ]
    )


def load_table(reading: QualityReading) -> Markup | None:
    """Every scenario under load: how long answers took, and what the agent did."""
    if not reading.load_scenarios:
        return None
    header = [
        "scenario",
        "in flight",
        "n",
        "p50",
        "p95",
        "p99",
        "budget",
        "LUL",
        "answers/s",
        "wrong acts",
        "behaviour",
    ]
    rows = [_load_row(one) for one in reading.load_scenarios]
    caption = "Under load, milliseconds from the intended arrival"
    return lines_of(tag("h3", "Under load"), table(caption, header, rows, right=tuple(range(1, 10))))


def _load_row(one: ScenarioReading) -> list[Child]:
    numbers = (*one.latencies, float(one.latency_budget_ms))
    return [
        one.id,
        f"{one.peak_in_flight:,}",
        f"{one.n:,}",
        *("–" if value is None else f"{value:,.1f}" for value in numbers),
        percent(one.lul),
        "–" if one.throughput is None else f"{one.throughput:,.1f}",
        "–" if one.wrong_acts is None else f"{one.wrong_acts:,}",
        one.behaviour.reason,
    ]


def breakdown_tables(reading: QualityReading) -> Markup | None:
    """By category in the open; by coordinate and template to fold out."""
    breakdown = reading.breakdown
    if breakdown is None:
        return None
    return lines_of(
        tag("h3", "Where it comes from"),
        _table("By category", "category", breakdown.categories),
        fold(
            f"By coordinate ({len(breakdown.coordinates)})",
            _table("By coordinate", "coordinate", breakdown.coordinates),
        ),
        fold(f"By template ({len(breakdown.templates)})", _table("By template", "template", breakdown.templates)),
    )


def _table(caption: str, first: str, slices: Sequence[Slice]) -> Markup:
    scoped = any(one.level for one in slices)
    shown = list(dict.fromkeys(name for one in slices for name in one.metrics))
    header = [first, *(["level", "own"] if scoped else []), "scenarios", "episodes", *shown, "S1"]
    rows: list[list[Child]] = [
        [
            one.name,
            *([one.level or "–", f"{one.own or 0:,}"] if scoped else []),
            f"{one.scenarios:,}",
            f"{one.episodes:,}",
            *(_cell(one.metrics[name]) for name in shown),
            str(one.s1),
        ]
        for one in slices
    ]
    return table(caption, header, rows, right=tuple(range(2 if scoped else 1, len(header))))


def _cell(one: Measured) -> str:
    if one.value is None or one.low is None:
        return percent(one.value)
    return f"{percent(one.value)} ({interval(one.low, one.high)})"


def failed_table(failed: dict[str, Any] | None) -> Markup | None:
    """The scenarios that did not succeed every time, the gravest first, each with the command that shows more."""
    if failed is None:
        return None
    rows = [
        [
            one["scenario"],
            one["title"],
            one["done"],
            "; ".join(part for part in (one["gates"], one["evidence"]) if part) or "–",
            f"{one['failed']} of {one['episodes']}: {', '.join(one['reasons'])}",
            one["safety"],
            tag("code", f"proctor show {one['run']} {one['scenario']}"),
        ]
        for one in failed["scenarios"]
    ]
    header = ["scenario", "template", "done", "gates and evidence", "wrong", "class", "expected, and the trace"]
    shown = f"{len(rows):,} of {failed['count']:,} shown" if failed["count"] > len(rows) else f"{len(rows):,}"
    return fold(f"Scenarios that went wrong ({shown})", table("Scenarios that went wrong", header, rows))
