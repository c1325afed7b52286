"""The family `batch-or-single` (§12.7.2, T4-switch): all at once, or one by one, as the remarks that still hold demand.

Always: either an item must be left out, which handling all at once cannot do, or the desk shuts after a few single
items, which handling one by one runs into. Both are told in every text, and which of them no longer holds. What was
handled in one way cannot be handled in the other, so there is no trying out.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.spec.tier_protocols import Strategies
from proctor.suites.agency.modeling.prediction import restores_and_acts
from proctor.suites.agency.reflecting.batch_or_single.lists import WORDS, listing
from proctor.suites.agency.reflecting.batch_or_single.world import (
    AT_ONCE,
    ONE_BY_ONE,
    REASONS,
    SWITCH,
    DeskWorld,
)
from proctor.suites.agency.reflecting.frames import FRAMES, TEMPLATES
from proctor.suites.agency.reflecting.halves import in_first_half
from proctor.suites.agency.reflecting.switching import FIXED, strategies_knob
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.world import Place

_BUDGET = Budget(actions=100)
_SPARE = 4


class BatchOrSingleFamily(JudgedByState):
    """Lists of six houses, in eight forms."""

    spec = FamilySpec(
        id="batch-or-single",
        title="All at once or one by one",
        description="A list is handled in one go or item by item; remarks that still hold say which of them works.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("T4-switch",),
        criterion="Every item that is due was handled with today's mark, and no other item.",
        verification="The desk's own record of what was handled is compared with the list and the remarks that hold.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "items": Knob(default=5, values=(5, 6, 8), description="Items on the list."),
            "strategies": strategies_knob("single handling"),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
        strategies=Strategies(
            names=(AT_ONCE, ONE_BY_ONE),
            features=(
                "a remark that still holds asks for an item to be left out: one by one",
                "a remark that still holds limits single items: all at once",
            ),
            switch=SWITCH,
            recognised="By the tool whose call first handled anything: handle_all or handle_one.",
        ),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(TEMPLATES), stream.choice(WORDS["goals"])
        drawn = listing(stream, knobs["items"], exception_holds=in_first_half(draw))
        shown = show(FRAMES[template](stream, drawn.house["title"], drawn.lines))
        return make_instance(
            shown,
            template=template,
            goal=f"{goal} {WORDS['rules']}".format(**drawn.house),
            answer_format=WORDS["answer_format"],
            hidden={
                "items": drawn.items,
                "mark": drawn.mark,
                "left_out": drawn.exception if drawn.exception_holds else None,
                "limit": None if drawn.exception_holds else drawn.limit,
                "suits": ONE_BY_ONE if drawn.exception_holds else AT_ONCE,
            },
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=min(100, shown.readings + len(drawn.items) + _SPARE),
        )

    def world(self, instance: Instance, place: Place) -> DeskWorld:
        return DeskWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """List, mark and remarks have to come back right; then one call, or one an item."""
        single = instance.hidden["suits"] == ONE_BY_ONE
        if single and instance.knobs["strategies"] == FIXED:
            return False
        return restores_and_acts(instance, deliveries, len(instance.hidden["items"]) - 1 if single else 1)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Handles the list in the way that the remarks ask for, with the tools there are."""
    hidden = instance.hidden
    await call_with_retry(session, "passage", number=1)
    if hidden["left_out"] is not None and any(tool.name == SWITCH for tool in task.tools):
        for item in hidden["items"]:
            if item != hidden["left_out"]:
                await call_with_retry(session, SWITCH, item=item, mark=hidden["mark"])
    else:
        await call_with_retry(session, "handle_all", mark=hidden["mark"])
    return Submission("done", confidence=1.0)


family = BatchOrSingleFamily()
