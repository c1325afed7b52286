"""Which hosts agents get: forked from a zygote where that can be done, each in a sandbox of its own everywhere else.

A pool belongs to a thread, as processes in sandboxes do. `release` lets go of what it holds; a worker calls it when it
has no more lifetimes.
"""

from __future__ import annotations

import os
import threading
from functools import cache
from typing import Final

from proctor.agents.kind import AgentString
from proctor.agents.process.options import Options
from proctor.agents.process.own_files import covered_in
from proctor.agents.process.pool.host import Nest, PooledHost
from proctor.agents.process.pool.preforking import PreforkHost, Shelf
from proctor.agents.process.pool.zygote import NoZygote
from proctor.agents.process.process_host import ProcessHost, Program, SandboxedHost
from proctor.core.errors import InputError
from proctor.worlds.bubblewrap import privileged

SWITCH: Final = "PROCTOR_WARM_POOL"
"""Set to `no`, the environment variable of this name gives every lifetime a sandbox of its own; results are the same.
"""


class Pool(threading.local):
    """The nests of one thread."""

    def __init__(self) -> None:
        self._nests: dict[str, Nest] = {}
        self._shelves: dict[str, Shelf] = {}
        self._refused = False

    def host(self, agent: AgentString, program: Program, options: Options) -> ProcessHost:
        """A host for one lifetime of this agent."""
        if options.prefork:
            return PreforkHost(self._shelf(agent, program, options), options)
        # Ports are opened by a program that is started before the agent's, which a fork has no place for.
        forks = program.warm and not program.ports and may_fork() and not self._refused
        nest = self._nest(agent, program, options) if forks else None
        return SandboxedHost(program, options) if nest is None else PooledHost(nest, options)

    def release(self) -> None:
        """Let go of everything that no lifetime uses any more; the rest goes with the last lifetime."""
        held: list[Nest | Shelf] = [*self._nests.values(), *self._shelves.values()]
        self.forget()
        for one in held:
            one.close()

    def forget(self) -> None:
        """Drop everything without ending it: it belongs to the process that this one was forked from."""
        self._nests = {}
        self._shelves = {}

    def _shelf(self, agent: AgentString, program: Program, options: Options) -> Shelf:
        if not program.warm or program.ports:
            what = "declared models" if program.ports else "python=PATH"
            message = f"agent '{agent.text}': prefork=yes does not go with {what}; leave prefork=yes out"
            raise InputError(message)
        key = _identity(agent, program, options)
        if key not in self._shelves:
            self._shelves[key] = Shelf(program, options)
        return self._shelves[key]

    def _nest(self, agent: AgentString, program: Program, options: Options) -> Nest | None:
        key = _identity(agent, program, options)
        nest = self._nests.get(key)
        if nest is not None and nest.usable:
            return nest
        if nest is not None:
            del self._nests[key]
            nest.close()
        try:
            self._nests[key] = nest = Nest(program, options)
        except NoZygote:
            # The kernel or a container refuses what it needs, and will refuse it again.
            self._refused = True
            return None
        return nest


@cache
def may_fork() -> bool:
    """Whether this process has the rights for it, and nobody has switched it off."""
    return os.environ.get(SWITCH) != "no" and privileged()


def _identity(agent: AgentString, program: Program, options: Options) -> str:
    """Everything that a nest is made from: the agent string, its system, its files as they are now."""
    files = [(item.virtual, str(item.host), *_version(item.host), *covered_in(item.host)) for item in program.shown]
    return repr((agent.text, options, files))


def _version(path: os.PathLike[str]) -> tuple[int, ...]:
    found = os.stat(path)
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


pool = Pool()
os.register_at_fork(after_in_child=pool.forget)
