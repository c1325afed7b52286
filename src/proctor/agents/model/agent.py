"""The agent: a model in a loop that shows it the task, carries out its calls, and hands in what it hands in.

Without notes nothing survives an episode, and one object serves them all. With notes an object lives one lifetime, and
its notes are all that it remembers.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from proctor.agents.contract import ScaffoldSession, Session
from proctor.agents.model.asking import Asking, Sampled
from proctor.agents.model.conversation import Conversation
from proctor.agents.model.notes import Notes
from proctor.agents.structured.asking import Source
from proctor.core.errors import BenchError
from proctor.spec.condition import Sampling
from proctor.spec.task import Submission, TaskView

USUAL_TOKENS: Final = 4_096
USUAL_TURNS: Final = 100


class Settings(Struct, frozen=True):
    """How an agent is made."""

    tokens: int = USUAL_TOKENS
    """Tokens that a reply may have."""
    turns: int = USUAL_TURNS
    """Replies in an episode; whoever has not handed in by then has reached the limit `turns`."""
    temperature: float | None = None
    """None: the provider's own. A Condition goes first."""
    forgets: bool = False
    """It lives as the model-free baseline: the prompt is system, task and last result, and nothing else."""


class ModelAgent:
    """A model with tools, stateless."""

    __slots__ = ("_settings", "_source")

    def __init__(self, source: Source, settings: Settings) -> None:
        self._source = source
        self._settings = settings

    async def run(self, task: TaskView, session: Session) -> Submission:
        return await self._live(task, session, None)

    async def _live(self, task: TaskView, session: Session, notes: Notes | None) -> Submission:
        # Every session of the bench is one; another one could neither record nor limit what is asked.
        assert isinstance(session, ScaffoldSession)
        asking = Asking(self._source, task, session, self._sampled(session.sampling))
        forgets = self._settings.forgets
        return await Conversation(task, session, asking, self._settings.turns, notes, forgets=forgets).live()

    def _sampled(self, sampling: Sampling) -> Sampled:
        if sampling.exact or sampling.samples > 1:
            message = (
                "this condition forces the length of replies or takes several votes, which an agent of kind 'model' "
                "does not do; use structured:MODEL"
            )
            raise BenchError(message)
        temperature = self._settings.temperature if sampling.temperature is None else sampling.temperature
        return Sampled(temperature, sampling.top_p, sampling.tokens or self._settings.tokens)


class NotingAgent(ModelAgent):
    """A model with tools and notes, for one lifetime."""

    __slots__ = ("_notes",)

    def __init__(self, source: Source, settings: Settings) -> None:
        super().__init__(source, settings)
        self._notes = Notes()

    async def run(self, task: TaskView, session: Session) -> Submission:
        return await self._live(task, session, self._notes)

    def remembers(self) -> bool:
        """Always: notes are a file."""
        return True

    def snapshot(self) -> bytes:
        """The notes."""
        return self._notes.text.encode("utf-8")

    def restore(self, memory: bytes) -> None:
        """Have exactly these notes."""
        self._notes.replace(memory.decode("utf-8"))

    def clear(self) -> None:
        """Have no notes."""
        self._notes.remove()

    async def close(self) -> None:
        """Leave no notes behind."""
        self._notes.remove()
