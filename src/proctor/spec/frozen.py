"""What a run fixes before its first episode: the nine required inputs of the white paper, §11.2.

`FrozenRun` is written into the store, with its timestamp, before anything is executed. `config_hash` identifies the
configuration: suite, rules, system, seed, timestamp and the source of every family. A run can be resumed only under an
equal hash.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from proctor.core.hashing import content_hash
from proctor.spec.declaration import Declaration
from proctor.spec.family import FamilySpec
from proctor.spec.rules import Rules
from proctor.spec.scope import Narrowing
from proctor.spec.suite import Suite
from proctor.spec.system import System

Seed = int | str
"""A public number, or 64 hex digits of a hidden seed."""


class FrozenFamily(Declaration):
    """A family as it was at freezing: declaration, source, interfaces."""

    reference: str
    """How the suite names it."""
    spec: FamilySpec
    source_hash: str
    actions: tuple[dict[str, Any], ...]
    """The tools of its world: name, description, JSON Schema, effect."""


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
    families: tuple[FrozenFamily, ...]
    scale: int = 1
    only: tuple[str, ...] = ()
    scope: Narrowing | None = None
    """Set where only the scenarios of a part of the organisation are run."""
    look: Look | None = None
    """Set where sampling is adaptive."""
    skipped: dict[str, str] = Field(default_factory=dict)
    """Families that cannot be evaluated on this machine, and why; their cells read "not evaluable"."""

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


def config_hash_of(frozen: dict[str, Any]) -> str:
    """The configuration hash of declarations as they were written.

    Taken over plain data, so that a field which a later version adds does not make old evidence look forged.
    """
    names = {family["reference"]: full_name(family["spec"]) for family in frozen["families"]}
    entries = [{**entry, "family": names.get(entry["family"], entry["family"])} for entry in frozen["suite"]["entries"]]
    families = [{name: value for name, value in family.items() if name != "reference"} for family in frozen["families"]]
    # A run of everything has the same identity as before there were scopes.
    whole = {name: value for name, value in frozen.items() if name != "scope" or value is not None}
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
