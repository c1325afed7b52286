"""One world put under strain: a wild episode, and the same calls once more in a fresh world.

What is looked for is stated by the contract of worlds: nothing but `ToolError` is raised, `state()` and `verify()` work
after any calls, no call takes more processor time than the world declares, nothing outside its folder is read or
changed, and equal calls give equal worlds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

from msgspec import Struct

from proctor.agents.contract import Agent, Session
from proctor.conformance.strained_world import StrainedWorld
from proctor.conformance.subject import Subject
from proctor.conformance.wild_caller import Made, WildCaller
from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.engine.sentence import describe
from proctor.engine.trial import Trial
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.worlds.world import Place, World

_PLANTED: Final = "proctor-lies-beside-the-world"


class Strain(Struct, frozen=True):
    """How a world stood it."""

    calls: int
    """Calls that reached the world, the second time included."""
    asked: int
    """All calls, those included that were refused before they reached it."""
    refused: int
    slowest: float
    """Seconds of processor that one call took at most."""
    broken: tuple[str, ...]
    """What broke, one sentence each."""
    outcome: str


class _Turn:
    """What was done between being shown a task and handing in; a world that hands a task on makes two of them."""

    def __init__(self) -> None:
        self.made: list[Made] = []
        self.submission: Submission | None = None


class _Noting:
    """Lets the wild caller act and notes what it did."""

    def __init__(self, caller: WildCaller) -> None:
        self._caller = caller
        self.turns: list[_Turn] = []
        self.raised: list[str] = []

    @property
    def made(self) -> list[Made]:
        """All calls, in order."""
        return [call for turn in self.turns for call in turn.made]

    async def run(self, task: TaskView, session: Session) -> Submission:
        turn = _Turn()
        self.turns.append(turn)
        try:
            turn.submission = await self._caller.run(task, cast(Session, _NotingSession(session, turn.made)))
        except Exception as error:
            name, arguments = turn.made[-1] if turn.made else ("", {})
            self.raised.append(f"the call {name[:40]}({list(arguments)}) raised {describe(error)}")
            raise
        return turn.submission


class _Repeating:
    """Does the same once more, turn by turn."""

    def __init__(self, turns: Sequence[_Turn]) -> None:
        self._turns = list(turns)

    async def run(self, task: TaskView, session: Session) -> Submission:
        turn = self._turns.pop(0) if self._turns else _Turn()
        try:
            for name, arguments in turn.made:
                await session.call(name, **arguments)
        except LimitReached:
            pass  # The first time ended here too.
        return turn.submission or Submission()


class _NotingSession:
    """A session that writes calls down before they are made."""

    def __init__(self, session: Session, made: list[Made]) -> None:
        self._session = session
        self._made = made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    async def call(self, tool: str, /, **arguments: Any) -> Any:
        self._made.append((tool, arguments))
        return await self._session.call(tool, **arguments)


def strain(
    subject: Subject, index: int, stream: Stream, calls: int, *, solver_calls: Sequence[Made] | None = None
) -> Strain:
    """Put the world of one instance under so many wild calls, twice."""
    known = subject.solver_calls(index) if solver_calls is None else solver_calls
    with tempfile.TemporaryDirectory(prefix="proctor-strain-") as folder:
        root = Path(folder)
        beside = root / "beside"
        beside.mkdir()
        (beside / "secret").write_text(_PLANTED)
        paths = (str(beside / "secret"), f"/task/{'../' * 12}{beside}/secret"[:900], "../../../beside/secret")
        caller = WildCaller(stream, calls, known, extra=paths)
        first = _Noting(caller)
        trial, world = _lived(subject, index, first, calls, root)
        again, other = _lived(subject, index, _Repeating(first.turns), calls, root)
        broken = [*world.broken, *other.broken]
        # What a world raised is told by the world; what else comes out of a call is the bench's.
        broken += [] if broken else first.raised
        for number in sorted(world.slow & other.slow):
            broken.append(f"call {number} took more than its {world.processor_seconds} s of processor, twice")
        left = sorted(str(path.relative_to(root)) for path in root.rglob("*"))
        if left != ["beside", "beside/secret", "worlds"] or (beside / "secret").read_text() != _PLANTED:
            broken.append(f"something outside the world's folder was changed: {', '.join(left)[:200]}")
        if not broken and trial.record.trace != again.record.trace:
            broken.append(f"the same {len(first.made)} calls left two different traces{_difference(trial, again)}")
        if not broken and world.states[-1:] != other.states[-1:]:
            broken.append(f"the same {len(first.made)} calls left two different states")
    violations = sum(pair.called.violation is not None for pair in trial.calls)
    return Strain(
        world.calls + other.calls,
        2 * len(first.made),
        violations,
        max(world.slowest, other.slowest),
        tuple(dict.fromkeys(broken)),
        trial.row.outcome,
    )


def _lived(subject: Subject, index: int, agent: Agent, calls: int, root: Path) -> tuple[Trial, StrainedWorld]:
    worlds: list[StrainedWorld] = []
    places: list[Place] = []
    (root / "worlds").mkdir(exist_ok=True)

    def make_world(instance: Instance, place: Place) -> World:
        places.append(Place(place.clock, root / "worlds"))
        worlds.append(_LastLook(subject.family.world(instance, places[-1]), _PLANTED))
        return worlds[-1]

    try:
        trial = subject.live(subject.job(index, limits=Budget(actions=calls), make_world=make_world), agent)
    finally:
        for place in places:
            place.close()
    return trial, worlds[0]


class _LastLook(StrainedWorld):
    """Asks for state and canary once more before the world is closed, whatever became of the episode."""

    __slots__ = ()

    def close(self) -> None:
        if not self.broken:
            self.state()
            self.canary()
        super().close()


def _difference(one: Trial, other: Trial) -> str:
    pairs = zip(one.record.trace.split(b"\n"), other.record.trace.split(b"\n"), strict=False)
    for left, right in pairs:
        if left != right:
            return f": {left[:160].decode(errors='replace')} and {right[:160].decode(errors='replace')}"
    return ""
