"""What a run fixes before its first episode, and the hash that identifies it.

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
from proctor.spec.evaluation import PUBLISHED, Evaluation
from proctor.spec.family import FamilySpec
from proctor.spec.inputs import required_inputs
from proctor.spec.probe import Probe
from proctor.spec.regime import STANDARD_REGIMES, Regime
from proctor.spec.rules import Rules
from proctor.spec.scope import Narrowing
from proctor.spec.suite import Suite
from proctor.spec.system import System
from proctor.spec.use import PolicyUse

Seed = int | str
"""A public number, or 64 hex digits, which are hidden only where somebody committed to them beforehand."""
PUBLIC_SEED = "public seed"
CHOSEN_SEED = "seed chosen by the author, not committed beforehand"
ID_DIGITS = 12
"""Hex digits of a hash in an id."""
BESIDE = ("agent_identity", "companion_source", "evaluation", "preregistration")
"""What is fixed with a run and does not determine it: `seal` covers it, the configuration hash does not. Whoever
repeats a run under their own name, on another day, gets the same root."""


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

    def identified(self, bench: str | None) -> bool:
        """Whether it says what it does, in the way of this version of the bench: by a probe, or once by its source."""
        if bench is not None:
            return self.probe is not None and self.source_hash is None
        return (self.probe is None) != (self.source_hash is None)

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
    agent_identity: str | None = None
    """What the agent is beside its files: a model by provider and name, or a kind with the package it comes in."""
    companion_source: str | None = None
    """SHA-256 over the files of the agent that the system names for its other boundary."""
    evaluation: Evaluation | None = None
    preregistration: str | None = None
    """SHA-256 of the preregistration it was started against."""
    baseline_source: str | None = None
    """SHA-256 over the files of the agent that lives as the baseline; None where it names none."""
    no_baseline: str | None = None
    """Why entries with a baseline are not run: nobody can live as it. None: somebody can, or none is asked for."""

    @model_serializer(mode="wrap")
    def _as_written(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data = _without_none(plain(self), ("bench", "baseline_source", "no_baseline", *BESIDE))
        return {name: value for name, value in data.items() if value or name not in ("left_out", "uses")}

    @property
    def config_hash(self) -> str:
        """The identity of the configuration. Where a family's file lies plays no part in it; what it holds does."""
        return config_hash_of(self.model_dump(mode="json"))

    def inputs(self) -> dict[str, Any]:
        """The nine required inputs under their names in the white paper, with protocol and evaluation."""
        return required_inputs(self)

    def seed_label(self, *, committed: bool) -> str:
        """What must be said wherever a claim rests on this run; empty where there is nothing to say.

        Whoever has the package can regenerate every task of a public seed, and so can an agent that carries it. So can
        the author of any other seed that was not committed to before the run (`committed`): they may have played it,
        or tried several. Whoever publishes a result, for a use above exploring, has to say so.
        """
        if committed or self.evaluation is None or self.evaluation.use not in PUBLISHED:
            return ""
        return PUBLIC_SEED if isinstance(self.seed, int) else CHOSEN_SEED

    @property
    def used_regimes(self) -> dict[str, Regime]:
        """The regimes of the families that run, by id."""
        run = {family.reference for family in self.families}
        entries = [entry for entry in self.suite.entries if entry.family in run]
        names = {name for entry in entries for name in entry.regimes}
        names |= {step.regime for entry in entries for step in entry.program if step.regime}
        return {name: regime for name, regime in sorted(self.suite.all_regimes.items()) if name in names}

    @property
    def regime_id(self) -> str:
        """The Constraint Regime ID of §13.2: a standard id, one of a suite's own with its hash, or that of several."""
        used = self.used_regimes
        if len(used) == 1:
            (regime,) = used.values()
            return regime.id if regime.id in STANDARD_REGIMES else f"{regime.id}#{content_hash(regime)[:ID_DIGITS]}"
        return f"{self.suite.full_name}#{content_hash(used)[:ID_DIGITS]}"

    @property
    def identity_hash(self) -> str | None:
        """SHA-256 over all that identifies the system's configuration; None where nothing does."""
        if not (self.system.configuration or self.agent_source or self.agent_identity):
            return None
        return content_hash(
            {
                "agent": self.agent,
                "files": self.agent_source,
                "identity": self.agent_identity,
                "configuration": self.system.configuration,
            }
        )

    @property
    def shown_seed(self) -> Seed:
        """The seed as far as it may be shown: a hidden one is not."""
        return self.seed if isinstance(self.seed, int) else "hidden"


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
        name: value
        for name, value in frozen.items()
        if name not in ("left_out", *BESIDE) and (name != "scope" or value is not None)
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


def beside_hash(frozen: dict[str, Any]) -> str | None:
    """SHA-256 over what is declared beside the configuration, as it was written; None where nothing is."""
    beside = {name: frozen[name] for name in BESIDE if frozen.get(name) is not None}
    return content_hash(beside) if beside else None


def full_name(spec: dict[str, Any]) -> str:
    """`id@version` of a family's declaration as plain data."""
    return f"{spec['id']}@{spec['version']}"
