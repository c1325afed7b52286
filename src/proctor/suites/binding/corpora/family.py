"""A corpus as a family: instance number = planned event × probe, in the plan's order.

Which event and which probe an instance is depends on its number alone; what the event holds comes from the family's
stream, the same for all its probes. Numbers beyond the plan (`--scale`) plan further events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.family import Knob
from proctor.spec.ontology import SIX_CODES
from proctor.spec.task import Instance
from proctor.suites.binding.corpora.event import Event, make_event
from proctor.suites.binding.corpora.flavour import Flavour
from proctor.suites.binding.corpora.probes import SIX_PROBES, Built, Probe, Twist, build
from proctor.suites.binding.corpora.sampling import Planned, plan
from proctor.suites.binding.corpora.screen import screened
from proctor.suites.binding.planned import PlannedFamily, six_code_spec
from proctor.worlds.choice import OBSERVATION_SCHEMA, actions_shown

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


class CorpusFamily(PlannedFamily[Event]):
    """A corpus that can be run like any other family."""

    probes: Sequence[Probe] = SIX_PROBES

    def __init__(self, flavour: Flavour, extra: dict[str, Knob] | None = None) -> None:
        super().__init__()
        self.flavour = flavour
        self.spec = six_code_spec(
            (probe.name for probe in self.probes),
            id=flavour.family,
            title=flavour.title,
            description=f"{flavour.planned} events of {flavour.dataset} under {len(self.probes)} probes; presses on "
            f"{flavour.pressure}.",
            knobs={"labels": LABELS, **({"arm": ARMS} if extra is None else extra)},
            observation_schema=OBSERVATION_SCHEMA,
        )

    @property
    def instances(self) -> int:
        """Instances of one whole plan."""
        return self.flavour.planned * len(self.probes)

    def instance(self, draw: Draw) -> Instance:
        number, probe = self.place(draw.index, draw.knobs)
        lap, row = divmod(number, self.flavour.planned)
        twist = self.twist(draw.knobs)
        planned, event = self.event_at(draw.source, lap, row, wording=int(twist.arm == "paraphrase"))
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

    def plan_of(self, stream: Stream, lap: int) -> tuple[Planned, ...]:
        return plan(self.flavour, stream)

    def event_of(self, source: Stream, lap: int, planned: Planned, wording: int) -> Event:
        name = planned.row.event_id
        return make_event(self.flavour, name, source.child("event", lap, name), wording=wording)
