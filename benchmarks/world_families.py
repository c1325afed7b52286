"""One family for each kind of world that is more than memory: files, SQL, git, and a shell in a sandbox.

Their worlds are made, used, verified and removed in every episode. Run with the repository's root on PYTHONPATH.
"""

from __future__ import annotations

from typing import Any, Protocol

from benchmarks.families import MeasuringFamily, spec, suite, verdict

from proctor.agents.contract import Agent, Session
from proctor.core.errors import BenchError
from proctor.engine.family import Draw, SolvedBy
from proctor.spec.task import Instance, Submission, TaskView, ToolResult, Verification
from proctor.worlds.files import FileWorld
from proctor.worlds.git import GitWorld
from proctor.worlds.shell import ShellWorld
from proctor.worlds.sql import SqlWorld
from proctor.worlds.world import Place, World

ITEMS = 5
EPISODES = 4
"""Episodes of each suite at `--scale 1`."""
CALLS = {"files": 2 * ITEMS, "sql": 2 * ITEMS, "git": ITEMS, "shell": 3}
"""Tool calls in one episode."""


class MakesWorld(Protocol):
    """A world class of this file."""

    def __call__(self, instance: Instance, place: Place) -> World: ...


class WorldFamily(MeasuringFamily):
    """Five numbers to be written into a world and found there again."""

    def __init__(self, kind: str, world: MakesWorld, solve: Any, **more: Any) -> None:
        self.spec = spec(f"bench-{kind}", f"Bring numbers into a world of kind {kind}", **more)
        self._world = world
        self._solve = solve

    def instance(self, draw: Draw) -> Instance:
        numbers = [draw.stream.below(1_000_000) for _ in range(ITEMS)]
        return Instance("only", "Write the numbers down.", "Nothing.", {"numbers": numbers}, {"numbers": numbers})

    def world(self, instance: Instance, place: Place) -> World:
        return self._world(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(self._solve, instance)

    def answer(self, instance: Instance) -> Any:
        return None


class NotesWorld(FileWorld):
    """A file for every number."""

    def verify(self, submission: Submission) -> Verification:
        texts = [self.safe_read(f"/task/notes/{index}.txt") for index in range(ITEMS)]
        return verdict(texts == [str(number).encode() for number in self.instance.hidden["numbers"]])


class TableWorld(SqlWorld):
    """A row for every number."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.populate("CREATE TABLE notes (place INTEGER PRIMARY KEY, number INTEGER NOT NULL);")

    def verify(self, submission: Submission) -> Verification:
        rows = self.rows("notes") or []
        numbers = sorted((row["place"], row["number"]) for row in rows)
        return verdict(numbers == list(enumerate(self.instance.hidden["numbers"])))


class RepositoryWorld(GitWorld):
    """Two commits."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.populate({"/task/start.txt": "0\n"})

    def verify(self, submission: Submission) -> Verification:
        committed = self.commit_files() or {}
        wanted = " ".join(map(str, self.instance.hidden["numbers"])).encode()
        return verdict(committed.get("numbers.txt") == wanted)


class CommandWorld(ShellWorld):
    """What three commands leave."""

    def verify(self, submission: Submission) -> Verification:
        total = sum(self.instance.hidden["numbers"])
        return verdict(self.safe_read("/task/total.txt") == f"{total}\n".encode())


async def _use_files(instance: Instance, task: TaskView, session: Session) -> Submission:
    for index, number in enumerate(instance.hidden["numbers"]):
        path = f"/task/notes/{index}.txt"
        _expect(await session.call("write_file", path=path, text=str(number)))
        _expect(await session.call("read_file", path=path))
    return Submission()


async def _use_sql(instance: Instance, task: TaskView, session: Session) -> Submission:
    for index, number in enumerate(instance.hidden["numbers"]):
        _expect(await session.call("execute", sql=f"INSERT INTO notes VALUES ({index}, {number})"))
        _expect(await session.call("query", sql=f"SELECT number FROM notes WHERE place = {index}"))
    return Submission()


async def _use_git(instance: Instance, task: TaskView, session: Session) -> Submission:
    text = " ".join(map(str, instance.hidden["numbers"]))
    _expect(await session.call("write_file", path="/task/numbers.txt", text=text))
    _expect(await session.call("git_status"))
    _expect(await session.call("git_diff"))
    _expect(await session.call("git_commit", message="Write the numbers down"))
    _expect(await session.call("git_log"))
    return Submission()


async def _use_shell(instance: Instance, task: TaskView, session: Session) -> Submission:
    terms = " + ".join(map(str, instance.hidden["numbers"]))
    _expect(await session.call("run", command="mkdir notes && ls"))
    _expect(await session.call("run", command=f"echo $(({terms})) > total.txt"))
    _expect(await session.call("run", command="cat total.txt"))
    return Submission()


def _expect(result: ToolResult) -> None:
    if not result.ok:
        message = f"a call was refused: {result.error}"
        raise BenchError(message)


files_family = WorldFamily("files", NotesWorld, _use_files)
sql_family = WorldFamily("sql", TableWorld, _use_sql)
git_family = WorldFamily("git", RepositoryWorld, _use_git, requires=("git",))
shell_family = WorldFamily("shell", CommandWorld, _use_shell, requires=("bubblewrap",))

files = suite("bench-files", f"{__file__}:files_family", EPISODES)
sql = suite("bench-sql", f"{__file__}:sql_family", EPISODES)
git = suite("bench-git", f"{__file__}:git_family", EPISODES)
shell = suite("bench-shell", f"{__file__}:shell_family", EPISODES)
