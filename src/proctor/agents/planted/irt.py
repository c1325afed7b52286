"""`irt:S=0.5,…`: succeeds on an item with the probability of a two-parameter logistic model.

P = 1 / (1 + exp(−a · (ability − difficulty))), difficulty of each instance standard normal, drawn for the instance
alone and so equal for every ability and regime. Abilities of dimensions not named are `ability`, jittered together by
`spread` with the correlation `rho`. It tests readings near their threshold.
"""

from __future__ import annotations

from math import exp, sqrt

from proctor.agents.contract import Agent, Placement, Session
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.oracle import Oracle
from proctor.agents.plain import BUILT_IN
from proctor.agents.planted.dimensions import DIMENSIONS, dimension_of, planted_numbers, refuse_unknown
from proctor.core.errors import InputError
from proctor.core.numbers import real_number
from proctor.core.seeds import Stream
from proctor.core.texts import shortened
from proctor.spec.task import Submission, TaskView

_NOTHING = Submission()
_MOST = 1000
"""Beyond any ability, and still a number that an exponential can be taken of."""
_DEFAULTS = {"a": 1.2, "ability": 1.0, "spread": 0.0, "rho": 0.5}


def success_probability(ability: float, difficulty: float, discrimination: float) -> float:
    """The two-parameter logistic model."""
    return 1.0 / (1.0 + exp(-discrimination * (ability - difficulty)))


def correlated(stream: Stream, ability: float, spread: float, rho: float) -> dict[str, float]:
    """An ability per dimension, correlated by rho."""
    common = stream.gauss()
    return {name: ability + spread * (sqrt(rho) * common + sqrt(1.0 - rho) * stream.gauss()) for name in DIMENSIONS}


class ItemResponse(Oracle):
    """Solves an item, or leaves it, by chance."""

    __slots__ = ("_a", "_abilities", "_placement", "_stream")

    def __init__(self, abilities: dict[str, float], discrimination: float, stream: Stream) -> None:
        super().__init__()
        self._abilities = abilities
        self._a = discrimination
        self._stream = stream
        self._placement: Placement | None = None

    def set_placement(self, placement: Placement) -> None:
        self._placement = placement

    async def run(self, task: TaskView, session: Session) -> Submission:
        placement, self._placement = self._placement, None
        cell = placement.cell if placement is not None else None
        dimension = dimension_of(cell)[0] if cell else "S"
        step = 0 if placement is None else placement.step
        difficulty = self._stream.child("item", step).gauss()
        p = success_probability(self._abilities.get(dimension, 0.0), difficulty, self._a)
        if placement is not None and placement.phase == "train":
            return await super().run(task, session)
        return await super().run(task, session) if self._stream.child("draw", cell or "", step).chance(p) else _NOTHING


def _open(text: AgentString, context: AgentContext) -> Agent:
    refuse_unknown(text, tuple(_DEFAULTS))
    read = {name: real_number(str(text.options.get(name, usual)), -_MOST, _MOST) for name, usual in _DEFAULTS.items()}
    given = {name: value for name, value in read.items() if value is not None}
    if len(given) < len(read):
        message = f"agent '{shortened(text.text)}': {', '.join(_DEFAULTS)} are numbers from {-_MOST} to {_MOST}"
        raise InputError(message)
    if given["a"] <= 0 or given["spread"] < 0 or not 0 <= given["rho"] <= 1:
        message = f"agent '{text.text}': a must be above 0, spread at least 0, rho between 0 and 1"
        raise InputError(message)
    # The abilities belong to the agent, not to a lifetime.
    abilities = correlated(context.source.child("abilities"), given["ability"], given["spread"], given["rho"])
    named = planted_numbers(text, usual=99.0, low=-10, high=99)
    abilities |= {name: value for name, value in named.items() if value != 99.0}
    return ItemResponse(abilities, given["a"], context.stream)


def _check(text: AgentString, context: AgentContext) -> None:
    _open(text, context)


kind = AgentKind(
    name="irt",
    description="Succeeds by a two-parameter logistic model, e.g. irt:ability=0.9,S=1.5; for readings near thresholds.",
    open=_open,
    trusted=True,
    waits=False,
    label="planted abilities, not a result",
    check=_check,
    boundary=BUILT_IN,
)
