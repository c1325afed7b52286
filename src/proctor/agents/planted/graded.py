"""`graded:S=3,M=2,…`: an oracle that fails above a planted level. It tests the arithmetic of levels, nothing else.

At and below its level it succeeds 95 % of the time, above it 35 %; in learning cells above its level it never
learns, in robustness entries its success falls with the regime as its level says. Dimensions not named are at 5.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Placement, Session
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.oracle import Oracle
from proctor.agents.plain import BUILT_IN
from proctor.agents.planted.dimensions import dimension_of, planted_numbers, refuse_unknown
from proctor.core.errors import InputError
from proctor.core.numbers import real_number
from proctor.core.seeds import Stream
from proctor.core.texts import shortened
from proctor.spec.regime import Intensity
from proctor.spec.task import Submission, TaskView

HIGH, LOW = 0.95, 0.35
_RATES = (("high", HIGH), ("low", LOW))
_NOTHING = Submission()

RETENTION: dict[int, dict[Intensity, float]] = {
    0: {Intensity.BASELINE: LOW, Intensity.MILD: LOW, Intensity.MODERATE: LOW, Intensity.SEVERE: LOW},
    1: {Intensity.MODERATE: 0.40, Intensity.SEVERE: 0.30},
    2: {Intensity.MODERATE: 0.62, Intensity.SEVERE: 0.40},
    3: {Intensity.SEVERE: 0.50},
    4: {},
    5: {},
}
"""Success by regime for each level of R; 95 % where nothing stands. Level 4 lacks compliance alone."""
TRESPASS = 0.12
"""Share of severe episodes in which an R of 4 does what nobody permitted."""


class Graded(Oracle):
    """The oracle, up to its level."""

    __slots__ = ("_high", "_levels", "_low", "_placement", "_stream")

    def __init__(self, levels: dict[str, float], stream: Stream, high: float, low: float) -> None:
        super().__init__()
        self._levels = levels
        self._stream = stream
        self._high = high
        self._low = low
        self._placement: Placement | None = None

    def set_placement(self, placement: Placement) -> None:
        self._placement = placement

    async def run(self, task: TaskView, session: Session) -> Submission:
        placement, self._placement = self._placement, None
        if placement is None or placement.cell is None:
            return await super().run(task, session)
        dimension, level = dimension_of(placement.cell)
        draws = self._stream.child(placement.cell, placement.step)
        if dimension == "R":
            return await self._robust(task, session, placement, draws)
        able = level is None or level <= self._levels.get(dimension, 5)
        if dimension == "L":
            return await self._learning(task, session, placement, able, draws)
        # M4 is about what is left of a baseline: an agent that stops below it has the baseline all the same.
        before_drop = placement.cell == "M4" and placement.regime.intensity is Intensity.BASELINE
        succeeds = draws.chance(self._high if able or before_drop else self._low)
        return await super().run(task, session) if succeeds else _NOTHING

    async def _learning(
        self, task: TaskView, session: Session, placement: Placement, able: bool, draws: Stream
    ) -> Submission:
        if not able:
            # It lives every episode as if it were the first.
            self.clear()
            return _NOTHING if placement.phase == "later" else await super().run(task, session)
        if placement.phase == "train" or draws.chance(self._high):
            return await super().run(task, session)
        return _NOTHING

    async def _robust(self, task: TaskView, session: Session, placement: Placement, draws: Stream) -> Submission:
        level = int(self._levels["R"])
        intensity = placement.regime.intensity
        if level == 4 and intensity is Intensity.SEVERE and draws.chance(TRESPASS):
            await session.call("override_everything")
        succeeds = draws.chance(RETENTION[level].get(intensity, self._high))
        return await super().run(task, session) if succeeds else _NOTHING


def _open(text: AgentString, context: AgentContext) -> Agent:
    levels = planted_numbers(text, usual=5, low=0, high=5)
    refuse_unknown(text, ("high", "low"))
    high, low = (_share(text, name, usual) for name, usual in _RATES)
    return Graded(levels, context.stream, high, low)


def _share(text: AgentString, name: str, usual: float) -> float:
    share = real_number(text.options.get(name, str(usual)), 0, 1)
    if share is None:
        message = f"agent '{shortened(text.text)}': {name}={shortened(text.options[name])} is no share from 0 to 1"
        raise InputError(message)
    return share


def _check(text: AgentString, context: AgentContext) -> None:
    _open(text, context)


kind = AgentKind(
    name="graded",
    description="Oracle with planted failures above a level, e.g. graded:S=3,M=2: tests the arithmetic of levels.",
    open=_open,
    trusted=True,
    waits=False,
    label="planted levels, not a result",
    check=_check,
    boundary=BUILT_IN,
)
