"""`check_agent`: an agent can run an episode, keeps to limits and protocol, and carries nothing between lifetimes.

Agents are checked on the practice family (crates to weigh and stamp) unless another one is given. How well they do does
not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from proctor.agents.contract import Memory, Remembers
from proctor.agents.kind import AgentKind, AgentString
from proctor.agents.lookup import kind_of
from proctor.conformance.contract import Body, Check, Conformance, Tally, examine_all, share
from proctor.conformance.examinee import Examinee
from proctor.conformance.practice import family as practice_family
from proctor.conformance.secrets import appears_in, is_distinctive, leaves
from proctor.conformance.subject import BASELINE
from proctor.core.abilities import offers
from proctor.core.errors import InputError
from proctor.engine.family import Family
from proctor.engine.trial import outside_event_loop
from proctor.evidence.events import Submitted
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.system import System
from proctor.spec.task import Budget

LIVES = Check("lives", "It lives episodes", "Episodes end in a submission or at a declared limit; it never crashes.")
LIMITS = Check("limits", "It respects limits", "When a budget is used up it stops calling and ends the episode.")
SUBMISSION = Check(
    "submission", "It hands in what was agreed", "Answer and claims are JSON, confidence is 0 to 1 or null."
)
LIFETIMES = Check("lifetimes", "Lifetimes are apart", "Nothing of one lifetime turns up in, or changes, another.")
REPEATABLE = Check(
    "repeatable", "It repeats itself", "A trusted agent does the same in the same lifetime, whenever asked."
)
AGENT_CHECKS = (LIVES, LIMITS, SUBMISSION, LIFETIMES, REPEATABLE)

MAX_AFTER_LIMIT = 5
"""Calls after the first refusal that still count as those that were under way at once."""
_TIGHT = (Budget(actions=1), Budget(actions=3))


def check_agent(
    agent: str | AgentKind,
    *,
    family: Family = practice_family,
    episodes: int = 4,
    seed: int = 0,
    system: System | None = None,
    folder: Path | None = None,
    only: Iterable[str] | None = None,
) -> Conformance:
    """Put an agent through every check: an agent string (`clerk`, `python:my_agent:make`), or a kind itself."""
    outside_event_loop()
    if episodes < 2:
        message = f"{episodes} episodes show too little; take at least 2"
        raise InputError(message)
    text = AgentString.parse(agent if isinstance(agent, str) else agent.name)
    kind = kind_of(text) if isinstance(agent, str) else agent
    system = system or System(name=text.text or text.kind)
    examinee = Examinee(text, kind, family, seed, system, folder or Path.cwd())
    bodies: list[tuple[Check, Body]] = [
        (LIVES, partial(_lives, examinee, episodes)),
        (LIMITS, partial(_limits, examinee, episodes)),
        (SUBMISSION, partial(_submission, examinee, episodes)),
        (LIFETIMES, partial(_lifetimes, examinee)),
        (REPEATABLE, partial(_repeatable, examinee, episodes)),
    ]
    return examine_all("agent", text.text or text.kind, bodies, only=only)


def _lives(examinee: Examinee, episodes: int, tally: Tally) -> None:
    for regime in (BASELINE, STANDARD_REGIMES["moderate-standard"]):
        lived = examinee.lifetime(1, range(episodes), regime)
        failures = [
            (one.failure.reason, one.said) for one in lived if one.failure and one.failure.reason != "agent_protocol"
        ]
        tally.measured[regime.id] = {"episodes": episodes, "crashed": len(failures)}
        if failures:
            tally.find(
                f"lives: under '{regime.id}' it ended {share(len(failures), episodes)} episodes with "
                f"'{failures[0][0]}' ({failures[0][1]}); handle every tool error and hand in something"
            )
    tally.summary = f"{2 * episodes} episodes of the family {examinee.family.spec.full_name} without a crash."


def _limits(examinee: Examinee, episodes: int, tally: Tally) -> None:
    reached = 0
    for number, limits in enumerate(_TIGHT):
        for lived in examinee.lifetime(2 + number, range(episodes), limits=limits):
            reached += lived.limited
            failure = lived.failure
            if failure is not None and failure.reason != "agent_protocol":
                tally.find(
                    f"limits: with {limits.actions} actions it ended with '{failure.reason}' ({lived.said}); let "
                    "LimitReached through, or catch it and hand in what there is"
                )
            tally.require(
                lived.after_limit <= MAX_AFTER_LIMIT,
                f"limits: it called tools {lived.after_limit} more times after LimitReached; stop at the first one",
            )
    tally.measured = {"episodes": len(_TIGHT) * episodes, "limits_reached": reached}
    tally.summary = f"{reached} limits reached, and it stopped at each."
    if not reached:
        tally.unmeasured = "it never used up a budget of one action"


def _submission(examinee: Examinee, episodes: int, tally: Tally) -> None:
    handed_in = 0
    for lived in examinee.lifetime(4, range(episodes)):
        failure = lived.failure
        if failure is not None and failure.reason == "agent_protocol":
            tally.find(f"submission: {failure.message}; hand in a Submission whose answer and claims are JSON")
        if "confidence_range" in (lived.trial.row.violations or ""):
            tally.find("submission: confidence is outside 0 to 1; give a number in that range, or null")
        handed_in += any(isinstance(event, Submitted) for event in lived.trial.events)
    tally.measured = {"episodes": episodes, "handed_in": handed_in}
    tally.summary = f"{share(handed_in, episodes)} episodes ended in a submission."
    if not handed_in:
        tally.unmeasured = "it handed in nothing in any episode"


def _lifetimes(examinee: Examinee, tally: Tally) -> None:
    before = examinee.lifetime(6, [1])[0]
    other = examinee.lifetime(5, [0])[0]
    after = examinee.lifetime(6, [1])[0]
    foreign = {
        leaf
        for _, leaf in leaves([other.trial.instance.hidden, other.trial.instance.observation])
        if is_distinctive(leaf)
    }
    if other.trial.task is not None:
        foreign |= {other.trial.task.nonce, other.trial.task.id}
    shown = after.shown()
    for text in after.expressed():
        for leaf in (leaf for leaf in foreign if appears_in(leaf, text) and not appears_in(leaf, shown)):
            tally.find(
                f"lifetimes: '{leaf}', which it was shown in another lifetime only, turns up in this one; keep memory "
                "in the agent object, never in globals, class attributes or files"
            )
    if examinee.kind.trusted:
        tally.require(
            before.trial.row.head == after.trial.row.head,
            "lifetimes: it acts differently after another lifetime was lived; keep memory in the agent object alone",
        )
    if examinee.opened is not None and offers(examinee.opened, Memory):
        tally.require(
            offers(examinee.opened, Remembers),
            "lifetimes: it has snapshot, restore and clear but no remembers(), so its memory is never moved; define "
            "`def remembers(self) -> bool`",
        )
    tally.measured = {"values_looked_for": len(foreign), "compared": examinee.kind.trusted}
    tally.summary = f"None of {len(foreign)} values from another lifetime appeared."


def _repeatable(examinee: Examinee, episodes: int, tally: Tally) -> None:
    if not examinee.kind.trusted:
        tally.unmeasured = "not claimed: only trusted kinds run on virtual time"
        return
    for regime in (BASELINE, STANDARD_REGIMES["moderate-standard"]):
        one, two = (examinee.lifetime(7, range(episodes), regime) for _ in range(2))
        same = sum(a.trial.row.head == b.trial.row.head for a, b in zip(one, two, strict=True))
        tally.measured[regime.id] = {"episodes": episodes, "same": same}
        tally.require(
            same == episodes,
            f"repeatable: {share(episodes - same, episodes)} episodes went differently the second time under "
            f"'{regime.id}'; draw from context.stream alone, never from a global generator or the clock",
        )
    tally.summary = f"{2 * episodes} episodes went the same way twice."
