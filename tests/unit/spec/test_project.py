"""proctor.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.core.errors import InputError
from proctor.spec.project import Project, read_project, require_agent
from proctor.spec.system import Agents, System


def test_no_project_is_no_error(tmp_path: Path) -> None:
    assert read_project(tmp_path) is None


def test_a_project_has_defaults(tmp_path: Path) -> None:
    (tmp_path / "proctor.yaml").write_text("system: {name: ours, agents: {core: clerk}}\n")
    project = read_project(tmp_path)
    assert project == Project(system=System(name="ours", agents=Agents(core="clerk")))
    assert project is not None
    assert (project.suite, project.seed, project.store) == ("hello", 0, ".proctor/store.db")
    assert require_agent(project, "core") == "clerk"


def test_a_mistake_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "proctor.yaml").write_text("sytem: {name: ours}\n")
    with pytest.raises(
        InputError, match=r"proctor\.yaml: project at sytem: 'sytem' is not a field.*did you mean 'system'"
    ):
        read_project(tmp_path)


def test_an_empty_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "proctor.yaml").write_text("")
    with pytest.raises(InputError, match=r"proctor\.yaml: project at the top level"):
        read_project(tmp_path)


def test_the_agent_of_a_boundary_is_asked_for() -> None:
    project = Project(system=System(name="ours", agents=Agents(core="clerk")))
    with pytest.raises(InputError, match=r"names no extended agent; add system\.agents\.extended or pass --agent"):
        require_agent(project, "extended")
    with pytest.raises(InputError, match=r"name the agent to examine, e\.g\. --agent"):
        require_agent(None, "core")
