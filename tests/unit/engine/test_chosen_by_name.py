"""Executors, stores and importers by name, and what is said where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proctor.core.errors import InputError
from proctor.engine.executors.choice import make_executor
from proctor.engine.importing import Importer, bundle, importer_of
from proctor.engine.stores import open_store
from proctor.evidence.store.contract import EvidenceStore
from proctor.evidence.store.store import Store
from proctor.plugins import registry


def test_executors() -> None:
    inline, processes = make_executor(None), make_executor(None, workers=3)
    assert (inline.name, inline.workers) == ("inline", 1)
    assert (processes.name, processes.workers) == ("processes", 3)
    assert make_executor("processes").workers == (os.cpu_count() or 1)
    assert make_executor("inline", concurrency=7).concurrency == 7


@pytest.mark.parametrize(
    ("name", "numbers", "saying"),
    [
        ("inline", {"workers": 2}, "--workers goes with --executor processes"),
        ("processes", {"concurrency": 2}, "--concurrency goes with --executor inline"),
        ("inline", {"concurrency": 0}, "--concurrency 0: at least one is needed"),
        (None, {"workers": 0}, "--workers 0: at least one is needed"),
        ("proceses", {}, "no executor is called 'proceses'; did you mean 'processes'?"),
    ],
)
def test_what_an_executor_cannot_take(name: str | None, numbers: dict[str, int], saying: str) -> None:
    with pytest.raises(InputError, match=saying):
        make_executor(name, **numbers)


def test_a_place_without_a_registered_scheme_is_a_path(tmp_path: Path) -> None:
    for place in (tmp_path / "store.db", tmp_path / "a:b.db"):
        with open_store(str(place), create=True) as opened:
            assert isinstance(opened, Store) and opened.location == str(place)
        assert place.is_file()
    with open_store(f"sqlite:///{tmp_path}/store.db", create=False) as opened:
        assert opened.runs() == []


def test_a_registered_scheme_opens_its_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool]] = []

    def open_chest(place: str, *, create: bool) -> EvidenceStore:
        asked.append((place, create))
        return Store(str(tmp_path / "chest.db"), create=True)

    monkeypatch.setattr(registry, "names", lambda group: ["chest", "sqlite"])
    monkeypatch.setattr(registry, "load", lambda group, name: {"chest": open_chest}[name])
    for place in ("chest:here", "chest://there/too"):
        open_store(place, create=False).close()
    assert asked == [("chest:here", False), ("chest://there/too", False)]


class Log:
    """Reads files that begin with `log`."""

    def recognises(self, path: Path) -> bool:
        return path.is_file() and path.read_bytes().startswith(b"log")

    def take(self, path: Path, store: EvidenceStore) -> str:
        return path.name


def test_importers_are_chosen_by_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, known = Log(), dict[str, Importer]()
    known.update({"a-log": log, "bundle": bundle})
    monkeypatch.setattr(registry, "names", lambda group: list(known))
    monkeypatch.setattr(registry, "load", lambda group, name: known[name])
    files = {"a.txt": b"log 1", "b.proctor": b"PK\x03\x04", "c.txt": b"neither"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    chosen = {name: importer_of(tmp_path / name) for name in (*files, "missing.proctor")}
    assert chosen == {"a.txt": log, "b.proctor": bundle, "c.txt": bundle, "missing.proctor": bundle}
