"""The main program of an agent's own process: load the user's agent, then live one episode after another.

    main(target, factory, folders, packages)

`target` is a file or the dotted name of a module; `folders` are where its neighbours are imported from. Once the agent
is made, `ready` is said; if it cannot be made, `fail` says why, and the process ends.
"""

from __future__ import annotations

import builtins
import os
import sys

from proctor.agents.process.inside.channel import Channel, Episode
from proctor.agents.process.inside.session import BlockingSession, Session
from proctor.agents.process.inside.steps import NoAgent, live_by_steps
from proctor.agents.process.inside.uncached import SourceLoader, import_from_sources
from proctor.agents.process.inside.values import LimitReached, Submission

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_COROUTINE = 0x80
_SHAPES = "an agent has run(task, session) or act(observation), or is a function of task and session"


def main(target: str, factory: str, folders: list[str], packages: list[str]) -> None:
    """Serve until the bench closes the channel."""
    channel = Channel()
    if target not in _preloaded:
        _arrange(target, folders, packages)
    try:
        server = Server(channel, _resolve(_loaded(target), factory), folders)
    except BaseException as error:
        channel.send({"type": "fail", "error": describe(error), "place": place(error, folders)})
        raise SystemExit(1) from None
    channel.listen()
    channel.send({"type": "ready", "remembers": server.remembers, "forgets": server.forgets})
    server.serve()


def preload(target: str, folders: list[str], packages: list[str]) -> None:
    """Load the agent's module here, for processes that will be forked from this one and call `main`."""
    _arrange(target, folders, packages)
    try:
        _preloaded[target] = _loaded(target)
    except BaseException as error:
        # Each of them fails as it would have failed by itself.
        _preloaded[target] = error


_preloaded: dict[str, Any] = {}


def _arrange(target: str, folders: list[str], packages: list[str]) -> None:
    # The interpreter was started without its `site` module, which costs a third of the start and reads path files.
    builtins.__dict__.update(exit=sys.exit, quit=sys.exit)
    sys.argv = [target]
    import_from_sources(folders, packages)
    sys.path[1:1] = folders
    sys.path += packages


class Server:
    """Lives episodes with the user's agent, whatever shape it has."""

    def __init__(self, channel: Channel, named: Any, folders: list[str]) -> None:
        agent = _made(named)
        self._channel = channel
        self._named = named
        self._agent = agent
        self._folders = folders
        self._run: Any = None
        self._live = self._way(agent)
        self.remembers = all(callable(getattr(agent, name, None)) for name in ("snapshot", "restore", "clear"))
        steps = callable(getattr(agent, "act", None)) and not callable(getattr(agent, "run", None))
        self.forgets = steps and agent is not named

    def serve(self) -> None:
        """Take tasks and memory messages until there are no more."""
        while (message := self._channel.tasks.get()) is not None:
            self._channel.busy = True
            if isinstance(message, Episode):
                self._channel.send(self._lived(message))
            else:
                self._channel.send(self._remembered(message))
            self._channel.busy = False
        if callable(getattr(self._agent, "close", None)):
            self._settled(self._agent.close())

    def _way(self, agent: Any) -> Callable[[Episode], Any]:
        run = getattr(agent, "run", None)
        if not callable(run) and not callable(getattr(agent, "act", None)) and callable(agent):
            run = agent
        if callable(run):
            kind = Session if _awaits(run) else BlockingSession
            return lambda episode: self._settled(_called(run, episode.task, kind(self._channel, episode)))
        if callable(getattr(agent, "act", None)):
            return lambda episode: live_by_steps(agent, self._settled, self._channel, episode)
        message = f"{type(agent).__name__} is no agent: {_SHAPES}"
        raise NoAgent(message)

    def _without_model(self, episode: Episode) -> Any:
        """Live an episode with an agent that is made anew for every step."""
        return live_by_steps(_made(self._named), self._settled, self._channel, episode, lambda: _made(self._named))

    def _lived(self, episode: Episode) -> dict[str, Any]:
        """The message that ends the episode."""
        try:
            live = self._live if episode.baseline is None else self._without_model
            return _submit(_submission(live(episode)))
        except LimitReached as limit:
            return {"type": "fail", "reason": "limit", "error": str(limit)}
        except NoAgent as error:
            return {"type": "fail", "reason": "protocol", "error": str(error)}
        except Exception as error:
            return {"type": "fail", "error": describe(error), "place": place(error, self._folders)}

    def _remembered(self, message: dict[str, Any]) -> dict[str, Any]:
        import base64

        try:
            if message["do"] == "snapshot":
                return {"type": "memory", "data": base64.b64encode(self._settled(self._agent.snapshot())).decode()}
            if message["do"] == "restore":
                self._settled(self._agent.restore(base64.b64decode(message["data"])))
            else:
                self._settled(self._agent.clear())
        except Exception as error:
            return {"type": "memory", "error": describe(error)}
        return {"type": "memory"}

    def _settled(self, value: Any) -> Any:
        """The value itself, or what awaiting it gives; one event loop serves the whole life of the process."""
        if not hasattr(value, "__await__"):
            return value
        import asyncio

        coroutine = value if asyncio.iscoroutine(value) else _awaited(value)
        if self._run is None:
            # Pythons before 3.11 have no runner.
            self._run = asyncio.Runner().run if hasattr(asyncio, "Runner") else _loop().run_until_complete
        return self._run(coroutine)


def _called(run: Any, task: Any, session: Any) -> Any:
    try:
        return run(task, session)
    except TypeError as error:
        if error.__traceback__ is not None and error.__traceback__.tb_next is None:
            # It was never entered: it takes other arguments, in this task and in any other.
            message = f"{error}; {_SHAPES}"
            raise NoAgent(message) from None
        raise


def _loop() -> Any:
    import asyncio

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop


async def _awaited(value: Any) -> Any:
    return await value


def _submission(value: Any) -> Submission:
    """What the agent returned: a submission, or a plain answer, which is taken as one."""
    if isinstance(value, Submission):
        return value
    if isinstance(value, (str, int, float, list, dict)):
        return Submission(value)
    what = "nothing" if value is None else type(value).__name__
    message = (
        f"the agent returned {what}; it has to return a Submission, e.g. `return Submission(answer=…)`, or the answer "
        "itself as text, number, list or dict"
    )
    raise NoAgent(message)


def _submit(submission: Submission) -> dict[str, Any]:
    import json

    message = {
        "type": "submit",
        "answer": submission.answer,
        "confidence": submission.confidence,
        "claims": [claim._asdict() if hasattr(claim, "_asdict") else claim for claim in submission.claims],
    }
    try:
        json.dumps(message, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"the submission is not JSON: {describe(error)}"
        raise NoAgent(problem) from None
    return message


def _awaits(function: Any) -> bool:
    plain = getattr(function, "__func__", function)
    plain = getattr(plain, "__call__", plain) if not hasattr(plain, "__code__") else plain  # noqa: B004
    plain = getattr(plain, "__func__", plain)
    code = getattr(plain, "__code__", None)
    return code is not None and bool(code.co_flags & _COROUTINE)


def _loaded(target: str) -> Any:
    if target in _preloaded:
        if isinstance(_preloaded[target], BaseException):
            raise _preloaded[target]
        return _preloaded[target]
    if not target.endswith(".py"):
        __import__(target)
        return sys.modules[target]
    import importlib.util

    name = os.path.basename(target)[:-3]
    spec = importlib.util.spec_from_file_location(name, target, loader=SourceLoader(name, target))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _resolve(module: Any, factory: str) -> Any:
    target = module
    for part in factory.split("."):
        target = getattr(target, part, None)
        if target is None:
            from difflib import get_close_matches

            close = get_close_matches(factory, [name for name in vars(module) if not name.startswith("_")], n=1)
            hint = f"; perhaps '{close[0]}' was meant" if close else ""
            message = f"{module.__name__} has no '{factory}'{hint}"
            raise NoAgent(message)
    return target


def _made(target: Any) -> Any:
    """The agent: what a class or a factory without arguments gives; otherwise the object itself."""
    if isinstance(target, type):
        return target()
    code = getattr(target, "__code__", None)
    if code is None or callable(getattr(target, "run", None)) or callable(getattr(target, "act", None)):
        return target
    needed = code.co_argcount - len(getattr(target, "__defaults__", None) or ())
    if needed == 0:
        return target()
    if needed == 2:
        return target
    message = f"'{target.__name__}' takes {needed} arguments; a factory takes none, and {_SHAPES}"
    raise NoAgent(message)


def describe(error: BaseException) -> str:
    """One line about an exception."""
    if isinstance(error, NoAgent):
        return str(error)
    first = (str(error).splitlines() or [""])[0][:300]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def place(error: BaseException, folders: list[str]) -> str:
    """`at matcher.py:31 in run`: the last frame in a file of the agent's own; empty where there is none."""
    if isinstance(error, NoAgent):
        return ""
    found, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if any(code.co_filename.startswith(folder.rstrip("/") + "/") for folder in folders):
            found = f"at {os.path.basename(code.co_filename)}:{trace.tb_lineno} in {code.co_name}"
        trace = trace.tb_next
    return found
