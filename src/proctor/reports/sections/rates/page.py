"""The page of the rates section: success per family and regime, as a picture with intervals and as numbers."""

from __future__ import annotations

import msgspec

from proctor.instruments.base import Value
from proctor.reports.data import Report, Section
from proctor.reports.html.figures import Track, track
from proctor.reports.html.markup import Markup, join, lines_of, tag
from proctor.reports.html.parts import table
from proctor.reports.html.values import reasons_text
from proctor.reports.numbers import interval, percent


def body(section: Section, report: Report) -> Markup:
    """Success per family and regime, as a picture with intervals and as numbers."""
    values = msgspec.convert(section.data["values"], tuple[Value, ...])
    confidence = values[0].estimate.confidence if values else 0.95
    order = {regime.id: index for index, regime in enumerate(report.regimes)}
    several = {name for name in ("condition", "cell", "phase", "knobs") if len({v.where.get(name) for v in values}) > 1}
    rows = [
        _row(value, several, _threshold(report, value.where.get("family", "")))
        for value in sorted(values, key=lambda v: (v.where.get("family", ""), order.get(v.where.get("regime", ""), 99)))
    ]
    header = ["family", "regime", "rate and interval", "rate", "k/n", f"{100 * confidence:g} % interval", "missing"]
    header.append("why not")
    legend = tag("p", "Dot: the rate. Bar: its interval. Dashed line: the threshold of the rules.", class_="legend")
    return lines_of(legend, table("Success rates", header, rows, right=(3, 4, 5, 6), kind="rates"))


def _threshold(report: Report, family: str) -> float:
    """The rules' threshold, or what a justified adjustment says for the family."""
    adjusted = report.rules["adjusted"]
    own = adjusted.get(family) or adjusted.get(family.partition("@")[0])
    return float(own["threshold"] if own else report.rules["threshold"])


def _row(value: Value, several: set[str], needs: float) -> list[str | None]:
    estimate, where = value.estimate, value.where
    family, regime = where.get("family", "the run"), where.get("regime", "–")
    extra = [where[name] for name in ("condition", "cell", "phase", "knobs") if name in several and where.get(name)]
    rate = percent(estimate.estimate)
    described = f"{rate}, interval {interval(estimate.low, estimate.high)}"
    picture = track(
        Track(
            title=f"{family} under {regime}",
            description=described,
            value=estimate.estimate,
            low=estimate.low,
            high=estimate.high,
            needs=needs,
        ),
        compact=True,
    )
    notes = "; ".join(flag.name for flag in value.flags)
    return [
        join(family, tag("span", " · ".join(extra), class_="under") if extra else None),
        regime,
        picture,
        rate,
        f"{value.successes}/{estimate.n}" if value.successes is not None else "–",
        interval(estimate.low, estimate.high),
        "none" if not estimate.missing else value.band.words if value.band else f"{estimate.missing:,}",
        "; ".join(part for part in (notes, reasons_text(_plain(value.reasons))) if part) or "–",
    ]


def _plain(reasons: dict[str, int]) -> dict[str, int]:
    """That a failure is a failure goes without saying; a limit or a broken bench is said."""
    return {name.removeprefix("failure: "): times for name, times in reasons.items()}
