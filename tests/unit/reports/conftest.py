"""Two runs of a whole vector, made once: one with plain texts, one with hostile ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.reports.material import ran, report_of, whole_vector

from proctor.reports.data import Report
from proctor.reports.html.page import render


@pytest.fixture(scope="session")
def vector_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a whole vector in it."""
    place = tmp_path_factory.mktemp("reports") / "store.db"
    ran(place, whole_vector())
    return place


@pytest.fixture(scope="session")
def report(vector_store: Path) -> Report:
    return report_of(vector_store)


@pytest.fixture(scope="session")
def page(report: Report) -> str:
    return render(report).decode()


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The same, with texts that would like to be markup."""
    place = tmp_path_factory.mktemp("hostile") / "store.db"
    ran(place, whole_vector("hostile"))
    return report_of(place)
