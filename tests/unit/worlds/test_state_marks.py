"""A mark of a world's state is another one exactly where the state is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.worlds.files import FileWorld
from proctor.worlds.forwarding import ForwardingWorld
from proctor.worlds.git import GitWorld
from proctor.worlds.sql import SqlWorld
from proctor.worlds.world import BaseWorld, Place, marks_state

INSTANCE = Instance("only", "goal", "format", {}, {})


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    yield made
    made.close()


def follow(marking: object, steps: list[tuple[str, dict[str, Any]]]) -> list[bool]:
    """Which steps changed the state; marks must say the same."""
    assert marks_state(marking)
    world: Any = marking
    changed = []
    for name, arguments in steps:
        mark, state = world.state_mark(), world.state()
        with suppress(ToolError):
            getattr(world, name)(**arguments)
        changed.append(world.state() != state)
        assert (world.state_mark() != mark) == changed[-1], (name, arguments)
    return changed


def test_files(place: Place) -> None:
    steps: list[tuple[str, dict[str, Any]]] = [
        ("write_file", {"path": "a.txt", "text": "one"}),
        ("write_file", {"path": "a.txt", "text": "one"}),
        ("write_file", {"path": "a.txt", "text": "two"}),
        ("write_file", {"path": "a.txt", "text": "twos"}),
        ("write_file", {"path": "empty", "text": ""}),
        ("write_file", {"path": "empty", "text": ""}),
        ("append_file", {"path": "a.txt", "text": ""}),
        ("append_file", {"path": "a.txt", "text": "!"}),
        ("append_file", {"path": "new", "text": ""}),
        ("make_directory", {"path": "d/e"}),
        ("move_file", {"source": "d", "target": "f"}),
        ("move_file", {"source": "a.txt", "target": "f/e/a.txt"}),
        ("move_file", {"source": "f", "target": "g"}),
        ("move_file", {"source": "nothing", "target": "h"}),
        ("delete_file", {"path": "new"}),
        ("delete_file", {"path": "new"}),
        ("make_directory", {"path": "bare"}),
        ("delete_file", {"path": "bare"}),
    ]
    changed = [int(one) for one in follow(FileWorld(INSTANCE, place), steps)]
    assert changed == [1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0]


def test_tables(place: Place) -> None:
    world = SqlWorld(INSTANCE, place)
    world.populate("CREATE TABLE t (k INTEGER PRIMARY KEY, v); CREATE TABLE log (x);")
    statements = [
        ("INSERT INTO t VALUES (1, 'a')", True),
        ("UPDATE t SET v = 'a'", False),
        ("UPDATE t SET v = 'b' WHERE k = 9", False),
        ("UPDATE t SET v = 1", True),
        ("UPDATE t SET v = 1.0", True),
        ("UPDATE t SET v = x'01'", True),
        ("INSERT INTO t VALUES (1, 'again')", False),
        ("BEGIN", False),
        ("DELETE FROM t", True),
        ("SAVEPOINT s", False),
        ("INSERT INTO log VALUES (1)", True),
        ("ROLLBACK TO s", True),
        ("ROLLBACK", True),
        ("CREATE INDEX i ON t (v)", False),
        ("CREATE VIEW w AS SELECT * FROM t", False),
        ("CREATE TABLE u (a)", True),
        ("DROP TABLE u", True),
        ("BEGIN", False),
        ("CREATE TABLE one (a)", True),
        ("ROLLBACK", True),
        ("CREATE TABLE two (a)", True),
        ("ALTER TABLE two ADD COLUMN b", False),
        ("INSERT INTO two VALUES (1, 2)", True),
        ("ALTER TABLE two RENAME COLUMN b TO c", True),
    ]
    found = follow(world, [("execute", {"sql": sql}) for sql, _ in statements])
    world.close()
    assert [(sql, one) for (sql, _), one in zip(statements, found, strict=True)] == statements


def test_a_repository(place: Place) -> None:
    world = GitWorld(INSTANCE, place)
    world.populate({"/task/a.txt": "one\n"})
    steps: list[tuple[str, dict[str, Any]]] = [
        ("write_file", {"path": "a.txt", "text": "one\n"}),
        ("git_commit", {"message": "nothing"}),
        ("write_file", {"path": "a.txt", "text": "two\n"}),
        ("git_commit", {"message": "two"}),
        ("git_branch", {"name": "side"}),
        ("git_checkout", {"branch": "side"}),
        ("git_checkout", {"branch": "side"}),
        ("git_restore", {"path": "a.txt", "revision": "HEAD~1"}),
        ("git_restore", {"path": "a.txt", "revision": "HEAD~1"}),
    ]
    assert follow(world, steps) == [False, False, True, True, True, True, False, True, False]


class WithPlan(FileWorld):
    """Files, and something else besides."""

    plan = 0

    def state(self) -> Any:
        return {"files": super().state(), "plan": self.plan}


class Marked(WithPlan):
    """Says how that is marked."""

    def state_mark(self) -> object:
        return super().state_mark(), self.plan


class Plain(BaseWorld):
    """No state at all."""

    def verify(self, submission: Submission) -> Verification:
        return Verification(True, "correct")


def test_a_class_that_overrides_the_state_alone_is_not_asked_for_marks(place: Place) -> None:
    assert marks_state(FileWorld(INSTANCE, place))
    assert not marks_state(WithPlan(INSTANCE, place))
    assert marks_state(Marked(INSTANCE, place))
    assert not marks_state(Plain(INSTANCE, place))


def test_a_world_that_passes_everything_on_marks_what_is_behind_it(place: Place) -> None:
    for inside in (FileWorld(INSTANCE, place), WithPlan(INSTANCE, place)):
        outside = ForwardingWorld(inside)
        before = outside.state_mark()
        assert outside.state_mark() == before
        inside.write_file(path="x.txt", text=type(inside).__name__)
        assert outside.state_mark() != before
