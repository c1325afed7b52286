"""Making a report: readings, what they hold under, and the failing episodes behind them. Reads the store, runs nothing.

Bounded whatever the size of the run: a few episodes for each thing that stopped the agent, each with a bounded number
of steps and characters. Which ones is decided by position and reason alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from proctor.agents.lookup import label_of
from proctor.core.canonical import jsonable
from proctor.evidence.challenges import challenge_data, challenges_in
from proctor.evidence.events import EpisodeOpened
from proctor.evidence.evidence import Evidence
from proctor.evidence.result import result_of
from proctor.evidence.row import INFRASTRUCTURE, INVALID, OUTCOMES, Arm, Row
from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.instruments.base import Reading
from proctor.reports.data import (
    FORMAT,
    STATEMENT,
    VERSION,
    Digests,
    EpisodeShown,
    FamilyShown,
    GateShown,
    RegimeShown,
    Report,
    Sample,
    Section,
    SeedNote,
    Step,
)
from proctor.reports.declared import declarations, declared_system
from proctor.reports.section import Concludes, Example, SectionKind, section_for
from proctor.reports.trace import as_lines, shorten, steps_of, tools_of
from proctor.spec.frozen import FrozenRun, Seed

MAX_EPISODES = 24
MAX_STEPS = 40
MAX_CHARACTERS = 1_500
MAX_GOAL = 4_000
EXCLUDED = (INFRASTRUCTURE, INVALID)
PUBLIC = "public: anyone with the package can regenerate these tasks"
CHOSEN = "chosen by the author and not committed to beforehand: whoever knew it could have seen these tasks"
HIDDEN = "hidden: nobody could have seen these tasks beforehand who did not know it"


def build_report(
    store: EvidenceStore,
    evidence: Evidence,
    readings: Iterable[Reading],
    decisions: Iterable[GateShown] = (),
    other: Report | None = None,
) -> Report:
    """The report of a run from readings of its evidence, with what was decided about it.

    `other` is the report of the same system within its other boundary.
    """
    record = store.run(evidence.run)
    result = result_of(store, record.name, label_of)
    frozen = evidence.frozen
    shown = sorted(
        ((section_for(reading), reading) for reading in readings),
        key=lambda pair: (not pair[1].measured, pair[0].place, pair[1].instrument),
    )
    return Report(
        format=FORMAT,
        version=VERSION,
        run=record.name,
        status=record.status,
        complete=evidence.complete,
        label=_label(", ".join(part for part in (result.label, evidence.seed_label) if part), other),
        statement=_statement(shown),
        suite=frozen.suite.full_name,
        suite_title=frozen.suite.title,
        suite_description=frozen.suite.description,
        agent=frozen.agent,
        system=declared_system(frozen),
        declared=declarations(frozen),
        seed=_seed(frozen.seed, committed=evidence.seed_committed),
        timestamp=frozen.timestamp,
        execution={name: value for name, value in sorted(record.execution.items()) if name not in ("run", "label")},
        digests=Digests(record.config_hash, record.root, record.seal),
        profile=frozen.rules.profile,
        policy=frozen.rules.borderline,
        rules=jsonable(frozen.rules.model_dump(mode="json")),
        episodes=len(evidence.rows),
        planned=record.episodes,
        outcomes=result.outcomes,
        timing_dependent=result.timing_dependent,
        only=frozen.only,
        scope=None if frozen.scope is None else frozen.scope.sentence,
        skipped=dict(sorted(frozen.skipped.items())),
        sections=tuple(_section(kind, reading, evidence) for kind, reading in shown),
        failures=_failures(store, record, evidence, shown),
        regimes=_regimes(frozen, evidence),
        families=_families(frozen),
        samples=_samples(evidence),
        decisions=tuple(decisions),
        challenges=tuple(challenge_data(challenges_in(evidence))),
        other=None if other is None else replace(other, failures=()),
    )


def _label(own: str, other: Report | None) -> str:
    """What must be said of the run, and of the one that is read beside it."""
    if other is None or not other.label or other.label == own:
        return own
    return "; ".join(filter(None, (own, f"{other.run}: {other.label}")))


def _statement(sections: Iterable[tuple[SectionKind, Reading]]) -> str:
    """What the first section that measured something says of the report; capability only where none does."""
    statements = (kind.statement for kind, reading in sections if reading.measured and kind.statement)
    return next(statements, STATEMENT)


def _section(kind: SectionKind, reading: Reading, evidence: Evidence) -> Section:
    return Section(
        instrument=reading.instrument,
        version=reading.version,
        title=kind.title(reading),
        measured=reading.measured,
        reason=reading.reason,
        headline=kind.headline(reading),
        flags=tuple(kind.flags(reading)),
        data=kind.data(reading, evidence),
        conclusion=kind.conclusion(reading, evidence) if reading.measured and isinstance(kind, Concludes) else None,
    )


def _seed(seed: Seed, *, committed: bool) -> SeedNote:
    if isinstance(seed, int):
        return SeedNote(True, seed, PUBLIC)
    return SeedNote(False, None, HIDDEN) if committed else SeedNote(False, None, CHOSEN, chosen=True)


def _failures(
    store: EvidenceStore, record: RunRecord, evidence: Evidence, sections: list[tuple[SectionKind, Reading]]
) -> tuple[EpisodeShown, ...]:
    if not evidence.frozen.rules.record_traces:
        return ()
    family_of = {row.position: evidence.arms[row.arm].family for row in evidence.rows}
    chosen: dict[int, Example] = {}
    for kind, reading in sections:
        # An example for a whole family adds nothing where an earlier reading has shown one of its episodes.
        shown = {family_of[position] for position in chosen}
        for example in kind.examples(reading, evidence) if reading.measured else ():
            if len(chosen) < MAX_EPISODES and example.position in family_of and example.about not in shown:
                chosen.setdefault(example.position, example)
    rows = {row.position: row for row in evidence.rows if row.position in chosen}
    episodes = (_episode(store, record.number, example, rows[position]) for position, example in chosen.items())
    return tuple(episode for episode in episodes if episode is not None)


def _episode(store: EvidenceStore, number: int, example: Example, row: Row) -> EpisodeShown | None:
    """An episode as it went; None where there is nothing to show, because it could not even begin."""
    events = store.events(number, example.position)
    opened = next((event for event in events if isinstance(event, EpisodeOpened)), None)
    if opened is None:
        return None
    steps = steps_of(events, store.content, as_lines)
    start = MAX_STEPS * 3 // 4
    kept = steps if len(steps) <= MAX_STEPS else [*steps[:start], *steps[start - MAX_STEPS :]]
    return EpisodeShown(
        position=example.position,
        about=example.about,
        why=example.why,
        family=opened.family,
        template=opened.template,
        instance=opened.instance,
        regime=opened.regime,
        condition=opened.condition,
        phase=opened.phase,
        replicate=opened.replicate,
        outcome=row.outcome,
        reason=row.reason,
        goal=shorten(opened.task.goal, MAX_GOAL),
        answer_format=shorten(opened.task.answer_format, MAX_CHARACTERS),
        tools=tools_of(opened, store.content) or (),
        steps=tuple(Step(step.kind, shorten(step.text, MAX_CHARACTERS), step.call) for step in kept),
        left_out=len(steps) - len(kept),
        head=row.head.hex(),
    )


def _regimes(frozen: FrozenRun, evidence: Evidence) -> tuple[RegimeShown, ...]:
    regimes = frozen.suite.all_regimes
    used = {arm.regime for arm in evidence.arms}
    used |= {step.regime for entry in frozen.suite.entries for step in entry.program if step.regime}
    # Standard regimes stand in the order of their hardness, a suite's own after them.
    return tuple(
        RegimeShown(name, regime.intensity.value, _parameters(regime.model_dump(mode="json", exclude_defaults=True)))
        for name, regime in regimes.items()
        if name in used
    )


def _parameters(declared: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in declared.items() if name not in ("id", "intensity")}


def _families(frozen: FrozenRun) -> tuple[FamilyShown, ...]:
    return tuple(
        FamilyShown(
            name=family.spec.full_name,
            title=family.spec.title,
            description=family.spec.description,
            criterion=family.spec.criterion,
            verification=family.spec.verification,
            environment=family.spec.environment.model_dump(mode="json"),
            templates=len(family.spec.templates),
            artifacts=family.spec.artifacts,
            behaviour=family.behaviour,
            observation_schema=jsonable(family.spec.observation_schema),
            answer_schema=jsonable(family.spec.answer_schema),
            actions=tuple(jsonable(family.actions)),
        )
        for family in sorted(frozen.families, key=lambda family: family.spec.full_name)
    )


def _samples(evidence: Evidence) -> tuple[Sample, ...]:
    counts: dict[int, Counter[str]] = {arm.index: Counter() for arm in evidence.arms}
    broken: dict[int, Counter[str]] = {arm.index: Counter() for arm in evidence.arms}
    for row in evidence.rows:
        counts[row.arm][row.outcome] += 1
        if row.outcome in EXCLUDED:
            broken[row.arm][f"{row.outcome}: {row.reason}"] += 1
    return tuple(
        Sample(
            family=arm.family,
            regime=arm.regime,
            condition=arm.condition,
            cell=arm.cell,
            episodes=counts[arm.index].total(),
            outcomes={name: counts[arm.index][name] for name in OUTCOMES if counts[arm.index][name]},
            planned=_planned(evidence.frozen, arm),
            excluded=dict(sorted(broken[arm.index].items())),
        )
        for arm in evidence.arms
    )


def _planned(frozen: FrozenRun, arm: Arm) -> int:
    entry = frozen.suite.entries[arm.entry]
    lifetime = sum(step.episodes for step in entry.program)
    return entry.n * frozen.scale * entry.replicates * entry.parts * lifetime
