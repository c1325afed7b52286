"""What a run does differently from its preregistration: everything that was changed afterwards, by what it touches.

Three kinds, because they have three consequences (white paper §11.2, §11.3.2, §11.8): a changed success rule, rule or
sample touches families, whose units are then invalid; a registered family that is not in the run was left out; and
another system, agent, boundary or use is an input that was not given beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from proctor.core.canonical import canonical
from proctor.spec.declaration import Declaration
from proctor.spec.frozen import FrozenRun
from proctor.spec.preregistration import Preregistration, RegisteredFamily, agent_of
from proctor.spec.suite import Entry, Suite

_ELSEWHERE = ("name", "version", "title", "description", "entries", "regimes", "conditions", "rules")
"""Fields of a suite that are compared one by one, or mean nothing to a result."""


class Changes(Struct, frozen=True):
    """The differences between a preregistration and a run, one sentence each."""

    criteria: tuple[str, ...] = ()
    """Rules, samples and success criteria."""
    touched: frozenset[str] = frozenset()
    """Families, as `id@version`, whose units those sentences are about."""
    left_out: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    """System, agent, boundary and use."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.criteria, *self.left_out, *self.inputs)


def changes_since(registered: Preregistration, frozen: FrozenRun) -> Changes:
    """What the run does differently."""
    every = frozenset(family.spec.full_name for family in frozen.families)
    criteria: list[str] = []
    touched: set[str] = set()
    for sentence in _for_all(registered, frozen):
        criteria.append(sentence)
        touched |= every
    for name, sentence in _by_family(registered, frozen):
        criteria.append(sentence)
        touched.add(name)
    return Changes(
        criteria=tuple(criteria),
        touched=frozenset(touched),
        left_out=tuple(_left_out(registered, frozen)),
        inputs=tuple(_inputs(registered, frozen)),
    )


def _for_all(registered: Preregistration, frozen: FrozenRun) -> Iterator[str]:
    """Changes that are about every unit of the run."""
    if registered.suite.full_name != frozen.suite.full_name:
        yield f"the suite was {registered.suite.full_name} and is {frozen.suite.full_name}"
    elif fields := _fields(registered.suite, frozen.suite, without=_ELSEWHERE):
        yield f"the suite changed under the same version: {fields}"
    if rules := _fields(registered.rules, frozen.rules):
        yield f"the rules changed: {rules}"
    for what, before, after in (
        ("the scale", registered.scale, frozen.scale),
        ("the logical time", registered.timestamp, frozen.timestamp),
        ("the version of the bench", registered.code.bench, frozen.bench),
    ):
        if before != after:
            yield f"{what} was {before} and is {after}"
    if frozen.look is not None:
        yield "sampling is adaptive, and fixed sample sizes were registered"


def _by_family(registered: Preregistration, frozen: FrozenRun) -> Iterator[tuple[str, str]]:
    """(family, sentence) for changes that are about one of them."""
    before = {family.name: family for family in registered.families}
    for family in frozen.families:
        name = family.spec.full_name
        there, here = before.get(name), RegisteredFamily.of(family)
        if there is None:
            yield name, f"{name} was not registered"
            continue
        if there.criterion != here.criterion:
            yield name, f"the success criterion of {name} was '{there.criterion}' and is '{here.criterion}'"
        if there.verification != here.verification:
            yield name, f"the verification of {name} changed"
        if there.evidences != here.evidences:
            before_it, now = (", ".join(one.evidences) or "nothing" for one in (there, here))
            yield name, f"{name} was registered as evidence of {before_it}, and is of {now}"
        if there.behaviour != here.behaviour:
            yield name, f"{name} behaves differently"
        sampled = [_sampling(suite, family.reference) for suite in (registered.suite, frozen.suite)]
        if sampled[0] != sampled[1]:
            yield name, f"the sample of {name} changed: instances, regimes, conditions or cells"


def _sampling(suite: Suite, reference: str) -> list[bytes]:
    """How a family is sampled, with the content of the regimes and conditions its entries name."""
    return sorted(
        canonical([entry, [suite.all_regimes[name] for name in _regimes(entry)], _conditions(suite, entry)])
        for entry in suite.entries
        if entry.family == reference
    )


def _regimes(entry: Entry) -> list[str]:
    return sorted({*entry.regimes, *(step.regime for step in entry.program if step.regime)})


def _conditions(suite: Suite, entry: Entry) -> list[object]:
    return [suite.all_conditions[name] for name in entry.conditions]


def _left_out(registered: Preregistration, frozen: FrozenRun) -> Iterator[str]:
    there = {family.spec.full_name for family in frozen.families}
    for family in registered.families:
        if family.name not in there:
            why = f" ({frozen.skipped[family.name]})" if family.name in frozen.skipped else ""
            yield f"{family.name} was registered and is not in the run{why}"
    if frozen.scope is not None:
        yield f"only a part of the scenarios was run: {frozen.scope.sentence}"


def _inputs(registered: Preregistration, frozen: FrozenRun) -> Iterator[str]:
    agent = agent_of(frozen)
    same = [one for one in registered.agents if (one.boundary, one.agent) == (agent.boundary, agent.agent)]
    if not same:
        named = ", ".join(f"{one.agent} ({one.boundary or 'undeclared'})" for one in registered.agents)
        yield f"the agent is {agent.agent} ({agent.boundary or 'undeclared'} boundary), and registered is {named}"
    elif agent not in same:
        what = "files" if same[0].source != agent.source else "version or model"
        yield f"the {what} of the agent {agent.agent} changed after it was registered"
    kind = frozen.system.boundary.kind
    declared = registered.system if kind is None else registered.system.within(kind)
    if declared.boundary != frozen.system.boundary:
        yield f"the {kind.value if kind else 'undeclared'} boundary is not the one that was registered"
    plain = [one.model_copy(update={"boundary": declared.boundary}) for one in (registered.system, frozen.system)]
    if fields := _fields(plain[0], plain[1]):
        yield f"the declaration of the system changed: {fields}"
    use = None if frozen.evaluation is None else frozen.evaluation.use
    if use is not None and use is not registered.use:
        yield f"it was registered for {registered.use.value}, and is declared for {use.value}"
    for name in ("organisation", "evaluator", "independence"):
        before, after = (getattr(one, name, None) for one in (registered.evaluation, frozen.evaluation))
        if before != after:
            yield f"evaluation.{name} was registered as {before or 'not declared'}, and is {after or 'not declared'}"


def _fields(before: Declaration, after: Declaration, without: tuple[str, ...] = ()) -> str:
    """The fields in which two declarations differ."""
    names = [name for name in type(before).model_fields if name not in without]
    return ", ".join(name for name in names if getattr(before, name) != getattr(after, name))
