"""Model calls: what one costs this process at 100,000 tokens of history, and many at once against a slow provider.

The provider is a fake in a process of its own. Processor time is this process's alone, so that a busy machine changes
it little; the official client of the interface is measured in the same run, in turns with ours, where it is installed.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.figure import Figure, missing
from benchmarks.setting import Setting

from proctor.models.connection import Connection
from proctor.models.contract import Message, Reply, Request
from proctor.models.http.endpoint import Endpoint
from proctor.models.openai_compatible import ChatCompletions

SUBJECT = "model_calls"
_ROOT = Path(__file__).resolve().parent.parent
_MAX_CPU_MS = 5.0
_MESSAGES = 200
_WORDS = 500
"""Of four letters a message, with its space: 100,000 words, as many tokens and about 400 kB in all."""


@dataclass(frozen=True)
class Size:
    """How many calls in a row, and how many at once."""

    calls: int
    rounds: int
    at_once: int
    seconds: float


SIZES = {"full": Size(50, 5, 200, 1.0), "quick": Size(20, 3, 200, 1.0), "tiny": Size(2, 1, 10, 0.01)}


def measure(setting: Setting) -> list[Figure]:
    """Own processor time per call beside the official client's, and many calls at once."""
    size = SIZES[setting.sizes.name]
    with serving(0.0) as address:
        ours, theirs = asyncio.run(_in_turns(address, size))
    with serving(size.seconds) as address:
        replies, took = asyncio.run(_at_once(address, size))
    failed = sum(reply.error is not None for reply in replies)
    history = f"{_MESSAGES} messages, {_MESSAGES * _WORDS:,} words"
    name = "the official client's processor time per call"
    return [
        Figure(SUBJECT, "own processor time per call", ours, "ms", _MAX_CPU_MS, note=history),
        missing(SUBJECT, name, "ms", "openai is not installed")
        if theirs is None
        else Figure(SUBJECT, name, theirs, "ms", note="same requests, in turns with ours"),
        Figure(
            SUBJECT, f"{size.at_once} calls at once, lost", failed, "calls", 0, note=f"provider of {size.seconds:g} s"
        ),
        Figure(SUBJECT, f"{size.at_once} calls at once", took, "s", note="the same, all answered"),
    ]


def request() -> Request:
    """A conversation of 100,000 tokens."""
    text = "word " * _WORDS
    return Request(tuple(Message(("user", "assistant")[n % 2], f"{n} {text}") for n in range(_MESSAGES)))


@contextmanager
def serving(seconds: float) -> Iterator[str]:
    """The address of a provider that takes so long."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fake_models", str(seconds)],
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(timeout=30)
        process.stdout.close()


def _model(address: str) -> Endpoint:
    return Endpoint(ChatCompletions(), Connection("m", f"{address}/v1", "NO_KEY", timeout=60.0), name="openai:m")


async def _in_turns(address: str, size: Size) -> tuple[float, float | None]:
    """Milliseconds of processor time per call, ours and the official client's: the median of the rounds."""
    asked = request()
    model = _model(address)

    async def own() -> None:
        reply = await model.ask(asked)
        assert reply.text == "hi", reply

    ours, theirs = [], []
    async with AsyncExitStack() as clients:
        official = await _official(address, asked, clients) if find_spec("openai") else None
        for _ in range(size.rounds):
            ours.append(await _timed(own, size.calls))
            if official is not None:
                theirs.append(await _timed(official, size.calls))
    await model.close()
    return statistics.median(ours), statistics.median(theirs) if theirs else None


async def _official(address: str, asked: Request, clients: AsyncExitStack) -> Callable[[], Awaitable[None]]:
    import openai

    client = openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0)
    clients.push_async_callback(client.close)
    messages: list[Any] = [{"role": one.role, "content": one.content} for one in asked.messages]

    async def ask() -> None:
        said = await client.chat.completions.create(model="m", messages=messages)
        assert said.choices[0].message.content == "hi"

    return ask


async def _timed(ask: Callable[[], Awaitable[None]], calls: int) -> float:
    await ask()
    began = process_time()
    for _ in range(calls):
        await ask()
    return (process_time() - began) * 1000 / calls


async def _at_once(address: str, size: Size) -> tuple[list[Reply], float]:
    asked = request()
    models = [_model(address) for _ in range(size.at_once)]
    began = perf_counter()
    replies = await asyncio.gather(*(model.ask(asked) for model in models))
    took = perf_counter() - began
    for model in models:
        await model.close()
    return list(replies), took
