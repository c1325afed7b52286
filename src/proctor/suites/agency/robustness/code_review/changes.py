"""The facts of a change, drawn before any form is: rules with their numbers and names, hunks that keep or break them.

A hunk says something on each rule in force. What keeps a rule comes close to breaking it: exactly the limit, the banned
call in the old version only.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.robustness.code_review.texts import (
    CALLS,
    FIELDS,
    LIMITS,
    LOCKS,
    OBJECTS,
    PREFIXES,
    RULES,
    STEMS,
)
from proctor.suites.agency.robustness.findings import broken
from proctor.suites.kit.words import SURNAMES

RULE_COUNT = 4
KINDS = tuple(RULES)


class Project(Struct, frozen=True):
    """The rules in force, in the order of their numbers, and what they name."""

    kinds: list[str]
    prefix: str
    limit: int
    banned: str
    owners: list[str]
    secrets: list[str]

    @property
    def rules(self) -> list[str]:
        """The rules as written, with their numbers."""
        words = {
            "prefix": self.prefix,
            "limit": self.limit,
            "banned": self.banned,
            "owners": " or ".join(self.owners),
            "secrets": " or ".join(f"`{name}`" for name in self.secrets),
        }
        return [f"R{number}: {RULES[kind].format(**words)}" for number, kind in enumerate(self.kinds, 1)]


class Hunk(Struct, frozen=True):
    """One hunk. Only what the rules in force ask about is ever written down."""

    id: str
    kinds: frozenset[str]
    name: str
    wait: int
    in_ms: bool
    old_call: str
    new_call: str
    owner: str
    takes: str
    releases: str
    logs: str

    @property
    def waits(self) -> str:
        """The waiting time with its unit."""
        return f"{1000 * self.wait} ms" if self.in_ms else f"{self.wait} s"


class Change(Struct, frozen=True):
    """All of it, with the kinds of rule that each hunk breaks."""

    project: Project
    hunks: list[Hunk]
    broken: list[list[str]]

    @property
    def findings(self) -> list[dict[str, str]]:
        """The hunk and the rule of each breach."""
        numbers = {kind: f"R{number}" for number, kind in enumerate(self.project.kinds, 1)}
        return [
            {"hunk": hunk.id, "rule": rule}
            for hunk, kinds in zip(self.hunks, self.broken, strict=True)
            for rule in sorted(numbers[kind] for kind in kinds)
        ]


def change(stream: Stream, count: int) -> Change:
    """A change of so many hunks."""
    project = Project(
        kinds=stream.sample(KINDS, RULE_COUNT),
        prefix=stream.choice(PREFIXES),
        limit=stream.choice(LIMITS),
        banned=stream.choice(CALLS),
        owners=stream.sample(SURNAMES, 2),
        secrets=stream.sample(FIELDS, 2),
    )
    wrong = broken(stream, count, project.kinds)
    hunks = [_hunk(stream.child("hunk", number), project, f"H{number}", bad) for number, bad in enumerate(wrong, 1)]
    return Change(project, hunks, wrong)


def _hunk(stream: Stream, project: Project, name: str, bad: list[str]) -> Hunk:
    stem = f"{stream.choice(STEMS)}_{stream.choice(OBJECTS)}"
    prefix = stream.choice([other for other in PREFIXES if other != project.prefix])
    other, third = stream.sample([call for call in CALLS if call != project.banned], 2)
    old, new = (other, project.banned) if "ban" in bad else (_either(stream, project.banned, third), other)
    takes, wrong_lock = stream.sample(LOCKS, 2)
    return Hunk(
        id=name,
        kinds=frozenset(project.kinds),
        name=f"{prefix if 'name' in bad else project.prefix}_{stem}",
        wait=_wait(stream, project.limit, over="wait" in bad),
        in_ms=stream.chance(0.4),
        old_call=old,
        new_call=new,
        owner=stream.choice([person for person in SURNAMES if (person in project.owners) != ("owner" in bad)]),
        takes=takes,
        releases=wrong_lock if "lock" in bad else takes,
        logs=stream.choice([field for field in FIELDS if (field in project.secrets) == ("log" in bad)]),
    )


def _either(stream: Stream, likely: str, other: str) -> str:
    return likely if stream.chance(0.6) else other


def _wait(stream: Stream, limit: int, *, over: bool) -> int:
    if over:
        return limit + stream.integer(1, limit)
    return limit if stream.chance(0.4) else stream.integer(1, limit)
