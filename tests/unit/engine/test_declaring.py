"""What a run declares of the system: the boundary in force, and what identifies the agent."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.small import declared, frozen

from proctor.core.errors import InputError
from proctor.engine.run import freeze
from proctor.spec.system import Agents, Boundaries, Boundary, BoundaryKind, HumanPolicy, Memory, System

AGENT = "from proctor import Submission\n\n\ndef make():\n    return lambda task, session: Submission()\n"
PROCTOR = f"proctor {version('proctor')}"


def refused(**freezing: Any) -> str:
    with pytest.raises(InputError) as caught:
        frozen(freezing=freezing, agent=freezing.pop("agent", "null"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


NO_TOOLS = {"family": "binding-goal-conflict"}
"""A task without tools."""


@pytest.mark.parametrize(
    ("agent", "where"), [("chat:simulated", "boundaries.core"), ("structured:simulated", "boundaries.extended")]
)
def test_an_agent_that_calls_no_tools_is_refused_where_tasks_have_them(agent: str, where: str) -> None:
    said = refused(agent=agent)
    assert f"agent '{agent.partition(':')[0]}' calls no tools, and small@1.0 of suite 'small' has tools to call" in said
    assert f"declare `actions: none` in system.{where}" in said
    assert f"name the agent in system.{where.replace('boundaries', 'agents')}" in said
    assert frozen(NO_TOOLS, agent=agent).families[0].actions == ()


@pytest.mark.parametrize(("agent", "kind"), [("chat:simulated", "core"), ("structured:simulated", "extended")])
def test_that_it_calls_no_tools_can_be_declared(agent: str, kind: str) -> None:
    boundary = {"actions": "none", "human_policy": {"allowed": False}}
    system = System.model_validate({"name": "ours", "agents": {kind: agent}, "boundaries": {kind: boundary}})
    made = frozen(agent=agent, freezing={"system": system})
    assert made.system.boundary.actions == "none"
    assert made.inputs()["boundary_type"]["declared"]["actions"] == "none", "whoever reads a result is told"
    assert "actions" not in Boundary().model_dump(), "systems that do not use it keep their hashes"


@pytest.mark.parametrize(
    ("agent", "kind"),
    [("clerk", "core"), ("oracle", "core"), ("chat:simulated", "core"), ("structured:simulated", "extended")],
)
def test_built_in_agents_declare_what_is_true_of_them(agent: str, kind: str) -> None:
    boundary = frozen(NO_TOOLS, agent=agent).system.boundary
    assert boundary.kind == kind
    assert boundary.tools == ()
    assert boundary.memory is not None
    assert boundary.memory.internal or kind == "extended"


def test_an_agent_of_the_users_declares_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    made = freeze(suite=declared({"family": "track"}), agent="python:mine.py:make", folder=tmp_path)
    assert made.system.boundary == Boundary()
    assert made.agent_identity is None
    assert made.identity_hash is not None, "its files identify it"


def test_an_undeclared_boundary_of_a_project_is_that_of_a_built_in_agent() -> None:
    made = frozen(agent="null", freezing={"system": System(name="ours", agents=Agents(core="null"))})
    assert made.system.boundary.kind is BoundaryKind.CORE


@pytest.mark.parametrize(
    ("boundary", "complaint"),
    [
        ({"tools": ("search",)}, "a core boundary cannot have tools of its own (search)"),
        ({"memory": Memory.model_validate({"persistence": "persistent"})}, "a memory outside the policy"),
        ({"human_policy": HumanPolicy(allowed=True)}, "people who may help"),
    ],
)
def test_core_with_more_than_the_policy_is_refused(boundary: dict[str, Any], complaint: str) -> None:
    """It used to be accepted."""
    loaded = Boundary(kind=BoundaryKind.CORE, **boundary)
    assert complaint in refused(system=System(name="ours", boundary=loaded))


@pytest.mark.parametrize("extended", ["none", Boundary(human_policy=HumanPolicy(allowed=False))])
def test_a_boundary_in_force_that_is_not_the_declared_one_is_refused(extended: Any) -> None:
    other = Boundary(kind=BoundaryKind.EXTENDED, tools=("search",), human_policy=HumanPolicy(allowed=False))
    system = System(name="ours", boundary=other, boundaries=Boundaries(extended=extended))
    assert "its extended boundary is not the one that it declares" in refused(system=system)


def test_a_scaffold_cannot_be_declared_core() -> None:
    core = Boundary(kind=BoundaryKind.CORE, tools=())
    said = refused(system=System(name="ours", boundary=core), agent="structured:simulated")
    assert "agent 'structured' is more than a policy (scaffold around a chat model)" in said


@pytest.mark.parametrize(
    ("suite", "agent", "kind"),
    [(None, "null", "core"), (None, "oracle", "extended"), ("extended", "null", "extended"), (None, "random", "core")],
)
def test_of_two_boundaries_the_suites_or_the_agents_is_in_force(suite: str | None, agent: str, kind: str) -> None:
    both = System(
        name="ours",
        agents=Agents(core="null", extended="oracle"),
        boundaries=Boundaries(core=Boundary(), extended=Boundary(human_policy=HumanPolicy(allowed=False))),
    )
    made = frozen(agent=agent, boundary=suite, freezing={"system": both})
    assert made.system.boundary.kind == kind


def test_what_identifies_an_agent(tmp_path: Path) -> None:
    assert frozen(agent="null").agent_identity == f"null of {PROCTOR}"
    asked = frozen(NO_TOOLS, agent="structured:simulated,reason=.9")
    assert asked.agent_identity == f"structured of {PROCTOR} with model simulated"
    assert asked.identity_hash != frozen(NO_TOOLS, agent="structured:simulated,reason=.8").identity_hash
    (tmp_path / "mine.py").write_text(AGENT)
    hashes = set()
    for text in (AGENT, AGENT + "# edited\n"):
        (tmp_path / "mine.py").write_text(text)
        made = freeze(suite=declared({"family": "track"}), agent="python:mine.py:make", folder=tmp_path)
        hashes.add(made.identity_hash)
    assert len(hashes) == 2


def test_a_command_without_files_is_identified_by_nothing() -> None:
    made = frozen(agent="cmd:cat")
    assert (made.agent_source, made.agent_identity, made.identity_hash) == (None, None, None)
    stated = frozen(agent="cmd:cat", freezing={"system": System(name="ours", configuration={"model": "m"})})
    assert stated.identity_hash is not None


def test_the_files_of_the_other_boundarys_agent_are_on_record(tmp_path: Path) -> None:
    (tmp_path / "bare.py").write_text(AGENT)
    (tmp_path / "full.py").write_text(AGENT + "# with a loop\n")
    both = System(
        name="ours",
        agents=Agents(core="python:bare.py:make", extended="python:full.py:make"),
        boundaries=Boundaries(core=Boundary(), extended=Boundary(human_policy=HumanPolicy(allowed=False))),
    )
    made = {
        kind: freeze(
            suite=declared({"family": "track"}),
            agent=f"python:{file}.py:make",
            folder=tmp_path,
            system=both.within(kind),
        )
        for kind, file in ((BoundaryKind.CORE, "bare"), (BoundaryKind.EXTENDED, "full"))
    }
    core, extended = made.values()
    assert core.companion_source == extended.agent_source
    assert extended.companion_source == core.agent_source
    gone = both.model_copy(update={"agents": Agents(core="python:bare.py:make", extended="python:gone.py:make")})
    missing = freeze(
        suite=declared({"family": "track"}),
        agent="python:bare.py:make",
        folder=tmp_path,
        system=gone.within(BoundaryKind.CORE),
    )
    assert missing.companion_source is None
