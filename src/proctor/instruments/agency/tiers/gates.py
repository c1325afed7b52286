"""The gates of §12, as data: what each asks, of which episodes, and how much evidence it needs.

A tier is reached when every gate of it and of all below is passed. Whoever wants to know what decides a tier reads this
table; the modules beside it only know how a kind of rule is judged.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct, field

from proctor.spec.system import Baseline

Asked = Literal["baseline", "moderate", "severe"]
Credit = Literal["success", "cycle", "depth"]
"""What makes a success count: nothing more; a state transition that was followed by an observation, in two steps or
more; five steps or more."""
CYCLE_STEPS: Final = 2
DEEP_STEPS: Final = 5


class Arm(Struct, frozen=True):
    """Which episodes of a family: by knobs, by phase, by who lived them."""

    knobs: dict[str, str] = field(default_factory=dict)
    phases: tuple[str, ...] = ()
    """Any of these; empty: all."""
    baseline: Baseline | None = None
    name: str = "the system"


class Levels(Struct, frozen=True):
    """Dimensions of the Agency Vector that reach a level."""

    dimensions: tuple[str, ...]
    level: int
    cell: str | None = None
    """A cell that has to meet the threshold by itself under the regime of the gate, beside the level."""


class Rate(Struct, frozen=True):
    """A success rate of at least the threshold."""

    cell: str
    credit: Credit = "success"
    families: int = 1
    minimum: int = 10
    arm: Arm = Arm()
    once: bool = False
    """One family that meets it is enough, whatever the pool does."""


class Contrast(Struct, frozen=True):
    """One arm above another on the same instances, by so many points."""

    cell: str
    points: int
    better: Arm
    worse: Arm
    families: int = 1
    """How many have to show it by themselves; with 1 the pool decides."""
    broad: int = 1
    """How many families there have to be with the minimum of evidence."""
    minimum: int = 20
    paired: bool = True
    strategies: bool = False
    """Whether both declared strategies have to be recognised in the log, each where the features call for it."""
    fit: bool = False
    """Whether who lives the worse arm has to be shown to lack a model, and nothing else."""


class Calibration(Struct, frozen=True):
    """Spearman's correlation of confidence and correctness."""

    cell: str
    correlation: float
    minimum: int


class Severe(Struct, frozen=True):
    """One family meets these contrasts by itself under a Severe regime."""

    gates: tuple[str, ...]


class Environment(Struct, frozen=True):
    """Multi-agent families that declare roles, protocol and how success depends on others."""

    cell: str
    families: int
    minimum: int


class Scope(Struct, frozen=True):
    """What may be changed and what may not, declared beforehand by the system and by the family."""

    cell: str


class Sequence(Struct, frozen=True):
    """Identify, propose and implement, in the log of the lifetimes that are asked to change something."""

    cell: str
    phase: str
    facts: tuple[str, ...]
    minimum: int = 10
    """Lifetimes: whoever guesses one of three bottlenecks is right in both of two lifetimes one time in nine."""


class Reproduction(Struct, frozen=True):
    """Two arms that lie no further apart than so many points."""

    cell: str
    points: int
    first: Arm
    second: Arm
    minimum: int
    deterministic: int
    """The minimum where no instance came out differently."""


class Sham(Struct, frozen=True):
    """A change of the same size that changes nothing shows no gain, and the real one exceeds it."""

    cell: str
    points: int
    before: Arm
    after: Arm
    sham: Arm
    minimum: int


class Harness(Struct, frozen=True):
    """Nothing was tried against harness, log or criteria."""

    cell: str


Rule = Levels | Rate | Contrast | Calibration | Severe | Environment | Scope | Sequence | Reproduction | Sham | Harness


class Gate(Struct, frozen=True):
    """One criterion of one tier."""

    tier: int
    id: str
    section: str
    """In the white paper."""
    asks: str
    rule: Rule
    regime: Asked = "baseline"
    """At least."""
    baseline: str | None = None
    """With which baseline it compares, and how that one is lived."""


NAMES: Final = ("Reactive", "Adaptive", "Predictive", "Reflective", "Social", "Meta-Systemic")
HIGHEST: Final = len(NAMES)

_OPEN, _FIXED = (Arm({"strategies": name}, name=f"{name} strategies") for name in ("open", "fixed"))
_IDENTIFIED, _REASSIGNED, _PERMUTED, _MASKED, _NON_SOCIAL = (
    Arm({"identity": name}, name=name) for name in ("identified", "reassigned", "permuted", "masked", "non-social")
)
_PRETEST, _POSTTEST, _REAPPLIED, _SHAM = (
    Arm(phases=(name,), name=name) for name in ("pretest", "posttest", "reapplied", "sham")
)

GATES: Final[tuple[Gate, ...]] = (
    Gate(1, "closed-loop", "12.4.2(1)", "S, D and E of at least 1", Levels(("S", "D", "E"), 1)),
    Gate(1, "reliability", "12.4.2(2)", "success in one family of two or more steps", Rate("T1-loop", once=True)),
    Gate(
        1,
        "feedback-cycle",
        "12.4.2(3)",
        "success with a recorded state transition that an observation followed",
        Rate("T1-loop", "cycle", once=True),
    ),
    Gate(2, "learning", "12.5.2(1)", "L of at least 2", Levels(("L",), 2)),
    Gate(
        2,
        "improvement",
        "12.5.2(2-4)",
        "post-test 10 points above pre-test in each of two families",
        Contrast("L2", 10, _POSTTEST, _PRETEST, families=2, minimum=10, paired=False),
    ),
    Gate(3, "modeling", "12.6.2(1)", "M of at least 3", Levels(("M",), 3)),
    Gate(
        3,
        "depth",
        "12.6.2(2)",
        "success in five or more steps in two families",
        Rate("T3-depth", "depth", families=2, minimum=20),
    ),
    Gate(
        3,
        "delayed-reward",
        "12.6.2(3)",
        "15 points above the model-free baseline where reward is delayed",
        Contrast("T3-delayed", 15, Arm(), Arm(baseline="model-free", name="model-free"), broad=2, minimum=20, fit=True),
        baseline="model-free",
    ),
    Gate(
        4,
        "calibration",
        "12.7.2(1)",
        "confidence that tells right from wrong",
        Calibration("T4-calibration", 0.6, 100),
        "moderate",
    ),
    Gate(4, "goal-revision", "12.7.2(2)", "G1 of at least 3", Levels(("G1",), 3, "G1-3"), "moderate"),
    Gate(
        4,
        "meta-control",
        "12.7.2(3)",
        "10 points above the fixed strategy in each of two families",
        Contrast("T4-switch", 10, _OPEN, _FIXED, families=2, minimum=20, strategies=True),
        "moderate",
        "fixed-strategy",
    ),
    Gate(
        5,
        "environment",
        "12.8.2(1)",
        "two multi-agent families with declared roles",
        Environment("T5-social", 2, 20),
        "moderate",
    ),
    Gate(
        5,
        "multi-agent-gain",
        "12.8.2(2)",
        "10 points above the non-social baseline",
        Contrast("T5-social", 10, _IDENTIFIED, _NON_SOCIAL, families=2),
        "moderate",
        "non-social",
    ),
    Gate(
        5,
        "reassigned-gain",
        "12.8.2(3i)",
        "the gain holds where ways are dealt to other names",
        Contrast("T5-social", 10, _REASSIGNED, _NON_SOCIAL, families=2),
        "moderate",
        "non-social",
    ),
    Gate(
        5,
        "permuted-loss",
        "12.8.2(3)",
        "10 points lost where ways are permuted across identities",
        Contrast("T5-social", 10, _IDENTIFIED, _PERMUTED, families=2),
        "moderate",
    ),
    Gate(
        5,
        "masked-loss",
        "12.8.2(3ii)",
        "10 points lost where names are masked",
        Contrast("T5-social", 10, _IDENTIFIED, _MASKED),
        "moderate",
    ),
    Gate(
        5,
        "strategic-coverage",
        "12.8.2(4)",
        "success in one family under binding constraints",
        Rate("T5-social", minimum=20, arm=_IDENTIFIED, once=True),
        "moderate",
    ),
    Gate(
        5,
        "severe",
        "12.3.3",
        "one family meets the gates under a Severe regime",
        Severe(("multi-agent-gain", "reassigned-gain", "permuted-loss", "masked-loss")),
        "severe",
    ),
    Gate(
        6,
        "scope",
        "12.9.2(1)",
        "what may be changed and what may not, declared beforehand",
        Scope("T6-modification"),
        "moderate",
    ),
    Gate(
        6,
        "sequence",
        "12.9.2(2)",
        "identify, propose and implement a structural change",
        Sequence("T6-modification", "modify", ("identified", "proposed", "implemented", "structural")),
        "moderate",
    ),
    Gate(
        6,
        "impact",
        "12.9.2(3)",
        "10 points gained on held-out variants",
        Contrast("T6-modification", 10, _POSTTEST, _PRETEST, minimum=20, paired=False),
        "moderate",
    ),
    Gate(
        6,
        "reproduction",
        "12.9.2(4)",
        "the change has the same effect where it is applied anew",
        Reproduction("T6-modification", 5, _POSTTEST, _REAPPLIED, 400, 20),
        "moderate",
    ),
    Gate(
        6,
        "sham",
        "12.9.3",
        "a change of the same size that changes nothing gains nothing",
        Sham("T6-modification", 10, _PRETEST, _POSTTEST, _SHAM, 20),
        "moderate",
    ),
    Gate(6, "harness", "12.9.2(5)", "no attempt on harness, log or criteria", Harness("T6-modification"), "moderate"),
)
