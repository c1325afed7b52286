"""A small run of the practice family, held in memory: evidence to try an instrument on."""

from __future__ import annotations

import msgspec

from proctor.agents.contract import Agent
from proctor.conformance.practice import family
from proctor.conformance.subject import Options, Subject, regimes_of
from proctor.engine.probing.probe import measure
from proctor.engine.trial import SubmittingAgent, job_for, run_trial
from proctor.evidence.chain import run_root
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import Arm, Row
from proctor.spec.frozen import FrozenFamily, FrozenRun
from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Suite
from proctor.spec.system import System

REGIMES = ("baseline", "moderate-standard")


def practice_evidence(*, instances: int = 12, seed: int = 0) -> Evidence:
    """Episodes of an agent that succeeds on two instances of three, under two regimes."""
    frozen = _frozen(instances, seed)
    subject = Subject(family, Options(regimes_of(REGIMES), instances, seed, thorough=False, fresh_process=False))
    arms = tuple(Arm(n, 0, family.spec.full_name, regime, "none", None, "main") for n, regime in enumerate(REGIMES))
    rows: list[Row] = []
    for arm in arms:
        for index in range(instances):
            instance = subject.instance(index)
            solver = family.oracle(instance)
            agent: Agent = SubmittingAgent("unknown", solver) if index % 3 == 2 else solver
            job = job_for(family, instance, subject.source.child(index), *regimes_of([arm.regime]), position=len(rows))
            row = run_trial(job, agent).row
            # Real time differs from run to run; evidence to test with must not.
            rows.append(msgspec.structs.replace(row, arm=arm.index, elapsed_us=1_000))
    return Evidence(
        run="practice",
        root=run_root(frozen.config_hash, [row.head for row in rows]),
        config_hash=frozen.config_hash,
        complete=True,
        frozen=frozen,
        arms=arms,
        rows=tuple(rows),
    )


def _frozen(instances: int, seed: int) -> FrozenRun:
    suite = Suite(
        name="practice",
        version="1.0",
        title="Practice",
        epoch="2026-01-01T00:00:00Z",
        entries=(Entry(family="practice", n=instances, regimes=REGIMES),),
    )
    return FrozenRun(
        suite=suite,
        rules=Rules(),
        system=System(name="practice"),
        agent="oracle",
        seed=seed,
        timestamp=suite.epoch,
        families=(FrozenFamily(reference="practice", spec=family.spec, probe=measure(family).probe, actions=()),),
    )
