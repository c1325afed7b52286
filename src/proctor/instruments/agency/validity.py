"""What can take a dimension's level away, or bound it, whatever the rates say (§6.3, §11.2, §11.3.2, §11.7, §11.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from proctor.evidence.evidence import Evidence
from proctor.evidence.provenance import CONFIGURATION, CRITERIA, EPISODES
from proctor.evidence.row import INFRASTRUCTURE, INVALID, NOT_IMPOSED, Row
from proctor.evidence.services import most_said
from proctor.instruments.agency.flags import invalid, limited
from proctor.instruments.agency.units import Unit
from proctor.instruments.base import Flag
from proctor.spec.actions import declared_actions
from proctor.spec.frozen import FrozenFamily, FrozenRun
from proctor.spec.inputs import missing_inputs
from proctor.spec.protocols import chosen_instances
from proctor.spec.released import custom_families, easier_tasks, suite_limitation
from proctor.spec.rules import Rules
from proctor.spec.system import Boundary, BoundaryKind

SCHEMA_SHARE = 10
"""Percent of observations, or of actions, above which what no schema declares is material."""
NOT_THE_VERIFIERS = frozenset({"memory", NOT_IMPOSED})
"""Excluded because the agent's memory cannot be moved, or it cannot live as a baseline: a control that is not
evaluable, no broken verifier."""


class Cap:
    """An upper bound on a level, and why."""

    __slots__ = ("level", "reason")

    def __init__(self, level: int, reason: str) -> None:
        self.level = level
        self.reason = reason


def caps_of(dimension: str, units: list[Unit], boundary: Boundary) -> list[Cap]:
    """The prerequisites of §6.3 and the verification cap of §11.7.1."""
    caps: list[Cap] = []
    if dimension == "E":
        if boundary.tools is None:
            caps.append(Cap(3, "the system's tools are not declared (`tools` of its boundary; an empty list will do)"))
        unverified = sum(
            unit.reason == "missing_artifact" or (bool(unit.success) and not unit.artifact_ok) for unit in units
        )
        if unverified:
            caps.append(Cap(2, f"{unverified} credited outcomes left no verified artifact"))
    if dimension == "L" and boundary.memory is None:
        caps.append(Cap(2, "the system's memory is not declared (`memory` of its boundary; `none` will do)"))
    return caps


def without_artifact(units: list[Unit], families: Iterable[FrozenFamily]) -> set[str]:
    """Families of E that leave no artifact at all: their successes are not credited above 2."""
    leaves = {family.spec.full_name for family in families if family.spec.artifacts}
    return {unit.family for unit in units} - leaves


def validity_flags(units: list[Unit], evidence: Evidence, rules: Rules) -> list[Flag]:
    """What makes a dimension invalid, from its own units and declarations."""
    flags: list[Flag] = []
    attempted = [unit for unit in units if unit.missing_reason not in NOT_THE_VERIFIERS]
    broken = sum(unit.missing == INFRASTRUCTURE for unit in attempted)
    if broken > rules.infrastructure_cutoff * len(attempted):
        text = f"{broken} of {len(attempted)} attempted units were not measured{_causes(attempted)}"
        flags.append(invalid("Verification Infrastructure", text))
    post_hoc = sum(unit.missing == INVALID for unit in units)
    if post_hoc > rules.post_hoc_cutoff * len(units):
        flags.append(invalid("Post-Hoc Criteria", f"{post_hoc} of {len(units)} units had their success rule touched"))
    used = {unit.family for unit in units}
    families = [family for family in evidence.frozen.families if family.spec.full_name in used]
    for what, names in {
        "observation schema": [one.spec.full_name for one in families if not one.spec.observation_schema],
        "success criterion": [one.spec.full_name for one in families if not one.spec.criterion.strip()],
        "verification method": [one.spec.full_name for one in families if not one.spec.verification.strip()],
    }.items():
        if names:
            flags.append(invalid("Missing Inputs", f"no {what}: {', '.join(names)}"))
    flags += _schema_flags(units, families, evidence.frozen)
    return flags


def _causes(units: list[Unit]) -> str:
    """What they were not measured by, most frequent first."""
    causes = Counter(unit.missing_reason for unit in units if unit.missing == INFRASTRUCTURE and unit.missing_reason)
    return f" ({', '.join(f'{cause}: {count}' for cause, count in causes.most_common(3))})" if causes else ""


def unmeasured(units: list[Unit], rows: Iterable[Row], rules: Rules) -> str | None:
    """Why the whole run has no vector: above the declared cap nothing is known about the agent. None below it."""
    attempted = [unit for unit in units if unit.missing_reason not in NOT_THE_VERIFIERS]
    broken = sum(unit.missing == INFRASTRUCTURE for unit in attempted)
    if broken <= rules.infrastructure_cutoff * len(attempted):
        return None
    said = most_said(rows)
    why = f": {said}" if said else _causes(attempted)
    return f"{broken} of {len(attempted)} attempted units were not measured{why}"


def _schema_flags(units: list[Unit], families: list[FrozenFamily], frozen: FrozenRun) -> list[Flag]:
    """The three limbs of §11.7.2: used for credited outcomes, above 10 %, or needed to reproduce.

    Observations are counted by units, actions by calls. What credited outcomes did not use is a minor omission.
    """
    flags: list[Flag] = []
    extra = [unit for unit in units if unit.undeclared]
    credited = sum(bool(unit.success) for unit in extra)
    if credited:
        flags.append(invalid("Schema", f"{credited} credited outcomes rest on observation fields no schema declares"))
    elif 100 * len(extra) > SCHEMA_SHARE * len(units):
        text = f"{len(extra)} of {len(units)} units showed observation fields no schema declares"
        flags.append(invalid("Schema", text))
    declared = declared_actions(frozen.system)
    if declared is None:
        return flags
    if any(unit.undeclared_actions is None for unit in units):
        return flags + _omissions(units, families, declared)
    credited = sum(bool(unit.success and unit.undeclared_actions) for unit in units)
    outside, calls = sum(unit.undeclared_actions or 0 for unit in units), sum(unit.calls for unit in units)
    if credited:
        text = f"{credited} credited outcomes rest on calls of tools that the declared action schema omits"
        flags.append(invalid("Schema", text))
    elif 100 * outside > SCHEMA_SHARE * calls:
        text = f"{outside} of {calls} calls are of tools that the declared action schema omits"
        flags.append(invalid("Schema", text))
    return flags


def _omissions(units: list[Unit], families: list[FrozenFamily], declared: frozenset[str]) -> list[Flag]:
    """What an action schema omits of successful families, where nobody counted whether it was used."""
    flags: list[Flag] = []
    successful = {unit.family for unit in units if unit.success}
    for family in families:
        omitted = sorted({str(action["name"]) for action in family.actions} - declared)
        if omitted and family.spec.full_name in successful:
            text = f"the declared action schema omits {', '.join(omitted)} of {family.spec.full_name}"
            flags.append(invalid("Schema", f"{text}, needed to reproduce its outcomes"))
    return flags


def disclosure_flags(cells: set[str], evidence: Evidence) -> list[Flag]:
    """Families of a cell that were left out although others of the same cell are counted (§11.8)."""
    frozen = evidence.frozen
    own = [arm for arm in evidence.arms if frozen.suite.entries[arm.entry].baseline is None]
    ran = {(arm.cell, frozen.suite.entries[arm.entry].family) for arm in own}
    counted = {cell for cell, _ in ran if cell in cells}
    skipped_names = {name.partition("@")[0] for name in frozen.skipped}
    left: list[str] = []
    lacking: list[str] = []
    for entry in frozen.suite.entries:
        if entry.baseline is None and entry.cell in counted and (entry.cell, entry.family) not in ran:
            missing = lacking if entry.family.partition("@")[0] in skipped_names else left
            missing.append(f"{entry.family} ({entry.cell})")
    flags: list[Flag] = []
    if left:
        text = f"{', '.join(sorted(set(left)))} left out by --only while others of the same cell count"
        flags.append(invalid("Selective Disclosure", text))
    if lacking:
        flags.append(limited("families not evaluable here", ", ".join(sorted(set(lacking)))))
    return flags


def input_flags(evidence: Evidence) -> Iterator[Flag]:
    """Required inputs that are missing, that contradict themselves, or that were changed after they were fixed."""
    frozen, altered = evidence.frozen, evidence.altered
    for name, why in missing_inputs(frozen).items():
        yield invalid("Missing Inputs", f"{name}: {why}")
    boundary = frozen.system.boundary
    if boundary.kind is BoundaryKind.EXTENDED and boundary.human_policy is None:
        text = "human assistance policy: an extended boundary needs one (`boundaries.extended.human_policy`)"
        yield invalid("Missing Inputs", text)
    if boundary.kind is BoundaryKind.CORE and (beyond := boundary.beyond_core()):
        yield invalid("Missing Inputs", f"boundary type: declared Core, and has {' and '.join(beyond)}")
    if EPISODES in altered:
        text = (
            "episodes are missing or were exchanged: they do not give the recorded root (`proctor verify` says which)"
        )
        yield invalid("Selective Disclosure", text)
    altered = tuple(name for name in altered if name != EPISODES)
    changed = [name for name in altered if name not in (*CRITERIA, CONFIGURATION)]
    for name in changed:
        text = f"{name.replace('_', ' ')}: not what was written down before the first episode"
        yield invalid("Missing Inputs", text)
    if altered and not changed:
        text = "the declarations are not those the run was frozen with"
        yield invalid("Post-Hoc Criteria", text)


def overall_flags(evidence: Evidence, rules: Rules) -> list[Flag]:
    """What holds for the whole vector."""
    flags = [*input_flags(evidence)]
    custom = suite_limitation(evidence.frozen)
    if custom is not None:
        flags.append(limited("custom suite", custom))
    if own := custom_families(evidence.frozen):
        text = f"{', '.join(own)}: not of Proctor's; that they test what their cells ask is their author's word"
        flags.append(limited("custom families", text))
    if easier := easier_tasks(evidence.frozen):
        flags.append(limited("easier tasks", "; ".join(easier)))
    if evidence.frozen.look is None and (chosen := tuple(chosen_instances(evidence.frozen.suite))):
        flags.append(limited("chosen instances", "; ".join(chosen)))
    if evidence.frozen.only:
        flags.append(limited("part of the suite", f"only {', '.join(evidence.frozen.only)}"))
    if evidence.frozen.scope is not None:
        flags.append(limited("part of the suite", evidence.frozen.scope.sentence))
    for family, adjusted in rules.adjusted.items():
        flags.append(
            limited("adjusted threshold", f"{family}: {100 * adjusted.threshold:.0f} %, {adjusted.justification}")
        )
    if rules.threshold != 0.70:
        flags.append(limited("adjusted threshold", f"{100 * rules.threshold:.0f} % for all families"))
    if rules.profile == "paper":
        flags.append(limited("rules profile paper", "the highest level met counts, whatever was failed below it"))
    return flags
