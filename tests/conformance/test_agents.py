"""Honesty of the agent checks: sound agents pass, and each mutant fails its own check and no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any, ClassVar

import pytest

from proctor.agents import chance, null, oracle, shortcuts
from proctor.agents.contract import Agent, Session
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.conformance import AGENT_CHECKS, check_agent
from proctor.core.errors import InputError, LimitReached
from proctor.spec.task import Claim, Submission, TaskView

SOUND = (null.kind, oracle.kind, chance.kind, shortcuts.retry, shortcuts.keyword, shortcuts.first)
_NUMBERS = count()


class Sound:
    """Looks at the yard until it may not, then hands in something."""

    def __init__(self, context: AgentContext) -> None:
        self.context = context

    async def run(self, task: TaskView, session: Session) -> Submission:
        try:
            for _ in range(4):
                await session.call("list_crates")
        except LimitReached:
            pass
        return self.submission()

    def submission(self) -> Submission:
        return Submission(0, confidence=0.5, claims=(Claim("looked", "yard"),))


class Careless(Sound):
    """Takes every result for a success."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        try:
            for _ in range(12):
                result = await session.call("list_crates")
                result.value["crates"]
        except LimitReached:
            pass
        return self.submission()


class CrashesAtLimits(Sound):
    async def run(self, task: TaskView, session: Session) -> Submission:
        try:
            return await super().run(task, Insistent(session))
        except LimitReached as limit:
            raise RuntimeError("out of budget") from limit


class Insistent:
    """A session that lets a limit through."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    async def call(self, tool: str, /, **arguments: Any) -> Any:
        try:
            return await self._session.call(tool, **arguments)
        except LimitReached:
            raise RuntimeError("out of budget") from None


class Hammers(Sound):
    async def run(self, task: TaskView, session: Session) -> Submission:
        for _ in range(30):
            try:
                await session.call("list_crates")
            except LimitReached:
                continue
        return self.submission()


class HandsInObjects(Sound):
    def submission(self) -> Submission:
        return Submission(object())


class TooConfident(Sound):
    def submission(self) -> Submission:
        return Submission(0, confidence=7.0)


class Gossips(Sound):
    """Tells every lifetime what it saw in the others."""

    seen: ClassVar[dict[tuple[str | int, ...], set[str]]] = {}

    async def run(self, task: TaskView, session: Session) -> Submission:
        own = self.seen.setdefault(self.context.lifetime, set())
        own.update(session.observations[0].fields["ship"])
        for lifetime, labels in sorted(self.seen.items(), key=str):
            if lifetime != self.context.lifetime:
                session.say(", ".join(sorted(labels)))
        return self.submission()


class HalfRemembers(Sound):
    """Would have a memory to move, and does not say so."""

    def snapshot(self) -> bytes:
        return b""

    def restore(self, memory: bytes) -> None: ...

    def clear(self) -> None: ...


class Restless(Sound):
    """Acts differently every time, except in the lifetimes that are compared for what they bring along."""

    def submission(self) -> Submission:
        return Submission(next(_NUMBERS) if self.context.lifetime == (7,) else 0)


MUTANTS: dict[str, tuple[type[Sound], str]] = {
    "lives": (Careless, "'agent_crashed' (TypeError: 'NoneType'"),
    "limits": (CrashesAtLimits, "RuntimeError: out of budget"),
    "limits ": (Hammers, "more times after LimitReached"),
    "submission": (HandsInObjects, "not JSON"),
    "submission ": (TooConfident, "confidence is outside 0 to 1"),
    "lifetimes": (Gossips, "which it was shown in another lifetime only"),
    "lifetimes ": (HalfRemembers, "but no remembers()"),
    "repeatable": (Restless, "went differently the second time"),
}


def kind_of(make: Callable[[AgentContext], Agent], *, trusted: bool = True) -> AgentKind:
    def open_agent(text: AgentString, context: AgentContext) -> Agent:
        return make(context)

    return AgentKind("tested", "For testing.", open_agent, trusted=trusted, waits=False)


@pytest.mark.parametrize("kind", SOUND, ids=lambda kind: kind.name)
def test_built_in_agents_pass(kind: AgentKind) -> None:
    report = check_agent(kind)
    assert report.failed == (), [finding.detail for finding in report.findings]


def test_a_sound_agent_passes_everything() -> None:
    report = check_agent(kind_of(Sound))
    assert [result.status for result in report.results] == ["passed"] * len(AGENT_CHECKS)
    assert json.loads(json.dumps(report.as_json()))["kind"] == "agent"


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_fails_its_own_check_and_no_other(name: str) -> None:
    make, words = MUTANTS[name]
    report = check_agent(kind_of(make))
    assert report.failed == (name.strip(),), [finding.detail for finding in report.findings]
    assert any(words in finding.detail for finding in report.findings), [f.detail for f in report.findings]


def test_every_check_has_a_mutant() -> None:
    assert {name.strip() for name in MUTANTS} == {check.id for check in AGENT_CHECKS}


def test_what_is_not_claimed_is_not_measured() -> None:
    report = check_agent(kind_of(Restless, trusted=False))
    assert report.result("repeatable").status == "not measured"
    assert report.ok


def test_agents_are_found_by_their_string() -> None:
    assert check_agent("null").subject == "null"
    with pytest.raises(InputError, match="no agent is called"):
        check_agent("nobody-knows-it")
