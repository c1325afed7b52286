"""How many at once: no bound until somebody is turned away, a cut per round, growth, pauses, and no lost wake-ups."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest

from proctor.models.http import capacity as module
from proctor.models.http.capacity import Capacity, Permit, bounded_capacities, capacity_of

Body = Callable[[], Awaitable[None]]


def run(body: Body) -> None:
    async def whole() -> None:
        async with asyncio.timeout(300):
            await body()

    asyncio.run(whole())


async def several(capacity: Capacity, number: int) -> list[Permit]:
    return [await capacity.acquire() for _ in range(number)]


def test_nobody_waits_where_nobody_was_turned_away() -> None:
    async def body() -> None:
        capacity = Capacity()
        await several(capacity, 1000)
        assert (capacity.in_flight, capacity.limit, capacity.details()) == (1000, None, {})

    run(body)


def test_a_round_that_is_turned_away_cuts_the_bound_once() -> None:
    async def body() -> None:
        capacity = Capacity(first_pause=0.0)
        permits = await several(capacity, 64)
        for permit in permits:
            capacity.rejected(permit, None)
        assert (capacity.limit, capacity.in_flight, capacity.rejections) == (32, 0, 64)
        again = await several(capacity, 32)
        capacity.rejected(again[0], None)
        capacity.rejected(again[1], None)
        assert capacity.limit == 16
        assert capacity.details() == {"at_once": 16}

    run(body)


def test_a_bound_never_falls_below_one_and_grows_by_one_a_round() -> None:
    async def body() -> None:
        capacity = Capacity(first_pause=0.0)
        for _ in range(5):
            capacity.rejected(await capacity.acquire(), None)
        assert capacity.limit == 1
        for _ in range(40):
            capacity.succeeded(await capacity.acquire())
        assert capacity.limit is not None and 7 < capacity.limit < 10, "after 1 + 2 + … + 8 successes about nine"

    run(body)


def test_a_declared_bound_holds_from_the_start_and_is_never_passed() -> None:
    async def body() -> None:
        capacity = Capacity(most=3)
        permits = await several(capacity, 3)
        waiting = asyncio.ensure_future(capacity.acquire())
        await asyncio.sleep(0.01)
        assert not waiting.done()
        capacity.succeeded(permits[0])
        await waiting
        assert capacity.limit == 3

    run(body)


def test_a_pause_is_kept_and_those_turned_away_go_first() -> None:
    async def body() -> None:
        capacity = Capacity(most=1, first_pause=0.0)
        first = await capacity.acquire()
        order: list[str] = []

        async def go(name: str, *, again: bool) -> None:
            permit = await capacity.acquire(again=again)
            order.append(name)
            capacity.succeeded(permit)

        fresh = [asyncio.ensure_future(go(f"fresh {number}", again=False)) for number in range(2)]
        await asyncio.sleep(0)
        capacity.rejected(first, 0.05)
        assert 0.0 < capacity.pause <= 0.05
        back = asyncio.ensure_future(go("turned away", again=True))
        await asyncio.sleep(0.01)
        assert order == [], "nobody is sent during the pause"
        await asyncio.gather(back, *fresh)
        assert order == ["turned away", "fresh 0", "fresh 1"]

    run(body)


def test_pauses_grow_while_nothing_gets_through_and_start_anew_after_a_success(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(module, "monotonic", lambda: now)

    async def body() -> None:
        nonlocal now
        capacity = Capacity(first_pause=0.5)
        pauses = []
        for _ in range(8):
            capacity.rejected(await capacity.acquire(), None)
            pauses.append(capacity.pause)
            now += capacity.pause
        assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 20.0, 20.0]
        capacity.succeeded(await capacity.acquire())
        capacity.rejected(await capacity.acquire(), None)
        assert capacity.pause == 0.5
        now += 0.5
        capacity.rejected(await capacity.acquire(), 90.0)
        assert capacity.pause == 90.0, "what a server asks for goes before what is usual"

    run(body)


def test_leave_that_nobody_takes_goes_to_the_next() -> None:
    async def body() -> None:
        capacity = Capacity(most=1)
        permit = await capacity.acquire()
        given_up, patient = (asyncio.ensure_future(capacity.acquire()) for _ in range(2))
        await asyncio.sleep(0)
        # Leave and cancellation in the same moment.
        capacity.succeeded(permit)
        given_up.cancel()
        capacity.succeeded(await patient)
        assert capacity.in_flight == 0

    run(body)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_everybody_who_stays_gets_leave(seed: int) -> None:
    """A few hundred at random: turned away, failed, cancelled while waiting or under way; nothing is lost or left."""

    async def body() -> None:
        chance = random.Random(seed)
        capacity = Capacity(first_pause=0.0005)
        served = 0

        async def go() -> None:
            nonlocal served
            again = False
            while True:
                permit = await capacity.acquire(again=again)
                assert capacity.limit is None or capacity.in_flight >= 1
                try:
                    await asyncio.sleep(chance.random() * 0.002)
                except asyncio.CancelledError:
                    capacity.abandoned(permit)
                    raise
                drawn = chance.random()
                if drawn < 0.3:
                    capacity.rejected(permit, chance.choice([None, 0.0, 0.001]))
                    again = True
                elif drawn < 0.4:
                    capacity.abandoned(permit)
                else:
                    capacity.succeeded(permit)
                    served += 1
                    return

        tasks = [asyncio.ensure_future(go()) for _ in range(200)]
        for task in chance.sample(tasks, 40):
            asyncio.get_running_loop().call_later(chance.random() * 0.05, task.cancel)
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert served == sum(one is None for one in done) >= 160
        assert capacity.in_flight == 0

    run(body)


def test_models_of_one_endpoint_share_its_capacity_and_it_can_be_looked_at() -> None:
    async def body() -> None:
        capacity = capacity_of("openai:m at http://a/v1")
        assert capacity_of("openai:m at http://a/v1") is capacity
        assert capacity_of("openai:m at http://b/v1") is not capacity
        capacity.rejected(await capacity.acquire(), None)
        bounded = bounded_capacities()
        assert bounded["openai:m at http://a/v1"] == {"at_once": 1, "rejections": 1}
        assert "openai:m at http://b/v1" not in bounded, "only those that were turned away"

    run(body)
