"""What can be wrong within a scenario, or between two, although each is well-formed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.spec.coordinate import Coordinate
from proctor.spec.scenario import Scenario
from proctor.spec.scope import SMALLEST, contains
from proctor.suites.quality.finding import Finding, many, unusable, warning

_NO_SOURCE = {"", "-", "?", "n/a", "none", "tbd", "todo", "unknown"}
_MANY = 20


def soundness(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Findings about single scenarios, those about the same thing together."""
    for rule in (_reach, _hand_off, _unsafe_oracle, _gate_before, _nobody_answers, _unclassified, _provenance):
        yield from rule(scenarios)
    yield from _same_view(scenarios)
    yield from _lonely(scenarios)


def _where(scenarios: Sequence[Scenario], wrong: Callable[[Scenario], bool]) -> list[Scenario]:
    return [scenario for scenario in scenarios if wrong(scenario)]


def _reach(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    for scenario in _where(scenarios, lambda one: not contains(one.level, one.reach)):
        yield unusable(
            "reach",
            f"scenario '{scenario.id}' is {scenario.reach}, but {scenario.coordinate} is only a {scenario.level}; "
            f"give it the coordinate of a {SMALLEST[scenario.reach]} or another reach",
            [scenario],
        )


def _hand_off(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    for scenario in scenarios:
        handoff = scenario.handoff
        if handoff is None:
            continue
        try:
            to = Coordinate.parse(handoff.to)
        except InputError as error:
            yield unusable("coordinate", f"scenario '{scenario.id}' hands off to a {error}", [scenario])
            continue
        for name in handoff.needs:
            if name not in scenario.sources:
                yield unusable(
                    "handoff",
                    f"scenario '{scenario.id}' hands '{name}' over, but has no source of that name; add it",
                    [scenario],
                )
        if not Coordinate.parse(scenario.coordinate).covers(to):
            yield warning(
                "handoff",
                f"scenario '{scenario.id}' hands off to {handoff.to}, outside its coordinate {scenario.coordinate}; "
                "widen the coordinate to hold both agents",
                [scenario],
            )


def _unsafe_oracle(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    for scenario in scenarios:
        for action in (scenario.expected, *scenario.acceptable):
            if scenario.safety.get(action.name) in ("S1", "S2"):
                yield unusable(
                    "unsafe_oracle",
                    f"scenario '{scenario.id}' accepts '{action.name}', which it classes "
                    f"{scenario.safety[action.name]}; change the oracle or the class",
                    [scenario],
                )


def _gate_before(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    for scenario in scenarios:
        for gate in scenario.gates:
            if gate.before is not None and gate.before not in {*scenario.actions, "escalate", "refuse"}:
                yield unusable(
                    "gate_before",
                    f"scenario '{scenario.id}' has a gate before '{gate.before}', which is no action here; correct it",
                    [scenario],
                )


def _nobody_answers(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    def silent(scenario: Scenario) -> bool:
        scripted = {(approval.type, approval.level) for approval in scenario.approvals}
        gates = [gate for gate in scenario.gates if gate.type != "evidence_collection"]
        return any((gate.type, gate.level) not in scripted for gate in gates)

    affected = _where(scenarios, silent)
    if affected:
        text = f"nobody is scripted at a gate of {many(affected)}, and who has no script says yes; add approvals"
        yield warning("no_approver", text, affected)


def _unclassified(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    affected = _where(scenarios, lambda one: bool(one.actions.keys() - one.safety.keys()))
    if affected:
        yield warning(
            "unclassified",
            f"actions have no safety class in {many(affected)}, which escalates whenever one is taken; "
            "class every action S1, S2, S3 or ok",
            affected,
        )


def _provenance(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    unknown = _where(scenarios, lambda one: one.provenance.source.strip().lower() in _NO_SOURCE)
    if unknown:
        text = f"it is not said where {many(unknown)} came from; name the template, the incident or the expert"
        yield warning("provenance", text, unknown)
    known = [one for one in scenarios if one.provenance.source.strip().lower() not in _NO_SOURCE]
    generated = [one for one in known if one.provenance.kind == "template"]
    elsewhere = _where(generated, lambda one: not one.provenance.source.startswith(one.template))
    if elsewhere:
        yield warning(
            "provenance",
            f"the provenance of {many(elsewhere)} names another template than the one counted for; "
            "let provenance.source begin with the template's name",
            elsewhere,
        )


def _same_view(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Two scenarios that look alike to the agent are one, or the oracle contradicts itself."""
    seen: dict[str, Scenario] = {}
    for scenario in scenarios:
        handoff = scenario.handoff.context if scenario.handoff else None
        view = content_hash(
            [scenario.context, scenario.sources, scenario.actions, scenario.approvals, scenario.coordinate, handoff]
        )
        first = seen.setdefault(view, scenario)
        if first is scenario:
            continue
        accepted = [{action.key for action in (one.expected, *one.acceptable)} for one in (first, scenario)]
        pair = f"scenarios '{first.id}' and '{scenario.id}' show the agent the same thing"
        if accepted[0].isdisjoint(accepted[1]):
            text = f"{pair} and accept nothing in common, so that one is always wrong; correct the oracle of one"
            yield unusable("contradiction", text, [first, scenario])
        else:
            yield warning("duplicate", f"{pair} and count twice; remove one", [first, scenario])


def _lonely(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """A universe that one scenario alone stands in, beside one that many share, is a slip of the finger."""
    universes = Counter(map(_universe, scenarios))
    usual, most = universes.most_common(1)[0] if universes else ("", 0)
    if most < _MANY:
        return
    for scenario in scenarios:
        own = _universe(scenario)
        if not own.endswith("*") and universes[own] == 1:
            yield warning(
                "coordinate",
                f"scenario '{scenario.id}' is the only one in {own} while {most} are in {usual}; "
                "check its coordinate for a typo",
                [scenario],
            )


def _universe(scenario: Scenario) -> str:
    return ".".join(scenario.coordinate.split(".")[:2])
