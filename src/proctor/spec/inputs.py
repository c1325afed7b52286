"""The nine inputs that the white paper asks for before the system is run (§11.2), from what a run has frozen.

They are written down beside the frozen declarations before the first episode, and follow from them alone, so that
whoever holds the evidence can derive them again. Who evaluates and by what protocol (§2.5) stands with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from proctor.core.canonical import canonical
from proctor.core.hashing import content_hash
from proctor.spec.regime import Regime
from proctor.spec.system import NOT_DECLARED, Boundary, BoundaryKind

if TYPE_CHECKING:
    from proctor.spec.frozen import FrozenRun

NINE: Final = (
    "system_identifier",
    "boundary_type",
    "environment_class",
    "constraint_regime",
    "observation_schema",
    "action_schema",
    "task_instances",
    "success_criteria",
    "verification_method",
)
SAMPLING: Final = "instance i of a family is drawn from the stream keyed by (suite, seed, family, i)"
IDENTIFIERS: Final = "the first 16 hex digits of that stream's key; every row names its instance by it"
CORE_ONLY: Final = "the policy with its weights and internal state, and nothing else"


def required_inputs(frozen: FrozenRun) -> dict[str, Any]:
    """The nine under their names in the white paper, then the protocol and who evaluates."""
    regimes = frozen.used_regimes
    return {
        "system_identifier": {
            "name": frozen.system.name,
            "version": frozen.system.version,
            "architecture": frozen.system.architecture or NOT_DECLARED,
            "agent": frozen.agent,
            "agent_source": frozen.agent_source,
            "identity": frozen.agent_identity,
            "configuration_hash": frozen.identity_hash or NOT_DECLARED,
        },
        "boundary_type": {
            "type": frozen.system.boundary.words,
            "inclusion": _inclusion(frozen.system.boundary),
            "declared": frozen.system.boundary.model_dump(mode="json"),
            "both": frozen.system.boundaries.model_dump(mode="json"),
        },
        "environment_class": {f.spec.full_name: f.spec.environment.model_dump(mode="json") for f in frozen.families},
        "constraint_regime": {
            "id": frozen.regime_id,
            "regimes": {name: regime.model_dump(mode="json") for name, regime in regimes.items()},
        },
        "observation_schema": _observations(frozen),
        "action_schema": _actions(frozen, regimes),
        "task_instances": {
            "rule": SAMPLING,
            "identifiers": IDENTIFIERS,
            "suite": frozen.suite.full_name,
            "seed": frozen.seed,
            "entries": [entry.model_dump(mode="json") for entry in frozen.suite.entries],
            "scale": frozen.scale,
            "only": list(frozen.only),
            **({} if frozen.scope is None else {"scope": frozen.scope.model_dump(mode="json")}),
        },
        "success_criteria": {f.spec.full_name: f.spec.criterion for f in frozen.families},
        "verification_method": {
            "instruments": {f.spec.full_name: f.spec.verification for f in frozen.families},
            "artifacts": sorted(f.spec.full_name for f in frozen.families if f.spec.artifacts),
            "logging": "every event of every episode, hash-chained"
            if frozen.rules.record_traces
            else "one row per episode with the digest of its events; events are not kept",
        },
        "protocol": protocol_of(frozen),
        "evaluation": None if frozen.evaluation is None else frozen.evaluation.model_dump(mode="json"),
    }


def protocol_of(frozen: FrozenRun) -> dict[str, str]:
    """The protocol of §2.5 and the normalisation of §2.6."""
    adaptive = frozen.rules.stopping == "anytime"
    return {
        "approach": frozen.rules.protocol,
        "sampling": f"{SAMPLING}; "
        + ("until a confidence sequence decided" if adaptive else "sample sizes fixed before the run"),
        "scoring": f"profile {frozen.rules.profile}, borderline policy {frozen.rules.borderline}, "
        f"{frozen.rules.interval} intervals",
        "normalisation": "none",
    }


def missing_inputs(frozen: FrozenRun) -> dict[str, str]:
    """Which of the nine are missing for the whole run, and what to do about each."""
    missing: dict[str, str] = {}
    if frozen.identity_hash is None:
        missing["system identifier"] = (
            "nothing identifies what was run: declare `system.configuration` (model, prompts, sampling), or name the "
            "agent's files"
        )
    if frozen.system.boundary.kind is None:
        missing["boundary type"] = (
            "the boundary is not declared: declare `system.boundaries.core` or `.extended` in proctor.yaml"
        )
    return missing


def _inclusion(boundary: Boundary) -> list[str]:
    """The declared inclusion list, in words."""
    if boundary.kind is BoundaryKind.CORE and not boundary.beyond_core():
        return [CORE_ONLY]
    return [*boundary.includes, *(f"tool {name}" for name in boundary.tools or ())]


def _observations(frozen: FrozenRun) -> dict[str, Any]:
    queries = {
        f.spec.full_name: [str(action.get("name")) for action in f.actions if action.get("effect") == "read"]
        for f in frozen.families
    }
    declared = frozen.system.observation_schema
    if declared is None:
        return {"families": {f.spec.full_name: f.spec.observation_schema for f in frozen.families}, "queries": queries}
    version = frozen.system.observation_schema_version or NOT_DECLARED
    return {"version": version, "declared": declared, "queries": queries}


def _actions(frozen: FrozenRun, regimes: dict[str, Regime]) -> dict[str, Any]:
    limits = {
        "permissions": {
            name: "every tool of the task" if regime.action.scope is None else list(regime.action.scope)
            for name, regime in regimes.items()
        },
        "rate_limits": {
            name: "none" if regime.action.rate is None else regime.action.rate.model_dump(mode="json")
            for name, regime in regimes.items()
        },
    }
    declared = frozen.system.action_schema
    if declared is None:
        return {"families": {f.spec.full_name: list(f.actions) for f in frozen.families}, **limits}
    return {"version": frozen.system.action_schema_version or NOT_DECLARED, "declared": declared, **limits}


def former_inputs(frozen: FrozenRun) -> dict[str, Any]:
    """The inputs as runs wrote them down before regimes had an id and agents an identity."""
    used = {name for entry in frozen.suite.entries for name in entry.regimes}
    used |= {step.regime for entry in frozen.suite.entries for step in entry.program if step.regime}
    regimes, system = frozen.suite.all_regimes, frozen.system
    return {
        "system_identifier": {
            "name": system.name,
            "version": system.version,
            "agent": frozen.agent,
            "configuration_hash": content_hash(system.configuration),
        },
        "boundary_type": system.boundary.model_dump(mode="json"),
        "environment_class": {f.spec.full_name: f.spec.environment.model_dump(mode="json") for f in frozen.families},
        "constraint_regime": {name: regimes[name].model_dump(mode="json") for name in sorted(used)},
        "observation_schema": {f.spec.full_name: f.spec.observation_schema for f in frozen.families}
        if system.observation_schema is None
        else system.observation_schema,
        "action_schema": {f.spec.full_name: list(f.actions) for f in frozen.families}
        if system.action_schema is None
        else system.action_schema,
        "task_instances": {
            "rule": SAMPLING,
            "suite": frozen.suite.full_name,
            "seed": frozen.seed,
            "entries": [entry.model_dump(mode="json") for entry in frozen.suite.entries],
            "scale": frozen.scale,
            **({} if frozen.scope is None else {"scope": frozen.scope.model_dump(mode="json")}),
        },
        "success_criteria": {f.spec.full_name: f.spec.criterion for f in frozen.families},
        "verification_method": {f.spec.full_name: f.spec.verification for f in frozen.families},
    }


def altered_inputs(written: Any, frozen: FrozenRun) -> tuple[str, ...]:
    """The inputs that do not follow from the declarations: one of the two was changed after they were written down."""
    if not isinstance(written, dict):
        return NINE
    # Runs from before have nine inputs and nothing beside them.
    derived = required_inputs(frozen) if "protocol" in written else former_inputs(frozen)
    names = dict.fromkeys((*derived, *map(str, written)))
    return tuple(
        name
        for name in names
        # A null is not the same as nothing: either may stand only where it was written down.
        if name not in written or name not in derived or canonical(written[name]) != canonical(derived[name])
    )
