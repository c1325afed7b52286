"""The structured agent: reads what it is shown, asks a model in the set style, hands in the reply as it came.

How it is set (modules, style, fields, sampling) comes from the Condition in force; what the Condition leaves open is as
the agent was made. It keeps nothing between episodes, so one object serves them all.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from proctor.agents.contract import Session
from proctor.agents.structured.asking import SamplingSettings, Source, Turns
from proctor.agents.structured.black_box import answer_black_box
from proctor.agents.structured.fields import provenance, random_report, scrambled_report
from proctor.agents.structured.form import form
from proctor.agents.structured.modules import PRESETS, Preset
from proctor.agents.structured.parsing import Parsed
from proctor.agents.structured.prompt import Frame, event_text, first_turn, frame, report_turn, request_text
from proctor.agents.structured.rendering import listed_actions
from proctor.agents.structured.voting import winner
from proctor.core.seeds import Stream
from proctor.models.contract import Message
from proctor.spec.condition import Sampling, Scaffold
from proctor.spec.reporting import FINAL, MATCHED_KEYS, PROVENANCE, REPORT_FIELD
from proctor.spec.task import Submission, TaskView

ROOM: Final = {1: 48, 2: 96}
"""Completion tokens where nobody says: by the number of keys asked for."""
USUAL_ROOM: Final = 768
SCRATCH_ROOM: Final = 2048
_REPORT_KEYS: Final = tuple(key for key in MATCHED_KEYS if key != FINAL)
_PLAN_KEYS: Final = ("plan",)
_PLAN_ROOM: Final = 96


class Settings(Struct, frozen=True):
    """How an agent is made."""

    preset: Preset = PRESETS["A4"]
    keys: str = "trace"
    tokens: int | None = None
    prompt_tokens: int = 1024
    held: bool = False
    """Replies are held to a schema, where the model's interface can do so."""


class Structured:
    """The scaffold. Stateless."""

    __slots__ = ("_settings", "_source")

    def __init__(self, source: Source, settings: Settings) -> None:
        self._source = source
        self._settings = settings

    async def run(self, task: TaskView, session: Session) -> Submission:
        shown = session.observations[0].fields if session.observations else {}
        turns = Turns(self._source, task, session)
        if "actions" not in shown:
            room = ROOM[2] + turns.thoughts
            return await answer_black_box(task, shown, turns, self._sampled(session.sampling, room))
        episode = _Episode(self._settings, task, session, turns, shown)
        preset = self._settings.preset
        samples = session.sampling.samples if session.sampling.samples > 1 else preset.samples
        replies = [await episode.decide() for _ in range(samples)]
        chosen = replies[0] if samples == 1 else replies[winner(replies, shown)]
        return Submission(answer=episode.reported(chosen))

    async def release(self) -> None:
        """Let go of the model."""
        await self._source.release()

    def _sampled(self, sampling: Sampling, room: int) -> SamplingSettings:
        return _sampled(self._settings, sampling, room)


def _sampled(settings: Settings, sampling: Sampling, room: int) -> SamplingSettings:
    temperature = settings.preset.temperature if sampling.temperature is None else sampling.temperature
    tokens = sampling.tokens or settings.tokens or room
    return SamplingSettings(temperature, sampling.top_p, tokens, sampling.exact, settings.prompt_tokens)


class _Episode:
    """One episode's way through the calls its setting asks for."""

    __slots__ = ("_frame", "_keys", "_scaffold", "_session", "_settings", "_shown", "_state", "_task", "_turns")

    def __init__(
        self, settings: Settings, task: TaskView, session: Session, turns: Turns, shown: dict[str, Any]
    ) -> None:
        self._settings = settings
        self._task = task
        self._session = session
        self._turns = turns
        self._shown = shown
        scaffold: Scaffold | None = getattr(session, "scaffold", None)
        self._scaffold = settings.preset.scaffold if scaffold is None else scaffold
        self._frame = frame(self._scaffold, settings.keys)
        state = shown.get("state")
        if not isinstance(state, dict):
            state = {name: session.state.read(name) for name in session.state.names() if name != REPORT_FIELD}
        self._state: dict[str, Any] = state

    async def decide(self) -> Parsed:
        """One reply in the set style, with the reports that belong to it."""
        style, fields = self._scaffold.style, self._scaffold.fields
        notes = await self._plan() if style == "planner" else ""
        messages = self._first(self._frame, notes)
        parsed = await self._turns.ask(messages, self._room(self._frame.keys))
        if fields != "posthoc" or parsed.report is None or FINAL not in parsed.report:
            return parsed
        return await self._report_after(messages, parsed)

    async def _plan(self) -> str:
        setting = Frame(self._frame.system, self._frame.unused, _PLAN_KEYS, request_text(_PLAN_KEYS))
        parsed = await self._turns.ask(self._first(setting, ""), self._room(_PLAN_KEYS))
        report = parsed.report
        if report is None:
            return str(parsed.answer or "")
        steps = report.get("plan")
        return "; ".join(str(step) for step in steps) if isinstance(steps, list) else str(steps or "")

    async def _report_after(self, messages: tuple[Message, ...], decided: Parsed) -> Parsed:
        action = (decided.report or {})[FINAL]
        said = f'{{"{FINAL}": "{action}"}}'
        parsed = await self._turns.ask(report_turn(messages, said, _REPORT_KEYS), self._room(_REPORT_KEYS))
        # The action of the first turn stands, whatever the report says it was.
        return Parsed("ok", {**(parsed.report or {}), FINAL: action})

    def reported(self, parsed: Parsed) -> Any:
        """What is handed in: the reply as it came, with the reports its setting gives it."""
        report, scaffold = parsed.report, self._scaffold
        if report is None or not self._reports_matched():
            return parsed.answer
        stream = Stream.keyed("report", self._task.nonce)
        codes = list(listed_actions(self._shown["actions"]))
        action = {FINAL: report[FINAL]} if FINAL in report else {}
        if scaffold.fields == "random":
            report = {**random_report(codes, stream), **action}
        elif scaffold.fields == "scrambled":
            donor = self._session.state.read(REPORT_FIELD)
            report = {**scrambled_report(report, donor, codes, stream), **action}
        elif scaffold.fields == "coupled":
            # A later stage may scramble with it.
            self._session.state.write(REPORT_FIELD, report)
        return {**report, PROVENANCE: provenance(scaffold)}

    def _reports_matched(self) -> bool:
        scaffold = self._scaffold
        return scaffold.fields != "coupled" or (scaffold.keys or self._settings.keys) == "matched"

    def _first(self, setting: Frame, notes: str) -> tuple[Message, ...]:
        return first_turn(setting, event_text(self._task.goal, self._shown, self._state, setting, notes))

    def _room(self, keys: tuple[str, ...]) -> SamplingSettings:
        room = SCRATCH_ROOM if "scratchpad" in keys else ROOM.get(len(keys), USUAL_ROOM)
        room = _PLAN_ROOM if keys == _PLAN_KEYS else room
        how = _sampled(self._settings, self._session.sampling, room + self._turns.thoughts)
        # A reply of forced length goes on after its object ends, which no schema lets it do.
        if not self._settings.held or how.exact:
            return how
        return msgspec.structs.replace(how, form=form(keys, tuple(listed_actions(self._shown["actions"]))))
