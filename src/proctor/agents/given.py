"""Agents that are given as Python objects: `proctor.run("hello", agent=my_agent)`.

What is given lives in the bench's own process, where nothing confines it. Its agent string says so
(`object:my_module.Agent,unconfined=yes`), and with it every summary, report and bundle. Every lifetime starts anew: a
class is called, a function without arguments too, an object is copied as it was given; a function of task and session
is called as it is.

What is not coroutine is run in a thread of its own, where `session.call` waits for its result. One that is cut off by
time goes on there until its next call, which ends it.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from proctor.agents.contract import Agent, AgentFailure, Memory, NoBaseline, ServiceFailure, Session, State, closes
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.stepwise import Stepwise
from proctor.core.abilities import Ability
from proctor.core.errors import BenchError, InputError
from proctor.core.hashing import file_hash
from proctor.spec.condition import Sampling
from proctor.spec.task import Budget, Observation, Submission, TaskView, ToolResult

SHAPES: Final = "an agent has run(task, session) or act(observation), or is a function of task and session"
_given: dict[str, Any] = {}
_PLAIN: Final = (str, int, float, list, dict)
_MEMORY: Final = Ability(Memory)


def give(thing: Any) -> str:
    """Keep an object, class or function as an agent of this process; its agent string."""
    named = thing if inspect.isclass(thing) or inspect.isroutine(thing) else type(thing)
    name = f"{named.__module__}.{named.__qualname__}".replace(",", "_")
    text = f"object:{name},unconfined=yes"
    _fresh(text, thing)
    _given[text] = thing
    return text


def submission_of(value: Any) -> Submission:
    """What an agent returned, as a submission: itself, or a plain answer. Anything else is an `AgentFailure`."""
    if isinstance(value, Submission):
        return value
    if isinstance(value, _PLAIN):
        return Submission(value)
    what = "nothing" if value is None else type(value).__name__
    message = (
        f"the agent returned {what}; it has to return a Submission, e.g. `return Submission(answer=…)`, or the answer "
        "itself as text, number, list or dict"
    )
    raise AgentFailure("agent_protocol", message)


def _fresh(text: str, thing: Any) -> Any:
    """The agent of one lifetime, or a function of task and session."""
    if inspect.isclass(thing):
        return thing()
    if inspect.isroutine(thing):
        needed = _needed(thing)
        if needed == 0:
            return thing()
        if needed == 2:
            return thing
        message = f"agent '{text}': it takes {needed} arguments; a factory takes none, and {SHAPES}"
        raise InputError(message)
    try:
        return copy.deepcopy(thing)
    except Exception as error:
        message = (
            f"agent '{text}': every lifetime starts with a copy of it, and it cannot be copied ({error}); give its "
            "class, or a function without arguments that makes it"
        )
        raise InputError(message) from None


def _needed(function: Callable[..., Any]) -> int:
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return sum(1 for one in parameters if one.kind in positional and one.default is inspect.Parameter.empty)


class BlockingSession:
    """The session for code that does not await, used from a thread of its own."""

    def __init__(self, session: Session, loop: asyncio.AbstractEventLoop) -> None:
        self._session = session
        self._loop = loop
        self._pending: Future[ToolResult] | None = None
        self._over = False

    @property
    def observations(self) -> list[Observation]:
        """Everything shown so far, oldest first."""
        return self._session.observations

    @property
    def budget(self) -> Budget:
        """What is left; None where there is no limit."""
        return self._session.budget

    @property
    def state(self) -> State:
        """The agent's named state."""
        return self._session.state

    @property
    def sampling(self) -> Sampling:
        """How the condition asks models to be sampled."""
        return self._session.sampling

    def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Call a tool and wait for what it gives."""
        if self._over:
            message = "the episode is over"
            raise RuntimeError(message)
        self._pending = asyncio.run_coroutine_threadsafe(self._call(tool, arguments), self._loop)
        return self._pending.result()

    async def _call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        return await self._session.call(tool, **arguments)

    def say(self, text: str) -> None:
        """Leave a remark in the trace."""
        self._session.say(text)

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        """Report model usage."""
        self._session.spend(tokens=tokens, cost=cost)

    def end(self) -> None:
        """The episode is over: whoever still waits is told, and so is whoever calls."""
        self._over = True
        if self._pending is not None:
            self._pending.cancel()


class GivenAgent:
    """One lifetime of something that was given."""

    def __init__(self, text: str, inner: Any, anew: Callable[[], Any] | None = None) -> None:
        """`anew` makes it again for every step, where it lives as the model-free baseline."""
        self._inner = inner
        run = getattr(inner, "run", None)
        if not callable(run) and not callable(getattr(inner, "act", None)) and callable(inner):
            run = inner
        if callable(run) and anew is not None:
            message = "an agent that owns its loop cannot be made to forget between its steps; one with act() can"
            raise NoBaseline(message)
        if callable(run):
            self._run = run
        elif callable(getattr(inner, "act", None)):
            self._run = Stepwise(inner, anew=anew).run
        else:
            message = f"agent '{text}': {type(inner).__name__} is no agent; {SHAPES}"
            raise InputError(message)

    async def run(self, task: TaskView, session: Session) -> Submission:
        try:
            awaits = inspect.iscoroutinefunction(self._run) or inspect.iscoroutinefunction(
                getattr(self._run, "__call__", None)  # noqa: B004
            )
            if awaits:
                value = await self._run(task, session)
            else:
                value = await _in_a_thread(self._run, task, session)
                value = await value if inspect.isawaitable(value) else value
        except SystemExit as error:
            # It would end the bench as well.
            message = f"SystemExit: {error}"
            raise AgentFailure("agent_crashed", message) from None
        except BenchError as error:
            if isinstance(error, ServiceFailure) or type(error) is BenchError:
                # It says of itself that nothing was measured; nobody can look whether that is so.
                message = f"{type(error).__name__}: {error}"
                raise AgentFailure("agent_crashed", message) from None
            raise
        return submission_of(value)

    async def close(self) -> None:
        """Close the inner object, if it can be closed."""
        if closes(self._inner):
            closed: Any = self._inner.close()
            if inspect.isawaitable(closed):
                await closed

    def remembers(self) -> bool:
        """Whether the inner object has a memory that can be moved."""
        return _MEMORY[type(self._inner)]

    def snapshot(self) -> bytes:
        """What the inner object remembers."""
        remembered: bytes = self._inner.snapshot()
        return remembered

    def restore(self, memory: bytes) -> None:
        """Have the inner object remember exactly this."""
        self._inner.restore(memory)

    def clear(self) -> None:
        """Have the inner object forget everything."""
        self._inner.clear()


async def _in_a_thread(run: Callable[[TaskView, Any], Any], task: TaskView, session: Session) -> Any:
    loop = asyncio.get_running_loop()
    blocking = BlockingSession(session, loop)
    done: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if not done.done() and error is not None:
            done.set_exception(error)
        elif not done.done():
            done.set_result(value)

    def work() -> None:
        value: Any = None
        raised: BaseException | None = None
        try:
            value = run(task, blocking)
        except StopIteration as error:
            raised = RuntimeError(f"the agent raised StopIteration: {error}")
        except BaseException as error:
            raised = error
        with suppress(RuntimeError):  # Nobody waits any more.
            loop.call_soon_threadsafe(settle, value, raised)

    # A daemon: one that never ends must not keep the bench from ending.
    threading.Thread(target=work, name="agent", daemon=True).start()
    try:
        return await done
    finally:
        blocking.end()


def _open(agent: AgentString, context: AgentContext) -> Agent:
    thing = _thing(agent)
    anew = None if context.baseline is None else lambda: _fresh(agent.text, thing)
    return GivenAgent(agent.text, _fresh(agent.text, thing), anew)


def _check(agent: AgentString, context: AgentContext) -> None:
    GivenAgent(agent.text, _fresh(agent.text, _thing(agent)))


def _source(agent: AgentString, context: AgentContext) -> str | None:
    """SHA-256 of the file that defines it; None where it is defined in none."""
    thing = _thing(agent)
    named = thing if inspect.isclass(thing) or inspect.isroutine(thing) else type(thing)
    try:
        file = inspect.getsourcefile(named)
    except TypeError:
        return None
    return file_hash(Path(file)) if file is not None and Path(file).is_file() else None


def _thing(agent: AgentString) -> Any:
    if agent.text not in _given:
        message = (
            f"agent '{agent.text}' was not given in this process: an object is examined with "
            "proctor.run(…, agent=my_object); on the command line write python:FILE.py:NAME"
        )
        raise InputError(message)
    return _given[agent.text]


kind = AgentKind(
    name="object",
    description="An object, class or function given in Python: proctor.run(…, agent=my_agent). Unconfined.",
    open=_open,
    check=_check,
    source=_source,
    baselines=frozenset({"model-free"}),
    baselines_by_shape=True,
)
