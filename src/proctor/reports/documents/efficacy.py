"""The evidence of credited Efficacy outcomes: where each can be looked up, and what its verifier opened (§13.4.1)."""

from __future__ import annotations

from msgspec import Struct

from proctor.evidence.events import Verified
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import SUCCESS
from proctor.evidence.store.contract import EvidenceStore

DIMENSION = "E"


class CreditedOutcome(Struct, frozen=True, forbid_unknown_fields=True):
    """One success that counts for a level of E."""

    cell: str
    family: str
    regime: str
    run: str
    episode: int
    """Its position in the run: `proctor show RUN EPISODE` prints its log."""
    instance: str
    head: str
    """The end of the episode's chain of events, which the root covers."""
    artifacts: dict[str, str]
    """What the verifier opened, by name, with its SHA-256; empty where no events were kept."""


def credited_outcomes(store: EvidenceStore, evidence: Evidence) -> tuple[CreditedOutcome, ...]:
    """Every success in a cell of E, in order of position."""
    found = []
    numbers: dict[str, int] = {}
    for row in evidence.rows:
        arm = evidence.arms[row.arm]
        if row.outcome != SUCCESS or not (arm.cell or "").startswith(DIMENSION):
            continue
        run, position = evidence.locate(row.position)
        number = numbers.get(run) or numbers.setdefault(run, store.run(run).number)
        found.append(
            CreditedOutcome(
                cell=arm.cell or "",
                family=arm.family,
                regime=arm.regime,
                run=run,
                episode=position,
                instance=row.instance,
                head=row.head.hex(),
                artifacts=_artifacts(store, number, position) if evidence.frozen.rules.record_traces else {},
            )
        )
    return tuple(found)


def _artifacts(store: EvidenceStore, number: int, position: int) -> dict[str, str]:
    verified = (event for event in store.events(number, position) if isinstance(event, Verified))
    return {name: digest for event in verified for name, digest in event.artifacts}
