"""Calling the command line in this process: what it prints and the code it exits with."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.unit.engine.small import declared

from proctor.cli.main import main

SMALL_FAMILY = Path(__file__).parent.parent / "engine" / "small_family.py"


class Done(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """The one sentence of a refusal."""
        assert self.out == "", "nothing on stdout"
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("proctor: ")
        return lines[0]


Cli = Callable[..., Done]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Cli]:
    """`cli("run", "hello")` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def call(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["proctor", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        code = ended.value.code
        assert "Traceback" not in printed.out + printed.err
        return Done(code if isinstance(code, int) else 0, printed.out, printed.err)

    yield call
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def small(tmp_path: Path) -> str:
    """A small suite in the folder; its name."""
    (tmp_path / "small_family.py").write_text(SMALL_FAMILY.read_text())
    (tmp_path / "small.json").write_text(declared({"n": 6}, {"n": 3, "knobs": {"script": "wrong"}}).model_dump_json())
    return "small.json"


@pytest.fixture
def desk(cli: Cli, tmp_path: Path) -> Cli:
    """A project with a family of its own that evidences S1."""
    from tests.unit.cli.registering import PROJECT, SUITE

    (tmp_path / "small_family.py").write_text(SMALL_FAMILY.read_text())
    (tmp_path / "small.yaml").write_text(SUITE)
    (tmp_path / "proctor.yaml").write_text(PROJECT)
    return cli
