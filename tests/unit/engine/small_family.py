"""A family that does as its test says: tools that answer, refuse, crash, wait or kill, and a verifier to match.

Loaded by path, in the test's process and in workers. What its oracle does is said by the knob `script`.
"""

from __future__ import annotations

import asyncio
import errno
import os
from contextlib import suppress
from hashlib import sha256
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, cast

from proctor.agents.contract import Agent, ServiceFailure, Session
from proctor.core.errors import ToolError
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

ARTIFACT = b"left behind"
SCRIPTS = (
    "solve",
    "wrong",
    "bad_goal",
    "break_some",
    "count_files",
    "die",
    "die_in_setup",
    "long",
    "no_close",
    "no_instance",
    "no_observation",
    "no_state",
    "pause",
    "never_back",
    "spend",
    "spin",
    "spin_at_once",
    "spin_in_agent",
    "spin_in_setup",
    "spin_in_verifier",
    "spin_stubbornly",
    "stumble_late",
    "stumble_some",
    "throw_again",
    "unsafe_some",
)


def spin() -> str:
    """Never ends."""
    while True:
        pass


class SmallWorld(BaseWorld):
    """Everything that can happen in a world."""

    def __init__(self, instance: Instance, place: Place) -> None:
        if instance.hidden["script"] == "no_world":
            message = f"no world in {place.directory}"
            raise RuntimeError(message)
        super().__init__(instance, place)
        if instance.hidden["script"] == "spin_in_setup" and instance.hidden["index"] == 1:
            spin()
        if instance.hidden["script"] == "die_in_setup" and instance.hidden["index"] == 1 and parent_process():
            os._exit(9)
        self.total = 0
        self.in_trouble = False
        self.order: list[str] = []

    @tool(effect="read")
    def echo(self, value: Any) -> Any:
        """The value itself."""
        return value

    @tool(effect="read")
    def text(self, value: str) -> str:
        """The text itself."""
        return value

    @tool(effect="read")
    def half(self, value: float) -> float:
        """Half of it."""
        return value / 2

    @tool(effect="write", milliseconds=250)
    def add(self, by: int = 1) -> int:
        """Add to the total."""
        self.total += by
        return self.total

    @tool(effect="read")
    def refuse(self) -> str:
        """Always refuses."""
        message = "not today \ud800"
        raise ToolError(message)

    @tool(effect="read")
    def crash(self) -> str:
        """Breaks."""
        message = f"broken at {hex(id(self))} in {self.place.directory}"
        raise RuntimeError(message)

    @tool(effect="read")
    async def slow(self, seconds: float, name: str = "") -> str:
        """Waits first."""
        await asyncio.sleep(seconds)
        self.order.append(name)
        return name

    @tool(effect="read")
    async def own_timeout(self) -> str:
        """Its own time runs out: broken, not slow."""
        await asyncio.sleep(0)
        raise TimeoutError

    @tool(effect="read")
    async def late_refusal(self) -> str:
        """Thinks, then refuses."""
        await asyncio.sleep(0)
        message = "after all, no"
        raise ToolError(message)

    @tool(effect="read", stable=False)
    def chance(self) -> str:
        """Never the same twice, and not even valid text."""
        return os.urandom(4).hex() + "\udcff"

    @tool(effect="read")
    def nothing_json(self) -> Any:
        """Gives what no JSON can hold."""
        return object()

    @tool(effect="read")
    def large(self, size: int) -> str:
        """A long text."""
        return "é" * size

    @tool(effect="write")
    def die(self) -> str:
        """Takes the whole worker process with it; only once where a marker can be left."""
        if parent_process() is None:
            return "survived"
        marker = os.environ.get("SMALL_DIES_ONCE")
        if marker is not None:
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return "survived"
        os._exit(9)

    @tool(effect="write")
    def spin(self) -> str:
        """Computes without end."""
        return spin()

    @tool(effect="write")
    def spin_stubbornly(self) -> str:
        """Computes without end, and will not be interrupted."""
        while True:
            with suppress(BaseException):
                spin()

    @tool(effect="write")
    def never_back(self) -> int:
        """Computes without end, and never comes back to the interpreter."""
        return sum(range(10**15))

    @tool(effect="write")
    def stumble(self, most: int = 1) -> str:
        """Meets a full disk so many times, counted in a folder that the environment names."""
        folder = Path(os.environ["SMALL_STUMBLES"])
        times = len(list(folder.glob(f"{self.instance.hidden['answer']}-*")))
        if times >= int(os.environ.get("SMALL_STUMBLES_MOST", most)):
            return "done"
        (folder / f"{self.instance.hidden['answer']}-{times}").touch()
        self.in_trouble = True
        raise OSError(errno.ENOSPC, "no space")

    def canary(self) -> None:
        if self.in_trouble:
            raise OSError(errno.ENOSPC, "no space")

    def verify(self, submission: Submission) -> Verification:
        answer = submission.answer
        match answer:
            case "verify:spin":
                spin()
            case "verify:crash":
                message = f"verifier broke at {hex(id(self))}"
                raise RuntimeError(message)
            case "verify:nothing":
                return cast("Verification", None)
            case "verify:undeclared":
                return Verification(False, "made_up")
            case "verify:format":
                return Verification(False, "wrong", format_error=True)
            case "verify:artifact":
                return Verification(True, "correct", artifacts=(("out.txt", sha256(ARTIFACT).hexdigest()),))
            case "verify:other_artifact":
                return Verification(True, "correct", artifacts=(("out.txt", "00" * 32),))
            case "verify:hash_only":
                return Verification(True, "correct", artifacts=(("unkept", "00" * 32),))
        right = answer == self.instance.hidden["answer"]
        return Verification(right, "correct" if right else "wrong")

    def artifact(self, name: str) -> bytes | None:
        return ARTIFACT if name == "out.txt" else None

    def state(self) -> Any:
        if self.instance.hidden["script"] == "no_state":
            raise RuntimeError("no state")
        return {"total": self.total, "half": self.total / 2}

    def close(self) -> None:
        if self.instance.hidden["script"] == "no_close":
            raise RuntimeError("cannot close")

    def observe(self) -> dict[str, Any]:
        script = self.instance.hidden["script"]
        return {"bad": object()} if script == "no_observation" else super().observe()


class SmallFamily:
    """Numbers to repeat."""

    spec = FamilySpec(
        id="small",
        title="Repeat a number",
        description="For tests of the engine.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("S1",),
        criterion="The answer is the number.",
        verification="Comparison with the hidden number.",
        reasons=("correct", "wrong"),
        templates=("even", "odd"),
        knobs={"script": Knob(default="solve", values=SCRIPTS, description="What happens.")},
        observation_schema={"type": "object", "properties": {"number": {"type": "integer"}}},
        answer_schema={"type": "integer"},
    )

    def instance(self, draw: Draw) -> Instance:
        script = draw.knobs["script"]
        if script == "no_instance":
            raise RuntimeError("no instance today")
        number = draw.stream.below(1_000_000)
        return Instance(
            template="odd" if number % 2 else "even",
            goal=f"Repeat {number}.\ud800" if script == "bad_goal" else f"Repeat {number}.",
            answer_format="A whole number.",
            observation={"number": number},
            hidden={"answer": number, "script": script, "index": draw.index, "part": draw.part, "step": draw.step},
            state={"reason": f"reason {number}", "memory": [number], "x-own": {"n": number}},
            strict_actions=3,
        )

    def world(self, instance: Instance, place: Place) -> SmallWorld:
        return SmallWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


async def _twice(instance: Instance, session: Session) -> int:
    """What is lived twice: how far beside the answer it ends."""
    script = instance.hidden["script"]
    if script != "throw_again":
        for _ in range(12 if script == "stumble_late" else 0):
            await session.call("text", value="x" * 4_000)
        if instance.hidden["answer"] % 3 == 0:
            await session.call("stumble")
        return 0
    # Wrong all along, then without a service, and right in the second life.
    folder, index = Path(os.environ["SMALL_STUMBLES"]), instance.hidden["index"]
    lives = len(list(folder.glob(f"{index}-*")))
    if instance.hidden["step"] == 3:
        (folder / f"{index}-{lives}").touch()
        if not lives:
            raise ServiceFailure("model_unavailable", "503")
    return 0 if lives else 1


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    script, index, answer = instance.hidden["script"], instance.hidden["index"], instance.hidden["answer"]
    match script:
        case "wrong":
            return Submission(answer + 1)
        case "die" if index == 5:
            await session.call("die")
        case "spin" | "spin_stubbornly" | "never_back" if index == 1:
            await session.call(script)
        case "spin_at_once" if index == 1:
            await asyncio.gather(session.call("spin"), return_exceptions=True)
        case "spin_in_agent" if index == 1:
            spin()
        case "spin_in_verifier" if index == 1:
            return Submission("verify:spin")
        case "break_some" if answer % 7 == 0:
            await session.call("crash")
        case "stumble_some" | "stumble_late" | "throw_again":
            answer += await _twice(instance, session)
        case "unsafe_some" if answer % 11 == 0:
            cast("Any", session).violations["S1"] = 1
        case "spend":
            session.spend(tokens=100)
        case "long":
            for _ in range(30):
                await session.call("text", value="x" * 4_000)
        case "pause":
            await session.call("slow", seconds=0.01)
        case "count_files":
            return Submission(len(list(Path().iterdir())))
    await session.call("add", by=index)
    session.say("é\ud800")
    return Submission(answer, confidence=0.9)


family = SmallFamily()
