"""A comparison as a self-contained page."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.instruments.comparing.comparison import Comparison
from proctor.instruments.comparing.differences import Difference
from proctor.instruments.comparing.flips import Flip
from proctor.reports.comparing import words
from proctor.reports.html.document import document
from proctor.reports.html.markup import Markup, lines_of, tag
from proctor.reports.html.parts import facts, fold, table
from proctor.reports.html.style import STYLE

MOST_FLIPS = 200


def comparison_page(compared: Sequence[Comparison]) -> bytes:
    """The page of one comparison or of several, in UTF-8."""
    first = compared[0].first.run
    others = ", ".join(one.second.run for one in compared)
    header = tag(
        "header",
        tag("p", "Proctor comparison", class_="kicker"),
        tag("h1", f"{others} against {first}"),
    )
    body = tag("body", lines_of(header, tag("main", lines_of(*(section(one) for one in compared)), id="results")))
    return document(f"{others} against {first} · Proctor comparison", STYLE, body)


def section(comparison: Comparison) -> Markup:
    """One comparison, for a page of its own or as part of another."""
    return tag(
        "section",
        lines_of(
            tag("h2", words.headline(comparison)),
            _label(comparison),
            tag("p", words.how(comparison)),
            _differences(comparison),
            _flips(comparison),
            _spending(comparison),
            _runs(comparison),
        ),
    )


def _label(comparison: Comparison) -> Markup:
    head, *reasons = words.label_lines(comparison)
    listed = tag("ul", *(tag("li", reason) for reason in reasons)) if reasons else ""
    return lines_of(tag("p", tag("strong", head)), listed)


def _differences(comparison: Comparison) -> Markup | str:
    if comparison.primary is None:
        return ""
    rows = [("all", comparison.primary), *((one.name, one) for one in (*comparison.dimensions, *comparison.families))]
    shown = table(
        "Success rates and their differences",
        ("", comparison.first.run, comparison.second.run, "difference", "lost", "gained", "p", "verdict"),
        [_row(name, one) for name, one in rows],
        right=(1, 2, 4, 5),
    )
    return lines_of(tag("h3", "Differences"), shown, tag("p", words.methods(comparison)))


def _row(name: str, one: Difference) -> list[str]:
    return [
        name,
        words.rate(one.first_successes, one.first_n),
        words.rate(one.second_successes, one.second_n),
        words.points(one),
        str(one.lost) if one.paired else "–",
        str(one.gained) if one.paired else "–",
        words.p_value(one),
        one.verdict,
    ]


def _flips(comparison: Comparison) -> Markup | str:
    if not comparison.flips:
        return ""
    failing = sum(flip.newly == "failing" for flip in comparison.flips)
    summary = f"{failing} newly failing, {len(comparison.flips) - failing} newly passing"
    items = [_flip(flip) for flip in comparison.flips[:MOST_FLIPS]]
    if len(comparison.flips) > MOST_FLIPS:
        items.append(tag("li", f"… and {len(comparison.flips) - MOST_FLIPS} more"))
    return lines_of(tag("h3", "Changed verdicts"), fold(summary, tag("ul", *items), open=failing > 0))


def _flip(flip: Flip) -> Markup:
    where = " · ".join(part for part in (flip.family, flip.cell, flip.regime, f"instance {flip.instance}") if part)
    lines = [tag("strong", f"newly {flip.newly}"), f" {where}"]
    for run, position, outcome, reason in (flip.first, flip.second):
        lines += [tag("br"), f"{outcome}: {reason} ", tag("code", f"proctor show {run} {position}")]
    if flip.diverges:
        lines += [tag("br"), flip.diverges]
    return tag("li", *lines)


def _spending(comparison: Comparison) -> Markup:
    rows = [
        [comparison.first.run, *words.spent_cells(comparison.spending.first)],
        [comparison.second.run, *words.spent_cells(comparison.spending.second)],
    ]
    shown = table("What each run spent", ("run", *words.SPENT_HEADER), rows, right=(1, 2, 3, 4))
    return lines_of(tag("h3", "Spending"), shown, tag("p", words.SPENT_NOTE))


def _runs(comparison: Comparison) -> Markup:
    parts = []
    for side in (comparison.first, comparison.second):
        pairs = [
            ("agent", side.agent + (f" ({side.label})" if side.label else "")),
            ("system", side.system),
            ("suite", side.suite),
            ("seed", "hidden" if side.seed is None else str(side.seed)),
            ("boundary", side.boundary),
            ("root", side.root or "–"),
        ]
        if side.reading:
            pairs.append(("reading", side.reading))
        parts += [tag("h4", side.run), facts(pairs)]
    return lines_of(tag("h3", "Conditions"), *parts)
