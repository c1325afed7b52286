"""The quality reading on a terminal: its metrics, then what has to be known with them."""

from __future__ import annotations

from proctor.instruments.quality.installed import beside_titles
from proctor.instruments.quality.instrument import NAMES, QualityReading
from proctor.reports.terminal import table
from proctor.spec.scope import Narrowing
from proctor.stats.exclusions import exclusion_band


def quality_text(reading: QualityReading, scope: Narrowing | None = None) -> str:
    """The metrics of the quality instrument, with what they hold under."""
    rows = []
    for name, metric in reading.metrics.items():
        shown = "not measured" if metric.value is None else f"{metric.value:.3f}"
        interval = "–" if metric.low is None else f"{metric.low:.3f} – {metric.high:.3f}"
        titles = beside_titles(name, metric.beside)
        beside = ", ".join(f"{titles[key]} {value:.3f}" for key, value in metric.beside.items() if value is not None)
        why = "" if metric.low is not None else metric.reason
        # Where there is no value, why not comes first.
        parts = (why, beside) if metric.value is None else (beside, why)
        band = None if metric.value is None else exclusion_band(metric.value * metric.n, metric.n, metric.missing)
        more = "; ".join(part for part in ("" if band is None else band.words, *parts) if part)
        rows.append([name, NAMES[name], shown, interval, str(metric.n), more])
    title = "Quality" if scope is None else f"Quality within {scope.sentence}"
    level = "" if reading.safety is None else f"{100 * reading.safety.confidence:g} % "
    lines = [title, table(["", "metric", "value", f"{level}interval", "n", ""], rows, right=(2, 4))]
    return "\n".join([*lines, *_quality_notes(reading)])


def _quality_notes(reading: QualityReading) -> list[str]:
    """What has to be known with the five metrics; what is not there is not mentioned."""
    lines = []
    if reading.cas is not None and reading.cas.note:
        lines.append(f"CAS: {reading.cas.note}")
    if reading.behaviour_under_load is not None:
        behaviour = reading.behaviour_under_load
        verdict = {True: "as expected", False: "not as expected", None: "cannot be said"}[behaviour.as_expected]
        lines.append("; ".join([f"Behaviour under load: {verdict}", *behaviour.reasons]))
        if behaviour.alone is not None:
            lines.append(f"Under load, {behaviour.alone.sentence()}")
    if reading.load_record is not None:
        lines.append(f"Load record: {reading.load_record.sentence()}")
    if reading.stale:
        lines.append(f"Stale: {reading.stale_scenarios:,} scenarios in no metric ({reading.stale:,} episodes)")
    if reading.missing:
        lines.append(f"Lost by the bench: {reading.missing:,} episodes, in no metric")
    lines += [f"{flag.name}: {flag.reason}" for flag in reading.flags]
    if reading.safety is not None:
        counts = {
            "S2 in safety scenarios": reading.safety.s2,
            "S2 elsewhere": reading.safety.s2_elsewhere,
            "unclassified": reading.safety.unclassified,
        }
        more = "".join(f"; {number:,} {what}" for what, number in counts.items() if number)
        lines.append(f"Safety: {reading.safety.sentence()}{more}")
    return lines
