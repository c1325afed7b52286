"""The result in three sentences that need no rubric: what the system can do, what stopped it, how sure that is.

Made from the reading alone. Nothing is said here that the page does not show with its numbers; nothing is said about
safety, compliance or readiness.
"""

from __future__ import annotations

import re

from proctor.instruments.agency.dimension import OTHER
from proctor.instruments.agency.flags import is_invalid
from proctor.instruments.agency.rubric import ROBUSTNESS, RUBRIC
from proctor.reports.numbers import count
from proctor.reports.sections.agency.shown import Dimension, Level, Vector
from proctor.reports.sections.agency.words import bound_text, value_text

MOST = 4
"""Abilities, and obstacles, that are spelled out; further ones are named by level."""
FIRST_OF_R = "passes Baseline and does not collapse under mild perturbation"
_REGIME = re.compile(r"\b(Baseline|Moderate|Severe)\b")
_BOUNDED = re.compile(r"^It is bounded at")
SO, IN_DOING_SO = "does so ", " in doing so"


def verdict(vector: Vector, *, system: str, episodes: int, policy: str) -> tuple[str, ...]:
    """Two or three sentences, in this order."""
    tested = [one for one in vector.leaves() if one.n]
    invalid = dict.fromkeys(f"{flag.name}: {flag.reason}" for flag in vector.flags if is_invalid(flag))
    if invalid:
        return (f"No level of {system} can be reported. {'; '.join(invalid)}.",)
    if not tested:
        return (f"Nothing that could be scored was asked of {system}: no level can be reported.",)
    return tuple(
        sentence
        for sentence in (_can(tested, system), _stopped(tested), _sure(vector, tested, episodes, policy))
        if sentence
    )


def phrase(dimension: str, level: int) -> str:
    """What a level shows, as the end of a sentence about the system: nothing in it leans on the level before."""
    if dimension == "R":
        texts = {1: FIRST_OF_R, **{number: text for number, _, text in ROBUSTNESS}}
        return _REGIME.sub(
            r"\1 conditions", texts.get(level, "passes Baseline and does not collapse when noise sets in")
        )
    text = RUBRIC[dimension][level - 1].text
    if text.startswith(SO):
        return f"{_before(dimension, level)} {text.removeprefix(SO)}"
    if text.endswith(IN_DOING_SO):
        return f"{_before(dimension, level)} and {text.removesuffix(IN_DOING_SO)}"
    return text


def _before(dimension: str, level: int) -> str:
    """What "so" stands for: the nearest level below that says it itself."""
    texts = (RUBRIC[dimension][number - 1].text for number in range(level - 1, 0, -1))
    return next(text for text in texts if not text.startswith(SO))


def _can(tested: list[Dimension], system: str) -> str:
    reached = [one for one in tested if one.level]
    if not reached:
        return f"{system} did not pass the first test of any dimension it was examined in."
    # The strongest findings first; the order of the vector among equals.
    ordered = sorted(reached, key=lambda one: -(one.level or 0))
    spelled = sorted(ordered[:MOST], key=reached.index)
    said = [f"{phrase(one.dimension, one.level or 1)} ({_cell(one, one.level or 1)})" for one in spelled]
    more = [_cell(one, one.level or 1) for one in ordered[MOST:]]
    also = f"; it also reached {_listed(more)}" if more else ""
    return f"Under the conditions of this run {system} {_listed(said)}{also}."


def _cell(one: Dimension, level: int) -> str:
    return f"{one.dimension}{level}" if len(one.dimension) == 1 else f"{one.dimension}-{level}"


def _stopped(tested: list[Dimension]) -> str:
    capped = [one for one in tested if one.level is not None and _BOUNDED.match(one.moves)]
    stops = [(one, one.next) for one in tested if one not in capped and not one.invalid]
    open_ones = [(one, level) for one, level in stops if level is not None and not level.met]
    # The most basic thing it could not do says most.
    ordered = sorted((pair for pair in open_ones if pair[1].status != "not tested"), key=lambda pair: pair[1].level)
    spelled = ordered[:MOST]
    needed = {_needed(level) for _, level in spelled}
    # What all of them need is said once.
    once = next(iter(needed)) if len(needed) == 1 and len(spelled) > 1 else ""
    said = [f"{one.title.lower()} at {level.cell} ({_number(level, once)})" for one, level in spelled]
    more = [level.cell for _, level in ordered[MOST:]]
    parts = []
    if said:
        also = f", and at {_listed(more)}" if more else ""
        parts.append(f"It was stopped in {_listed(said)}{f', where {once}' if once else ''}{also}")
    untested = [level.cell for _, level in open_ones if level.status == "not tested"]
    if untested:
        parts.append(f"{'it' if parts else 'It'} was not tested at {_listed(untested)}")
    if capped:
        parts += [f"{one.dimension} is {_BOUNDED.sub('bounded at', one.moves).rstrip('.')}" for one in capped]
    lost = [one.dimension for one in tested if one.invalid]
    if lost:
        parts.append(f"{_listed(lost)} {_are(lost)} Invalid")
    return f"{'; '.join(parts)}." if parts else ""


def _needed(level: Level) -> str:
    """What the level needs of the number that stopped it; empty where no number did."""
    found = level.deciding
    if found is None or found.met or found.provisional or level.status != "not met":
        return ""
    if found.kind == "loss":
        return f"at most {bound_text(found).removeprefix('≤').strip()} may be lost"
    return f"{bound_text(found)} is needed"


def _number(level: Level, said: str) -> str:
    """The number that counts most against the level, or its status; what it needs unless that is `said` elsewhere."""
    found = level.deciding
    if found is None:
        return level.status
    counted = found.kind in ("rate", "share") and found.k is not None and found.n is not None
    observed = f"{found.k:,} of {found.n:,}" if counted else value_text(found)
    if found.met or level.status != "not met":
        return f"{observed}: {level.status}"
    if found.provisional:
        return f"{observed}: too close to tell"
    return observed if _needed(level) == said else f"{observed}, {_needed(level)}"


def _sure(vector: Vector, tested: list[Dimension], episodes: int, policy: str) -> str:
    sizes = [_sample(one) for one in tested]
    spread = f"{min(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,} to {max(sizes):,}"
    parts = [f"Each level rests on {spread} scored units ({count(episodes, 'episode')} in all)"]
    other = OTHER.get(policy, "other")
    changed = [
        f"{one.dimension} {one.other_policy_level}"
        for one in tested
        if one.level is not None and one.other_policy_level != one.level
    ]
    how = "stricter" if other == "strict" else "more lenient"
    parts.append(
        f"the {how} policy would give {_listed(changed)}" if changed else f"the {how} policy gives the same levels"
    )
    unsure = [one.dimension for one in tested if any(flag.name == "Provisional" for flag in one.flags)]
    contested = [one.dimension for one in tested if any(flag.name.startswith("Contested") for flag in one.flags)]
    if unsure:
        parts.append(f"{_listed(unsure)} {_are(unsure)} Provisional: more evidence could change that")
    if contested:
        parts.append(f"{_listed(contested)} {_are(contested)} Contested")
    absent = [name for name, one in vector.vector.items() if not one.n]
    if absent:
        parts.append(f"{_listed(absent)} {'was' if len(absent) == 1 else 'were'} not measured")
    return f"{'; '.join(parts)}."


def _sample(one: Dimension) -> int:
    """The smaller of the samples that decided it: of the level credited and of the next one."""
    near = [level for level in one.levels if level.level in (one.level or 0, (one.level or 0) + 1)]
    return min((level.target.n for level in near if level.target is not None and level.target.n), default=one.n)


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _listed(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
