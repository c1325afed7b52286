"""Honest bundles of several suites, small enough that one is verified in milliseconds."""

from __future__ import annotations

from pathlib import Path

from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.names import load_suite
from proctor.engine.plan import Plan
from proctor.engine.run import execute, freeze, start_run
from proctor.evidence.bundle import export_bundle
from proctor.evidence.row import EpisodeRecord
from proctor.evidence.store.contract import RunRecord
from proctor.evidence.store.store import Store
from proctor.spec.suite import Entry, Suite

SUITES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "hello": ("hello", "clerk", ()),
    "faults": ("agency-quick", "random", ("email-triage", "code-lock", "thermostat", "file-sorting")),
    "memory": ("tiers-quick", "oracle", ("coding-patterns", "code-lock", "known-unknowns", "crew-promises")),
    "quality": ("quality", "random", ()),
    "binding": ("binding-quick", "structured:simulated", ()),
}
"""By name: a suite, who lives it, and which of its families (all where none is named)."""
ENTRIES = 8


class _Quiet:
    def start(self, total: int, done: int) -> None:
        """Nothing."""

    def advance(self, records: list[EpisodeRecord]) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


def _small(suite: Suite, families: tuple[str, ...]) -> Suite:
    """The first entry of some families, with one instance each and one episode a step."""
    first: dict[str, Entry] = {}
    for entry in suite.entries:
        if not families or entry.family in families:
            first.setdefault(entry.family, entry)
    taken = list(first.values())[:: max(1, len(first) // ENTRIES)][:ENTRIES]
    entries = tuple(
        entry.model_copy(
            update={
                "n": 2 if len(entry.conditions) > 1 else 1,
                "replicates": 1,
                "cell": None,
                "program": tuple(step.model_copy(update={"episodes": 1}) for step in entry.program),
            }
        )
        for entry in taken
    )
    streams = suite.streams or suite.name
    return suite.model_copy(update={"name": f"small-{suite.name}", "streams": streams, "entries": entries})


def make(name: str, folder: Path, seed: int = 11) -> Path:
    """The bundle of a small run of one of the suites."""
    with Store(str(folder / f"{name}.db")) as store:
        record = live(name, store, folder, seed)
        path = folder / f"{name}.proctor"
        export_bundle(store, record.number, path)
    return path


def live(name: str, store: Store, folder: Path, seed: int = 11) -> RunRecord:
    """A small run of one of the suites, in a store."""
    reference, agent, families = SUITES[name]
    suite = _small(load_suite(reference, folder), families)
    frozen = freeze(suite=suite, agent=agent, folder=folder, seed=seed)
    plan, executor = Plan(frozen), InlineExecutor()
    record, _ = start_run(store, frozen, plan, executor=executor)
    execute(store, record, frozen, plan, folder=folder, executor=executor, progress=_Quiet())
    return store.run(record.name)
