"""How adversity gets between agent and world.

A `Layer` is built once from a regime and holds no episode state. A call passes the `before` hooks (which may answer in
the world's place), then the world, then the `after` hooks; the first observation passes the `show` hooks. Whatever a
layer delivers it receipts, and the receipt is written into the very event that carries the fault. Draws come from a
stream keyed by what is declared (suite, seed, family, instance, replicate) and by layer, tool and the call's number
among calls of that tool: never by the run, so the same faults meet every system. The bench never rolls dice on the
agent's behalf: recovery is what the agent does next.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from proctor.core.clock import Clock
from proctor.core.seeds import Stream
from proctor.evidence.events import Delivery
from proctor.spec.task import ToolResult
from proctor.worlds.tool import Tool


def threshold(p: float) -> int:
    """How many of the 2**64 values of a 64-bit draw mean yes, so that yes has probability p: none for 0, all for 1."""
    return round(p * (1 << 64))


class Adversity:
    """The adversity of one episode: where its draws come from, and what layers must remember until it ends."""

    __slots__ = ("clock", "memory", "pace", "stream")

    def __init__(self, stream: Stream, clock: Clock, pace: int) -> None:
        self.stream = stream
        self.clock = clock
        self.pace = pace
        """The family's own logical milliseconds between two calls."""
        self.memory: dict[str, Any] = {}
        """Per-layer notes, by layer name."""


class Passage:
    """One call on its way through the layers."""

    __slots__ = ("adversity", "arguments", "nth", "receipts", "tool", "violation")

    def __init__(self, adversity: Adversity, tool: Tool, arguments: dict[str, Any], nth: int) -> None:
        self.adversity = adversity
        self.tool = tool
        self.arguments = arguments
        self.nth = nth
        """How many calls of this tool came before."""
        self.receipts: list[Delivery] = []
        self.violation: str | None = None
        """Set by a layer that refuses the call for breaking a declared limit, e.g. `out_of_scope`."""

    def stream(self, layer: str) -> Stream:
        """The draws that belong to this layer and this call."""
        return self.adversity.stream.child(layer, self.tool.spec.name, self.nth)

    def draw_fault(self, layer: str, below: int) -> Stream | None:
        """The layer's stream if this call is struck, None if it is spared; `below` is the `threshold` of the share.

        The yes or no is read off the stream's own key, which is as random as its draws and independent of them: being
        spared costs one hash, not two.
        """
        stream = self.stream(layer)
        return stream if int.from_bytes(stream.key[:8], "big") < below else None

    def deliver(self, layer: str, detail: str = "") -> None:
        """Write the receipt."""
        self.receipts.append(Delivery(layer, detail))


class Layer:
    """One kind of adversity. Override the hooks it uses; the others cost nothing."""

    name: ClassVar[str]
    axis: ClassVar[str]
    """information, action, compute, stability or adversary."""

    def before(self, passage: Passage) -> ToolResult | None:
        """Answer in the world's place, or None to let the call through."""
        return None

    def after(self, passage: Passage, result: ToolResult) -> ToolResult:
        """The result the agent gets instead."""
        return result

    def show(self, fields: dict[str, Any], stream: Stream, receipts: list[Delivery]) -> dict[str, Any]:
        """The first observation the agent gets instead. `fields` must not be changed in place.

        A layer draws from `stream.child(name)` only, so that layers stay independent whatever stream they share.
        """
        return fields


class Stack(Struct, frozen=True):
    """The layers of a regime, sorted by the hooks they use, so that inactive ones are never called."""

    before: tuple[Layer, ...] = ()
    after: tuple[Layer, ...] = ()
    show: tuple[Layer, ...] = ()
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, layers: list[Layer]) -> Stack:
        """Order is kept: the first layer is nearest to the agent and the last nearest to the world, both ways.

        So `before` is called in this order and `after` and `show` in reverse, from the world outwards.
        """
        return cls(
            before=tuple(layer for layer in layers if type(layer).before is not Layer.before),
            after=tuple(layer for layer in layers if type(layer).after is not Layer.after),
            show=tuple(layer for layer in layers if type(layer).show is not Layer.show),
            names=tuple(layer.name for layer in layers),
        )

    def __bool__(self) -> bool:
        return bool(self.names)
