"""`--agent` in a project: what is said of the machine holds, what is claimed of the project's own system does not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from proctor.cli.freezing import Asked, freezer
from proctor.cli.load import _frozen as frozen_for_load
from proctor.spec.frozen import FrozenRun
from proctor.spec.system import Boundary, Network

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Cli

PROJECT = """
system:
  name: courier
  version: "0.4"
  configuration: {model: example-small}
  architecture: rule-based
  boundaries:
    core: {tools: []}
    extended: {includes: [retry loop], tools: [search], human_policy: {allowed: false}}
  agents: {core: "python:mine.py:core,unconfined=yes", extended: "python:mine.py:extended,unconfined=yes"}
  network: full
  env: [EXAMPLE_API_KEY]
  price_per_million_tokens: "0.60"
suite: hello
seed: 7
limits: {run_cost: "2.00", episode_tokens: 5000}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "proctor.yaml").write_text(PROJECT)
    (tmp_path / "mine.py").write_text("def core(task, session): return 1\ndef extended(task, session): return 1\n")
    (tmp_path / "other.py").write_text("def run(task, session): return 1\n")
    return tmp_path


def frozen(project: Path, agent: str | None, boundary: str | None = None) -> FrozenRun:
    return freezer(project, Asked(agent=agent, only=("extract",), boundary=boundary))(None, None)


def test_another_agent_has_the_machine_and_not_the_claims(project: Path) -> None:
    run = frozen(project, "python:other.py:run,unconfined=yes")
    system = run.system
    assert (system.network, system.env, system.price_per_million_tokens) == (Network.FULL, ("EXAMPLE_API_KEY",), "0.60")
    assert (run.rules.limits.run_cost, run.rules.limits.episode_tokens, run.seed) == ("2.00", 5000, 7)
    assert system.name == "python:other.py:run,unconfined=yes"
    assert (system.version, system.configuration, system.architecture) == ("unversioned", {}, None)
    assert system.boundary == Boundary()
    assert (system.agents.core, system.agents.extended) == (system.name, None)


def test_a_built_in_agent_reaches_nothing(project: Path) -> None:
    system = frozen(project, "null").system
    assert (system.name, system.network, system.env) == ("null", Network.NONE, ())
    # Its limits are the project's, and a cost limit needs the price.
    assert system.price_per_million_tokens == "0.60"


@pytest.mark.parametrize("name", ["core", "extended"])
def test_the_projects_own_agent_is_the_projects_system(name: str, project: Path) -> None:
    named = frozen(project, f"python:mine.py:{name},unconfined=yes")
    assert named.system.name == "courier"
    assert named.system.boundary.kind == name
    assert named.config_hash == frozen(project, None, boundary=name).config_hash


def test_without_a_project_nothing_is_declared(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("def run(task, session): return 1\n")
    run = freezer(tmp_path, Asked(suite="hello", agent="python:other.py:run,unconfined=yes", only=("extract",)))
    assert run(None, None).system.network is Network.NONE


def test_a_report_of_another_agent_does_not_bear_the_projects_name(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert cli("run", "--agent", "null", "--only", "extract", "-q").code == 0
    shown = cli("report", "latest", "-o", "report.html")
    assert shown.code == 0, shown.err
    text = (project / "report.html").read_text()
    assert "null" in text
    assert "courier" not in text


def test_the_trial_can_be_left_out(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    (project / "other.py").write_text("import no_such_package\n")
    asked = ("run", "--agent", "python:other.py:run,unconfined=yes", "--only", "extract", "-q")
    refused = cli(*asked)
    assert refused.code == 2
    assert "No module named 'no_such_package' at other.py:1" in refused.sentence
    assert not (project / ".proctor" / "store.db").exists()
    assert cli(*asked, "--no-preflight").code == 1, "nothing was measured"
    assert (project / ".proctor" / "store.db").exists()


def test_under_load_another_agent_keeps_the_network_of_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    system = frozen_for_load(None, "python:other.py:run,unconfined=yes", None, ["extract"]).system
    assert (system.network, system.env) == (Network.FULL, ("EXAMPLE_API_KEY",))
