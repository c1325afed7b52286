"""What a run fixes before its first episode: the nine required inputs of the white paper, §11.2.

`FrozenRun` is written into the store, with its timestamp, before anything is executed. `config_hash` identifies the
configuration: suite, rules, system, seed, timestamp, the version of the bench, and of every family its declaration, its
tools and its probe. A run can be resumed only under an equal hash. Source code is no part of it: a comment or a rename
changes nothing, while changed behaviour changes a probe.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from proctor.core.hashing import content_hash
from proctor.spec.declaration import Declaration
from proctor.spec.family import FamilySpec
from proctor.spec.probe import Probe
from proctor.spec.rules import Rules
from proctor.spec.scope import Narrowing
from proctor.spec.suite import Suite
from proctor.spec.system import System
from proctor.spec.use import PolicyUse

Seed = int | str
"""A public number, or 64 hex digits of a hidden seed."""


class FrozenFamily(Declaration):
    """A family as it was at freezing: declaration, probe, interfaces."""

    reference: str
    """How the suite names it."""
    spec: FamilySpec
    probe: Probe | None = None
    """What it does on fixed draws; None in runs that were identified by source."""
    source_hash: str | None = None
    """Only in runs from before probes: SHA-256 over the family's source files."""
    actions: tuple[dict[str, Any], ...]
    """The tools of its world: name, description, JSON Schema, effect."""

    @model_serializer(mode="wrap")
    def _as_written(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Whichever of the two identifies it: evidence from before probes keeps its configuration hash.
        return _without_none(plain(self), ("probe", "source_hash"))

    @property
    def behaviour(self) -> str:
        """What identifies its behaviour, as one digest."""
        return self.source_hash or content_hash(self.probe)


class Look(Declaration):
    """Which look this run is, of an examination that goes on until its cells are decided."""

    number: int = Field(ge=1)
    max_n: int = Field(ge=1)
    """Instances per cell at which it ends undecided."""
    after: str | None = None
    """Root of the run before: the chain can be followed, and no look can be left out."""


class FrozenRun(Declaration):
    """Everything that determines a run."""

    suite: Suite
    rules: Rules
    system: System
    agent: str
    """The agent string."""
    agent_source: str | None = None
    """SHA-256 over the files the agent string names: an edited agent is another configuration."""
    seed: Seed
    timestamp: str
    bench: str | None = None
    """Version of the bench: how sessions and adversity behave. None in runs from before it had one."""
    families: tuple[FrozenFamily, ...]
    """Those that run."""
    scale: int = 1
    only: tuple[str, ...] = ()
    scope: Narrowing | None = None
    """Set where only the scenarios of a part of the organisation are run."""
    look: Look | None = None
    """Set where sampling is adaptive."""
    skipped: dict[str, str] = Field(default_factory=dict)
    """Families that cannot be evaluated on this machine, and why; their cells read "not evaluable"."""
    left_out: dict[str, str] = Field(default_factory=dict)
    """Families in files that `only` leaves out: reference → `id@version`. Where they lie is no part of identity."""
    uses: tuple[PolicyUse, ...] = ()
    """What attainable policies spend, for every family and regime whose intensity depends on it."""

    @model_serializer(mode="wrap")
    def _as_written(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data = _without_none(plain(self), ("bench",))
        return {name: value for name, value in data.items() if value or name not in ("left_out", "uses")}

    @property
    def config_hash(self) -> str:
        """The identity of the configuration. Where a family's file lies plays no part in it; what it holds does."""
        return config_hash_of(self.model_dump(mode="json"))

    def inputs(self) -> dict[str, Any]:
        """The nine required inputs under their names in the white paper."""
        used = {name for entry in self.suite.entries for name in entry.regimes}
        used |= {step.regime for entry in self.suite.entries for step in entry.program if step.regime}
        regimes = self.suite.all_regimes
        return {
            "system_identifier": {
                "name": self.system.name,
                "version": self.system.version,
                "agent": self.agent,
                "configuration_hash": content_hash(self.system.configuration),
            },
            "boundary_type": self.system.boundary.model_dump(mode="json"),
            "environment_class": {f.spec.full_name: f.spec.environment.model_dump(mode="json") for f in self.families},
            "constraint_regime": {name: regimes[name].model_dump(mode="json") for name in sorted(used)},
            "observation_schema": {f.spec.full_name: f.spec.observation_schema for f in self.families}
            if self.system.observation_schema is None
            else self.system.observation_schema,
            "action_schema": {f.spec.full_name: list(f.actions) for f in self.families}
            if self.system.action_schema is None
            else self.system.action_schema,
            "task_instances": {
                "rule": "instance i of a family is drawn from the stream keyed by (suite, seed, family, i)",
                "suite": self.suite.full_name,
                "seed": self.seed,
                "entries": [entry.model_dump(mode="json") for entry in self.suite.entries],
                "scale": self.scale,
                **({} if self.scope is None else {"scope": self.scope.model_dump(mode="json")}),
            },
            "success_criteria": {f.spec.full_name: f.spec.criterion for f in self.families},
            "verification_method": {f.spec.full_name: f.spec.verification for f in self.families},
        }


def _without_none(data: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value is not None or name not in names}


def config_hash_of(frozen: dict[str, Any]) -> str:
    """The configuration hash of declarations as they were written.

    Taken over plain data, so that a field which a later version adds does not make old evidence look forged.
    """
    names = {family["reference"]: full_name(family["spec"]) for family in frozen["families"]}
    names |= frozen.get("left_out", {})
    entries = [{**entry, "family": names.get(entry["family"], entry["family"])} for entry in frozen["suite"]["entries"]]
    families = [{name: value for name, value in family.items() if name != "reference"} for family in frozen["families"]]
    # A run of everything has the same identity as before there were scopes.
    whole = {
        name: value for name, value in frozen.items() if name != "left_out" and (name != "scope" or value is not None)
    }
    return content_hash(
        {
            **whole,
            "suite": {**frozen["suite"], "entries": entries},
            # Which families cannot be evaluated matters; the sentence that says why is a machine's business.
            "skipped": sorted(frozen["skipped"]),
            "families": sorted(families, key=lambda family: full_name(family["spec"])),
        }
    )


def full_name(spec: dict[str, Any]) -> str:
    """`id@version` of a family's declaration as plain data."""
    return f"{spec['id']}@{spec['version']}"
