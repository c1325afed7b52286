"""What the tests of evidence share: small runs, executed once, with the bundles made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.evidence.bundle import export_bundle
from proctor.evidence.store.contract import RunRecord
from proctor.evidence.store.store import Store
from proctor.plugins.files import load_module

_making: Any = load_module(Path(__file__).parent / "making.py")


@pytest.fixture(scope="session")
def making() -> Any:
    """The module `making`: suites, runs, forgeries."""
    return _making


class Made:
    """A finished run in a store of its own, and its bundle."""

    def __init__(self, folder: Path, suite: Any, **options: Any) -> None:
        self.store = Store(str(folder / "store.db"))
        self.record: RunRecord = _making.run(self.store, suite, **options)
        self.path = folder / "run.proctor"
        self.manifest = export_bundle(self.store, self.record.number, self.path)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Made]]:
    """Runs by the name of their suite in `making`; each is executed once."""
    known: dict[str, Made] = {}

    def make(name: str) -> Made:
        if name not in known:
            what = {
                "small": _making.small,
                "wide": _making.wide,
                "limited": lambda: _making.limited(7),
                "breaking": _making.breaking,
                "unstable": lambda: _making.suite(_making.entry(n=4, kind="unstable"), _making.entry(n=2)),
                "tiny": lambda: _making.suite(_making.entry(n=1)),
                "long": lambda: _making.suite(_making.entry(n=2, kind="long"), _making.entry(n=1)),
            }[name]
            known[name] = Made(tmp_path_factory.mktemp(name), what())
        return known[name]

    yield make
    for one in known.values():
        one.store.close()
