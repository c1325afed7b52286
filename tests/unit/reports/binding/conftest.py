"""One small run of the benchmark and its report, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.reports.binding.material import small_run
from tests.unit.reports.material import report_of

from proctor.reports.data import Report


@pytest.fixture(scope="session")
def binding_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the small run in it."""
    place = tmp_path_factory.mktemp("binding") / "store.db"
    small_run(place)
    return place


@pytest.fixture(scope="session")
def binding_report(binding_store: Path) -> Report:
    return report_of(binding_store)
