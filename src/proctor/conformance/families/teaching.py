"""What a learning family teaches can be learned in training, and nowhere else.

For families with training, and for those whose later attempts are compared with a first one. The family's own solver
stands for a perfect learner: it knows what its lifetime showed. An item that occurs in training must not occur in an
examined instance; a family may list its items as texts under `items` in `hidden`, otherwise the whole first observation
is the item.
"""

from __future__ import annotations

from proctor.conformance.contract import Check, Tally, share
from proctor.conformance.subject import Subject, draw_of
from proctor.core.canonical import encode
from proctor.spec.family import FamilySpec
from proctor.spec.task import Instance

CHECK = Check(
    "teaching",
    "What is taught has to be learned",
    "Untaught, or taught in another lifetime, even the solver fails; after training it passes on what it never saw.",
)
MAX_UNTAUGHT = 0.30
"""The success that may be had without training: the pre-test has headroom by construction."""
BEFORE = {"later": "first", "late": "early"}
"""The phase an examined one is compared with, where that is not `pretest`."""
NOTHING = b"{}"


def applies(spec: FamilySpec) -> bool:
    """Whether the family claims to teach anything."""
    return spec.training > 0 or spec.examined in BEFORE


def check(subject: Subject, tally: Tally) -> None:
    """Let the solver live examined instances untaught, taught elsewhere and taught, and look for repeated items."""
    spec, n = subject.family.spec, subject.options.instances
    before = BEFORE.get(spec.examined, "pretest")
    tally.measured = {"instances": n, "training": spec.training}
    _untaught(tally, f"untaught in '{before}'", _rate(subject, NOTHING, before))
    if spec.training:
        _untaught(tally, f"untaught in '{spec.examined}'", _rate(subject, NOTHING))
        others = [subject.memory((index + 1) % n) for index in range(n)]
        passed = sum(_passes(subject, index, others[index]) for index in range(n))
        _untaught(tally, "taught in another lifetime", passed / n)
        _repeats(subject, tally)
    taught = sum(trial.succeeded for trial in subject.trials("oracle", n))
    tally.measured["taught"] = round(taught / n, 4)
    tally.require(
        taught / n >= spec.oracle_floor,
        f"teaching: after {spec.training} training episodes the solver passes {share(taught, n)}, below its floor of "
        f"{spec.oracle_floor:.2f}; let training show everything that is asked for later",
    )
    rates = [f"{name} {rate:.2f}" for name, rate in tally.measured.items() if isinstance(rate, float)]
    tally.summary = f"The solver passes: {', '.join(rates)}."


def _rate(subject: Subject, memory: bytes, phase: str | None = None) -> float:
    n = subject.options.instances
    return sum(_passes(subject, index, memory, phase) for index in range(n)) / n


def _passes(subject: Subject, index: int, memory: bytes, phase: str | None = None) -> bool:
    instance = subject.instance(index)
    if phase is not None:
        instance = subject.family.instance(draw_of(subject.family, subject.source, index, phase=phase))
    solver = subject.solver(index, instance=instance, memory=memory)
    return subject.live(subject.job(index, instance=instance), solver).succeeded


def _untaught(tally: Tally, what: str, rate: float) -> None:
    tally.measured[what] = round(rate, 4)
    tally.require(
        rate <= MAX_UNTAUGHT,
        f"teaching: the solver passes {rate:.2f} {what}, above the {MAX_UNTAUGHT:.2f} that leaves something to learn; "
        "draw what is taught from draw.shared, and let no test show it",
    )


def _repeats(subject: Subject, tally: Tally) -> None:
    repeated = 0
    for index in range(subject.options.instances):
        seen = {item for lesson in subject.lessons(index) for item in items(lesson.instance)}
        repeated += bool(seen & items(subject.instance(index)))
    tally.measured["repeating"] = repeated
    tally.require(
        not repeated,
        f"teaching: {share(repeated, subject.options.instances)} examined instances repeat an item of their training; "
        "draw training and tests from separate material",
    )


def items(instance: Instance) -> set[str]:
    """The items of an instance, as texts."""
    listed = instance.hidden.get("items")
    return set(listed) if listed else {encode(instance.observation).decode()}
