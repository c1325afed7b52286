"""mulberry32 and the shuffle of the quality suite against their JavaScript form, run by Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from proctor.core.seeds import Mulberry32

VALUES = 10_000
SEEDS = (0, 1, 7, 42, 2**31 - 1, 2**31, 2**32 - 1, *(n * 2_654_435_761 % 2**32 for n in range(1, 14)))
ITEMS = (1, 2, 13, 500, 2_000)

JAVASCRIPT = """
const mulberry32 = (a) => () => {
  a |= 0; a = a + 0x6D2B79F5 | 0;
  let t = Math.imul(a ^ a >>> 15, 1 | a);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
};
const shuffle = (items, random) => {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
};
const [seeds, values, sizes] = JSON.parse(process.argv[1]);
console.log(JSON.stringify(seeds.map((seed) => {
  const random = mulberry32(seed), again = mulberry32(seed);
  return {
    draws: Array.from({length: values}, () => random()),
    orders: sizes.map((size) => shuffle(Array.from({length: size}, (_, i) => i), again)),
  };
})));
"""


@pytest.fixture(scope="module")
def javascript() -> list[dict[str, list[float] | list[list[int]]]]:
    """What Node computes, one entry a seed. On CI a machine without Node fails: a skipped comparison proves nothing."""
    if shutil.which("node") is None:
        message = "Node is not installed, so mulberry32 cannot be compared with its JavaScript form"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    arguments = ["node", "-e", JAVASCRIPT, json.dumps([SEEDS, VALUES, ITEMS])]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=300)
    found: list[dict[str, list[float] | list[list[int]]]] = json.loads(done.stdout)
    return found


def test_there_are_twenty_different_seeds() -> None:
    assert len(set(SEEDS)) == 20


@pytest.mark.parametrize("place", range(len(SEEDS)))
def test_draws_and_orders_are_those_of_javascript(
    place: int, javascript: list[dict[str, list[float] | list[list[int]]]]
) -> None:
    rng, again = Mulberry32(SEEDS[place]), Mulberry32(SEEDS[place])
    assert [rng.random() for _ in range(VALUES)] == javascript[place]["draws"]
    orders = []
    for size in ITEMS:
        items = list(range(size))
        again.shuffle(items)
        orders.append(items)
    assert orders == javascript[place]["orders"]
