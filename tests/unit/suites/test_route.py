"""The family `route`: the way is there, the straight one is not, and only the position counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proctor.core.seeds import Stream
from proctor.spec.task import Instance
from proctor.suites.hello.route import family
from proctor.suites.hello.route.maps import neighbours, path, road, travel

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

Sample = Callable[..., list[Instance]]


def _numbered(instance: Instance, order: list[str]) -> tuple[list[list[int]], int, int, set[tuple[int, int]]]:
    number = {name: place for place, name in enumerate(order)}
    pairs = {road(number[one], number[two]) for one, two in instance.hidden["roads"]}
    blocked = {road(number[one], number[two]) for one, two in instance.hidden["blocked"]}
    hidden = instance.hidden
    return neighbours(pairs, len(order)), number[hidden["start"]], number[hidden["destination"]], blocked


def test_blocked_roads_force_another_way(sample: Sample) -> None:
    for blocks in (0, 1, 2):
        for instance in sample(family, 80, blocked=blocks):
            order = sorted({name for pair in instance.hidden["roads"] for name in pair})
            ways, start, destination, blocked = _numbered(instance, order)
            assert len(blocked) == blocks
            assert len(order) == instance.knobs["places"]
            straight, around = path(ways, start, destination), path(ways, start, destination, blocked)
            assert straight is not None
            assert around is not None
            assert len(around) >= len(straight) >= 3


def test_a_traveller_who_plans_again_arrives_whatever_the_order(sample: Sample) -> None:
    """Equally short ways may be tried in any order; the spare moves are enough for nearly all of them."""
    arrived = total = 0
    for number, instance in enumerate(sample(family, 100, blocked=2)):
        names = sorted({name for pair in instance.hidden["roads"] for name in pair})
        for attempt in range(5):
            order = Stream.keyed("order", number, attempt).sample(names, len(names))
            ways, start, destination, blocked = _numbered(instance, order)
            moves, _ = travel(ways, start, destination, blocked)
            arrived += moves <= instance.hidden["moves"]
            total += 1
    assert arrived >= 0.99 * total


def test_moves_blocks_and_refusals(sample: Sample, drive: Drive) -> None:
    instance = next(item for item in sample(family, 50) if item.hidden["start"] in item.hidden["blocked"][0])
    driver = drive(family, instance)
    here = instance.hidden["start"]
    one, two = instance.hidden["blocked"][0]
    other = two if one == here else one
    assert "is blocked" in driver.error("move", to=other)
    assert "no road" in driver.error("move", to="Nowhere")
    assert driver.verify("arrived").reason == "not_moved"
    seen = driver.call("look")
    assert seen["position"] == here
    assert other in seen["neighbours"]
    assert seen["moves_left"] == instance.hidden["moves"]
    assert driver.call("map")["roads"] == instance.observation["roads"]
    open_one = next(name for name in seen["neighbours"] if sorted((here, name)) not in _sorted(instance))
    assert driver.call("move", to=open_one) == {"position": open_one, "moves_left": instance.hidden["moves"] - 1}


def _sorted(instance: Instance) -> list[list[str]]:
    return [sorted(pair) for pair in instance.hidden["blocked"]]


def test_passing_through_is_not_arriving(sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    assert driver.run(family.oracle(instance)).success
    assert driver.verify(None).success
    back = next(name for name in driver.call("look")["neighbours"] if _is_open(instance, name))
    driver.call("move", to=back)
    assert driver.verify("arrived").reason in ("not_arrived", "out_of_moves")


def _is_open(instance: Instance, name: str) -> bool:
    return sorted((instance.hidden["destination"], name)) not in _sorted(instance)


def test_moves_run_out(sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    for _ in range(instance.hidden["moves"]):
        seen = driver.call("look")
        here = seen["position"]
        open_ones = [name for name in seen["neighbours"] if sorted((here, name)) not in _sorted(instance)]
        target = next((name for name in open_ones if name != instance.hidden["destination"]), open_ones[0])
        driver.call("move", to=target)
    last = driver.call("look")
    following = next(name for name in last["neighbours"] if sorted((last["position"], name)) not in _sorted(instance))
    assert "no moves left" in driver.error("move", to=following)
    assert driver.verify("arrived").reason == "out_of_moves"


def test_blocked_roads_are_nowhere_to_be_read(sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    driver = drive(family, instance)
    assert "blocked" not in str(driver.call("map")) + str(driver.call("look")) + str(instance.observation)
