"""A model that a function of the test's speaks for, and episodes with it in real worlds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from proctor.agents.contract import Agent
from proctor.agents.model.agent import ModelAgent, Settings
from proctor.agents.structured.asking import Source
from proctor.engine.family import Draw, Family
from proctor.engine.trial import Trial, job_for, run_trial
from proctor.models.contract import ModelCall, Reply, Request
from proctor.models.prices import Price
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Budget

Speak = Callable[[Request], Reply]
BASELINE = STANDARD_REGIMES["baseline"]


def say(text: str = "", *calls: tuple[str, Any], tokens: tuple[int, int] | None = (100, 10), **more: Any) -> Reply:
    """A reply; a call is a name and its arguments, an object or the text as the model wrote it."""
    made = tuple(
        ModelCall(f"id-{number}", name, given if isinstance(given, str) else json.dumps(given))
        for number, (name, given) in enumerate(calls)
    )
    counted = {} if tokens is None else {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    error = None if text or made else "empty"
    return Reply(text if text or made else None, "spoken", calls=made, error=error, **{**counted, **more})  # type: ignore[arg-type]


def submit(answer: Any, **more: Any) -> tuple[str, Any]:
    """The call that hands in."""
    return "submit", {"answer": answer, **more}


def in_turn(*replies: Reply) -> Speak:
    """These, one after the other, and the last one for ever."""
    left = list(replies)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]


class Spoken:
    """The model."""

    name = "spoken"

    def __init__(self, speak: Speak) -> None:
        self._speak = speak
        self.requests: list[Request] = []
        self.closed = 0

    async def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        return self._speak(request)

    def tokens(self, text: str) -> int | None:
        return None

    async def close(self) -> None:
        self.closed += 1


def agent_of(model: Spoken, price: Price | None = None, **settings: Any) -> ModelAgent:
    """The agent over a model."""
    return ModelAgent(Source(model.name, lambda: model, price=price), Settings(**settings))


def live(family: Family, agent: Agent, *, number: int = 0, limits: Budget | None = None, **knobs: Any) -> Trial:
    """One episode of a family's instance."""
    defaults = {name: knob.default for name, knob in family.spec.knobs.items()}
    draw = Draw.of("spoken", number, **{**defaults, **knobs})
    return run_trial(job_for(family, family.instance(draw), draw.stream, BASELINE, limits=limits), agent)
