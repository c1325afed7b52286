"""Running and scoring from Python: the same as `proctor run` and `proctor score`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from proctor.agents.given import give
from proctor.agents.lookup import label_of
from proctor.core.errors import InputError
from proctor.engine.executors.choice import make_executor
from proctor.engine.names import load_suite
from proctor.engine.plan import Plan
from proctor.engine.preflight import SKIPPED
from proctor.engine.preregistering import OpenRegistration
from proctor.engine.run import execute, freeze, start_run
from proctor.engine.stores import open_store
from proctor.evidence.evidence import evidence_of
from proctor.evidence.result import RunResult, result_of
from proctor.evidence.row import EpisodeRecord
from proctor.instruments.base import Reading
from proctor.pipeline.own_code import only_approved_code
from proctor.spec.evaluation import Evaluation
from proctor.spec.frozen import Seed
from proctor.spec.rules import Limits
from proctor.spec.scope import Scope, read_scope
from proctor.spec.suite import Suite
from proctor.spec.system import System

if TYPE_CHECKING:
    from proctor.instruments.comparing.comparison import Comparison


class Examined(RunResult, frozen=True):
    """The result of a run, which can be compared with that of another."""

    def compare(self, other: RunResult) -> Comparison:
        """How the other run differs from this one, which is the reference: second minus first."""
        if other.store != self.store:
            message = f"{self.run} is in {self.store} and {other.run} in {other.store}; import both into one store"
            raise InputError(message)
        return compare(self.run, other.run, store=self.store)


class Silent:
    """Progress that nobody watches."""

    def start(self, total: int, done: int) -> None:
        """Nothing."""

    def advance(self, records: list[EpisodeRecord]) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


def run(
    suite: str | Suite,
    *,
    agent: str | object,
    seed: Seed = 0,
    store: str = ".proctor/store.db",
    workers: int | None = None,
    executor: str | None = None,
    scale: int = 1,
    only: tuple[str, ...] = (),
    scope: str | Scope | None = None,
    timestamp: str | None = None,
    system: System | None = None,
    limits: Limits | None = None,
    resume: bool = False,
    folder: Path | None = None,
    evaluation: Evaluation | None = None,
    preregistration: Path | None = None,
    preflight: bool = True,
) -> Examined:
    """Examine an agent and give the result; evidence goes into the store.

    `agent` is an agent string, or an object, class or function, which then lives in this process, unconfined.
    Refused where rules or scenarios are not as the project in `folder` (default: the current one) has approved them,
    and before it is loaded where code of the project's own is not.
    `workers` None runs in this process; a number starts that many worker processes; `executor` names another way to
    run. The root is the same every way. A `preregistration` gives the seed, and logs the run. Before a new run, an
    agent that is not built in lives a trial task; one that fails there is refused, unless `preflight` is False.
    """
    place = folder or Path()
    if workers is not None and workers < 1:
        message = f"workers={workers}: at least one is needed"
        raise InputError(message)
    chosen = make_executor(executor, workers=workers)
    if not isinstance(agent, str):
        if chosen.name != "inline":
            message = f"an agent that is given as an object lives in this process, and not with '{chosen.name}'"
            raise InputError(f"{message}; leave out `workers` and `executor`, or write python:FILE.py:NAME")
        agent = give(agent)
    registration = None if preregistration is None else OpenRegistration(preregistration)
    if registration is not None and seed != 0:
        message = "a preregistration fixes the seed; leave `seed` out"
        raise InputError(message)
    with only_approved_code(place):
        frozen = freeze(
            suite=suite if isinstance(suite, Suite) else load_suite(suite, place),
            agent=agent,
            folder=place,
            seed=seed if registration is None else registration.secret.seed,
            timestamp=timestamp,
            scale=scale,
            only=only,
            scope=read_scope(scope, place) if isinstance(scope, str) else scope,
            system=system,
            limits=limits,
            evaluation=evaluation,
            preregistration=None if registration is None else registration.digest,
        )
        plan = Plan(frozen)
        # Who governs nothing does not pay for the imports.
        if (place / ".proctor" / "ledger.jsonl").is_file():
            from proctor.pipeline.scenarios import refuse_unapproved

            refuse_unapproved(frozen, place)
        with open_store(store, create=True) as opened:
            record, finished = start_run(
                opened,
                frozen,
                plan,
                executor=chosen,
                resume=resume,
                registration=registration,
                folder=place,
                preflighted=None if preflight else SKIPPED,
            )
            reason = None
            if not finished:
                ended = execute(
                    opened,
                    record,
                    frozen,
                    plan,
                    folder=place,
                    executor=chosen,
                    progress=Silent(),
                    registration=registration,
                )
                reason = ended.reason
            result = result_of(opened, record.name, label_of, reason=reason)
    return Examined(**{name: getattr(result, name) for name in result.__struct_fields__})


def compare(first: str, second: str, *, store: str = ".proctor/store.db") -> Comparison:
    """How a run differs from another, the reference, which is named first: the same as `proctor compare`."""
    from proctor.pipeline.comparing import compare_runs

    with open_store(store, create=False) as opened:
        (compared,) = compare_runs(opened, [first, second])
    return compared


def score(
    run: str = "latest", *, store: str = ".proctor/store.db", load: Path | None = None, folder: Path | None = None
) -> dict[str, Reading]:
    """The reading of every instrument for a run in a store.

    By the rules of the project in `folder` (default: the current one), and with the newest load record of the agent or
    the one in the file `load`.
    """
    from proctor.pipeline.reading import readings_of
    from proctor.pipeline.reruns import run_meant

    with open_store(store, create=False) as opened:
        evidence = evidence_of(opened, run_meant(opened, folder or Path(), run).name)
    return readings_of(evidence, store=store, load=load, project=folder)
