"""Agent strings and the kinds they name: `kind:detail,key=value`.

A kind is what the plugin door `proctor.agents` gives: an `AgentKind` with a label for reports, whether it may run in
the bench's own process, and a factory. One agent object lives one lifetime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field

from proctor.agents.contract import Agent
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.core.texts import is_line
from proctor.spec.condition import Condition
from proctor.spec.system import Baseline, Boundary, System

AgentGroup = Literal["yours", "models", "built-in"]


class AgentString(Struct, frozen=True):
    """A parsed agent string."""

    kind: str
    detail: str = ""
    options: dict[str, str] = field(default_factory=dict)
    text: str = ""

    @classmethod
    def parse(cls, text: str) -> AgentString:
        """`structured:simulated,reason=.9` → kind, detail, options."""
        if not is_line(text):
            message = "an agent string has a line end or another control character in it; write it on one line"
            raise InputError(message)
        kind, _, rest = text.partition(":")
        if not kind.strip():
            message = f"agent '{text}' has no kind; write kind or kind:detail, e.g. clerk or python:my_agent:make"
            raise InputError(message)
        details: list[str] = []
        options: dict[str, str] = {}
        for piece in rest.split(",") if rest else []:
            name, equals, value = piece.partition("=")
            if equals and name.strip().isidentifier():
                if name.strip() in options:
                    # Without the values: somebody may have put a secret among them.
                    message = f"agent '{kind.strip()}': option '{name.strip()}' is given twice; give it once"
                    raise InputError(message)
                options[name.strip()] = value
            else:
                # A comma inside a command line is part of the detail until the first option appears.
                details.append(piece)
        return cls(kind.strip(), ",".join(details), options, text)


class AgentContext(Struct, frozen=True):
    """What a factory may know: never the seed, the suite, the store or a family."""

    system: System
    source: Stream
    lifetime: tuple[str | int, ...]
    """Family, instance, replicate and part: the same agent meets the same task with the same draws in every run."""
    folder: Path
    """Where relative paths in the agent string start."""
    shared: dict[str, Any] = field(default_factory=dict)
    """What the agents of one worker share, connections say, by a name of their own. Whatever in it offers `Releases` is
    told when the worker is done; nothing that an episode showed may be kept there."""
    baseline: Baseline | None = None
    """The baseline that it is to live as; only a kind that says it can is asked."""

    @property
    def stream(self) -> Stream:
        """Draws for agents that act at random; keyed by the lifetime, unrelated to any answer."""
        return self.source.child(*self.lifetime)


class AgentKind(Struct, frozen=True):
    """One kind of agent."""

    name: str
    description: str
    open: Callable[[AgentString, AgentContext], Agent]
    """Make the agent for one lifetime. Raises `InputError` when the string makes no sense."""
    trusted: bool = False
    """Built in, lives on virtual time and may run inside the bench's process."""
    waits: bool = True
    """Suspends while it works, so that several can wait at once."""
    calls_tools: bool = True
    """Whether it can call tools at all; one that cannot is refused where tasks need them, unless that is declared."""
    label: str = ""
    """Shown wherever a result of it appears, e.g. `oracle, not a result`."""
    check: Callable[[AgentString, AgentContext], None] | None = None
    """Called once before the run starts: refuse early and clearly."""
    check_conditions: Callable[[AgentString, Sequence[Condition]], None] | None = None
    """Called with the Conditions of the run: refuse an option that one of them would override."""
    source: Callable[[AgentString, AgentContext], str | None] | None = None
    """SHA-256 over the files the string names, which are part of the configuration; None where it names none."""
    files: Callable[[AgentString, AgentContext], list[list[Any]] | None] | None = None
    """The same files one by one, as `proctor.agents.files` reads them; None where they are not told apart."""
    identity: Callable[[AgentString], str] | None = None
    """What identifies it beside its kind, options and files: the model it asks, by provider and name."""
    runtime: Callable[[AgentString, AgentContext], str | None] | None = None
    """What it runs on, where the string names it: an interpreter by its version and packages."""
    preflight: bool = True
    """Whether an untrusted agent lives a trial episode before a run; False where that would ask somebody in vain."""
    advice: Callable[[AgentString, AgentContext, str], str] | None = None
    """What to do about an error that it gave before a run, in a clause; empty where there is nothing to advise."""

    model: Callable[[AgentString], str] | None = None
    """The model it asks, as prices name it; None where it asks none that the bench knows of."""
    boundary: Boundary | None = None
    """What is true of it, and holds where the system declares nothing; None: nothing is known, so nothing is declared.
    """
    remote: bool = False
    """Lives somewhere else, out of the bench's reach: nothing confines it."""
    reusable: bool = False
    """Stateless: one object may live every lifetime of a worker. If it offers `Releases`, it is told when the worker is
    done."""
    release: Callable[[], None] | None = None
    """Called in a worker that has no more lifetimes: let go of what they shared."""
    baselines: frozenset[Baseline] = frozenset()
    """Baselines as which its agents live where the context asks for one: an ability is taken from them, by the bench or
    by the scaffold that ships, and nobody has to take their word for it. An agent of the user's for which that cannot
    be done raises `NoBaseline`."""
    baselines_by_shape: bool = False
    """Whether that can be done depends on the agent itself; else nobody may declare another one in its place."""
    specialise: Callable[[AgentString], AgentKind] | None = None
    """The kind as one agent string makes it, where label or waiting depend on what the string names."""

    @property
    def group(self) -> AgentGroup:
        """Whose it is: yours, a chat model's, or built in."""
        if self.identity is not None:
            return "models"
        return "built-in" if self.trusted else "yours"
