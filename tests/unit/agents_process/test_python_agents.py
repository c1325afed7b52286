"""`python:` agents of every shape live episodes through the real engine, each in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from proctor.core.errors import InputError
from proctor.engine.preflight import preflight
from proctor.evidence.events import Called, LimitHit, Returned, Said, StateRead, StateWritten, Submitted
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS

if TYPE_CHECKING:
    from tests.unit.agents_process.conftest import Project

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left", "either_host")

SHAPES = """
    import asyncio
    from proctor import Claim, Submission

    class Awaiting:
        async def run(self, task, session):
            numbers = [(await session.call("number", index=place)).value for place in range(3)]
            return Submission(sum(numbers), confidence=0.9, claims=[Claim("add", "numbers")])

    class Blocking:
        def run(self, task, session):
            assert task.goal.startswith("Add") and task.tools[0].name == "number"
            assert session.observations[0].fields == {"places": 3}
            return Submission(sum(session.call("number", index=place).value for place in range(3)))

    class Stepping:
        def reset(self, task):
            self.numbers = []

        def act(self, observation):
            if "task" in observation:
                assert observation["task"]["goal"].startswith("Add")
                assert observation["observation"] == {"places": 3}
            else:
                self.numbers.append(observation["result"]["value"])
            if len(self.numbers) == 3:
                return {"submit": sum(self.numbers), "confidence": 0.5, "claims": [{"action": "add"}]}
            return {"tool": "number", "arguments": {"index": len(self.numbers)}, "say": "next"}

    class AwaitingSteps(Stepping):
        async def act(self, observation):
            await asyncio.sleep(0)
            return super().act(observation)

    def function(task, session):
        return Submission(sum(session.call("number", index=place).value for place in range(3)))

    async def awaiting_function(task, session):
        return await Awaiting().run(task, session)

    def factory():
        return Blocking()

    def factory_with_defaults(kind=Stepping):
        return kind()

    def factory_of_function():
        return function

    made = Blocking()
"""


@pytest.mark.parametrize(
    "name",
    [
        "Awaiting",
        "Blocking",
        "Stepping",
        "AwaitingSteps",
        "function",
        "awaiting_function",
        "factory",
        "factory_with_defaults",
        "factory_of_function",
        "made",
    ],
)
def test_every_shape_of_agent_solves_the_task(name: str, project: Project) -> None:
    project.write("shapes.py", SHAPES)
    (lived,) = project.examine(f"python:shapes.py:{name}")
    assert (lived.row.outcome, lived.row.calls, lived.failure) == (SUCCESS, 3, "")


def test_a_module_by_its_dotted_name_finds_its_neighbours(project: Project) -> None:
    project.write("team/__init__.py", "")
    project.write("team/sub/__init__.py", "")
    project.write("team/sub/mine.py", "from team.sub.tools import add\nfrom proctor import Submission\n" + ADDING)
    project.write("team/sub/tools.py", "add = sum\n")
    (project.folder / "team").chmod(0o755)
    (project.folder / "team" / "sub").chmod(0o755)
    for path in project.folder.rglob("*.py"):
        path.chmod(0o644)
    (lived,) = project.examine("python:team.sub.mine:run")
    assert lived.row.outcome == SUCCESS


ADDING = """
def run(task, session):
    return Submission(add(session.call("number", index=place).value for place in range(3)))
"""


def test_only_what_is_included_can_be_imported(project: Project) -> None:
    project.write("agents/mine.py", "from helper import add\nfrom proctor import Submission\n" + ADDING)
    project.write("agents/helper.py", "add = sum\n")
    said = r"No module named 'helper' at mine\.py:1 in <module>; .* where it is a file of yours, show it with ,include="
    with pytest.raises(InputError, match=said):
        preflight(project.bench("python:agents/mine.py:run").frozen, project.folder)
    (lived,) = project.examine("python:agents/mine.py:run,include=agents/helper.py")
    assert lived.row.outcome == SUCCESS


def test_installed_packages_can_be_used(project: Project) -> None:
    project.write("mine.py", "from numpy import sum as add\nfrom proctor import Submission\n" + NUMPY)
    (lived,) = project.examine("python:mine.py:run")
    assert lived.row.outcome == SUCCESS


NUMPY = """
def run(task, session):
    return Submission(int(add([session.call("number", index=place).value for place in range(3)])))
"""


def test_several_calls_are_open_at_once_and_numbered_on_receipt(project: Project) -> None:
    text = """
        import asyncio
        from concurrent.futures import ThreadPoolExecutor
        from proctor import Submission

        async def tasks(task, session):
            results = await asyncio.gather(*(session.call("together", count=5) for _ in range(5)))
            return Submission(sorted(result.value for result in results))

        def threads(task, session):
            with ThreadPoolExecutor(5) as pool:
                results = list(pool.map(lambda _: session.call("together", count=5), range(5)))
            return Submission(sorted(result.value for result in results))
    """
    project.write("mine.py", text)
    for name in ("tasks", "threads"):
        (lived,) = project.examine(f"python:mine.py:{name}")
        assert [event.call for event in lived.of(Called)] == list(range(5))
        assert len(lived.of(Returned)) == 5
        assert lived.of(Submitted)[0].answer[-1] == 5


def test_the_whole_session_is_there(project: Project) -> None:
    text = """
        from proctor import LimitReached, Submission

        async def run(task, session):
            session.say("hello")
            seen = {"budget": session.budget.actions, "names": list(session.state.names())}
            seen["memory"] = session.state.read("memory")
            session.state.write("plan", {"steps": [1, 2]})
            seen["plan"] = session.state.read("plan")
            seen["bad"] = (await session.call("number", index="x")).ok
            seen["none"] = (await session.call("teleport")).error
            await session.call("number", index=0)
            seen["left"] = session.budget.actions
            seen["observations"] = [[o.seq, sorted(o.fields), o.call] for o in session.observations]
            session.spend(tokens=12, cost="0.25")
            seen["tokens"] = session.budget.tokens
            return Submission(seen)
    """
    project.write("mine.py", text)
    (lived,) = project.examine("python:mine.py:run", knobs={"actions": 10, "tokens": 100})
    seen = lived.of(Submitted)[0].answer
    assert seen == {
        "budget": 10,
        "names": ["memory"],
        "memory": "a word from before",
        "plan": {"steps": [1, 2]},
        "bad": False,
        "none": seen["none"],
        "left": 7,
        "observations": [[0, ["places"], None], [1, ["error"], 0], [2, ["error"], 1], [3, ["result"], 2]],
        "tokens": 88,
    }
    assert "there is no tool 'teleport'" in seen["none"]
    assert [event.text for event in lived.of(Said)] == ["hello"]
    assert [event.field for event in lived.of(StateRead)] == ["memory", "plan"]
    assert [event.field for event in lived.of(StateWritten)] == ["plan"]
    assert (lived.row.tokens, lived.row.cost) == (12, "0.25")


@pytest.mark.parametrize("way", ["async def", "def"])
def test_a_used_up_budget_is_raised_and_leaves_a_last_word(way: str, project: Project) -> None:
    wait = "await " if way == "async def" else ""
    text = f"""
        from proctor import LimitReached, Submission

        {way} run(task, session):
            total = 0
            try:
                for place in range(3):
                    total += ({wait}session.call("number", index=place)).value
            except LimitReached as limit:
                assert limit.limit == "actions"
            return Submission(total)

        {way} careless(task, session):
            while True:
                {wait}session.call("number", index=0)

        {way} spends(task, session):
            session.spend(tokens=11)

        {way} stubborn(task, session):
            while True:
                try:
                    {wait}session.call("number", index=0)
                except LimitReached:
                    pass
    """
    project.write("mine.py", text)
    outcomes = {
        name: project.examine(f"python:mine.py:{name}", knobs={"actions": 2, "tokens": 10})[0]
        for name in ("run", "careless", "spends", "stubborn")
    }
    assert {name: (lived.row.outcome, lived.row.reason) for name, lived in outcomes.items()} == {
        "run": (LIMIT, "actions"),
        "careless": (LIMIT, "actions"),
        "spends": (LIMIT, "tokens"),
        "stubborn": (LIMIT, "actions"),
    }
    assert all(len(lived.of(LimitHit)) == 1 for lived in outcomes.values())


def test_what_it_prints_is_no_part_of_the_conversation(project: Project) -> None:
    text = """
        import os, sys
        print("importing")
        from proctor import Submission

        def run(task, session):
            print("thinking", flush=True)
            os.system("echo from a shell")
            os.write(1, b"raw")
            assert sys.stdin.read() == ""
            return Submission(sum(session.call("number", index=place).value for place in range(3)))
    """
    project.write("mine.py", text)
    (lived,) = project.examine("python:mine.py:run")
    assert lived.row.outcome == SUCCESS, lived.failure


def test_one_process_and_one_agent_live_the_whole_lifetime(project: Project) -> None:
    text = """
        import os
        from proctor import Submission

        class Agent:
            def __init__(self):
                self.episodes = 0

            async def run(self, task, session):
                self.episodes += 1
                if self.episodes == 2:
                    raise ValueError("a bad day")
                return Submission([os.getpid() > 0, self.episodes])
    """
    project.write("mine.py", text)
    lived = project.examine("python:mine.py:Agent", program=[{"episodes": 4}])
    assert [episode.row.answer for episode in lived] == ["[true,1]", None, "[true,3]", "[true,4]"]
    assert (lived[1].row.outcome, lived[1].row.reason) == (FAILURE, "agent_crashed")
    assert lived[1].failure == "AgentFailure: ValueError: a bad day"


def test_the_values_inside_are_those_of_the_bench() -> None:
    from proctor.agents.process.inside import exported, values
    from proctor.spec import task

    for name in ("Budget", "Claim", "Observation", "Submission", "TaskView", "ToolResult", "ToolSpec"):
        here, there = getattr(values, name), getattr(task, name)
        assert here._fields == there.__struct_fields__
        assert getattr(exported, name) is here
    made: Any = values.Submission("a", claims=[values.Claim("x")])
    assert (made.answer, made.confidence, made.claims[0].target) == ("a", None, "")


FORGETTING = """
    class Steps:
        def act(self, observation):
            return {"submit": 1}

    made = Steps()

    def owning(task, session):
        return 1
"""


@pytest.mark.parametrize("name", ["made", "owning"])
def test_what_cannot_be_made_anew_cannot_live_as_the_model_free_baseline(name: str, project: Project) -> None:
    project.write("forgetting.py", FORGETTING)
    (lived,) = project.examine(f"python:forgetting.py:{name}", baseline="model-free")
    assert (lived.row.outcome, lived.row.reason) == ("infrastructure", "baseline")


def test_a_step_wise_agent_lives_as_the_model_free_baseline(project: Project) -> None:
    """Made anew for every step, it knows the task and the last result, and is not told why."""
    project.write(
        "steps.py",
        """
        class Steps:
            def __init__(self):
                self.seen = 0

            def act(self, observation):
                self.seen += 1
                assert "baseline" not in observation["task"]
                if "result" in observation:
                    return {"submit": [self.seen, sorted(observation)]}
                return {"tool": "number", "arguments": {"index": 0}}
        """,
    )
    (lived,) = project.examine("python:steps.py:Steps", baseline="model-free")
    assert lived.row.answer == '[1,["budget","observation","result","task"]]', lived.failure
