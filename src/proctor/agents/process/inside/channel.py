"""The agent's end of the wire: one thread reads, anybody may write, and whoever asked something is given its answer.

Descriptors 0 and 1 are taken away from the user's code: what it prints goes to stderr, what it reads is empty.
"""

from __future__ import annotations

import json
import os
from _queue import SimpleQueue
from _thread import allocate_lock, start_new_thread

from proctor.agents.process.inside.values import Budget, Observation, Sampling, TaskView, budget_of, task_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Episode:
    """What is known of the episode that is going on."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.task: TaskView = task_of(message)
        self.raw = {name: value for name, value in message.items() if name not in ("type", "sampling", "baseline")}
        """The task as plain data."""
        self.sampling = Sampling(**message.get("sampling", {}))
        self.baseline: str | None = message.get("baseline")
        """As what the agent is to live it, where not as itself."""
        self.observations: list[Observation] = []
        self.budget: Budget = self.task.budget
        self.spent = 0
        self.limit: str | None = None


class Channel:
    """One per process. Answers are handed over by calling what was left under the message's id."""

    def __init__(self) -> None:
        self._in = os.dup(0)
        self._out = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        self._writing = allocate_lock()
        self._waiting: dict[int, Callable[[dict[str, Any]], None]] = {}
        self._next = 0
        self._episode: Episode | None = None
        self.busy = False
        self.tasks: SimpleQueue[Episode | dict[str, Any] | None] = SimpleQueue()
        """Episodes and memory messages, as they come; None at the end."""

    def listen(self) -> None:
        """Start reading, in a thread of its own."""
        start_new_thread(self._read, ())

    def send(self, message: dict[str, Any]) -> None:
        """Write one message. What is not JSON raises `TypeError` or `ValueError` here."""
        data = json.dumps(message, ensure_ascii=False, allow_nan=False).encode(errors="replace") + b"\n"
        with self._writing:
            view = memoryview(data)
            while view:
                view = view[os.write(self._out, view) :]

    def ask(self, message: dict[str, Any], answered: Callable[[dict[str, Any]], None]) -> None:
        """Write a message and have its answer handed to `answered`, in the reading thread."""
        with self._writing:
            number = self._next
            self._next += 1
            self._waiting[number] = answered
        try:
            self.send({**message, "id": number})
        except BaseException:
            del self._waiting[number]
            raise

    def ask_and_wait(self, message: dict[str, Any]) -> dict[str, Any]:
        """Write a message and block until its answer is there."""
        answer: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self.ask(message, answer.put)
        return answer.get()

    def _read(self) -> None:
        with open(self._in, "rb", closefd=False) as lines:
            for line in lines:
                self._take(json.loads(line))
        if self.busy:
            # The bench has gone; there is nobody left to work for.
            os._exit(1)
        self.tasks.put(None)

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        episode = self._episode
        if kind == "task":
            self._episode = Episode(message)
        elif kind == "memory":
            self.tasks.put(message)
        elif episode is None:
            return
        elif kind == "observation":
            first = not episode.observations
            episode.observations.append(Observation(message["seq"], message["fields"], message.get("call")))
            if first:
                self.tasks.put(episode)
        elif kind == "limit":
            episode.limit = message["limit"]
        else:
            if "seq" in message:
                fields = {"result": message["value"]} if message["ok"] else {"error": message["error"]}
                episode.observations.append(Observation(message["seq"], fields, message["call"]))
            if "budget" in message:
                episode.budget = budget_of(message["budget"])
            answered = self._waiting.pop(message["id"], None)
            if answered is not None:
                try:
                    answered(message)
                except RuntimeError:
                    # Whoever asked has closed its event loop and does not want to know.
                    return
