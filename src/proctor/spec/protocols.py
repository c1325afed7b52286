"""How the entries of a cell have to be run for their units to count towards it.

A level is about a protocol as much as about tasks: a decision is alike only beside another, a goal is pursued over
several episodes, and what was kept can be told only after something else was taught. A suite whose entries do without
is refused before it is run; in evidence that was recorded elsewhere the instrument does not credit them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from proctor.core.errors import InputError
from proctor.spec.claims import is_counted
from proctor.spec.condition import NO_INTERVENTION
from proctor.spec.suite import Entry, Step, Suite

PAIRED = frozenset({"D4", "G1-4", "G2-4"})
"""Cells about equivalent cases: a unit is a pair, and both halves have to be right (§10.6.3, §10.10)."""
WHOLE_LIFETIMES = frozenset({"G3-3", "G3-4", "G3-5"})
"""Cells in which a goal is pursued over the episodes of a lifetime: one label for all of them."""
EPISODES_OF_A_GOAL = 3
_TRAIN = "train"
_AFTER = frozenset({"posttest", "late"})


def protocol_problem(entry: Entry) -> str | None:
    """Why the units of an entry do not count towards its cell, in one clause; None where they do."""
    if not is_counted(entry.cell) or entry.baseline is not None:
        return None
    cell = entry.cell or ""
    if entry.replicates > 1:
        return f"replicates: {entry.replicates} would count each instance {entry.replicates} times"
    if entry.conditions != (NO_INTERVENTION.id,):
        return "episodes under an intervention (`conditions`) do not show what the agent does by itself"
    if cell in PAIRED and entry.parts < 2:
        return "it is about equivalent cases, and needs pairs (`parts: 2`)"
    if cell in WHOLE_LIFETIMES and sum(step.episodes for step in entry.program) < EPISODES_OF_A_GOAL:
        return f"a goal is pursued over {EPISODES_OF_A_GOAL} episodes (`program: [{{episodes: {EPISODES_OF_A_GOAL}}}]`)"
    return next(_learning_problems(entry), None) if cell.startswith("L") else None


def require_protocols(suite: Suite) -> None:
    """Refuse a suite whose entries could not count towards their cells."""
    for entry in suite.entries:
        if (problem := protocol_problem(entry)) is not None:
            message = f"suite '{suite.name}', cell {entry.cell}, family '{entry.family}': {problem}"
            raise InputError(message)
    for cell, entries in _by_cell(suite).items():
        if cell.startswith("L") and (problem := _untrained_problem(entries)) is not None:
            message = f"suite '{suite.name}', cell {cell}: {problem}"
            raise InputError(message)


def require_whole_samples(suite: Suite) -> None:
    """Refuse a suite that chooses which instances of a family count towards a cell."""
    for problem in chosen_instances(suite):
        message = f"suite '{suite.name}', {problem}; begin at 0 and leave none out"
        raise InputError(message)


def chosen_instances(suite: Suite) -> Iterator[str]:
    """Cells whose instances of a family do not begin at 0, or leave some out, in one clause each."""
    samples: dict[tuple[str, str, str], list[tuple[int, int]]] = defaultdict(list)
    for entry in suite.entries:
        if is_counted(entry.cell) and entry.baseline is None:
            key = entry.cell or "", entry.family.partition("@")[0], str(sorted(entry.knobs.items()))
            samples[key].append((entry.first, entry.first + entry.n))
    for (cell, family, _), ranges in samples.items():
        end = 0
        for first, beyond in sorted(ranges):
            if first > end:
                yield f"cell {cell}: it takes chosen instances of '{family}' (from {first} on, and not {end})"
                break
            end = max(end, beyond)


def _by_cell(suite: Suite) -> dict[str, list[Entry]]:
    entries: dict[str, list[Entry]] = defaultdict(list)
    for entry in suite.entries:
        if entry.baseline is None:
            entries[entry.cell or ""].append(entry)
    return entries


def _learning_problems(entry: Entry) -> Iterator[str]:
    taught: list[Step] = []
    for number, step in enumerate(entry.program):
        if step.phase == _TRAIN:
            taught.append(step)
        elif step.phase == "untrained" and taught:
            yield "phase `untrained` comes after training"
        elif step.phase == "retest":
            yield from _retest_problems(entry, number)


def _retest_problems(entry: Entry, number: int) -> Iterator[str]:
    """A retest says what was lost if something else was taught since the post-test, and the memory was left alone."""
    retest = entry.program[number]
    task = _task(entry, retest)
    tested = [
        place
        for place, step in enumerate(entry.program[:number])
        if step.phase == "posttest" and _task(entry, step) == task
    ]
    if not tested:
        yield "phase `retest` comes without a `posttest` of the same task before it"
        return
    between = entry.program[tested[-1] + 1 : number]
    if any(step.before in ("restore", "clear") for step in (*between, retest)):
        yield "the memory is put back between `posttest` and `retest`, so nothing can be forgotten"
    learned = {_task(entry, step) for step in between if step.phase == _TRAIN}
    if task in learned:
        yield "what is tested again is taught again before the `retest`"
    if not learned - {task}:
        yield "nothing else is taught between `posttest` and `retest`"


def _task(entry: Entry, step: Step) -> tuple[tuple[str, int | str], ...]:
    return tuple(sorted({**entry.knobs, **step.knobs}.items()))


def _untrained_problem(entries: list[Entry]) -> str | None:
    """Lifetimes without training have to be as long as training was, or practice could pass for learning."""
    trained = max((_before(entry, _AFTER, (_TRAIN, "early")) for entry in entries), default=0)
    untrained = [entry for entry in entries if any(step.phase == "untrained" for step in entry.program)]
    for entry in untrained:
        idle = _before(entry, frozenset({"untrained"}), tuple({step.phase for step in entry.program} - {"untrained"}))
        if idle < trained:
            return f"`untrained` comes after {idle} episodes, and the training it stands beside has {trained}"
    return None


def _before(entry: Entry, phases: frozenset[str], counted: tuple[str, ...]) -> int:
    """Episodes of some phases before the first of others; 0 where there is none of those."""
    total = 0
    for step in entry.program:
        if step.phase in phases:
            return total
        total += step.episodes if step.phase in counted else 0
    return 0
