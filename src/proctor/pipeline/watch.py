"""One look of `proctor watch`: check the triggers, and examine the agent if any fired.

A look that was killed is continued by the next one: a pipeline is named by the state and the time of the state before
it, so the same look finds it again, finished or not, and each change is decided on once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.clock import format_timestamp, parse_timestamp
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, sha256_hex
from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.evidence.store.contract import EvidenceStore
from proctor.pipeline.decision import GateDecision
from proctor.pipeline.examination import Setting
from proctor.pipeline.execution import fresh_seed
from proctor.pipeline.gate import identity_of, run_pipeline
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.scenarios import charter_of_suite, governed_sample
from proctor.pipeline.stages import Pipeline, Watcher
from proctor.pipeline.triggers import (
    Trigger,
    WatchState,
    agent_state,
    fired_triggers,
    incidents_in,
    load_state,
    midnight,
    save_state,
)
from proctor.spec.frozen import FrozenRun, Seed
from proctor.spec.rules import Limits
from proctor.spec.scope import Scope
from proctor.spec.suite import TODAY
from proctor.spec.system import System


class WatchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is watched."""

    suite: str
    agent: str
    system: System | None = None
    paths: tuple[Path, ...] = ()
    """Files and folders that make the agent, beside those its string names."""
    scope: Scope | None = None
    """The part of the organisation that is examined; None: all of it."""
    every: timedelta
    seed: Seed
    limits: Limits | None = None


class WatchResult(msgspec.Struct, frozen=True):
    """The result of a look."""

    triggers: tuple[Trigger, ...]
    decision: GateDecision | None


def look(
    setting: Setting, store: EvidenceStore, request: WatchRequest, now: datetime, watch: Watcher | None = None
) -> WatchResult:
    """Compare with the last state, and examine the agent if a trigger fired."""
    setting = msgspec.structs.replace(setting, now=now)
    frozen = freeze_request(setting.project, request, seed=request.seed, now=now)
    seen = _seen(setting, request, frozen, now)
    before = load_state(setting.project)
    triggers = fired_triggers(before, seen, every=request.every)
    if not triggers:
        return WatchResult((), None)
    state: dict[str, Any] = {
        "suite": seen.suite,
        "agent": seen.agent,
        "oracle": seen.oracle,
        "incidents": seen.incidents,
        "since": None if before is None else before.at,
        **identity_of(setting),
    }
    pipeline = Pipeline(setting.project, f"watch-{content_hash(state)[:10]}")
    # Every examination has streams of its own: the spread between runs is what a decline is judged by.
    seed = fresh_seed(request.seed, f"watch {content_hash(state)}")
    if pipeline.exists:
        inputs = pipeline.opened()
        seed = _seed_of(inputs, seed, pipeline)
    else:
        named = _named(seed)
        inputs = {"kind": "watch", "triggers": list(triggers), **named, "timestamp": frozen.timestamp, **state}
    frozen = freeze_request(setting.project, request, seed=seed, now=parse_timestamp(inputs["timestamp"]))
    decision = run_pipeline(setting, store, pipeline, frozen, inputs, watch)
    save_state(setting.project, seen)
    return WatchResult(tuple(inputs["triggers"]), decision)


def _named(seed: Seed) -> dict[str, Any]:
    """What a pipeline is opened with of a seed: its files are kept as artifacts, so of a hidden one the digest."""
    return {"seed": seed} if isinstance(seed, int) else {"seed_sha256": sha256_hex(seed.encode())}


def _seed_of(inputs: dict[str, Any], seed: Seed, pipeline: Pipeline) -> Seed:
    """The seed that a look was begun on; a hidden one has to be given again."""
    if "seed_sha256" not in inputs:
        begun: Seed = inputs["seed"]
        return begun
    if _named(seed) != {"seed_sha256": inputs["seed_sha256"]}:
        message = f"pipeline {pipeline.name} was begun on another hidden seed; give that one with --seed to finish it"
        raise InputError(message)
    return seed


def freeze_request(project: Path, request: WatchRequest, *, seed: Seed, now: datetime) -> FrozenRun:
    """The run that a look would make, dated as the suite says: by the day, or at its fixed epoch."""
    suite = governed_sample(load_suite(request.suite, project), project)
    return freeze(
        suite=suite,
        agent=request.agent,
        folder=project,
        seed=seed,
        timestamp=midnight(now) if suite.epoch == TODAY else None,
        system=request.system,
        limits=request.limits,
        scope=request.scope,
    )


def _seen(setting: Setting, request: WatchRequest, frozen: FrozenRun, now: datetime) -> WatchState:
    return WatchState(
        suite=frozen.suite.full_name if frozen.scope is None else f"{frozen.suite.full_name} {frozen.scope.words}",
        agent=agent_state(request.agent, frozen.agent_source, [setting.project / path for path in request.paths]),
        oracle=charter_of_suite(request.suite, setting.project).hash,
        incidents=incidents_in(Ledger(setting.project).entries()),
        at=format_timestamp(now.replace(microsecond=0)),
    )
