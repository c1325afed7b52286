"""Whole episodes of a family on fixed draws, judged: right solutions, nothing, chance, and solutions tampered with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from proctor.agents.chance import Chance
from proctor.agents.contract import Agent
from proctor.agents.oracle import Oracle
from proctor.core.seeds import Stream
from proctor.engine.family import Draw, Family
from proctor.engine.job import Donor, Job
from proctor.engine.probing.replayed import Replay, Setting, Solution, solution_of, tampered_solutions, with_answer
from proctor.engine.probing.settings import TRAINING, DrawSetting
from proctor.engine.trial import SubmittingAgent, Trial, job_for, live
from proctor.evidence.events import EpisodeClosed, EpisodeOpened, Observed, Returned, Verified
from proctor.spec.condition import NO_INTERVENTION, Condition
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Instance

BASELINE = STANDARD_REGIMES["baseline"]


class Drawn(Struct, frozen=True):
    """One instance of a probe and where it comes from."""

    setting: DrawSetting
    index: int
    instance: Instance


class Judged(Struct, frozen=True):
    """What an episode came to: everything of it that a family decides, and nothing that the bench does."""

    label: str
    outcome: str
    reason: str
    format_error: bool
    measures: dict[str, int | str]
    artifacts: tuple[tuple[str, str], ...]
    state: str | None
    violations: str | None
    shown: tuple[Any, ...]
    """First observations, and of every call whether it succeeded, its value or error, and its logical time."""


class Prober:
    """Draws instances of a family and lives episodes of them. Close it: it holds an event loop."""

    def __init__(self, family: Family, *, at_random: bool = True) -> None:
        self.family = family
        self._at_random = at_random
        self._source = Stream.keyed("probe", family.spec.id)
        self._runner = asyncio.Runner()
        self._lessons: dict[tuple[int, tuple[tuple[str, Any], ...]], bytes] = {}
        self.tools: dict[str, bytes] = {}
        """Every set of tools that a world showed, by its digest."""

    def __enter__(self) -> Prober:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.close()

    def instance(self, setting: DrawSetting, index: int) -> Instance | None:
        """The instance of this number, drawn as the engine draws; None where none can be made of it."""
        try:
            instance = self.family.instance(self._draw(setting, index))
            msgspec.json.encode(instance)
        except Exception:
            # In a run its episodes are the bench's failures, and say why.
            return None
        return instance

    def _draw(self, setting: DrawSetting, index: int) -> Draw:
        knobs = {name: knob.default for name, knob in self.family.spec.knobs.items()} | dict(setting.knobs)
        stream = self._source.child(index, setting.step)
        return Draw(stream, self._source, index, setting.phase, setting.part, setting.step, knobs)

    def judge(self, drawn: Drawn, others: Sequence[Instance] = (), *, fully: bool) -> Iterator[Judged]:
        """The episodes of one instance; not `fully`: without those that were tampered with.

        The right answers of `others` are handed in, too: each is well formed and belongs to another task.
        """
        solved = self._live(drawn, self._solver(drawn))
        yield self._judged("oracle", solved)
        yield self._judged("null", self._live(drawn, Replay(())))
        if self._at_random:
            yield self._judged("random", self._live(drawn, Chance(self._source.child("random", drawn.index))))
        for label, solution in self._variants(solved) if fully else ():
            yield self._judged(label, self._live(drawn, Replay(solution)))
        for number, other in enumerate(others if fully else ()):
            exchanged = with_answer(solution_of(solved.events), self.family.answer(other))
            yield self._judged(f"answer of another {number}", self._live(drawn, Replay(exchanged)))

    def _variants(self, solved: Trial) -> Iterator[tuple[str, Solution]]:
        task = solved.task
        if task is None:
            return
        text = " ".join([task.goal, *(str(observation.fields) for observation in solved.seen)])
        yield from tampered_solutions(
            solution_of(solved.events), Setting(self.family.spec.answer_schema, task.tools, text)
        )

    def judge_under(self, drawn: Drawn, condition: Condition, other: Instance) -> Iterator[Judged]:
        """The right answer, and one that is not, under an intervention; `other` is whose state it scrambles with."""
        donor = Donor(other, "donor", dict(other.state))
        answers = {"right": self.family.answer(drawn.instance), "donor's": self.family.answer(other), "nothing": None}
        for label, answer in answers.items():
            yield self._judged(f"{condition.id}: {label}", self._live(drawn, SubmittingAgent(answer), condition, donor))

    def _solver(self, drawn: Drawn) -> Agent:
        oracle = Oracle()
        if self.family.spec.training and drawn.setting.phase != TRAINING:
            oracle.restore(self._taught(drawn))
        oracle.reveal(self.family.oracle(drawn.instance))
        return oracle

    def _taught(self, drawn: Drawn) -> bytes:
        """What an oracle remembers after the training of the instance's lifetime."""
        key = (drawn.index, drawn.setting.knobs)
        if key not in self._lessons:
            oracle = Oracle()
            for step in range(self.family.spec.training):
                lesson = DrawSetting(drawn.setting.knobs, TRAINING, 0, step)
                instance = self.instance(lesson, drawn.index)
                if instance is not None:
                    oracle.reveal(self.family.oracle(instance))
                    self._live(Drawn(lesson, drawn.index, instance), oracle)
            self._lessons[key] = oracle.snapshot()
        return self._lessons[key]

    def _live(
        self, drawn: Drawn, agent: Agent, condition: Condition = NO_INTERVENTION, donor: Donor | None = None
    ) -> Trial:
        job: Job = job_for(
            self.family,
            drawn.instance,
            self._source.child(drawn.index, drawn.setting.step),
            BASELINE,
            phase=drawn.setting.phase,
            condition=condition,
            donor=donor,
        )
        return self._runner.run(live(job, agent))

    def _judged(self, label: str, trial: Trial) -> Judged:
        verified: Verified | None = None
        state: str | None = None
        shown: list[Any] = []
        for event in trial.events:
            if isinstance(event, EpisodeOpened):
                self.tools[event.tools] = trial.record.contents[event.tools]
            elif isinstance(event, Observed):
                shown.append(event.fields)
            elif isinstance(event, Returned):
                shown.append([event.ok, event.value, event.error, event.content, event.at])
            elif isinstance(event, Verified):
                verified = event
            elif isinstance(event, EpisodeClosed):
                state = event.state
        row = trial.row
        return Judged(
            label=label,
            outcome=row.outcome,
            reason=row.reason if verified is None else verified.reason,
            format_error=row.format_error,
            measures={} if verified is None else verified.measures,
            artifacts=() if verified is None else verified.artifacts,
            state=state,
            violations=row.violations,
            shown=tuple(shown),
        )


def judged_bytes(judged: Judged) -> bytes:
    """The bytes of one verdict that a probe hashes."""
    return msgspec.json.encode(judged, order="sorted")
