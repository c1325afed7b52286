"""The tamperer: changes real bundles in every way it knows, computes all digests anew, and wants them accepted.

It holds when each tampering is refused in a sentence by verification, or, where an episode is rewritten without a
contradiction, by living it again. What nobody can find in an unsigned bundle is in `rewriting.BEYOND` with the reason:
tried, counted and never a success of the attacker's.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from proctor.engine.checking import ORDER, TASKS
from proctor.engine.frozen_families import families_here
from proctor.engine.plan import Plan
from proctor.engine.reverifying import reverify
from proctor.evidence.bundle import import_bundle, verify_apart
from proctor.evidence.store.store import Store
from tests.adversarial.attackers.tampering import damage, documents, events, originals, rates, rewriting
from tests.adversarial.attackers.tampering.parts import Parts
from tests.adversarial.attackers.tampering.readers import Answer, Readers
from tests.adversarial.tally import Tally

_WEIGHTS = {"events": 42, "documents": 22, "damage": 15, "rates": 13, "rewriting": 5, "beyond": 3}
_BEYOND = {**rewriting.BEYOND, **rates.NOT_FOUND}
_TRIES = 50


def attack(attempts: int, seed: int, suites: Sequence[str] = tuple(originals.SUITES)) -> Tally:
    """Tamper so many times, with bundles of these suites."""
    with tempfile.TemporaryDirectory(prefix="proctor-tampering-") as name:
        return _Attack(Path(name), Random(seed), suites).run(attempts)


class _Attack:
    def __init__(self, folder: Path, random: Random, suites: Sequence[str]) -> None:
        self._folder = folder
        self._random = random
        self._originals: list[tuple[Parts, bytes]] = []
        for name in suites:
            path = originals.make(name, folder)
            self._originals.append((Parts.of(path), path.read_bytes()))
        self._kinds: dict[int, tuple[str, str, int]] = {}
        """By number: kind, way, and the position that was changed."""
        self._counts: Counter[str] = Counter()
        self._obtained: list[str] = []

    def run(self, attempts: int) -> Tally:
        with Readers() as readers:
            for number, data in enumerate(self._tampered(attempts)):
                path = self._path(number)
                path.write_bytes(data)
                for answer in readers.ask(number, path):
                    self._judge(answer)
            for answer in readers.rest():
                self._judge(answer)
        return Tally(attempts, tuple(self._obtained), dict(sorted(self._counts.items())))

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.proctor"

    def _tampered(self, attempts: int) -> Iterator[bytes]:
        """Files that are not what was recorded, each in one way."""
        for number in range(attempts):
            for _ in range(_TRIES):
                made = self._one(number)
                if made is not None:
                    yield made
                    break
            else:
                message = f"attempt {number}: no way to tamper fits"
                raise AssertionError(message)

    def _one(self, number: int) -> bytes | None:
        random = self._random
        original, data = random.choice(self._originals)
        kind = random.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
        parts = original.copied()
        episode = random.choice(parts.episodes)
        position = episode.row.position
        if kind == "damage":
            harm = random.choice(damage.DAMAGES)
            made = harm(random, parts, data)
            way = harm.__name__
        elif kind == "documents":
            tamper = random.choice(documents.TAMPERS)
            made = parts.data() if tamper(random, parts) else None
            way = tamper.__name__
        else:
            if kind == "events":
                change = random.choice(events.TAMPERS)
                way = change.__name__
            elif kind == "rates":
                change = random.choice(rates.TAMPERS)
                way = change.__name__
            elif kind == "rewriting":
                change = random.choice((*rewriting.FOUND_BY_LIVING_IT_AGAIN, *rates.REWRITTEN))
                way = change.__name__
            else:
                way = random.choice(list(_BEYOND))
                change = _BEYOND[way][0]
            made = None
            if change(random, parts, episode):
                parts.sync(episode)
                made = parts.data()
        self._kinds[number] = (kind, way, position)
        return None if made == data else made

    def _judge(self, answer: Answer) -> None:
        kind, way, position = self._kinds[answer.number]
        path = self._path(answer.number)
        self._counts[kind] += 1
        told = f"attempt {answer.number} ({kind}, {way}, episode {position})"
        if answer.died:
            report = verify_apart(path, plan=ORDER, tasks=TASKS)
            self._counts["readers brought down"] += 1
            if report.ok or not report.problems:
                self._obtained.append(f"{told}: brought the reader down and was accepted after all")
        elif answer.raised:
            self._obtained.append(f"{told}: raised {answer.raised[:200]}")
        elif answer.ok and kind == "rewriting" and self._found_again(path, position):
            self._counts["found by living it again"] += 1
        elif answer.ok and kind == "beyond":
            self._counts["accepted, as listed"] += 1
        elif answer.ok:
            self._obtained.append(f"{told}: was accepted")
        elif "\n" in answer.first or not answer.first:
            self._obtained.append(f"{told}: was refused without a sentence")
        else:
            self._counts["refused"] += 1
        path.unlink()

    def _found_again(self, path: Path, position: int) -> bool:
        """Whether the episode, lived again from its acts, comes out otherwise."""
        place = path.with_suffix(".db")
        with Store(str(place)) as store:
            record = store.run(import_bundle(path, store, plan=Plan))
            families = families_here(store.frozen(record.number)).families
            found = reverify(store, record, families, only=[position]).mismatches
        place.unlink()
        return bool(found)
