"""What everything on the page holds under: suite, rules, regimes, families, schemas, digests; and how to check it."""

from __future__ import annotations

import shlex

from proctor.evidence.usage import USAGE, usage_of
from proctor.reports.data import FamilyShown, RegimeShown, Report
from proctor.reports.html.header import boundary_text, seed_text
from proctor.reports.html.markup import Markup, join, lines_of, tag
from proctor.reports.html.parts import as_json, facts, flat, fold, table
from proctor.reports.numbers import NOT_DECLARED

FEW = 6
"""Families that are not folded."""


def conditions(report: Report) -> Markup:
    """Everything but the digests."""
    return lines_of(
        tag("h3", "Run"),
        _run(report),
        tag("h3", "Suite"),
        tag("p", tag("strong", f"{report.suite}: {report.suite_title}. "), report.suite_description),
        _skipped(report),
        fold("Sampling plan: episodes by family, regime and condition", _samples(report)),
        tag("h3", "Rules"),
        facts([(_words(name), value) for name, value in flat(report.rules, absent="none")], kind="facts exact"),
        tag("h3", "Regimes"),
        tag("p", "Exact parameters; what is not stated is not limited.", class_="small"),
        tag("div", *(_regime(regime) for regime in report.regimes), class_="pair"),
        tag("h3", "Families"),
        lines_of(*(_family(family, len(report.families) <= FEW) for family in report.families)),
        tag("h3", "System boundary"),
        facts(flat(report.system.boundary), kind="facts exact"),
    )


def _run(report: Report) -> Markup:
    left = f"{report.episodes:,} of {report.planned:,}" if report.episodes != report.planned else f"{report.episodes:,}"
    ended = ", ".join(f"{times:,} {outcome}" for outcome, times in report.outcomes.items() if times)
    return facts(
        [
            ("Run", report.run),
            ("System", f"{report.system.name}, version {report.system.version}"),
            ("Agent", report.agent),
            ("Boundary", boundary_text(report)),
            ("Environment variables", ", ".join(report.system.env) or "none visible"),
            ("Episodes", f"{left} ({ended or 'none ended'})"),
            ("Restricted to", ", ".join(report.only) if report.only else None),
            ("Scope", report.scope),
            ("Seed", seed_text(report)),
            ("Logical time", report.timestamp),
            ("Started", report.started),
        ],
        kind="facts brief",
    )


def _skipped(report: Report) -> Markup | None:
    if not report.skipped:
        return None
    rows = [tag("li", tag("strong", family), f": not evaluable here: {why}") for family, why in report.skipped.items()]
    return tag("div", tag("p", "Not evaluated:"), tag("ul", *rows), class_="skipped")


def _samples(report: Report) -> Markup:
    rows = [
        [
            sample.family,
            sample.regime,
            sample.condition,
            sample.cell or "–",
            f"{sample.episodes:,}",
            ", ".join(f"{times:,} {outcome}" for outcome, times in sample.outcomes.items()) or "none ended",
        ]
        for sample in report.samples
    ]
    header = ["family", "regime", "condition", "cell", "episodes", "outcomes"]
    return table("Sampling plan", header, rows, right=(4,))


def _regime(regime: RegimeShown) -> Markup:
    stated = flat(regime.parameters) if regime.parameters else [("limits", "none")]
    return tag(
        "div",
        tag("h4", regime.id, tag("span", f" {regime.intensity}", class_="light")),
        facts(stated, kind="facts exact"),
        class_="box",
    )


def _words(name: str) -> str:
    return name.replace("_", " ").replace(".", ": ")


def _family(family: FamilyShown, is_open: bool) -> Markup:
    schemas = {
        "observation": family.observation_schema,
        "answer": family.answer_schema,
        "actions": list(family.actions),
    }
    return fold(
        join(family.name, tag("span", f" {family.title}", class_="light")),
        tag("p", family.description),
        facts(
            [
                ("Criterion", family.criterion),
                ("Verification", family.verification),
                ("Environment", "; ".join(f"{name}: {value}" for name, value in flat(family.environment))),
                ("Templates", str(family.templates)),
                ("Behaviour", tag("code", family.behaviour)),
            ]
        ),
        fold("Observation, answer and action schemas", as_json(schemas)),
        class_="box",
        open=is_open,
    )


def digests(report: Report) -> Markup:
    """The digests, and how another person checks them."""
    run = shlex.quote(report.run)
    missing = "available when the run is finished"
    bundle = shlex.quote(f"{report.run}.proctor")
    commands = [f"proctor export {run} -o {bundle}", f"proctor verify {bundle}", f"proctor import {bundle}"]
    commands.append(f"proctor report {run}")
    facts_of = {name: value for name, value in report.execution.items() if name != USAGE}
    execution = "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in flat(facts_of))
    usage = usage_of(report.execution)
    return lines_of(
        facts(
            [
                ("Configuration", tag("code", report.digests.config_hash)),
                ("Root", tag("code", report.digests.root or missing)),
                ("Seal", tag("code", report.digests.seal or missing)),
                ("System configuration", tag("code", report.system.configuration_hash or NOT_DECLARED)),
                ("Execution", execution or None),
                ("Tokens of models", None if usage is None else usage.token_words),
                ("Cost of models", None if usage is None else usage.cost_words),
            ]
        ),
        tag(
            "p",
            "The root covers the configuration and every event of every episode: whoever has the evidence can work it "
            "out again. It proves that nothing was changed since, not that its author was honest.",
        ),
        tag("p", "To check this report, ask for the bundle and compare the root:"),
        tag("pre", "\n".join(commands), class_="commands", tabindex="0"),
        tag("p", f"The seed is {report.seed.text}."),
    )
