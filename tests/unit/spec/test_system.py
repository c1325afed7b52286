"""The system and its boundaries: what may be declared, what Core refuses, and what older files mean."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.spec.editors import schema_of
from proctor.spec.project import Project, system_within
from proctor.spec.system import (
    Agents,
    Boundaries,
    Boundary,
    BoundaryKind,
    HumanPolicy,
    Memory,
    MemoryPersistence,
    System,
)

CORE, EXTENDED = BoundaryKind.CORE, BoundaryKind.EXTENDED


def project(**system: Any) -> Project:
    return Project.parse({"system": {"name": "ours", **system}}, source="proctor.yaml")


def refused(**system: Any) -> str:
    with pytest.raises(InputError) as caught:
        project(**system)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_nothing_declared_is_no_kind_of_boundary() -> None:
    assert Boundary().kind is None
    assert Boundary().words == "not declared"
    assert project().system.boundary.kind is None


@pytest.mark.parametrize(
    ("declared", "complaint"),
    [
        ({"tools": ["search"]}, "tools of its own (search)"),
        ({"includes": ["retry loop"]}, "scaffolding or services (retry loop)"),
        ({"memory": {"persistence": "lifetime", "folder": "memory"}}, "a memory outside the policy"),
        ({"memory": {"persistence": "persistent"}}, "a memory outside the policy"),
        ({"memory": {"persistence": "episode", "location": "external"}}, "a memory outside the policy"),
        ({"human_policy": {"allowed": True}}, "people who may help"),
        ({"kind": "extended"}, "stands under boundaries.core and says kind: extended"),
    ],
)
def test_core_refuses_what_is_not_the_policy(declared: dict[str, Any], complaint: str) -> None:
    assert complaint in refused(boundaries={"core": declared})


@pytest.mark.parametrize("memory", ["none", "internal", {"persistence": "persistent", "location": "internal"}])
def test_state_inside_the_policy_is_core(memory: Any) -> None:
    core = project(boundaries={"core": {"tools": [], "memory": memory, "human_policy": {"allowed": False}}})
    assert core.system.within(CORE).boundary.kind is CORE
    assert core.system.within(CORE).boundary.beyond_core() == []


def test_memory_in_one_word() -> None:
    assert Memory.model_validate("none") == Memory(persistence=MemoryPersistence.NONE)
    internal = Memory.model_validate("internal")
    assert (internal.persistence, internal.location, internal.internal) == (
        MemoryPersistence.LIFETIME,
        "internal",
        True,
    )
    assert not Memory(persistence=MemoryPersistence.LIFETIME, folder="m").internal
    with pytest.raises(ValueError, match="a memory with a folder is not inside the policy"):
        Memory(persistence=MemoryPersistence.LIFETIME, folder="m", location="internal")


def test_each_boundary_is_declared_by_itself() -> None:
    both = project(
        boundaries={
            "core": {"tools": []},
            "extended": {
                "tools": ["search"],
                "memory": {"persistence": "persistent"},
                "human_policy": {"allowed": True},
            },
        }
    )
    core, extended = (system_within(both, kind).boundary for kind in (CORE, EXTENDED))
    assert (core.kind, core.tools, core.memory) == (CORE, (), None)
    assert (extended.kind, extended.tools) == (EXTENDED, ("search",))


def test_there_may_be_nothing_around_the_policy() -> None:
    alone = project(boundaries={"core": {}, "extended": "none"})
    assert alone.system.boundaries.extended == "none"
    with pytest.raises(InputError, match="declares that there is no extended system"):
        system_within(alone, EXTENDED)
    assert "'nothing' is no boundary" in refused(boundaries={"extended": "nothing"})
    both = refused(boundaries={"core": {}, "extended": "none"}, agents={"core": "null", "extended": "oracle"})
    assert "boundaries.extended is none, and system.agents.extended names an agent" in both


def test_an_older_file_declares_the_boundary_its_kind_names_and_no_other() -> None:
    old = project(boundary={"kind": "extended", "tools": ["search"], "human_policy": {"allowed": False}})
    assert system_within(old, EXTENDED).boundary.tools == ("search",)
    assert system_within(old, CORE).boundary == Boundary(), "nobody said anything about Core"
    unnamed = project(boundary={"memory": {"persistence": "lifetime", "folder": "m"}})
    for kind in (CORE, EXTENDED):
        within = system_within(unnamed, kind).boundary
        assert (within.kind, within.memory and within.memory.folder) == (None, "m")


def test_both_forms_at_once_are_refused() -> None:
    assert "are both given; keep boundaries" in refused(boundary={"tools": []}, boundaries={"core": {}})


def test_what_came_later_is_not_written_where_it_is_not_used() -> None:
    """Systems that do not use it keep their hashes."""
    declared = System(
        name="ours",
        agents=Agents(core="clerk"),
        boundary=Boundary(kind=CORE, tools=(), memory=Memory(persistence=MemoryPersistence.LIFETIME)),
    )
    data = declared.model_dump(mode="json")
    later = {"architecture", "boundaries", "learning", "observation_schema_version", "action_schema_version"}
    assert not later & data.keys()
    assert data["boundary"]["memory"] == {"persistence": "lifetime", "folder": None}
    used = declared.model_copy(update={"architecture": "rules", "boundaries": Boundaries(extended="none")})
    assert used.model_dump(mode="json")["boundaries"] == {"core": None, "extended": "none"}
    assert System.model_validate_json(used.model_dump_json()) == used


def test_how_it_learns_is_one_of_three() -> None:
    assert project(learning="memory").system.learning == "memory"
    assert "learning" in refused(learning="by heart")


def test_editors_know_boundaries_evaluation_and_the_words_for_memory() -> None:
    schema = schema_of(Project)
    assert {"Boundaries", "Evaluation"} <= schema["$defs"].keys()
    assert schema["$defs"]["Memory"]["anyOf"][0] == {"enum": ["none", "internal"]}
    assert "external memory" in schema["$defs"]["Boundaries"]["properties"]["core"]["description"]


def test_people_who_do_not_help_are_a_declaration() -> None:
    assert Boundary(kind=CORE, human_policy=HumanPolicy(allowed=False)).beyond_core() == []
