"""Whose failure it is when something breaks after the agent has acted: one rule, in one place.

What follows an agent's input is the agent's failure, or whoever finds a way to break a world could have its failures
excluded. Two calls of the bench's own, without anything of the agent's in them, may say otherwise:

- the world's canary, where the host refuses it with a number that means trouble (a full disk, no descriptors left):
  the host's, whatever was raised;
- a rehearsal: the family's own oracle lives the same episode in a fresh world. What breaks there as well is the
  family's.

Words are never looked at, since agents write them: trouble is known by its number alone.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Awaitable, Callable
from copy import copy

import msgspec

from proctor.agents.contract import Agent
from proctor.agents.oracle import Oracle
from proctor.core.errors import StoreError
from proctor.engine.job import Broken, Job
from proctor.engine.sentence import describe
from proctor.engine.verdict import Ending
from proctor.evidence.chain import Recorder
from proctor.evidence.events import AgentFailed, BenchFailed
from proctor.evidence.host_trouble import HOST_TROUBLE
from proctor.evidence.row import FAILURE, HOST, INFRASTRUCTURE, WORLD_BROKE, EpisodeRecord
from proctor.worlds.world import World

Live = Callable[[Job, Agent], Awaitable[EpisodeRecord]]
"""`run_episode`."""


async def blame(job: Job, world: World, recorder: Recorder, ending: Ending, broken: Broken, live: Live) -> Ending:
    """The ending of an episode in which something was raised after the agent had acted; put on record once."""
    if job.broke is not None:
        # A world that broke may break again when it is looked at; what broke first has been judged.
        return ending
    job.broke = broken
    job.note(broken.error)
    if isinstance(broken.error, StoreError):
        # No world and no agent has a hand in the store.
        return _ours(recorder, ending, "transport", describe(broken.error))
    trouble = host_trouble(world)
    if trouble is not None:
        words = os.strerror(getattr(errno, trouble))
        said = f"{describe(broken.error)}; asked by the bench, the host says {trouble}, {words}"
        return _ours(recorder, ending, HOST, said, trouble)
    if await _breaks_by_itself(job, live):
        return _ours(recorder, ending, broken.where, describe(broken.error))
    recorder.add(AgentFailed(WORLD_BROKE, describe(broken.error)))
    return msgspec.structs.replace(ending, outcome=FAILURE, reason=WORLD_BROKE, submission=None)


def broke_untouched(job: Job, recorder: Recorder, broken: Broken) -> Ending:
    """The ending where something was raised before the agent had done anything: the bench's own."""
    job.broke = broken
    job.note(broken.error)
    recorder.add(BenchFailed("world", describe(broken.error)))
    return Ending(INFRASTRUCTURE, broken.where)


def host_trouble(world: World) -> str | None:
    """The number with which the host refuses the bench's own call in this world, by name; None where it is fine."""
    try:
        world.canary()
    except OSError as trouble:
        name = "" if trouble.errno is None else errno.errorcode.get(trouble.errno, "")
        return name if name in HOST_TROUBLE else None
    except Exception:
        # No number: whatever the world is, the agent has had its hands on it.
        return None
    return None


def _ours(recorder: Recorder, ending: Ending, where: str, said: str, trouble: str = "") -> Ending:
    recorder.add(BenchFailed(where, said, trouble=trouble))
    if where == "world":
        # Whatever was handed in and found before the world broke does not count.
        return Ending(INFRASTRUCTURE, where)
    return msgspec.structs.replace(ending, outcome=INFRASTRUCTURE, reason=where, submission=None)


async def _breaks_by_itself(job: Job, live: Live) -> bool:
    """Whether the family breaks in the hands of its own oracle too, in a fresh world of the same instance.

    Never the empty submission: a verifier that stumbles over what nobody would hand in must be no way out for those who
    hand it in. Memory that has run out says nothing, since an agent may have used it up.
    """
    make = job.setting.oracle
    if make is None or job.rehearsal:
        return False
    again = copy(job)
    again.rehearsal = True
    again.raised = ()
    again.sink = again.account = None
    again.relief = lambda: _oracle(job)
    try:
        await live(again, _oracle(job))
    except Exception:
        # The oracle could not even be made, which says nothing about the verifier.
        return False
    broke = again.broke
    return broke is not None and not isinstance(broke.error, MemoryError)


def _oracle(job: Job) -> Agent:
    assert job.setting.oracle is not None
    oracle = Oracle()
    oracle.reveal(job.setting.oracle(job.instance))
    return oracle
