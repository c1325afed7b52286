"""`check_suite`: families load, regimes and knobs mean something there, and samples are large enough to show anything.

Whether anybody could do what it asks is looked at in `attainable`. The families themselves are checked by
`check_family`, under the regimes that `regimes_used` gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path

from proctor.conformance.attainable import (
    ATTAINABLE_CHECKS,
    CEILING,
    FAULTS,
    Watch,
    check_ceilings,
    check_faults,
    uses_of,
)
from proctor.conformance.contract import Body, Check, Conformance, Tally, examine_all
from proctor.conformance.subject import Options, Subject
from proctor.core.errors import InputError, NotEvaluable
from proctor.engine.family import Family, scenarios_of
from proctor.engine.names import load_family
from proctor.engine.policy_use import NOT_SCORED, measure_uses, missing_constraint, shortfall
from proctor.engine.trial import outside_event_loop
from proctor.spec.claims import is_cell, not_evidenced, require_confidence
from proctor.spec.condition import NO_INTERVENTION
from proctor.spec.protocols import require_protocols, require_whole_samples
from proctor.spec.regime import Regime
from proctor.spec.suite import Entry, Suite
from proctor.worlds.requirements import require

FAMILIES = Check(
    "families", "Its families load", "Every family exists here, in the version asked for, and can be used."
)
REGIMES = Check(
    "regimes",
    "Its regimes fit its families",
    "Strict caps and scopes apply to the families that use them; in cells, regimes are as hard as they are called.",
)
KNOBS = Check("knobs", "Its knobs are declared", "Every difficulty it sets is a declared value of its family.")
CELLS = Check(
    "cells",
    "Its families evidence its cells",
    "Every family names the cells of the Agency Vector it counts for.",
)
SAMPLES = Check(
    "samples", "Its samples can show something", "A perfect agent's interval would lie above the threshold."
)
SUITE_CHECKS = (FAMILIES, CELLS, REGIMES, KNOBS, SAMPLES, *ATTAINABLE_CHECKS)


class Loaded:
    """A suite with those of its families that load."""

    def __init__(self, suite: Suite, folder: Path) -> None:
        self.suite = suite
        self.families: dict[str, Family] = {}
        self.missing: dict[str, str] = {}
        for reference in sorted({entry.family for entry in suite.entries}):
            try:
                self.families[reference] = load_family(reference, folder)
            except InputError as error:
                self.missing[reference] = str(error)

    def used(self, entry: Entry) -> dict[str, Regime]:
        """The regimes of an entry, its steps' included, by id."""
        names = [*entry.regimes, *(step.regime for step in entry.program if step.regime)]
        return {name: self.suite.all_regimes[name] for name in dict.fromkeys(names)}


def check_suite(
    suite: Suite, *, folder: Path | None = None, only: Iterable[str] | None = None, watch: Watch = lambda _: None
) -> Conformance:
    """Put a suite through every check. `folder` is where relative paths of families start.

    `watch` is told what is being looked at, family by family.
    """
    outside_event_loop()
    loaded = Loaded(suite, folder or Path.cwd())
    uses = uses_of(suite, loaded.families)
    bodies: list[tuple[Check, Body]] = [
        (FAMILIES, partial(_families, loaded)),
        (CELLS, partial(_cells, loaded)),
        (REGIMES, partial(_regimes, loaded)),
        (KNOBS, partial(_knobs, loaded)),
        (SAMPLES, partial(_samples, loaded)),
        (CEILING, partial(check_ceilings, uses, watch)),
        (FAULTS, partial(check_faults, uses, watch)),
    ]
    return examine_all("suite", suite.full_name, bodies, only=only)


def regimes_used(suite: Suite, family: str) -> tuple[Regime, ...]:
    """The regimes under which a suite uses a family: what `check_family` should be given."""
    names = dict.fromkeys(
        name
        for entry in suite.entries
        if entry.family == family
        for name in (*entry.regimes, *(step.regime for step in entry.program if step.regime))
    )
    return tuple(suite.all_regimes[name] for name in names)


def _families(loaded: Loaded, tally: Tally) -> None:
    for reference, why in loaded.missing.items():
        tally.find(f"families: '{reference}' cannot be loaded: {why}")
    absent = _absent(loaded)
    tally.measured = {"families": len(loaded.families), "not_evaluable_here": absent}
    rest = f"; not evaluable on this machine: {', '.join(absent)}" if absent else ""
    loads = "1 family loads" if len(loaded.families) == 1 else f"{len(loaded.families)} families load"
    tally.summary = f"{loads}{rest}."


def _absent(loaded: Loaded) -> dict[str, str]:
    """Families that cannot be used on this machine, and why."""
    absent: dict[str, str] = {}
    for reference, family in loaded.families.items():
        try:
            require(family.spec.requires)
        except NotEvaluable as error:
            absent[reference] = str(error)
    return absent


def _regimes(loaded: Loaded, tally: Tally) -> None:
    looked_at = 0
    usable = {name: family for name, family in loaded.families.items() if name not in _absent(loaded)}
    uses = measure_uses(loaded.suite, usable)
    for entry in loaded.suite.entries:
        family = loaded.families.get(entry.family)
        if family is None:
            continue
        used = loaded.used(entry)
        subject = Subject(family, Options(tuple(used.values()), 5, 0, thorough=False, fresh_process=False))
        for name, regime in used.items():
            looked_at += 1
            tally.require(
                not subject.lacks_strict_cap(regime),
                f"regimes: '{name}' has a strict action cap, but family '{entry.family}' states no strict_actions; let "
                "the family state it, or use a regime with a number",
            )
            if regime.action.scope is not None:
                unknown = set(regime.action.scope) - set(subject.tools())
                tally.require(
                    not unknown,
                    f"regimes: the scope of '{name}' names {', '.join(sorted(unknown))}, which family '{entry.family}' "
                    "has no tool for; correct the names",
                )
            if is_cell(entry.cell) and entry.family in usable:
                asked = (regime, family.spec.full_name, uses, subject.tools())
                problem = shortfall(*asked) or missing_constraint(entry.cell or "", *asked)
                tally.require(problem is None, f"regimes: {problem}")
    tally.measured = {"families_by_regimes": looked_at}


def _knobs(loaded: Loaded, tally: Tally) -> None:
    for entry in loaded.suite.entries:
        family = loaded.families.get(entry.family)
        if family is None:
            continue
        declared = family.spec.knobs
        for settings in (entry.knobs, *(step.knobs for step in entry.program)):
            for name, value in settings.items():
                if name not in declared:
                    tally.find(
                        f"knobs: family '{entry.family}' has no knob '{name}'; it has {', '.join(declared) or 'none'}"
                    )
                elif value not in declared[name].values:
                    tally.find(
                        f"knobs: '{name}' of family '{entry.family}' is set to {value!r}; use one of "
                        f"{', '.join(map(repr, declared[name].values))}"
                    )


def _scored_phases(entry: Entry) -> dict[str, int]:
    """Episodes that one lifetime gives to each phase a reading compares; a lifetime of one phase is one unit."""
    phases: Counter[str] = Counter()
    for step in entry.program:
        phases[step.phase] += step.episodes
    scored = {phase: count for phase, count in phases.items() if phase not in NOT_SCORED}
    return scored if len(phases) > 1 and scored else dict.fromkeys(phases, 1)


def _cells(loaded: Loaded, tally: Tally) -> None:
    specs = {reference: family.spec for reference, family in loaded.families.items()}
    for problem in not_evidenced(loaded.suite, specs):
        tally.find(f"cells: {problem}")
    for refuse in (require_confidence, require_protocols, require_whole_samples):
        try:
            refuse(loaded.suite)
        except InputError as error:
            tally.find(f"cells: {error}")
    entered = sum(is_cell(entry.cell) for entry in loaded.suite.entries)
    tally.measured = {"entries_with_cells": entered}
    tally.summary = f"{entered} entries count towards the Agency Vector." if entered else "No entry has a cell."


def _read_together(suite: Suite, entry: Entry) -> int:
    """Instances that are read as one sample: an entry's own, or of all families that share its interventions.

    Arms of interventions are compared with each other over families, never held against a threshold family by family.
    """
    if NO_INTERVENTION.id in entry.conditions or entry.cell is not None:
        return entry.n * min(_scored_phases(entry).values())
    return sum(
        other.n
        for other in suite.entries
        if (other.stage, other.conditions, other.regimes, other.knobs)
        == (entry.stage, entry.conditions, entry.regimes, entry.knobs)
    )


def _samples(loaded: Loaded, tally: Tally) -> None:
    from proctor.stats.intervals import proportion_bounds  # NumPy: only where it is needed.

    rules = loaded.suite.rules
    arms: dict[tuple[str, str, str, str, str], list[range]] = {}
    few: list[str] = []
    for entry in loaded.suite.entries:
        n = _read_together(loaded.suite, entry)
        low = proportion_bounds(n, n, method=rules.interval, confidence=rules.confidence).low
        tally.measured[f"{entry.family} {entry.cell or ''}".strip()] = {"n": n, "best_lower_bound": round(low, 4)}
        listed = loaded.families.get(entry.family)
        if low < rules.threshold and listed is not None and scenarios_of(listed) is not None:
            # Scenarios are judged by their scores, and their number is what an organisation has to say.
            few.append(f"{entry.n} scenarios of '{entry.family}'")
        else:
            tally.require(
                low >= rules.threshold,
                f"samples: with n={n} of family '{entry.family}' even a perfect agent's interval begins at "
                f"{low:.2f}, below the threshold of {rules.threshold:.2f}; take more instances",
            )
        for regime in entry.regimes:
            for condition in entry.conditions:
                made = str([sorted(entry.knobs.items()), sorted(_scored_phases(entry))])
                arm = (entry.family, regime, condition, entry.cell or "", made)
                arms.setdefault(arm, []).append(range(entry.first, entry.first + entry.n))
    for (family, regime, condition, cell, _), taken in arms.items():
        count = len(taken)
        # Entries may share a family where they take other instances of it, or make them with other knobs or phases.
        apart = all(one.stop <= two.start for one, two in pairwise(sorted(taken, key=lambda part: part.start)))
        tally.require(
            apart,
            f"samples: family '{family}' under '{regime}' and condition '{condition}' is listed {count} times"
            f"{f' for cell {cell!r}' if cell else ''}: its instances would be counted twice; list it once",
        )
    if few:
        tally.unmeasured = (
            f"{', '.join(few)} are too few to show a success rate of {rules.threshold:.2f}; `proctor lint` says what "
            "else they cannot show"
        )
    counted = "1 arm" if len(arms) == 1 else f"{len(arms)} arms"
    tally.summary = f"{counted}; in each, a perfect agent could be shown to pass {rules.threshold:.2f}."
