"""The linter for scenarios: are these sets fit to judge an agent by, at this time?

It reads declarations only and never runs anything. Findings come in a fixed order: what cannot be measured first, then
the principles over everything, then each set. A file is read scenario by scenario, so that one typo hides no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from proctor.core.clock import format_timestamp, parse_timestamp
from proctor.core.errors import InputError
from proctor.spec.coordinate import Coordinate, Level
from proctor.spec.scenario import Scenario, ScenarioSet
from proctor.spec.scope import Scope, select_scenarios
from proctor.suites.quality import principles
from proctor.suites.quality.finding import Finding, ids, unusable, warning
from proctor.suites.quality.links import links_of, problems
from proctor.suites.quality.soundness import soundness

__all__ = ["Finding", "is_stale", "lint", "lint_bundle", "lint_document"]


def lint(
    sets: ScenarioSet | Iterable[ScenarioSet], *, at: str | datetime, scope: Scope | None = None
) -> tuple[Finding, ...]:
    """Findings about a set, or about the sets of a suite together, as they stand at a time.

    With a scope only its scenarios count, and its level is what is claimed. Stale scenarios are named, counted and left
    out of every other rule.
    """
    moment = parse_timestamp(at) if isinstance(at, str) else at
    known = (sets,) if isinstance(sets, ScenarioSet) else tuple(sets)
    chosen = {one.name: select_scenarios(one.scenarios, scope) if scope else one.scenarios for one in known}
    return tuple(_findings(known, chosen, moment, scope.position.level if scope else None))


def _findings(
    sets: tuple[ScenarioSet, ...], chosen: dict[str, tuple[Scenario, ...]], at: datetime, claimed: Level | None
) -> Iterator[Finding]:
    names = ", ".join(f"'{one.name}'" for one in sets) or "no set"
    if len(chosen) < len(sets):
        yield unusable("names", f"two sets have the same name among {names}; rename one")
        return
    everything = [scenario for scenarios in chosen.values() for scenario in scenarios]
    if not everything:
        yield unusable("empty", f"no scenario of {names} is within the scope; choose a larger one or add scenarios")
        return
    fresh = {name: [one for one in scenarios if not is_stale(one, at)] for name, scenarios in chosen.items()}
    valid = [scenario for scenarios in fresh.values() for scenario in scenarios]
    if valid:
        yield from principles.measurable(valid)
    yield from _stale(everything, at)
    if valid:
        yield from principles.categories(valid)
        yield from principles.levels(valid, claimed)
        yield from principles.adversarial(valid)
        yield from principles.approvers(valid)
    yield from _used_twice(chosen)
    for name, scenarios in fresh.items():
        if scenarios:
            yield from principles.weights(name, scenarios)
            yield from principles.templates(name, scenarios)
            yield from soundness(scenarios)


def is_stale(scenario: Scenario, at: datetime) -> bool:
    """Whether a scenario does not hold at a time: not yet, or no longer. Its last moment is before `to`."""
    return not parse_timestamp(scenario.valid.since) <= at < parse_timestamp(scenario.valid.until)


def _stale(scenarios: list[Scenario], at: datetime) -> Iterator[Finding]:
    """Principle 5: validity windows."""
    stale = [one for one in scenarios if is_stale(one, at)]
    if not stale:
        return
    when = format_timestamp(at)
    if len(stale) == len(scenarios):
        text = f"every scenario is stale at {when}, so nothing is left to run; review them and renew `valid`"
        yield unusable("stale", text, stale)
    else:
        what = "scenario is" if len(stale) == 1 else "scenarios are"
        text = f"{len(stale)} {what} stale at {when} and left out: {ids(stale)}; review and renew `valid`"
        yield warning("stale", text, stale)


def _used_twice(chosen: dict[str, tuple[Scenario, ...]]) -> Iterator[Finding]:
    owners: dict[str, str] = {}
    for name, scenarios in chosen.items():
        for scenario in scenarios:
            first = owners.setdefault(scenario.id, name)
            if first != name:
                text = f"scenario '{scenario.id}' is both in '{first}' and in '{name}'; rename one, ids pair runs"
                yield unusable("ids", text, [scenario])


def lint_bundle(bundle: Mapping[str, Any], *, source: str, sources: Iterable[str] | None = None) -> tuple[Finding, ...]:
    """Findings about an evidence bundle: its links and its coordinate. `sources` are those it may end in, if known."""
    links = links_of(bundle)
    if links is None:
        text = f"{source}: not an evidence bundle; claims are a list, each with a different `id` and a list of `links`"
        return (unusable("bundle", text),)
    findings = [unusable("links", f"{source}: {text}") for text in problems(links, set(sources) if sources else None)]
    try:
        Coordinate.parse(str(bundle.get("coordinate", "")))
    except InputError as error:
        findings.append(unusable("coordinate", f"{source}: {error}"))
    return tuple(findings)


def lint_document(
    document: Any, *, source: str, at: str | datetime, scope: Scope | None = None
) -> tuple[tuple[Finding, ...], int]:
    """Findings about the content of a file, and how many scenarios it has; within a scope, of those it can read.

    It may be a set of scenarios, a list of them, one scenario, or an evidence bundle.
    """
    if isinstance(document, dict) and "claims" in document and "scenarios" not in document:
        return lint_bundle(document, source=source), 0
    whole = _as_set(document, source)
    rows = whole["scenarios"]
    findings: list[Finding] = []
    good: list[Scenario] = []
    for number, row in enumerate(rows):
        name = row.get("id", number + 1) if isinstance(row, dict) else number + 1
        try:
            good.append(Scenario.parse(row, source=f"{source}: scenario '{name}'"))
        except InputError as error:
            findings.append(unusable("declaration", str(error)))
    if good or not rows:
        try:
            parsed = ScenarioSet.parse({**whole, "scenarios": good}, source=source)
        except InputError as error:
            findings.append(unusable("declaration", str(error)))
        else:
            findings += lint(parsed, at=at, scope=scope)
    return tuple(findings), len(select_scenarios(good, scope)) if scope else len(rows)


def _as_set(document: Any, source: str) -> dict[str, Any]:
    rows = document
    if isinstance(document, dict):
        rows = document.get("scenarios", [document] if "expected" in document else None)
    if not isinstance(rows, list):
        message = f"{source}: neither scenarios nor an evidence bundle; a set has `name`, `title` and `scenarios`"
        raise InputError(message)
    if isinstance(document, dict) and "scenarios" in document:
        return document
    return {"name": "scenarios", "title": source, "scenarios": rows}
