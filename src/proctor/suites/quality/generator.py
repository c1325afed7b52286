"""Scenarios from templates (harness paper §5.2): every combination, a random sample, or one that looks for trouble.

Generation is a function of templates, mode, seed, n and the snapshot of failures: no store, no clock. Every scenario
says which template and which parameters it comes from, and none appears twice, neither by id nor by content. The same
combination under the same seed is the same scenario in every mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, TypeVar

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.core.seeds import Mulberry32
from proctor.spec.scenario import Scenario
from proctor.suites.quality.failures import FailureSnapshot
from proctor.suites.quality.pairwise import covering_array
from proctor.suites.quality.template import Parameters, Template, keyed

__all__ = ["LIMIT", "Mode", "Template", "generate"]

Mode = Literal["exhaustive", "random", "adversarial"]

LIMIT = 256
"""Combinations of one template up to which `exhaustive` takes them all; above it every pair of values is covered."""
SEARCHED = 2**17
"""A failed scenario known by its id alone is looked for in templates with at most so many combinations."""
SHARES = {"edges": 0.5, "failures": 0.3, "anything": 0.2}
"""What an adversarial draw starts from. Where a template has no edges, or no failures, the others share it."""
_TRIES = 64
_MISSES = 10_000
"""A template that repeats itself so often in a row has nothing more to give."""

T = TypeVar("T")

_Numbers = Callable[[Template], Iterator[int]]


def generate(
    templates: Iterable[Template],
    *,
    mode: Mode,
    seed: int = 0,
    n: int | None = None,
    failures: FailureSnapshot | None = None,
    limit: int = LIMIT,
) -> tuple[Scenario, ...]:
    """Make scenarios.

    `exhaustive` gives all combinations of each template, or a pairwise covering array of those with more than `limit`;
    n is not given. `random` and `adversarial` give exactly n, taking the templates in turn. `adversarial` uses the
    templates that have edges or past failures: half of its draws start from an edge, three in ten from a failed
    scenario (itself or with one parameter changed, the more often failed the more likely), two in ten from anything.
    """
    known = tuple(templates)
    _check(known, mode, n, failures)
    if mode == "exhaustive":
        return _all(known, seed, limit)
    if mode == "random":
        return _in_turn(known, seed, n or 0, lambda template: _shuffled(template, keyed(seed, "random", template.name)))
    failed = {template.name: failed_combinations(template, failures) for template in known}
    biased = tuple(template for template in known if template.edges or failed[template.name])
    if not biased:
        message = "nothing to be adversarial about: no template has edges and no failure is of one; declare edges"
        raise InputError(message)
    return _in_turn(
        biased,
        seed,
        n or 0,
        lambda template: _troubled(template, failed[template.name], keyed(seed, "adversarial", template.name)),
    )


def failed_combinations(template: Template, failures: FailureSnapshot | None) -> dict[int, int]:
    """How often each combination of this template was failed, by number; failures of other scenarios are passed over.

    So are those of combinations that the template no longer has: a snapshot may be older than the template.
    """
    counts: dict[int, int] = {}
    for failure in failures.failures if failures else ():
        if failure.parameters is None:
            number = template.find(failure.scenario, within=SEARCHED)
        else:
            number = _combination(template, failure.parameters)
        if number is not None and template.scenario_id(number) == failure.scenario:
            counts[number] = counts.get(number, 0) + failure.count
    return counts


def _combination(template: Template, parameters: Parameters) -> int | None:
    if parameters.keys() != template.parameters.keys():
        return None
    try:
        fixed = template.fixed(parameters, what="a failure")
    except InputError:
        return None
    return template.number(tuple(fixed[key] for key in template.parameters))


def _check(templates: Sequence[Template], mode: Mode, n: int | None, failures: FailureSnapshot | None) -> None:
    names = [template.name for template in templates]
    for name in names:
        if names.count(name) > 1:
            message = f"two templates are called '{name}'; rename one"
            raise InputError(message)
    if mode not in ("exhaustive", "random", "adversarial"):
        message = f"there is no mode '{mode}'; there are exhaustive, random and adversarial"
        raise InputError(message)
    if mode == "exhaustive" and n is not None:
        message = "exhaustive takes all combinations; leave n out, or choose random or adversarial"
        raise InputError(message)
    if mode != "exhaustive" and (n is None or n < 1):
        message = f"{mode} has to know how many scenarios to make; give n of at least 1"
        raise InputError(message)
    if mode != "adversarial" and failures is not None:
        message = f"past failures steer the adversarial mode only; leave them out of {mode}"
        raise InputError(message)


class _Kept:
    """The scenarios so far; takes none twice."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._ids: dict[str, int] = {}
        self._contents: set[str] = set()
        self.scenarios: list[Scenario] = []

    def add(self, template: Template, number: int) -> bool:
        """Make and keep the scenario of a combination; False if its id or its content is there already."""
        scenario = template.scenario(number, seed=self._seed)
        content = content_hash({k: v for k, v in jsonable(scenario).items() if k not in ("id", "provenance")})
        if scenario.id in self._ids or content in self._contents:
            return False
        self._ids[scenario.id] = number
        self._contents.add(content)
        self.scenarios.append(scenario)
        return True

    def other(self, template: Template, number: int) -> int | None:
        """A different combination that has the same id, if one is kept."""
        other = self._ids.get(template.scenario_id(number))
        return None if other == number else other


def _all(templates: Sequence[Template], seed: int, limit: int) -> tuple[Scenario, ...]:
    kept = _Kept(seed)
    for template in templates:
        if template.combinations <= limit:
            numbers: Iterable[int] = template.numbers()
        else:
            numbers = map(template.number, covering_array(template.sizes))
        for number in numbers:
            if not kept.add(template, number) and kept.other(template, number) is not None:
                # 32 bits of a hash: about once in 10**5 templates of 256 combinations.
                message = f"template '{template.name}': two combinations have the same id; rename the template"
                raise InputError(message)
    return tuple(kept.scenarios)


def _in_turn(templates: Sequence[Template], seed: int, n: int, numbers: _Numbers) -> tuple[Scenario, ...]:
    """n scenarios, each template giving one at a time, so that none supplies more than its share."""
    kept = _Kept(seed)
    waiting = [(template, numbers(template)) for template in templates]
    while waiting and len(kept.scenarios) < n:
        ready = []
        for template, supply in waiting:
            if len(kept.scenarios) == n:
                break
            if any(kept.add(template, number) for number in islice(supply, _MISSES)):
                ready.append((template, supply))
        waiting = ready
    if len(kept.scenarios) < n:
        message = (
            f"{n} different scenarios are asked for, but these templates have only {len(kept.scenarios)}; "
            "ask for fewer, or add templates or values"
        )
        raise InputError(message)
    return tuple(kept.scenarios)


def _shuffled(template: Template, rng: Mulberry32) -> Iterator[int]:
    """Every combination once, in random order: a Fisher–Yates shuffle that remembers only what it has moved."""
    moved: dict[int, int] = {}
    for end in range(template.combinations - 1, -1, -1):
        at = _below(end + 1, rng)
        drawn = moved.get(at, at)
        moved[at] = moved.pop(end, end)
        yield drawn


def _below(n: int, rng: Mulberry32) -> int:
    """A whole number in [0, n): `Math.floor(random() * n)`, with more than one draw where 32 bits do not reach."""
    value, bits = rng.next_uint32(), 32
    while 2**bits < n:
        value, bits = (value << 32) | rng.next_uint32(), bits + 32
    return value * n >> bits


def _troubled(template: Template, failed: dict[int, int], rng: Mulberry32) -> Iterator[int]:
    """Every combination once, those at edges and near past failures early."""
    seen: set[int] = set()
    starts = [name for name in SHARES if (name != "edges" or template.edges) and (name != "failures" or failed)]
    while starts:
        start = _weighted(starts, [SHARES[name] for name in starts], rng)
        drawn = (_start(template, failed, start, rng) for _ in range(_TRIES))
        number = next((one for one in drawn if one not in seen), None)
        if number is None:
            # What can be reached from there is used up, or nearly.
            starts.remove(start)
        else:
            seen.add(number)
            yield number
    yield from (number for number in _shuffled(template, rng) if number not in seen)


def _start(template: Template, failed: dict[int, int], start: str, rng: Mulberry32) -> int:
    row = list(template.row(_below(template.combinations, rng)))
    names = list(template.parameters)
    if start == "edges":
        edge = template.edges[_below(len(template.edges), rng)]
        for key, value in template.fixed(edge, what="an edge").items():
            row[names.index(key)] = value
    elif start == "failures":
        row = list(template.row(_weighted(list(failed), list(failed.values()), rng)))
        if names and rng.random() < 0.5:
            position = _below(len(names), rng)
            row[position] = _below(template.sizes[position], rng)
    return template.number(tuple(row))


def _weighted(items: Sequence[T], weights: Sequence[float], rng: Mulberry32) -> T:
    mark = rng.random() * sum(weights)
    for item, weight in zip(items, weights, strict=True):
        mark -= weight
        if mark < 0:
            return item
    return items[-1]
