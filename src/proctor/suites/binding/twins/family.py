"""A corpus of binding 2.0 as a family: instance number = planned event × probe, in the plan's order.

Which event and which probe an instance is depends on its number alone; what the event holds comes from the family's
stream, the same for all its rows. Numbers beyond the plan (`--scale`) plan further events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.family import Knob
from proctor.spec.ontology import SIX_CODES, UNMAPPED
from proctor.spec.task import Instance
from proctor.suites.binding.corpora.sampling import Planned, plan
from proctor.suites.binding.planned import PlannedFamily, six_code_spec
from proctor.suites.binding.twins.balance import factors
from proctor.suites.binding.twins.event import Event, Orders, make_event
from proctor.suites.binding.twins.probes import FURTHER, NINE, Built, Probe, Twist, build
from proctor.suites.binding.twins.scene import Corpus
from proctor.worlds.choice import PLAIN_OBSERVATION_SCHEMA, actions_shown

_MEANINGS = {
    **SIX_CODES.meanings,
    # No word that a reason has: "until more is known" pointed at the comparisons that say more.
    SIX_CODES.defer: "put the decision off for the time being",
    UNMAPPED: "none of these fits",
}
_CODES = msgspec.structs.replace(SIX_CODES, meanings=_MEANINGS)
"""As shown here; version 1.0 shows them in its own words."""
_GOAL = (
    "Decide what to do about {matter}, going by what is given under `state`, and answer with one of the action codes."
)
ANSWER_FORMAT = (
    "A JSON object with the key `final_action`, whose value is a code listed under `actions`; further keys may say how "
    "you came to it. The code alone will do."
)
ARMS = Knob(
    default="plain",
    values=("plain", "reworded", "record"),
    description="The same events in other words, or with a field more that has no bearing on anything.",
)
STRENGTH = Knob(
    default=3,
    values=(5, 4, 3, 2, 1),
    description="How strong the reason of `strength_for` and `strength_against` is, from proof (5) to a feeling (1).",
)
DISTANCE = Knob(
    default=4,
    values=(0, 2, 4, 8, 16),
    description="Turns of talk between the reason of `distant_for` and `distant_against` and the question.",
)
ONE = Knob(
    default="all",
    values=("all", "strength", "distant"),
    description="`all` probes in turn, or the two polarities of one alone, on events of its own.",
)


_INSTEAD = {"memory": "veto", "veto": "memory", "late_veto": "late_clear", "late_clear": "late_veto"}
"""Probes that another event's row of the same name would give what is right."""


def goal_of(matter: str) -> str:
    """The question. It says what is at hand, so that a decisive field can be understood by itself."""
    return _GOAL.format(matter=matter)


class TwinCorpus(PlannedFamily[Event]):
    """A corpus that can be run like any other family."""

    probes: Sequence[Probe] = NINE
    version = "2.0"

    def __init__(self, corpus: Corpus, knobs: dict[str, Knob] | None = None) -> None:
        super().__init__()
        self.corpus = corpus
        self._orders: dict[int, dict[str, Orders]] = {}
        self.spec = six_code_spec(
            (probe.name for probe in self.probes),
            id=corpus.family,
            version=self.version,
            title=corpus.title,
            description=f"{corpus.planned} events of {corpus.name}, {len(self.probes)} rows each; presses on "
            f"{corpus.pressure}. Every decisive text has a twin with two phrases exchanged.",
            knobs={"arm": ARMS} if knobs is None else knobs,
            observation_schema=PLAIN_OBSERVATION_SCHEMA,
        )

    @property
    def instances(self) -> int:
        """Instances of one whole plan."""
        return self.corpus.planned * len(self.probes)

    def instance(self, draw: Draw) -> Instance:
        number, probe = self.place(draw.index, draw.knobs)
        lap, row = divmod(number, self.corpus.planned)
        planned, event = self.event_at(draw.source, lap, row, wording=int(draw.knobs.get("arm") == "reworded"))
        return self.made(build(event, probe, self.twist(draw.knobs)), probe, planned, draw.knobs)

    def chosen(self, knobs: Mapping[str, Any]) -> Sequence[Probe]:
        """The probes that instances take in turns."""
        return self.probes

    def place(self, index: int, knobs: Any) -> tuple[int, Probe]:
        """Which planned event, counted through all laps, and which probe an instance number stands for."""
        number, which = divmod(index, len(self.probes))
        return number, self.probes[which]

    def twist(self, knobs: Any) -> Twist:
        """What the knobs change about a row."""
        return Twist(record=knobs.get("arm") == "record")

    def preface(self, planned: Planned) -> str:
        """What stands before the situation; nothing, unless a family says so."""
        return ""

    def made(self, built: Built, probe: Probe, planned: Planned, knobs: Any) -> Instance:
        arm = knobs.get("arm", "plain")
        return Instance(
            template=probe.name,
            goal=goal_of(built.matter),
            answer_format=ANSWER_FORMAT,
            observation={
                "event_id": planned.row.event_id,
                "ontology": SIX_CODES.name,
                "actions": actions_shown(_CODES, built.options),
            },
            hidden={
                **built.hidden,
                "dataset": self.corpus.name,
                "duplicate": int(planned.duplicate),
                "arm_of": "" if arm == "plain" else arm,
            },
            state=built.state,
            knobs=dict(knobs),
        )

    def event_rows(self, knobs: Mapping[str, Any]) -> int:
        """The probes of an event."""
        return len(self.chosen(knobs))

    def donors(self, own: Sequence[Instance], other: Sequence[Instance]) -> tuple[int, ...] | None:
        """The other event's row of the same probe, if it leans to the other label; stops and commitments change places.

        Which label an event leans to is there to be seen, and a place depends on the probe alone.
        """
        if own[0].hidden["swapped"] == other[0].hidden["swapped"]:
            return None
        names = [one.hidden["probe"] for one in other]
        places = (_INSTEAD.get(name, name) for name in (one.hidden["probe"] for one in own))
        return tuple(names.index(name) for name in places)

    def plan_of(self, stream: Stream, lap: int) -> tuple[Planned, ...]:
        return plan(self.corpus, stream)

    def laid_out(self, source: Stream, lap: int, planned: tuple[Planned, ...]) -> None:
        # By distinct event in the plan's order, so that the first events of a plan are balanced too.
        distinct = list(dict.fromkeys(one.row.event_id for one in planned))
        balance = source.child("balance", lap)
        self._orders[lap] = {name: Orders(*factors(balance, number)) for number, name in enumerate(distinct)}

    def event_of(self, source: Stream, lap: int, planned: Planned, wording: int) -> Event:
        name = planned.row.event_id
        return make_event(
            self.corpus,
            name,
            self._orders[lap][name],
            source.child("event", lap, name),
            wording=wording,
            preface=self.preface(planned),
        )


class FurtherCorpus(TwinCorpus):
    """One corpus under further probes; its knobs draw the binding curve."""

    probes = FURTHER

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus, {"strength": STRENGTH, "distance": DISTANCE, "probe": ONE})

    def chosen(self, knobs: Mapping[str, Any]) -> Sequence[Probe]:
        one = knobs.get("probe", "all")
        return [probe for probe in self.probes if one == "all" or probe.name.startswith(one)]

    def place(self, index: int, knobs: Any) -> tuple[int, Probe]:
        one, chosen = knobs.get("probe", "all"), self.chosen(knobs)
        number, which = divmod(index, len(chosen))
        # Plans go in turns, one for all probes, one for those alone: at no scale does a place of the curve count twice.
        lap, row = divmod(number, self.corpus.planned)
        return (2 * lap + (one != "all")) * self.corpus.planned + row, chosen[which]

    def twist(self, knobs: Any) -> Twist:
        return Twist(strength=int(knobs.get("strength", 3)), distance=int(knobs.get("distance", 4)))
