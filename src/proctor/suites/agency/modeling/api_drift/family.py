"""The family `api-drift` (B.3.4, M4): place orders with a service whose response time may change under way.

Always: who waits as long as the service needs, and learns from the first call in vain, has time to spare; who waits
fifteen seconds from the beginning runs out of time, with or without a change. Under the baseline the service keeps its
five seconds; the regime `drift-5-15` makes it fifteen.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.modeling.api_drift.orders import FORMS, orders
from proctor.suites.agency.modeling.api_drift.texts import (
    ANSWER_FORMAT,
    DEAREST_SECONDS,
    GOALS,
    LONGEST_SECONDS,
    NOTE,
    READING_SECONDS,
    RESPONSE_SECONDS,
    SHORT_OF_ALWAYS,
    STEP_SECONDS,
)
from proctor.suites.agency.modeling.api_drift.world import REASONS, ServiceWorld
from proctor.suites.agency.modeling.prediction import REREADING, restores_keeping
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.retry import MAX_ATTEMPTS
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_CALLS_PER_ORDER = 12


class ApiDriftFamily(JudgedByState):
    """Order lists in eight forms."""

    spec = FamilySpec(
        id="api-drift",
        title="API drift",
        description="Orders for a service with a line that is open for a limited time; the response time may drift.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("M4",),
        criterion="The service accepted every order that is not withdrawn, and only those, with the right quantities.",
        verification="What the service accepted, in the state of the world, is compared with the list; not the answer.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "orders": Knob(default=12, values=(10, 12, 14, 16), description="Orders to be placed."),
            "withdrawn": Knob(default=2, values=(0, 1, 2, 4), description="Orders that must not be placed."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(_TEMPLATES), stream.choice(GOALS)
        drawn = orders(stream, knobs["orders"], knobs["withdrawn"])
        shown = show(FORMS[template](drawn, stream))
        seconds = DEAREST_SECONDS * knobs["orders"] - SHORT_OF_ALWAYS
        note = NOTE.format(response=RESPONSE_SECONDS, step=STEP_SECONDS, longest=LONGEST_SECONDS, budget=seconds)
        return make_instance(
            shown,
            template=template,
            goal=goal + note + REREADING,
            answer_format=ANSWER_FORMAT,
            hidden={
                "wanted": {order.code: order.quantity for order in drawn if not order.withdrawn},
                "withdrawn": [order.code for order in drawn if order.withdrawn],
                "seconds": seconds,
            },
            knobs=knobs,
            budget=Budget(actions=_CALLS_PER_ORDER * knobs["orders"]),
            strict_actions=shown.readings + knobs["orders"] + 4,
        )

    def world(self, instance: Instance, place: Place) -> ServiceWorld:
        return ServiceWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The order lines have to come back right, and the policy that waits five seconds longer after each call in
        vain has to get through in time."""
        count = len(instance.hidden["wanted"])
        try:
            return _gets_through(instance, deliveries, count) and restores_keeping(instance, deliveries, 3 * count)
        except OutOfCalls:
            return False


def _gets_through(instance: Instance, deliveries: Deliveries, count: int) -> bool:
    stability = deliveries.regime.stability
    drift = stability.drift
    policy = Policy(instance, deliveries)
    left = 1000 * (instance.hidden["seconds"] - READING_SECONDS)
    wait, accepted = RESPONSE_SECONDS, 0
    while accepted < count:
        if not policy.attempt("write", milliseconds=1000 * wait):
            left -= stability.timeout_milliseconds if stability.timeouts else 0
            continue
        left -= 1000 * wait
        if left < 0:
            return False
        drifted = drift is not None and drift.waits is not None and accepted >= drift.after_calls
        takes = (drift.milliseconds or 0) if drift is not None and drifted else 1000 * RESPONSE_SECONDS
        if 1000 * wait < takes:
            wait += STEP_SECONDS
        else:
            accepted += 1
    return True


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Waits longer after every call in vain, and never goes back."""
    wait = RESPONSE_SECONDS
    for code, quantity in instance.hidden["wanted"].items():
        for _ in range(MAX_ATTEMPTS):
            result = await session.call("send_order", order=code, quantity=quantity, wait_seconds=wait)
            error = result.error or ""
            if result.ok or "accepted before" in error:
                break
            if "no answer" in error:
                wait = min(LONGEST_SECONDS, wait + STEP_SECONDS)
    return Submission("done", confidence=1.0)


family = ApiDriftFamily()
