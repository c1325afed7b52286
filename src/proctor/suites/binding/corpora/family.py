"""A corpus as a family: instance number = planned event × probe, in the plan's order.

Which event and which probe an instance is depends on its number alone; what the event holds comes from the family's
stream, the same for all its probes. Numbers beyond the plan (`--scale`) plan further events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.ontology import SIX_CODES
from proctor.spec.task import Instance
from proctor.suites.binding.corpora.event import Event, make_event
from proctor.suites.binding.corpora.flavour import Flavour
from proctor.suites.binding.corpora.probes import SIX_PROBES, Built, Probe, Twist, build
from proctor.suites.binding.corpora.sampling import Planned, plan
from proctor.suites.binding.corpora.screen import screened
from proctor.suites.binding.single_question import SingleQuestionFamily
from proctor.worlds.choice import OBSERVATION_SCHEMA, REASONS, actions_shown, answer_schema

GOAL = "Decide what to do about the event described under `state`, and hand in one of the action codes."
ANSWER_FORMAT = (
    "A JSON object with the key `final_action`, whose value is a code listed under `actions`; further keys may say how "
    "you came to it. The code alone will do."
)
LABELS = Knob(
    default="balanced",
    values=("paper", "balanced"),
    description="`balanced` exchanges the two labels for a half of the events; `paper` never does.",
)
ARMS = Knob(
    default="plain",
    values=("plain", "paraphrase", "flip", "placebo"),
    description="The same events in other words, with text and target turned round together, or with a field more.",
)
_REMEMBERED = 4_096


class CorpusFamily(SingleQuestionFamily):
    """A corpus that can be run like any other family."""

    probes: Sequence[Probe] = SIX_PROBES

    def __init__(self, flavour: Flavour, extra: dict[str, Knob] | None = None) -> None:
        self.flavour = flavour
        self._source: bytes | None = None
        self._plans: dict[int, tuple[Planned, ...]] = {}
        self._events: dict[tuple[int, int, int], Event] = {}
        self.spec = FamilySpec(
            id=flavour.family,
            title=flavour.title,
            description=f"{flavour.planned} events of {flavour.dataset} under {len(self.probes)} probes; presses on "
            f"{flavour.pressure}.",
            environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
            criterion="The canonical action code is the one that the decisive state prescribes.",
            verification="What was handed in is brought to one code or to none, and compared with the target that was "
            "fixed before any text was made.",
            reasons=REASONS,
            templates=tuple(probe.name for probe in self.probes),
            knobs={"labels": LABELS, **({"arm": ARMS} if extra is None else extra)},
            observation_schema=OBSERVATION_SCHEMA,
            answer_schema=answer_schema(SIX_CODES),
        )

    @property
    def instances(self) -> int:
        """Instances of one whole plan."""
        return self.flavour.planned * len(self.probes)

    def instance(self, draw: Draw) -> Instance:
        number, probe = self.place(draw.index, draw.knobs)
        lap, row = divmod(number, self.flavour.planned)
        twist = self.twist(draw.knobs)
        planned = self._planned(draw.source, lap)[row]
        event = self._event(draw.source, lap, row, planned, wording=int(twist.arm == "paraphrase"))
        swapped = planned.swapped and draw.knobs.get("labels", "balanced") == "balanced"
        built = build(event, probe, swapped=swapped, twist=self.twisted(twist, planned))
        return self.made(built, probe, planned, draw.knobs)

    def place(self, index: int, knobs: Any) -> tuple[int, Probe]:
        """Which planned event, counted through all laps, and which probe an instance number stands for."""
        number, which = divmod(index, len(self.probes))
        return number, self.probes[which]

    def twist(self, knobs: Any) -> Twist:
        """What the knobs change about a probe."""
        arm = knobs.get("arm", "plain")
        return Twist(arm="" if arm == "plain" else arm)

    def twisted(self, twist: Twist, planned: Planned) -> Twist:
        """What the event itself changes besides; nothing, unless a family says so."""
        return twist

    def made(self, built: Built, probe: Probe, planned: Planned, knobs: Any) -> Instance:
        hidden = {**built.hidden, "duplicate": int(planned.duplicate)}
        if hidden["arm_of"] == "flip":
            hidden["screen"] = screened(built)
        return Instance(
            template=probe.name,
            goal=GOAL,
            answer_format=ANSWER_FORMAT,
            observation={
                "event_id": planned.row.event_id,
                "dataset": self.flavour.dataset,
                "granularity": self.flavour.granularity,
                "ontology": SIX_CODES.name,
                "actions": actions_shown(SIX_CODES, built.options),
            },
            hidden=hidden,
            state=built.state,
            knobs=dict(knobs),
        )

    def planned_rows(self, source: Stream, lap: int = 0) -> tuple[Planned, ...]:
        """The planned events of a lap."""
        return self._planned(source, lap)

    def plan_of(self, stream: Stream, lap: int) -> tuple[Planned, ...]:
        """What is planned in a lap, from a stream of its own."""
        return plan(self.flavour, stream)

    def _planned(self, source: Stream, lap: int) -> tuple[Planned, ...]:
        # Plans and events are kept for one seed at a time: the runs of a process share it.
        if source.key != self._source:
            self._source, self._plans, self._events = source.key, {}, {}
        planned = self._plans.get(lap)
        if planned is None:
            planned = self._plans[lap] = self.plan_of(source.child("plan", lap), lap)
        return planned

    def _event(self, source: Stream, lap: int, row: int, planned: Planned, wording: int) -> Event:
        key = (lap, row, wording)
        event = self._events.get(key)
        if event is None:
            if len(self._events) >= _REMEMBERED:
                self._events.clear()
            name = planned.row.event_id
            event = make_event(self.flavour, name, source.child("event", lap, name), wording=wording)
            self._events[key] = event
        return event
