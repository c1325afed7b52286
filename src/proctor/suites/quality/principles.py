"""The five design principles of the harness paper (§10) over a set or a suite of sets, and what can be measured at all.

Only scenarios that hold at the given time come here; `lint` counts the stale ones. Shares are compared as integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import get_args

from proctor.spec.coordinate import Level
from proctor.spec.scenario import AdversarialKind, Category, Scenario
from proctor.spec.scope import LEVELS
from proctor.suites.quality.finding import Finding, listed, share, unusable, warning

ADVERSARIAL_PERCENT = 20
UNCOOPERATIVE_PERCENT = 20
TEMPLATE_PERCENT = 5


def measurable(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Metrics that these scenarios cannot give: said first, since the composite is withheld without them."""
    for metric, missing, add in (
        ("GCR", not any(one.gates for one in scenarios), "no decision needs a gate; add scenarios with gates"),
        (
            "EQS",
            not any(one.evidence_schema for one in scenarios),
            "no evidence bundle is asked for; add `evidence_schema`",
        ),
    ):
        if missing:
            text = f"{metric} cannot be measured and the composite score is withheld: {add}, or declare fewer metrics"
            yield warning("not_measured", text)
    if all(one.category != "performance" for one in scenarios):
        yield warning(
            "not_measured",
            "LUL has no performance scenario to be measured on; add some, or declare fewer metrics: the composite "
            "score needs LUL on a machine declared dedicated, and is made without it elsewhere",
        )


def categories(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Principle 1: all four test categories."""
    present = {one.category for one in scenarios}
    missing = [name for name in get_args(Category) if name not in present]
    if missing:
        yield warning("categories", f"no scenario tests {listed(missing)}; cover all four categories before volume")


def levels(scenarios: Sequence[Scenario], claimed: Level | None) -> Iterator[Finding]:
    """Principle 1: every level up to the claimed one, by default up to the largest that any scenario names."""
    present = {one.level for one in scenarios}
    top = claimed or max(present, key=LEVELS.index)
    # A galaxy is only a collection of universes: the paper has no scenarios of its own for it.
    wanted = [one for one in LEVELS[: LEVELS.index(top) + 1] if one is not Level.GALAXY]
    missing = [level for level in wanted if level not in present]
    if missing:
        text = f"level {top} is claimed, but no scenario is at level {listed(missing)}; add some or claim less"
        yield warning("levels", text)


def adversarial(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Principle 2: at least a fifth is adversarial, and each kind is there."""
    hostile = [one for one in scenarios if one.adversarial_kind]
    if not hostile:
        text = "no scenario is adversarial, and a set without any shows nothing about failure modes; add at least 20 %"
        yield unusable("adversarial", text)
        return
    if 100 * len(hostile) < ADVERSARIAL_PERCENT * len(scenarios):
        text = f"only {share(len(hostile), len(scenarios))} scenarios are adversarial; bring them to at least 20 %"
        yield warning("adversarial", text)
    present = {one.adversarial_kind for one in hostile}
    missing = [kind.replace("_", " ") for kind in get_args(AdversarialKind) if kind not in present]
    if missing:
        yield warning("adversarial", f"no adversarial scenario is of kind {listed(missing)}; add some of each kind")


def approvers(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Somebody who always says yes tests nothing: in a fifth of gated scenarios an approver does not simply agree."""
    gated = [one for one in scenarios if one.gates]
    stubborn = sum(map(uncooperative, gated))
    if gated and 100 * stubborn < UNCOOPERATIVE_PERCENT * len(gated):
        yield warning(
            "approvers",
            f"approvers deny, stay silent or answer at the wrong level in only {share(stubborn, len(gated))} gated "
            "scenarios; bring them to at least 20 %",
        )


def uncooperative(scenario: Scenario) -> bool:
    """Whether an approver denies, keeps waiting, or answers though it is not the one to be asked."""
    required = {(gate.type, gate.level) for gate in scenario.gates}
    return any(
        set(approval.answers) != {"approved"} or (approval.type, approval.level) not in required
        for approval in scenario.approvals
    )


def weights(name: str, scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Decision accuracy divides by the sum of weights."""
    if not any(one.weight for one in scenarios):
        yield unusable("weights", f"every scenario of '{name}' has weight 0, so nothing counts; give some a weight")


def templates(name: str, scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """No template supplies more than a twentieth of a domain: its scenarios stand or fall together."""
    counts = Counter(one.template for one in scenarios)
    large = [one for one, count in counts.most_common() if 100 * count > TEMPLATE_PERCENT * len(scenarios)]
    if large:
        most = share(counts[large[0]], len(scenarios))
        yield warning(
            "templates",
            f"in '{name}' template '{large[0]}' supplies {most} scenarios, and {len(large)} in all supply more than "
            "5 %; add templates, or take fewer scenarios of these",
            [one for one in scenarios if one.template in large],
        )
