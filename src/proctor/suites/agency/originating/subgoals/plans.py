"""What depends on what: an objective, what it needs directly or through others, and what only looks as if it did.

Always: every needed condition is an ancestor of the objective; one need holds from the start; nothing that is needed
depends on a condition that is not; requirements never form a circle.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.originating.subgoals.texts import STATES

MAX_NEEDS = 2


class Condition(Struct, frozen=True):
    """Something that can hold; `needs` are other conditions, by name."""

    name: str
    action: str
    needs: list[str]
    holds: bool


class Plan(Struct, frozen=True):
    """All conditions in the order of telling; `order` is one workable order of the subgoals."""

    objective: str
    conditions: list[Condition]
    order: list[str]


def plan(stream: Stream, needed: int, decoys: int) -> Plan:
    """A plan with so many subgoals and so many conditions beside them."""
    things = stream.sample(STATES, needed + decoys + 2)
    names = [f"{thing} {state}" for thing, state, _ in things]
    actions = [f"{verb} {thing}" for thing, _, verb in things]
    chain, objective, given, beside = names[:needed], names[needed], names[needed + 1], names[needed + 2 :]
    needs: dict[str, list[str]] = {name: [] for name in names}
    for index, name in enumerate(chain):
        # Somebody further on needs it: most often the next, so that there is a way to go and not only a heap.
        later = [*chain[index + 1 :], objective]
        open_ones = [other for other in later if len(needs[other]) < MAX_NEEDS] or later[-1:]
        needs[open_ones[0] if stream.chance(0.6) else stream.choice(open_ones)].append(name)
    if not needs[objective]:
        needs[objective].append(chain[-1])
    needs[min((*chain, objective), key=lambda name: (len(needs[name]), stream.bits64()))].append(given)
    for index, name in enumerate(beside):
        pool = [*chain, objective, given, *beside[:index]]
        needs[name] = stream.sample(pool, stream.integer(1, 2))
    conditions = []
    for name, action in zip(names, actions, strict=True):
        listed = list(needs[name])
        stream.shuffle(listed)
        conditions.append(Condition(name, action, listed, name == given))
    stream.shuffle(conditions)
    return Plan(objective, conditions, chain)
