"""Threats to validity (§3): six checks in every reading, each ruled out or not, with its reason.

What cannot be ruled out is flagged: Invalid where something required is missing or was changed, else Limited
Comparability. A check rules out what the bench can see. What its owner could have done elsewhere, in another store or
with another file, it cannot see, and the reasons say what was looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import INFRASTRUCTURE, INVALID
from proctor.instruments.agency.flags import limited
from proctor.instruments.agency.tuples import use_of
from proctor.instruments.agency.units import Unit
from proctor.instruments.base import Flag
from proctor.spec.claims import dimension_of
from proctor.spec.evaluation import PUBLISHED
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.system import BoundaryKind, Network


class Threat(Struct, frozen=True):
    """One threat, and whether it can be ruled out."""

    name: str
    ruled_out: bool
    reason: str
    forces: Literal["", "Limited Comparability", "Invalid"] = ""
    """The flag it forces where it is not ruled out."""


def threats_of(evidence: Evidence, units: list[Unit]) -> tuple[Threat, ...]:
    """All six, in the order of the white paper."""
    return tuple(_judged(name, check(evidence, units)) for name, check in CHECKS.items())


def threat_flags(threats: tuple[Threat, ...]) -> list[Flag]:
    """What threats that are not ruled out force, beside what validity has made Invalid already."""
    return [limited(threat.name, threat.reason) for threat in threats if threat.forces == "Limited Comparability"]


class Ruled(Struct, frozen=True):
    """What a check found."""

    out: bool
    reason: str
    invalid: bool = False
    """Whether what it found makes the result Invalid, which `validity.input_flags` then says."""


Check = Callable[[Evidence, list[Unit]], Ruled]


def _judged(name: str, found: Ruled) -> Threat:
    if found.out:
        return Threat(name, True, found.reason)
    return Threat(name, False, found.reason, "Invalid" if found.invalid else "Limited Comparability")


def _boundary_inflation(evidence: Evidence, units: list[Unit]) -> Ruled:
    system = evidence.frozen.system
    boundary = system.boundary
    if boundary.kind is None:
        return Ruled(False, "the boundary is not declared, so what is credited to whom cannot be told", invalid=True)
    if boundary.kind is BoundaryKind.CORE:
        if beyond := boundary.beyond_core():
            return Ruled(False, f"the boundary is declared Core and has {' and '.join(beyond)}", invalid=True)
        if system.network is Network.FULL:
            return Ruled(
                False, "its process could reach a network: services or people behind it cannot be told from a policy"
            )
        return Ruled(True, "Core has no tools, memory or people of its own, and its process reached no network")
    if system.network is Network.FULL and not boundary.includes:
        return Ruled(False, "its process could reach a network, and the boundary includes no service")
    return Ruled(
        True, f"Extended, with {', '.join((*boundary.includes, *(boundary.tools or ()))) or 'nothing'} declared"
    )


def _leakage(evidence: Evidence, units: list[Unit]) -> Ruled:
    again = sum(row.attempts > 1 for row in evidence.rows)
    retries = sum(row.retries for row in evidence.rows)
    calls = sum(row.calls for row in evidence.rows)
    counted = f"{retries:,} retries are counted among {calls:,} calls, {again:,} episodes were begun again by the bench"
    boundary = evidence.frozen.system.boundary
    policy = boundary.human_policy
    if policy is not None and policy.allowed:
        helped = policy.description or "not described"
        return Ruled(False, f"people may help ({helped}), which no action budget counts; {counted}")
    if "unconfined=yes" in evidence.frozen.agent.replace(" ", "").split(","):
        return Ruled(False, f"the agent was not confined, and could read what is hidden from it; {counted}")
    if "prefork=yes" in evidence.frozen.agent.replace(" ", "").split(","):
        return Ruled(False, f"lifetimes were forked from one process, and could tell each other something; {counted}")
    if again and (boundary.memory is None or not boundary.memory.internal):
        # A new object remembers nothing of the first attempt; a memory outside of it may.
        return Ruled(False, f"a memory outside the policy may have kept what the first attempt showed; {counted}")
    return Ruled(True, f"the agent saw its tasks and what its calls returned, and no hints; {counted}")


def _post_hoc(evidence: Evidence, units: list[Unit]) -> Ruled:
    if evidence.altered:
        return Ruled(
            False, f"declarations were changed after they were fixed: {', '.join(evidence.altered)}", invalid=True
        )
    touched = sum(unit.missing == INVALID for unit in units)
    if evidence.touched or touched:
        names = ", ".join(sorted(evidence.touched)) or "some families"
        return Ruled(False, f"{touched} units of {names} had their success rule touched")
    when = f"before the first episode ({evidence.started})" if evidence.started else "before the first episode"
    registration = evidence.registration
    document = None if registration is None else registration.document
    also = "" if document is None else f", and registered on {document.created}"
    return Ruled(True, f"criteria, rules and samples were frozen {when}{also}")


def _overfitting(evidence: Evidence, units: list[Unit]) -> Ruled:
    frozen = evidence.frozen
    earlier = evidence.earlier_runs
    if earlier:
        times = "once" if earlier == 1 else f"{earlier} times"
        return Ruled(False, f"the system had met these tasks {times} before (same seed, {frozen.suite.full_name})")
    published = use_of(evidence) in PUBLISHED
    if evidence.seed_committed:
        kind = "a hidden seed, committed to before the run"
    elif isinstance(frozen.seed, int):
        kind = "a public seed"
        if published:
            reason = f"seed {frozen.seed} is public, so anyone could have tuned to its tasks; take a hidden one"
            return Ruled(False, reason)
    else:
        kind = "a seed chosen by its author"
        if published:
            return Ruled(
                False,
                "the seed was chosen by its author and not committed to beforehand, so its tasks could have been seen "
                "and tuned to; take one of a preregistration",
            )
    others = evidence.others_before
    # What others met on a public seed says nothing more about it, and would make a page differ from store to store.
    if others and not isinstance(frozen.seed, int):
        runs = "1 earlier run" if others == 1 else f"{others} earlier runs"
        met = f"which {runs} of other systems in this store met too"
        if evidence.seed_committed:
            # Nobody but its owner knows a hidden seed: runs on it outside the series show its tasks before they count.
            return Ruled(False, f"{kind}, {met}, outside the preregistration: its tasks were seen")
        return Ruled(True, f"{kind}, {met}; this one met it for the first time, and instances are generated, not fixed")
    return Ruled(
        True, f"{kind}, which this system meets for the first time in this store; instances are generated, not fixed"
    )


def _regime_ambiguity(evidence: Evidence, units: list[Unit]) -> Ruled:
    used = evidence.frozen.used_regimes
    unknown = sorted({arm.regime for arm in evidence.arms} - used.keys())
    if unknown:
        return Ruled(False, f"no parameters are declared for {', '.join(unknown)}")
    own = [name for name in used if name not in STANDARD_REGIMES]
    more = f"; of the suite's own: {', '.join(own)}" if own else ""
    return Ruled(True, f"every regime has exact parameters, under the id {evidence.frozen.regime_id}{more}")


def _verification_gaps(evidence: Evidence, units: list[Unit]) -> Ruled:
    if not evidence.frozen.rules.record_traces:
        return Ruled(False, "traces were not recorded, so nobody can check outcomes against what happened")
    bare = sum(dimension_of(unit.cell) == "E" and bool(unit.success) and not unit.artifact_ok for unit in units)
    if bare:
        return Ruled(False, f"{bare} successes of E left no artifact that a verifier opened")
    broken = sum(unit.missing == INFRASTRUCTURE for unit in units)
    lost = f"; {broken} of {len(units)} units were excluded because verification broke" if broken else ""
    return Ruled(True, f"every outcome was verified by the bench on the real state, not by what the agent said{lost}")


CHECKS: Final[dict[str, Check]] = {
    "Boundary inflation": _boundary_inflation,
    "Evaluator leakage": _leakage,
    "Post-hoc success criteria": _post_hoc,
    "Benchmark overfitting": _overfitting,
    "Regime ambiguity": _regime_ambiguity,
    "Verification gaps": _verification_gaps,
}
"""In the order of §3."""
