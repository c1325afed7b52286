"""Running the scaffold over real engine, store and worlds, with a model of the test's choice."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.agents.structured.probe_family import suite_of

from proctor.cli.progress import NoProgress
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.plan import Plan
from proctor.engine.run import execute, freeze, start_run
from proctor.evidence.events import Event
from proctor.evidence.events.model import ModelAsked
from proctor.evidence.row import Row
from proctor.evidence.store.contract import RunRecord
from proctor.evidence.store.store import Store
from proctor.models.simulated import model as simulated
from proctor.spec.suite import Suite

HERE = Path(__file__).parent


class Ran:
    """A finished run, open for reading."""

    def __init__(self, store: Store, record: RunRecord) -> None:
        self.store = store
        self.record = record

    @property
    def rows(self) -> list[Row]:
        return list(self.store.rows(self.record.number))

    @property
    def measures(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(row.measures or "{}") for row in self.rows]

    def events(self, position: int) -> list[Event]:
        return list(self.store.events(self.record.number, position))

    @property
    def asked(self) -> list[ModelAsked]:
        """Every exchange, in presentation order."""
        return [event for row in self.rows for event in self.events(row.position) if isinstance(event, ModelAsked)]

    @property
    def root(self) -> str:
        root = self.store.run(self.record.name).root
        assert root is not None
        return root


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts of these tests spell their codes: no reading rule of a built-in suite is needed."""
    monkeypatch.setattr(simulated, "built_in_rules", tuple)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """`run(agent, condition, …)`: the probes under these conditions."""
    shutil.copy(HERE / "probe_family.py", tmp_path / "probe_family.py")
    store = Store(str(tmp_path / "store.db"))

    def once(agent: str, *conditions: dict[str, Any], **options: Any) -> Ran:
        seed, changes = options.pop("seed", 1), options.pop("changes", {})
        suite = Suite.parse({**suite_of(*conditions, **options), **changes}, source="test")
        frozen = freeze(suite=suite, agent=agent, folder=tmp_path, seed=seed)
        plan = Plan(frozen)
        executor = InlineExecutor()
        record, _ = start_run(store, frozen, plan, executor=executor)
        execute(store, record, frozen, plan, folder=tmp_path, executor=executor, progress=NoProgress())
        return Ran(store, record)

    yield once
    store.close()
