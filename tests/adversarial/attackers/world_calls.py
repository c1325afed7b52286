"""Somebody who knows every tool's schema calls it in every way, in every family, and waits for a world to give in.

Wanted: an exception, a call that takes more processor time than its world declares, a file outside the world's folder,
a state or verdict that cannot be had, or two worlds that differ after the same calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from proctor.conformance.strain import strain
from proctor.conformance.subject import Options, Subject, regimes_of
from proctor.core.errors import InputError, NotEvaluable
from proctor.core.seeds import Stream
from proctor.engine.family import Family
from proctor.engine.names import load_family
from proctor.plugins import registry
from proctor.worlds.requirements import require
from tests.adversarial.tally import Tally

CALLS = 120
"""Of one episode; each is made twice."""
INSTANCES = 25
"""Different instances of a family; beyond them the same ones meet other calls."""


def families() -> Iterator[tuple[str, Family]]:
    """Every family of the package that has tools and that this machine can run."""
    for name in registry.names("families"):
        try:
            family = load_family(name, Path())
            require(family.spec.requires)
        except (InputError, NotEvaluable):
            continue  # It reads a user's file, or needs what is not installed here.
        with subject_of(family, 1) as subject:
            if subject.tools():
                yield name, family


def subject_of(family: Family, seed: int) -> Subject:
    return Subject(family, Options(regimes_of(("baseline",)), INSTANCES, seed, thorough=False, fresh_process=False))


def attack(attempts: int, seed: int, calls: int = CALLS) -> Tally:
    """So many calls, spread over all families and many instances."""
    everything = list(families())
    asked = reached = episodes = 0
    obtained: list[str] = []
    subjects = {name: subject_of(family, seed) for name, family in everything}
    try:
        while asked < attempts:
            for name, subject in subjects.items():
                if asked >= attempts:
                    break
                index = episodes // len(subjects)
                stream = Stream.keyed("world-calls", seed, name, index)
                stood = strain(subject, index % INSTANCES, stream, calls)
                episodes += 1
                asked += stood.asked
                reached += stood.calls
                obtained += [f"{name}, seed {seed}, episode {index}: {sentence}" for sentence in stood.broken]
    finally:
        for subject in subjects.values():
            subject.__exit__()
    figures = {"families": len(everything), "reached a world": reached, "episodes, each twice": episodes}
    return Tally(asked, tuple(obtained), figures)
