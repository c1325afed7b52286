"""What cannot work is refused before the run, in one sentence; and the way out where there is no sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proctor.agents.kind import AgentString
from proctor.agents.lookup import option_label
from proctor.agents.process import options
from proctor.core.errors import InputError, NotEvaluable
from proctor.engine.preflight import preflight
from proctor.evidence.row import SUCCESS

if TYPE_CHECKING:
    from tests.unit.agents_process.conftest import Project

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left")

SHAPES = """
    from proctor import Submission

    class Awaiting:
        async def run(self, task, session):
            return function_of([(await session.call("number", index=place)).value for place in range(3)])

    def function(task, session):
        return function_of(session.call("number", index=place).value for place in range(3))

    def function_of(numbers):
        return Submission(sum(numbers))
"""

CLOSED_EARLY = "import os, time; os.closerange(0, 64); time.sleep(0.3); os._exit(3)"
"""Its pipes close well before its end can be seen."""


@pytest.mark.parametrize(
    ("agent", "files", "message"),
    [
        ("python:mine.py", {}, "names no factory"),
        ("python:mine.py:run", {}, "there is no 'mine.py'"),
        ("python:nowhere:run", {}, "there is no module 'nowhere'"),
        ("python:bad-name:run", {}, "neither the name of a module"),
        ("python:mine.py:run", {"mine.py": "x = 1"}, "mine has no 'run'"),
        ("python:mine.py:run", {"mine.py": "def run(:"}, "SyntaxError"),
        ("python:mine.py:run", {"mine.py": "1 / 0"}, "ZeroDivisionError: division by zero"),
        ("python:mine.py:run", {"mine.py": "run = 3"}, "int is no agent"),
        ("python:mine.py:run", {"mine.py": "def run(one): pass"}, "takes 1 arguments; a factory takes none"),
        ("python:mine.py:run", {"mine.py": "import no_such_thing"}, "No module named 'no_such_thing'"),
        ("python:mine.py:run", {"mine.py": "from proctor import run"}, "only the agent contract"),
        ("python:mine.py:run", {"mine.py": "import proctor.evidence"}, "only the agent contract"),
        ("python:mine.py:run", {"mine.py": "import sys; sys.exit(3)"}, "SystemExit: 3"),
        ("python:mine.py:run", {"mine.py": "import os; os._exit(3)"}, "ended with status 3"),
        ("python:mine.py:run,unconfined=yes", {"mine.py": CLOSED_EARLY}, "ended with status 3"),
        ("python:mine.py:run", {"mine.py": "from proctor.engine.family import Draw"}, "the code of a family"),
        ("python:proctor.suites.hello:load", {}, "which an agent must not see"),
        (
            "python:mine.py:run,pyton=.venv",
            {"mine.py": "def run(task, session): pass"},
            "has no option 'pyton'; did you mean 'python'?",
        ),
        ("python:mine.py:run,colour=red", {"mine.py": "def run(task, session): pass"}, "has no option 'colour'"),
        (
            "python:mine.py:run,memory=lots",
            {"mine.py": "def run(task, session): pass"},
            "memory=lots is no whole number",
        ),
        ("python:mine.py:run,start_seconds=0", {"mine.py": ""}, "start_seconds=0 is no whole number of seconds"),
        ("python:mine.py:run,start_seconds=601", {"mine.py": ""}, "from 1 to 600"),
        ("python:mine.py:run,unconfined=maybe", {"mine.py": ""}, "unconfined is yes or no"),
        ("python:mine.py:run,include=gone", {"mine.py": ""}, "there is no 'gone'"),
        ("python:mine.py:run,folder=gone", {"mine.py": ""}, "there is no folder 'gone'"),
    ],
)
def test_what_cannot_work_is_refused_before_the_run(
    agent: str, files: dict[str, str], message: str, project: Project
) -> None:
    for name, text in files.items():
        project.write(name, text)
    with pytest.raises(InputError) as refused:
        preflight(project.bench(agent).frozen, project.folder)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_bubblewrap_the_way_out_is_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "available", lambda: "bubblewrap is not installed")
    project.write("mine.py", SHAPES)
    with pytest.raises(NotEvaluable, match="bubblewrap is not installed; add ,unconfined=yes"):
        project.bench("python:mine.py:function")
    for name in ("function", "Awaiting"):
        (lived,) = project.examine(f"python:mine.py:{name},unconfined=yes")
        assert lived.row.outcome == SUCCESS, lived.failure


def test_the_choice_of_no_confinement_is_said() -> None:
    assert option_label(AgentString.parse("python:a.py:b,unconfined=yes")) == "unconfined"
    assert option_label(AgentString.parse("python:a.py:b")) == ""
