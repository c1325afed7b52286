"""A project folder, and keys kept outside of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

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
