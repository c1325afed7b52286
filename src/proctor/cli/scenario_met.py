"""One scenario of a run, for `proctor show`: what was expected against what was done."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from proctor.cli.output import clean
from proctor.core.errors import InputError

if TYPE_CHECKING:
    from proctor.evidence.store.contract import EvidenceStore


_MOST_ACTS = 200
"""Acts listed: here is where the tables of reports send those who want to read all of them."""


class ScenarioMet(msgspec.Struct, frozen=True):
    """A scenario as a run met it."""

    scenario: str
    title: str
    expected: str
    """Empty where the oracle is not in this folder, or not as it was."""
    done: str
    gates: str
    """Those required and what became of them, in words."""
    verdicts: dict[str, int]
    """How its episodes ended."""
    episodes: tuple[int, ...]
    episode: int
    """The first that failed, or the first."""
    evidence: str = ""
    """Of a required bundle, with the claims that are missing or false."""
    harm: str = ""
    """The acts in any of its episodes that are S1, S2 or without a class, with their arguments."""


def scenario_met(store: EvidenceStore, run: str, scenario: str, project: Path) -> ScenarioMet:
    """The scenario of this id in a run. Refuses an id that nothing in the run has."""
    from proctor.evidence.evidence import evidence_of
    from proctor.instruments.quality.measures import cases_of
    from proctor.pipeline.scenarios import oracle_of_frozen
    from proctor.reports.scenario_failures import (
        done_words,
        evidence_words,
        expected_words,
        gates_words,
        harm_in,
        title_of,
        went_wrong,
        why_wrong,
    )

    evidence = evidence_of(store, run)
    cases = cases_of(evidence)
    met = [case for case in (*cases.scored, *cases.stale) if case.measures.scenario == scenario]
    if not met:
        some = sorted({case.measures.scenario for case in cases.scored})[:3]
        known = f"the run has scenarios such as {', '.join(some)}" if some else "the run has no scenarios"
        message = f"run {run} has no episode and no scenario '{scenario}'; {known}"
        raise InputError(message)
    rows = {row.position: row for row in evidence.rows}
    wrong = [case for case in met if went_wrong(case, rows[case.position])]
    first = wrong[0] if wrong else met[0]
    oracle = oracle_of_frozen(evidence.frozen, project)
    declared = None if oracle is None else oracle.scenarios.get(scenario)
    if declared is not None and not declared.content_hash.startswith(met[0].measures.hash):
        declared = None
    traced = partial(store.events, store.run(run).number)
    events = traced(first.position)
    return ScenarioMet(
        scenario=scenario,
        title=met[0].template if declared is None else title_of(declared),
        expected="" if declared is None else expected_words(declared, first.measures),
        done=done_words(events, first.measures),
        gates="" if declared is None else gates_words(first.measures, declared, events),
        verdicts=dict(
            Counter(
                why_wrong(case, rows[case.position]) if case in wrong else rows[case.position].reason for case in met
            ).most_common()
        ),
        episodes=tuple(sorted(case.position for case in met)),
        episode=first.position,
        evidence=evidence_words(first.measures, declared, events),
        harm="" if declared is None else harm_in(wrong, declared, traced, most=_MOST_ACTS),
    )


def met_text(met: ScenarioMet) -> str:
    """For people."""
    ended = ", ".join(f"{reason} ({count})" for reason, count in met.verdicts.items())
    lines = [
        f"{met.scenario}: {met.title}",
        f"expected    {met.expected or 'not known here: the scenario is not in this folder, or not as it was'}",
        f"done        {met.done}",
        *([f"harm        {met.harm}"] if met.harm else []),
        *([f"gates       {met.gates}"] if met.gates else []),
        *([f"evidence    {met.evidence}"] if met.evidence else []),
        f"ended       {ended}; episodes {', '.join(map(str, met.episodes))}",
    ]
    return clean("\n".join(lines))
