"""`python -m tests.adversarial [NAME ...]`: every standing attacker at full size, and a table of what came of it."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable

from tests.adversarial.tally import Tally

FULL_SIZE: dict[str, int] = {
    "world_calls": 1_000_000,
    "infrastructure_seeker": 20_000,
    "kills": 200,
    "tamperings": 10_000,
    "inputs": 100_000,
    "zoo": 600,
}
"""Each attacker, a module of `attackers`, with the attempts of a full attack."""


def attacker(name: str) -> Callable[[int, int], Tally]:
    """The attack of one module."""
    attack: Callable[[int, int], Tally] = importlib.import_module(f"tests.adversarial.attackers.{name}").attack
    return attack


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.adversarial", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(FULL_SIZE)}; all where none is named")
    parser.add_argument("--attempts", type=int, help="instead of the size of a full attack")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.names) - set(FULL_SIZE))
    if unknown:
        parser.error(f"no attacker {unknown[0]!r}; there are {', '.join(FULL_SIZE)}")
    held = True
    for name in chosen.names or FULL_SIZE:
        tally = attacker(name)(chosen.attempts or FULL_SIZE[name], chosen.seed)
        held = held and tally.held
        figures = ", ".join(f"{count:,} {what}" for what, count in tally.figures.items())
        print(f"| {name} | {tally.attempts:,} | {len(tally.obtained)} | {figures} |", flush=True)
        for sentence in tally.obtained:
            print(f"  obtained: {sentence}", file=sys.stderr)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
