"""`simulated,reason=.9,…`: a chat model with planted binding, for proving the instrument and trying a suite out.

It reads prompts the way `reading` says, acts the way `behaviour` says and writes the way `replying` says. No suite, no
target and no instance can be reached from here; an import test says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from proctor.core.seeds import Stream
from proctor.models.contract import ChatModel, ModelKind, ModelString, Reply, Request
from proctor.models.filler import filled_reply
from proctor.models.simulated.behaviour import Implied, choose
from proctor.models.simulated.planted import Planted
from proctor.models.simulated.reading import read
from proctor.models.simulated.replying import reply_text

_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=256)
def built_in_rules(matter: str = "") -> tuple[Implied, ...]:
    """What turns the texts of the built-in suites into codes; prompts of 2.0 say what the question is about."""
    from proctor.models.simulated import rules_benchmark, rules_families, rules_twins

    if matter:
        return (partial(rules_twins.implied, matter=matter),)
    return (rules_benchmark.implied, rules_families.implied)


class Simulated:
    """A simulant. Stateless: the same request is answered alike, whenever and wherever it is asked."""

    name = "simulated"

    def __init__(self, planted: Planted, rules: Sequence[Implied] | None = None) -> None:
        self._planted = planted
        self._rules = rules

    async def ask(self, request: Request) -> Reply:
        # Who asks is no part of what is asked.
        stream = Stream(sha256(_encode(replace(request, replicate=""))).digest())
        sight = read(request.messages)
        rules = built_in_rules(sight.matter) if self._rules is None else self._rules
        choice = choose(sight, self._planted, rules, stream)
        if sight.decided is not None:
            choice.action = sight.decided
        text = reply_text(sight, choice)
        if request.exact and request.max_tokens is not None:
            sight.keys = ("final_action",)
            text = filled_reply(reply_text(sight, choice), request.max_tokens, self.tokens)
        prompt = sum(self.tokens(message.content) for message in request.messages)
        return Reply(text, self.name, prompt, self.tokens(text), "length" if request.exact else "stop")

    def tokens(self, text: str) -> int:
        """Words: simulants have no tokeniser, and count the same everywhere."""
        return len(text.split())

    async def close(self) -> None:
        """Nothing to let go of."""


def _open(text: ModelString, folder: Path) -> ChatModel:
    return Simulated(Planted.read(text))


def _check(text: ModelString, folder: Path) -> None:
    Planted.read(text)


kind = ModelKind(
    name="simulated",
    description="Follows reasons, memories, vetoes and self-states as often as planted.",
    open=_open,
    waits=False,
    label="simulated model with planted binding, not a result",
    check=_check,
)
