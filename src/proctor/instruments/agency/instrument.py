"""The agency instrument: evidence in, Agency Vector out (§9 to §11).

The vector is never given without its reporting tuple: version, boundary, families, regimes with their parameters,
schemas, scores and flags. It measures capability only: not safety, compliance or approval.
"""

from __future__ import annotations

from typing import Any

from msgspec import field

from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.dimension import DimensionReading, read_dimension, read_governance, without_level
from proctor.instruments.agency.flags import in_order, is_invalid, limited, printed
from proctor.instruments.agency.raters import relabelled
from proctor.instruments.agency.rubric import PARTS_OF_G, VECTOR, dimension_of
from proctor.instruments.agency.units import Unit, not_credited, units_of
from proctor.instruments.agency.validity import overall_flags
from proctor.instruments.base import Flag, Reading, conditions_of
from proctor.spec.claims import CONFIDENCE
from proctor.spec.rules import Rules

FRAMEWORK_VERSION = "v.10"
EXPLORATORY = "One boundary alone is exploratory: run agency-core and agency-extended, and report both (§6.1)."
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
    """Levels that would be promoted by luck if every true rate lay 5 points below its threshold."""


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
        units = relabelled(units_of(evidence), evidence)
        by_dimension: dict[str, list[Unit]] = {}
        for unit in units:
            by_dimension.setdefault(dimension_of(unit.cell), []).append(unit)
        conditions = conditions_of(evidence, rules, __name__)
        used = by_dimension.keys() | {dimension_of(cell) for cell in not_credited(evidence)}
        if not used & {*VECTOR, *PARTS_OF_G}:
            reason = "no entry of the suite counts for a cell of the Agency Vector"
            return AgencyReading(self.name, self.version, False, reason, (), (), conditions)
        vector: dict[str, DimensionReading] = {}
        for name in VECTOR:
            if name == "G":
                parts = {part: read_dimension(part, by_dimension.get(part, []), evidence, rules) for part in PARTS_OF_G}
                vector[name] = read_governance(parts)
            else:
                vector[name] = read_dimension(name, by_dimension.get(name, []), evidence, rules)
        flags = overall_flags(evidence, rules)
        if rules.confidence != CONFIDENCE:
            text = f"the rules declare {rules.confidence:g}; the Agency Vector is read at {CONFIDENCE:g} (§11.5.2)"
            flags.append(limited("declared confidence", text))
        if not evidence.complete:
            flags.append(Flag("Provisional", "the run is not complete"))
        if any(map(is_invalid, flags)):
            vector = {name: without_level(reading) for name, reading in vector.items()}
        reporting_tuple = _tuple(vector, evidence, flags, conditions)
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
            text=_line(reporting_tuple),
            expected_false_promotions=_false_promotions(vector),
        )

    def beside(self, reading: Reading, evidence: Evidence, other: Evidence) -> Reading:
        """The reading with that of the other boundary beside it (§6.1)."""
        from proctor.instruments.agency.boundaries import beside

        assert isinstance(reading, AgencyReading)
        return beside(reading, evidence, self.read(other, other.frozen.rules), other)


def _tuple(
    vector: dict[str, DimensionReading], evidence: Evidence, flags: list[Flag], conditions: dict[str, Any]
) -> dict[str, Any]:
    frozen = evidence.frozen
    inputs = frozen.inputs()
    return {
        "version": FRAMEWORK_VERSION,
        "boundary": frozen.system.boundary.model_dump(mode="json"),
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


def _line(reporting_tuple: dict[str, Any]) -> str:
    scores = ", ".join("–" if level is None else str(level) for level in reporting_tuple["scores"].values())
    families = reporting_tuple["families"]
    shown = f"{len(families)} families" if len(families) > 3 else ", ".join(families)
    regimes = ", ".join(reporting_tuple["regimes"])
    boundary = str(reporting_tuple["boundary"]["kind"]).capitalize()
    return (
        f"(Framework {reporting_tuple['version']}, {boundary} Boundary, [{shown}], {regimes}, "
        f"A = [{scores}], {reporting_tuple['flags']})"
    )


def _false_promotions(vector: dict[str, DimensionReading]) -> float | None:
    risks = [
        level.characteristic.below
        for reading in vector.values()
        for one in (reading, *reading.parts.values())
        for level in one.levels
        if level.characteristic is not None
    ]
    return round(sum(risks), 3) if risks else None


instrument = AgencyInstrument()
