"""A project folder, keys kept outside of it, and projects to be examined."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.pipeline.living import accepted, live
from tests.unit.pipeline.small_quality import write_project

from proctor.pipeline.keys import PRIVATE_FOLDER_VARIABLE, Signer, load_signer, make_key
from proctor.pipeline.ledger import Ledger

MakeSigner = Callable[[str], Signer]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project; private keys go to a folder beside it."""
    monkeypatch.setenv(PRIVATE_FOLDER_VARIABLE, str(tmp_path / "private"))
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.fixture
def signer(project: Path) -> MakeSigner:
    """`signer("anna")` makes a key and gives it."""

    def made(name: str) -> Signer:
        make_key(name, project)
        return load_signer(name, project)

    return made


@pytest.fixture
def ledger(project: Path) -> Ledger:
    return Ledger(project)


@pytest.fixture
def desk(project: Path) -> Path:
    """A project with scenarios, rules and an agent."""
    write_project(project)
    return project


@pytest.fixture(scope="session")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an accepted baseline of five runs; copied, never changed."""
    project = tmp_path_factory.mktemp("ready") / "project"
    project.mkdir()
    write_project(project)
    accepted(project, *live(project, 1, 2, 3, 4, 5))
    return project


@pytest.fixture
def based(ready: Path, project: Path) -> Path:
    """A copy of it."""
    shutil.copytree(ready, project, dirs_exist_ok=True)
    return project
