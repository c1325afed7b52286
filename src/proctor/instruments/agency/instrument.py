"""The agency instrument: evidence in, Agency Vector out (§9 to §11).

The vector is never given without its reporting tuple: version, boundary, families, regimes with their parameters,
schemas, scores and flags. It measures capability only: not safety, compliance or approval.
"""

from __future__ import annotations

from typing import Any

from msgspec import field
from msgspec.structs import replace

from proctor.evidence.challenges import challenges_in
from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.challenged import challenge_flags
from proctor.instruments.agency.dimension import DimensionReading, read_dimension, read_governance, without_level
from proctor.instruments.agency.disputes import not_raised_by_disputes
from proctor.instruments.agency.flags import in_order, invalid, is_invalid, limited, printed
from proctor.instruments.agency.governance_notes import GovernanceNotes, governance_notes, with_governance_flags
from proctor.instruments.agency.human_mediation import human_mediation, operator_actions, without_human_credit
from proctor.instruments.agency.intensity import as_hard_as_called
from proctor.instruments.agency.preregistered import primary_dimension, registration_data, registration_flags
from proctor.instruments.agency.raters import overall_rating_flags, relabelled
from proctor.instruments.agency.ratings_summary import rating_summary, rating_tuple, rating_words
from proctor.instruments.agency.rubric import PARTS_OF_G
from proctor.instruments.agency.threats import Threat, threat_flags, threats_of
from proctor.instruments.agency.tiers.ladder import read_ladder, tier_data
from proctor.instruments.agency.tuples import (
    FRAMEWORK_VERSION,
    NOT_TESTED,
    boundary_words,
    comparison_of,
    evaluation_of,
    frame_of,
    identification_of,
)
from proctor.instruments.agency.units import Unit, not_credited, units_of
from proctor.instruments.agency.validity import overall_flags, unmeasured
from proctor.instruments.base import Flag, Reading, conditions_of
from proctor.spec.claims import CONFIDENCE, VECTOR, dimension_of
from proctor.spec.inputs import missing_inputs, protocol_of
from proctor.spec.rules import Rules
from proctor.spec.system import BoundaryKind

EXPLORATORY = "One boundary alone is exploratory: run agency-core and agency-extended, and report both (§6.1)."
UNDECLARED = "Required inputs are not declared: {} (§2.5)."
STATEMENT = "Capability only: not safety, compliance or approval."


class AgencyReading(Reading, frozen=True, rename={"reporting_tuple": "tuple"}):
    """The Agency Vector with everything it holds under."""

    vector: dict[str, DimensionReading] = field(default_factory=dict)
    """S, M, D, E, L, R, G, in this order."""
    reporting_tuple: dict[str, Any] = field(default_factory=dict)
    """§11.9.2: version, boundary, families, regimes, schemas, scores, flags."""
    text: str = ""
    """The tuple in one line."""
    statement: str = STATEMENT
    exploratory: str = EXPLORATORY
    """Why it is exploratory; empty where the other boundary stands beside it."""
    beside: str = ""
    """The tuple of the same system within the other boundary, in one line."""
    expected_false_promotions: float | None = None
    """Levels that would be promoted by luck if every true rate lay 5 points below its threshold; where a primary claim
    was preregistered, without its dimension."""
    ratings: dict[str, Any] = field(default_factory=dict)
    """Which ratings by people counted, of whom, and how many; empty where there were none."""
    governance_notes: GovernanceNotes | None = None
    """§14; None where nothing was measured."""
    identification: dict[str, Any] = field(default_factory=dict)
    """§13.2.1: version, system, real date, boundary, suite, regime; `text` in one line."""
    comparison: dict[str, Any] = field(default_factory=dict)
    """§13.2.2: version, boundary, suite, regime, tier, vector, flags; `text` in one line."""
    tier: dict[str, Any] = field(default_factory=lambda: dict(NOT_TESTED))
    evaluation: dict[str, Any] = field(default_factory=dict)
    """Who answers for it, independence, use, the label Vendor-Evaluated, the statement of §15.4.1."""
    preregistration: dict[str, Any] = field(default_factory=dict)
    """What was registered beforehand, and whether the primary claim holds."""
    threats: tuple[Threat, ...] = ()
    """The six threats to validity of §3."""
    protocol: dict[str, Any] = field(default_factory=dict)
    """Protocol (§2.5) and normalisation (§2.6)."""
    boundaries: dict[str, Any] = field(default_factory=dict)
    """By run: both boundaries with their tuples, where the other stands beside it."""

    def __repr__(self) -> str:
        # A level is never shown without its tuple, not even on the prompt of an interpreter (§11.9.1).
        parts = (self.text or f"agency: {self.reason}", self.beside, self.exploratory, self.statement)
        return "\n".join(part for part in parts if part)

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("text", repr(self))]


class AgencyInstrument:
    """Reads the Agency Vector."""

    name = "agency"
    version = "1.1"
    priority = 30

    def applies(self, evidence: Evidence) -> bool:
        """Whether an entry of the suite counts for a cell of the vector."""
        cells = {arm.cell for arm in evidence.arms if arm.cell}
        return any(dimension_of(cell) in (*VECTOR, *PARTS_OF_G) for cell in cells)

    def read(self, evidence: Evidence, rules: Rules) -> AgencyReading:
        """The vector of this evidence under these rules."""
        actions = operator_actions(evidence, evidence.attachments)
        mediation = human_mediation(actions)
        hard, easier = as_hard_as_called(units_of(evidence), evidence)
        recorded = without_human_credit(hard, mediation)
        units = relabelled(recorded, evidence)
        by_dimension: dict[str, list[Unit]] = {}
        for unit in units:
            by_dimension.setdefault(dimension_of(unit.cell), []).append(unit)
        conditions = conditions_of(evidence, rules, __name__)
        used = by_dimension.keys() | {dimension_of(cell) for cell in not_credited(evidence)}
        if not used & {*VECTOR, *PARTS_OF_G}:
            reason = "no entry of the suite counts for a cell of the Agency Vector"
            return AgencyReading(self.name, self.version, False, reason, (), (), conditions)
        if (why := unmeasured(units, evidence.rows, rules)) is not None:
            flag = invalid("Verification Infrastructure", why)
            return AgencyReading(self.name, self.version, False, f"{flag.name}: {why}", (), (flag,), conditions)
        vector: dict[str, DimensionReading] = {}
        for name in VECTOR:
            if name == "G":
                parts = {part: read_dimension(part, by_dimension.get(part, []), evidence, rules) for part in PARTS_OF_G}
                vector[name] = read_governance(parts)
            else:
                vector[name] = read_dimension(name, by_dimension.get(name, []), evidence, rules)
        vector = not_raised_by_disputes(vector, units, recorded, evidence, rules)
        ratings = rating_summary(recorded, evidence)
        measured = vector
        threats = threats_of(evidence, units)
        ladder = read_ladder(evidence, units, measured, rules, _whole_run(evidence, rules, threats))
        tier = None if ladder is None else max(ladder.tier or 0, ladder.claimed or 0)
        notes = governance_notes(evidence, units, vector, tier=tier, actions=actions, mediation=mediation)
        vector, flags = with_governance_flags(notes, vector)
        if ladder is not None:
            ladder = ladder.under(flags)
        flags += _whole_run(evidence, rules, threats)
        flags += [*overall_rating_flags(evidence.ratings), *easier, *challenge_flags(challenges_in(evidence))]
        if rules.confidence != CONFIDENCE:
            text = f"the rules declare {rules.confidence:g}; the Agency Vector is read at {CONFIDENCE:g} (§11.5.2)"
            flags.append(limited("declared confidence", text))
        if not evidence.complete:
            flags.append(Flag("Provisional", "the run is not complete"))
        if any(map(is_invalid, flags)):
            vector = {name: without_level(reading) for name, reading in vector.items()}
        vector = {name: _framed(reading, evidence, flags) for name, reading in vector.items()}
        exploratory = exploratory_reason(evidence)
        reporting_tuple = {**_tuple(vector, evidence, flags, conditions), "ratings": rating_tuple(ratings)}
        return AgencyReading(
            instrument=self.name,
            version=self.version,
            measured=True,
            reason=None,
            values=(),
            flags=in_order(flags),
            conditions=conditions,
            vector=vector,
            reporting_tuple=reporting_tuple,
            ratings=ratings,
            governance_notes=notes,
            text=_line(reporting_tuple, evidence),
            exploratory=exploratory,
            expected_false_promotions=_false_promotions(vector, primary_dimension(evidence.registration)),
            identification=identification_of(evidence),
            comparison=comparison_of(evidence, vector, flags, tier_data(ladder)),
            tier=tier_data(ladder),
            evaluation=evaluation_of(evidence, flags, exploratory),
            preregistration=registration_data(evidence.registration, vector, tier_data(ladder)),
            threats=threats,
            protocol=protocol_of(evidence.frozen),
        )

    def beside(self, reading: Reading, evidence: Evidence, other: Evidence) -> Reading:
        """The reading with that of the other boundary beside it (§6.1)."""
        from proctor.instruments.agency.boundaries import beside

        assert isinstance(reading, AgencyReading)
        return beside(reading, evidence, self.read(other, other.frozen.rules), other)


def _whole_run(evidence: Evidence, rules: Rules, threats: tuple[Threat, ...]) -> list[Flag]:
    """The flags that hold for everything the run shows."""
    return [*overall_flags(evidence, rules), *registration_flags(evidence), *threat_flags(threats)]


def exploratory_reason(evidence: Evidence) -> str:
    """Why a reading of this run alone is exploratory; empty where one boundary is all there is (§2.5, §6.1)."""
    if missing := missing_inputs(evidence.frozen):
        return UNDECLARED.format(", ".join(missing))
    system = evidence.frozen.system
    alone = system.boundary.kind is BoundaryKind.CORE and system.boundaries.extended == "none"
    return "" if alone else EXPLORATORY


def _framed(reading: DimensionReading, evidence: Evidence, flags: list[Flag]) -> DimensionReading:
    parts = {name: _framed(part, evidence, flags) for name, part in reading.parts.items()}
    return replace(reading, frame=frame_of(evidence, reading, flags), parts=parts)


def _tuple(
    vector: dict[str, DimensionReading], evidence: Evidence, flags: list[Flag], conditions: dict[str, Any]
) -> dict[str, Any]:
    frozen = evidence.frozen
    inputs = frozen.inputs()
    return {
        "version": FRAMEWORK_VERSION,
        "boundary": {"type": frozen.system.boundary.words, **frozen.system.boundary.model_dump(mode="json")},
        "families": sorted({family for reading in vector.values() for family in reading.families}),
        "regimes": conditions["regimes"],
        "observation_schema": inputs["observation_schema"],
        "action_schema": inputs["action_schema"],
        "scores": {name: reading.level for name, reading in vector.items()},
        "flags": printed({name: reading.flags for name, reading in vector.items()}, flags),
        "policy": evidence.frozen.rules.borderline,
        "root": evidence.root,
        "config_hash": evidence.config_hash,
    }


def _line(reporting_tuple: dict[str, Any], evidence: Evidence) -> str:
    scores = ", ".join("–" if level is None else str(level) for level in reporting_tuple["scores"].values())
    families = reporting_tuple["families"]
    shown = f"{len(families)} families" if len(families) > 3 else ", ".join(families)
    regimes = ", ".join(reporting_tuple["regimes"])
    return (
        f"(Framework {reporting_tuple['version']}, {boundary_words(evidence.frozen)}, [{shown}], {regimes}, "
        f"A = [{scores}], {rating_words(reporting_tuple)}{reporting_tuple['flags']})"
    )


def _false_promotions(vector: dict[str, DimensionReading], primary: str | None) -> float | None:
    """Over every level but those of the primary claim's dimension, which was named beforehand."""
    risks = [
        level.characteristic.below
        for name, reading in vector.items()
        if name != primary
        for one in (reading, *reading.parts.values())
        for level in one.levels
        if level.characteristic is not None
    ]
    return round(sum(risks), 3) if risks else None


instrument = AgencyInstrument()
