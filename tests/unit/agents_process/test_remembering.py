"""Memory of agents in a process of their own: the declared folder, or the agent's own methods, or not evaluable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from proctor.evidence.events import MemoryMoved
from proctor.spec.system import Boundary, Memory, MemoryPersistence, System

if TYPE_CHECKING:
    from tests.unit.agents_process.conftest import Lived, Project

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left", "either_host")

FOLDER = System(
    name="remembers",
    boundary=Boundary(memory=Memory(persistence=MemoryPersistence.LIFETIME, folder="notes/kept")),
)
PROGRAM: list[dict[str, Any]] = [
    {"phase": "train"},
    {"phase": "test"},
    {"phase": "test", "before": "snapshot"},
    {"phase": "test", "before": "clear"},
    {"phase": "test", "before": "restore"},
    {"phase": "test", "episodes": 2},
]
KNOWS = ["train", "knows", "knows", "forgot", "knows", "knows", "knows"]

IN_FOLDER = """
    from pathlib import Path
    from proctor import Submission

    NOTE = Path("notes/kept/word.txt")

    def run(task, session):
        word = session.observations[0].fields.get("word")
        if word is not None:
            NOTE.write_text(word)
            (NOTE.parent / "deep").mkdir()
            (NOTE.parent / "deep" / "copy").write_text(word)
            Path("elsewhere.txt").write_text(word)
        return Submission(NOTE.read_text() if NOTE.exists() else None)
"""

OWN = """
    from proctor import Submission

    class Agent:
        word = None

        def run(self, task, session):
            self.word = session.observations[0].fields.get("word", self.word)
            return Submission(self.word)

        {way} snapshot(self):
            return (self.word or "").encode()

        {way} restore(self, memory):
            self.word = memory.decode()

        {way} clear(self):
            self.word = None
"""


def knowledge(lived: list[Lived]) -> list[str]:
    return [
        episode.row.phase if episode.row.phase == "train" else "knows" if episode.row.outcome == "success" else "forgot"
        for episode in lived
    ]


def possible(lived: list[Lived]) -> dict[str, bool]:
    return {event.action: event.possible for episode in lived for event in episode.of(MemoryMoved)}


@pytest.mark.parametrize("option", ["", ",unconfined=yes"])
def test_the_declared_folder_is_copied_wiped_and_put_back(option: str, project: Project) -> None:
    project.write("mine.py", IN_FOLDER)
    lived = project.examine(f"python:mine.py:run{option}", family="recall", system=FOLDER, program=PROGRAM, n=2)
    assert knowledge(lived) == KNOWS * 2
    assert possible(lived) == {"snapshot": True, "clear": True, "restore": True}


def test_a_shell_script_remembers_in_its_folder(project: Project) -> None:
    script = r"""
        while read -r line; do
          case "$line" in *'"type":"observation"'*) ;; *) continue ;; esac
          word=$(printf '%s' "$line" | sed -n 's/.*"word":"\([^"]*\)".*/\1/p')
          [ -z "$word" ] || printf '%s' "$word" > notes/kept/word
          printf '{"type":"submit","answer":"%s"}\n' "$(cat notes/kept/word 2>/dev/null)"
        done
    """
    project.write("agent.sh", script)
    lived = project.examine("cmd:sh agent.sh", family="recall", system=FOLDER, program=PROGRAM)
    assert knowledge(lived) == KNOWS


@pytest.mark.parametrize("way", ["def", "async def"])
def test_the_agents_own_methods_are_used_where_no_folder_is_declared(way: str, project: Project) -> None:
    project.write("mine.py", OWN.replace("{way}", way))
    lived = project.examine("python:mine.py:Agent", family="recall", program=PROGRAM, n=2)
    assert knowledge(lived) == KNOWS * 2
    assert possible(lived) == {"snapshot": True, "clear": True, "restore": True}


def test_an_agent_that_offers_nothing_cannot_be_saved_only_wiped(project: Project) -> None:
    project.write("mine.py", OWN.split("{way} snapshot")[0])
    lived = project.examine("python:mine.py:Agent", family="recall", program=PROGRAM)
    assert knowledge(lived) == ["train", "knows", "knows", "forgot", "forgot", "forgot", "forgot"]
    assert possible(lived) == {"snapshot": False, "clear": True}
    assert lived[-1].row.reason == "memory", "what could not be put back is not evaluable"


def test_a_command_that_offers_nothing_cannot_be_saved_either(project: Project) -> None:
    project.write("agent.sh", 'while read -r a && read -r b; do echo \'{"type":"submit","answer":1}\'; done\n')
    lived = project.examine("cmd:sh agent.sh", family="recall", program=PROGRAM)
    assert possible(lived) == {"snapshot": False, "clear": True}
    assert lived[-1].row.reason == "memory", "what could not be put back is not evaluable"


def test_an_agent_that_fails_at_its_own_snapshot_fails_what_rests_on_it(project: Project) -> None:
    project.write("mine.py", OWN.replace("{way}", "def").replace('(self.word or "").encode()', "1 / 0"))
    lived = project.examine("python:mine.py:Agent", family="recall", program=PROGRAM)
    assert possible(lived)["snapshot"] is False
    assert (lived[-1].row.outcome, lived[-1].row.reason) == ("failure", "memory_failed")
    assert "did not restore its memory" in lived[-1].failure


@pytest.mark.parametrize("end", ["import os; os._exit(1)", "import time; time.sleep(60)"])
def test_the_folder_outlives_a_bad_end_of_the_process(end: str, project: Project) -> None:
    text = IN_FOLDER.replace(
        "return Submission(",
        f"if 'bad' in session.observations[0].fields:\n            {end}\n        return Submission(",
    )
    project.write("mine.py", text)
    program = [{"phase": "train"}, {"phase": "bad"}, {"phase": "test"}]
    lived = project.examine("python:mine.py:run", family="recall", system=FOLDER, program=program, seconds=2)
    assert lived[1].row.outcome in ("failure", "limit")
    assert knowledge(lived)[2] == "knows"


def test_nothing_passes_from_one_lifetime_to_the_next(project: Project) -> None:
    text = """
        import os
        from pathlib import Path
        from proctor import Submission

        PLACES = ["/task", "/task/notes/kept", "/tmp", "/dev/shm", "/var/tmp", "/agent", "/opt/proctor", "/run"]

        def run(task, session):
            seen = []
            for place in PLACES:
                note = Path(place, "nonce")
                try:
                    seen += [note.read_text()] if note.exists() else []
                    note.write_text(task.nonce)
                except OSError:
                    pass
            return Submission(seen)
    """
    project.write("mine.py", text)
    lived = project.examine("python:mine.py:run", system=FOLDER, n=3)
    assert [episode.row.answer for episode in lived] == ["[]"] * 3
    # The same agent does find its notes within a lifetime: the test can tell the difference.
    lived = project.examine("python:mine.py:run", system=FOLDER, n=1, program=[{"episodes": 2}])
    assert lived[1].row.answer != "[]"
