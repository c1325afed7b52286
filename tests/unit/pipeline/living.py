"""Having small projects examined in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.unit.pipeline.small_quality import SUITE

from proctor.core.hashing import sha256
from proctor.engine.batch import Progress
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.names import load_suite
from proctor.engine.plan import Plan
from proctor.engine.run import execute, freeze, start_run
from proctor.evidence.row import EpisodeRecord
from proctor.evidence.store.store import Store
from proctor.instruments.quality.project import read_governed
from proctor.pipeline.baseline.accept import accept_runs
from proctor.pipeline.baseline.accepted import find_baseline
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.decision import GateDecision
from proctor.pipeline.examination import Setting
from proctor.pipeline.gate import gate_run
from proctor.pipeline.keys import PUBLIC_FOLDER, Signer
from proctor.pipeline.stages import Watcher

NAME = "small-quality"
CLERK = "python:agent.py:make"


class Killed(BaseException):
    """Stands for a process that is gone: nothing catches it."""


class Silent:
    """Shows nothing."""

    def start(self, total: int, done: int) -> None: ...

    def advance(self, records: list[EpisodeRecord]) -> None: ...

    def stop(self) -> None: ...


class Fatal(Silent):
    """The process is gone when the first episodes are done."""

    def advance(self, records: list[EpisodeRecord]) -> None:
        raise Killed


def store_of(project: Path) -> Store:
    return Store(str(project / "store.db"))


def live(project: Path, *seeds: int | str, agent: str = "oracle", **freezing: Any) -> list[str]:
    """A finished run for each seed; their names."""
    names = []
    for seed in seeds:
        suite = load_suite(SUITE, project)
        frozen = freeze(suite=suite, agent=agent, folder=project, seed=seed, **freezing)
        plan, executor = Plan(frozen), InlineExecutor(None)
        with store_of(project) as store:
            record, _ = start_run(store, frozen, plan, executor=executor, folder=project)
            execute(store, record, frozen, plan, folder=project, executor=executor, progress=Silent())
        names.append(record.name)
    return names


def setting_of(project: Path, *, progress: Progress | None = None, **changes: Any) -> Setting:
    found = find_baseline(project, NAME)
    facts: dict[str, Any] = {
        "project": project,
        "governed": read_governed(project),
        "baseline": found,
        "rehearsal": True,
        "recompute": False,
        "executor": lambda: InlineExecutor(None),
        "progress": lambda: progress or Silent(),
    }
    return Setting(**{**facts, **changes})


def known_signer(project: Path, name: str = "zoe") -> Signer:
    """A key that the project knows, and that is in no file."""
    seed = sha256(name.encode())
    signer = Signer(name, Ed25519PrivateKey.from_private_bytes(seed))
    public = project / PUBLIC_FOLDER / f"{name}.pub"
    public.parent.mkdir(exist_ok=True)
    public.write_text(f"ed25519 {signer.public}\n")
    return signer


def accepted(project: Path, *names: str, signer: Signer | None = None, **options: Any) -> BaselineFile:
    signer = signer or known_signer(project)
    facts: dict[str, Any] = {"release": "1.0", "new_anchor": False, "signer": signer, **options}
    with store_of(project) as store:
        return accept_runs(project, store, names, read_governed(project), **facts)


def gated(project: Path, name: str, watch: Watcher | None = None, **changes: Any) -> GateDecision:
    with store_of(project) as store:
        return gate_run(setting_of(project, **changes), store, name, watch)
