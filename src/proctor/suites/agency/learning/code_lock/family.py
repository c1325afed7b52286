"""The family `code-lock` (B.6.1, L1): open a lock with the hints that every attempt is answered with.

Always: in phase `first` there is one attempt, in every other phase six; the secret is drawn for each episode from at
least a hundred codes, so that neither luck nor six blind attempts open the lock; the locks of one lifetime are of one
kind; the oracle knows hints, not secrets.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.learning.code_lock.puzzle import History
from proctor.suites.agency.learning.code_lock.texts import (
    ANSWER_FORMAT,
    GOALS,
    MANY,
    OBJECTS,
    ONCE,
    PLACES,
    REASONS_FOR,
)
from proctor.suites.agency.learning.code_lock.world import PUZZLES, REASONS, LockWorld
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.words import person
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(PUZZLES)
ATTEMPTS = 6
_BUDGET = Budget(actions=30)
_SLACK = 4


class CodeLockFamily(JudgedByState):
    """Eight kinds of lock."""

    spec = FamilySpec(
        id="code-lock",
        title="Code lock",
        description="Puzzle locks that answer every attempt with a hint: pegs, dials, wheels, switches and others.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("L1",),
        criterion="The lock is open after the last attempt that is allowed, at the latest.",
        verification="The lock's own state: it opens when an entry equals the secret fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={"size": Knob(default=2, values=(1, 2, 3), description="How many codes are possible.")},
        observation_schema={
            "type": "object",
            "properties": {"note": {"type": "string"}, "attempts": {"type": "integer"}},
            "required": ["note", "attempts"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(Text()),
        examined="later",
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        size = draw.knobs.get("size", 2)
        template = draw.shared.choice(_TEMPLATES)
        public, secret = PUZZLES[template].draw(stream, size)
        attempts = 1 if draw.phase == "first" else ATTEMPTS
        initial, surname = person(stream)
        owner, thing, place = f"{initial}. {surname}", stream.choice(OBJECTS), stream.choice(PLACES)
        why = stream.choice(REASONS_FOR).format(year=stream.integer(1921, 2019))
        number = stream.integer(100, 9999)
        return Instance(
            template=template,
            goal=stream.choice(GOALS).format(
                thing=thing,
                place=place,
                owner=owner,
                rules=PUZZLES[template].rules.format(**public),
                attempts=ONCE if attempts == 1 else MANY.format(count=attempts),
            ),
            answer_format=ANSWER_FORMAT,
            observation={"note": f"{thing} no. {number} in {place}: {why} ({owner})", "attempts": attempts},
            hidden={"public": public, "secret": secret, "attempts": attempts},
            knobs={"size": size},
            budget=_BUDGET,
            strict_actions=attempts + _SLACK,
        )

    def world(self, instance: Instance, place: Place) -> LockWorld:
        return LockWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """A solver that knows only the hints has to open it; attempts that were not carried out are made again."""
        needed = attempts_needed(instance)
        if needed is None:
            return False
        try:
            Policy(instance, deliveries).call("write", times=needed)
        except OutOfCalls:
            return False
        return True


def attempts_needed(instance: Instance) -> int | None:
    """After how many attempts the solver has it open; None where it does not get there."""
    hidden, puzzle = instance.hidden, PUZZLES[instance.template]
    history: History = []
    for number in range(1, hidden["attempts"] + 1):
        entry = puzzle.guess(hidden["public"], history)
        if entry == hidden["secret"]:
            return number
        history.append((entry, puzzle.hint(hidden["public"], hidden["secret"], entry, number)))
    return None


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Of the hidden part only what the goal says as well is used: the secret is not."""
    puzzle, public = PUZZLES[instance.template], instance.hidden["public"]
    history: History = []
    for _ in range(instance.hidden["attempts"]):
        entry = puzzle.guess(public, history)
        result = await call_with_retry(session, "attempt", entry=puzzle.write(entry))
        if not result.ok or result.value["opened"]:
            break
        shown = ("entry", "opened", "attempts_left")
        history.append((entry, {name: value for name, value in result.value.items() if name not in shown}))
    return Submission("done", confidence=1.0)


family = CodeLockFamily()
