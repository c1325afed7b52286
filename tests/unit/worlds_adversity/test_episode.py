"""From a regime through a live session: what the receipts say is what the agent saw and the trace holds."""

from __future__ import annotations

import asyncio
import copy
import re
from typing import TYPE_CHECKING, Any

from proctor.core.canonical import unchain
from proctor.core.errors import ToolError
from proctor.core.seeds import Stream
from proctor.engine.session import LiveSession
from proctor.engine.state import ConditionedState
from proctor.evidence.chain import Recorder, genesis, replay
from proctor.evidence.events import Called, Delivery, Returned, decode_event
from proctor.spec.condition import NO_INTERVENTION, Sampling
from proctor.spec.regime import (
    Action,
    Adversary,
    Drift,
    Information,
    Intensity,
    Noise,
    Rate,
    Regime,
    Stability,
)
from proctor.spec.rules import Limits
from proctor.spec.task import Instance, Submission, ToolResult, Verification
from proctor.worlds.adversity.build import stack_for
from proctor.worlds.adversity.layer import Adversity
from proctor.worlds.adversity.limits import effective_budget
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit

CONFIG = "00" * 32
LEDGER = "\n".join(f"entry {i:02d}: {i * 31} units to shelf {i % 5}" for i in range(30))
RECORD = {"id": 7, "total": 1204, "paid": False, "vendor": "Northwind Ltd", "due": "2026-03-01"}


class Office(BaseWorld):
    """Two things to read, one to write, one that is not for everyone."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.record: dict[str, Any] = dict(RECORD)
        self.notes: list[str] = []

    @tool(effect="read")
    def ledger(self) -> str:
        """Read the ledger."""
        return LEDGER

    @tool(effect="read")
    def invoice(self, number: int) -> dict[str, Any]:
        """Read an invoice."""
        if number != 7:
            message = f"there is no invoice {number}"
            raise ToolError(message)
        return self.record

    @tool(effect="write")
    def note(self, text: str) -> str:
        """Leave a note."""
        self.notes.append(text)
        return f"note {len(self.notes)} stored"

    @tool(effect="write")
    def shred(self) -> str:
        """Shred everything."""
        self.notes.clear()
        return "done"

    def verify(self, submission: Submission) -> Verification:
        return Verification(True, "correct")


class Lived:
    """One episode of calls under a regime, and what it left."""

    def __init__(self, regime: Regime, calls: list[tuple[str, dict[str, Any]]], *key: str | int) -> None:
        place = Place()
        instance = Instance("only", "goal", "format", {"ledger": LEDGER, "record": RECORD}, {})
        self.world = Office(instance, place)
        self.recorder = Recorder(genesis(CONFIG, 0))
        self.stack = stack_for(regime)
        faults = Stream.keyed("episode", *key)
        self.session = LiveSession(
            world=self.world,
            tools=self.world.tools,
            recorder=self.recorder,
            clock=place.clock,
            limits=effective_budget(instance, regime, Limits()),
            make_state=lambda: ConditionedState({}, NO_INTERVENTION, self.recorder),
            stack=self.stack,
            adversity=Adversity(faults, place.clock, 500),
            sampling=Sampling(),
        )
        self.shown: list[Delivery] = []
        fields = self.world.observe()
        for layer in reversed(self.stack.show):
            fields = layer.show(fields, faults.child(layer.name, "show"), self.shown)
        self.session.show(fields, self.shown)
        self.results = asyncio.run(self._live(calls))
        events = [decode_event(line) for line in self.recorder.lines]
        self.calls = [event for event in events if isinstance(event, Called)]
        self.returned = [event for event in events if isinstance(event, Returned)]

    async def _live(self, calls: list[tuple[str, dict[str, Any]]]) -> list[ToolResult]:
        return [await self.session.call(name, **arguments) for name, arguments in calls]

    def receipts(self, layer: str) -> list[tuple[Returned, str]]:
        """Each receipt of the layer among the results, with the event that carries it."""
        return [(event, fault.detail) for event in self.returned for fault in event.faults if fault.layer == layer]


def regime(**axes: Any) -> Regime:
    """A regime whose intensity is not the subject."""
    return Regime.model_construct(id="made", intensity=Intensity.SEVERE, **axes)


STORM = regime(
    information=Information(context_cut=0.5),
    action=Action(rate=Rate(factor=0.5), scope=("ledger", "invoice", "note")),
    stability=Stability(
        noise=Noise(share=0.2, distractors=1, conflicts=1),
        timeouts=0.1,
        failures=0.1,
        partial_errors=0.3,
        perturbation=0.1,
        drift=Drift(after_calls=10, milliseconds=700, rename={"total": "amount"}),
    ),
    adversary=Adversary(injection=0.3),
)
DAY: list[tuple[str, dict[str, Any]]] = [
    ("ledger", {}),
    ("invoice", {"number": 7}),
    ("note", {"text": "checked"}),
    ("invoice", {"number": 8}),
    ("shred", {}),
] * 30


def test_every_layer_delivers_and_every_receipt_is_in_the_transcript() -> None:
    lived = Lived(STORM, DAY)
    assert set(lived.session.faults) == set(lived.stack.names)
    counted: dict[str, int] = {}
    for fault in [*lived.shown, *(fault for event in lived.returned for fault in event.faults)]:
        counted[fault.layer] = counted.get(fault.layer, 0) + 1
    assert lived.session.faults == counted
    assert lived.session.violations == {"out_of_scope": 30}
    for event, result in zip(lived.returned, lived.results, strict=True):
        seen = lived.session.observations[event.call + 1].fields
        assert seen == ({"result": result.value} if result.ok else {"error": result.error})
        if event.content is None:
            assert unchain(event.value) == result.value
        for fault in event.faults:
            assert fault.layer in EVIDENT, fault
            assert EVIDENT[fault.layer](fault.detail, result, lived, event), fault


def _path_is_shown(detail: str, result: ToolResult, *_: Any) -> bool:
    value = result.value
    path, _sign, line = detail[detail.index("/") :].partition("#")
    for token in path.split("/")[1:]:
        if token:
            value = value[int(token)] if isinstance(value, list) else value[token]
    return not line or int(line) <= len(value.split("\n"))


def _longer(detail: str, _result: ToolResult, lived: Lived, event: Returned) -> bool:
    milliseconds = int(re.findall(r"\d+", detail)[0])
    before = lived.returned[event.call - 1].at if event.call else 0
    return event.at - before >= milliseconds


EVIDENT: dict[str, Any] = {
    "scope": lambda d, r, *_: r.error.startswith(f"'{d}' is out of scope"),
    "rate": _longer,
    "timeouts": lambda d, r, lived, e: "timed out after 5 s" in r.error and _longer(d, r, lived, e),
    "failures": lambda d, r, *_: not r.ok and f"'{d}'" in r.error,
    "partial_errors": lambda d, r, *_: not r.ok and f"'{d}'" in r.error,
    "injection": lambda d, r, *_: d.split(" ")[1] in str(r.value),
    "noise": _path_is_shown,
    "perturbation": _path_is_shown,
    "context_cut": lambda d, r, *_: "withheld]" in str(r.value) and _path_is_shown(d, r),
    "drift": lambda d, r, lived, e: "amount" in r.value if d.startswith("renamed") else _longer(d, r, lived, e),
}


def test_the_world_is_touched_only_by_calls_that_were_carried_out() -> None:
    lived = Lived(STORM, DAY)
    notes = [event for event, call in zip(lived.returned, lived.calls, strict=True) if call.tool == "note"]
    stopped = {"timeouts", "failures"}
    carried_out = [event for event in notes if not stopped & {fault.layer for fault in event.faults}]
    assert len(lived.world.notes) == len(carried_out) < 30
    assert lived.receipts("partial_errors")
    assert lived.world.record == RECORD


def test_observations_shown_earlier_and_the_world_stay_as_they_were() -> None:
    lived = Lived(STORM, DAY[:50])
    kept = copy.deepcopy([observation.fields for observation in lived.session.observations])
    asyncio.run(lived._live(DAY[:50]))
    assert [observation.fields for observation in lived.session.observations[: len(kept)]] == kept
    assert lived.world.instance.observation == {"ledger": LEDGER, "record": RECORD}


def test_the_same_episode_leaves_the_same_bytes_and_another_differs() -> None:
    one, two, other = Lived(STORM, DAY), Lived(STORM, DAY), Lived(STORM, DAY, "other")
    assert one.recorder.head == two.recorder.head == replay(CONFIG, 0, one.recorder.trace())
    assert one.recorder.head != other.recorder.head


def test_the_same_faults_meet_agents_that_call_in_another_order() -> None:
    only = regime(stability=Stability(timeouts=0.3, noise=Noise(share=0.3)))
    reads = [("ledger", {}), ("invoice", {"number": 7})]
    mixed, sorted_ = Lived(only, reads * 20), Lived(only, [reads[0]] * 20 + [reads[1]] * 20)
    assert [result.value for result in mixed.results[::2]] == [result.value for result in sorted_.results[:20]]
    assert [result.value for result in mixed.results[1::2]] == [result.value for result in sorted_.results[20:]]


def test_noise_alone_is_receipted_field_by_field(kit: Kit) -> None:
    lived = Lived(regime(stability=Stability(noise=Noise(share=0.2))), [("ledger", {})] * 50)
    hits = 0
    for event, result in zip(lived.returned, lived.results, strict=True):
        changed = kit.changed(LEDGER, result.value)
        assert changed == [fault.detail.split(" ", 1)[1] for fault in event.faults]
        hits += len(changed)
    kit.assert_share(hits, 50 * 30, 0.2)


def test_at_one_there_are_as_many_receipts_as_calls() -> None:
    for layer, stability in (("timeouts", Stability(timeouts=1.0)), ("failures", Stability(failures=1.0))):
        lived = Lived(regime(stability=stability), DAY)
        assert lived.session.faults == {layer: len(DAY)} == {layer: lived.session.calls}
        assert not any(result.ok for result in lived.results)
        assert lived.world.notes == []
