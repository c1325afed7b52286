"""Notes: a file for one lifetime, shown again in its later episodes, saved, put back and wiped by the bench."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.unit.agents.model.speaking import Spoken, say, submit
from tests.unit.engine.small import bench

from proctor.agents.model.agent import NotingAgent, Settings
from proctor.agents.model.notes import MAX_CHARACTERS, Notes
from proctor.agents.structured.asking import Source
from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.evidence.events import MemoryMoved, decode_event
from proctor.models.contract import Reply, Request

PROGRAM = [
    {"phase": "pre", "episodes": 1, "before": "snapshot"},
    {"phase": "train", "episodes": 2},
    {"phase": "control", "episodes": 1, "before": "restore"},
    {"phase": "blank", "episodes": 1, "before": "clear"},
]


def notes_in(request: Request) -> str:
    """What the first turn shows of the notes."""
    return request.messages[1].content.partition("# Your notes from earlier tasks\n")[2].partition("\n\n#")[0]


def tallying(request: Request) -> Reply:
    """Adds a stroke to its notes in each episode, then hands in what it was shown of them."""
    if request.messages[-1].role != "tool":
        return say("", ("write_notes", {"text": "|", "append": True}), ("read_notes", {}))
    return say("", submit(notes_in(request)))


def test_notes_last_a_lifetime_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Spoken(tallying)
    agents = []

    def opened(self: Bench, lifetime: object) -> NotingAgent:
        agents.append(NotingAgent(Source("spoken", lambda: model), Settings()))
        return agents[-1]

    built = bench({"n": 2, "program": PROGRAM})
    monkeypatch.setattr(Bench, "open_agent", opened)
    for number in range(2):
        records = asyncio.run(live(built, built.plan.lifetime(number)))
        answers = [json.loads(record.row.answer or "") for record in records]
        # Nothing; what the first noted; two strokes; as it was saved, before the first; wiped.
        assert answers == ["(none yet)", "|", "|\n|", "(none yet)", "(none yet)"]
        moved = [event for record in records for event in map(decode_event, record.trace.split(b"\n"))]
        assert all(event.possible for event in moved if isinstance(event, MemoryMoved))
        assert all(record.row.calls == 0 for record in records), "notes are no actions of the task"
    assert len(agents) == 2


def test_notes_are_a_file_that_is_gone_with_its_lifetime() -> None:
    notes = Notes()
    assert notes.text == "" and notes.write('{"text": "first"}')["result"]
    folder = notes._folder
    assert isinstance(folder, Path) and (folder / "notes.md").read_text() == "first"
    assert notes.write('{"text": "second", "append": true}')["result"] and notes.text == "first\nsecond"
    assert notes.write('{"text": "third"}')["result"] and notes.text == "third"
    notes.remove()
    assert notes.text == "" and not folder.parent.exists()


@pytest.mark.parametrize(
    "arguments", ["{", "[]", "{}", '{"text": 1}', '{"text": "a", "append": "yes"}', '{"text": "a", "to": "b"}']
)
def test_bad_arguments_change_nothing(arguments: str) -> None:
    notes = Notes()
    notes.replace("before")
    assert "do not fit" in str(notes.write(arguments)["error"]) and notes.text == "before"
    notes.remove()


def test_notes_have_a_size() -> None:
    notes = Notes()
    assert "16,000" in str(notes.write(json.dumps({"text": "x" * (MAX_CHARACTERS + 1)}))["error"])
    notes.write(json.dumps({"text": "x" * MAX_CHARACTERS}))
    assert "error" in notes.write('{"text": "y", "append": true}') and len(notes.text) == MAX_CHARACTERS
    notes.remove()


def test_memory_that_is_put_back_is_exactly_what_was_saved() -> None:
    agent = NotingAgent(Source("spoken", lambda: Spoken(tallying)), Settings())
    assert agent.remembers() and agent.snapshot() == b""
    agent.restore("über\n".encode())
    assert agent.snapshot() == "über\n".encode()
    agent.restore(b"")
    assert agent.snapshot() == b""
    agent.restore(b"x")
    agent.clear()
    assert agent.snapshot() == b""
    asyncio.run(agent.close())
