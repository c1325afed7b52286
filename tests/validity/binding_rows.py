"""Rows of planted simulants without an engine: the same probes, Conditions and draws, thousands of times faster.

A simulant follows the decisive field of a probe with a planted probability where the Condition leaves it usable, an
irrelevant cue with another, and otherwise does what the situation leans to or draws from a prior; a share of replies
is noise. `test_binding_engine` shows that engine runs and these rows agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from proctor.core.seeds import Stream
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, SUCCESS, Arm, Row
from proctor.spec.condition import STATE_FIELDS, Condition, Read, Sampling, Scaffold
from proctor.spec.frozen import FrozenRun
from proctor.spec.ontology import SIX_CODES, UNMAPPED
from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Suite
from proctor.spec.system import System

Floats = npt.NDArray[np.float64]

EVENTS = {
    "ds000210_self_loop": (122, 120),
    "ds000212_choice": (122, 120),
    "ds001618_self_loop": (122, 120),
    "ds001882_choice": (122, 120),
    "ds004042_recall": (123, 119),
    "ds004917_uncertainty": (122, 120),
    "narratives_formal": (85, 84),
}
"""Planned and distinct events of each corpus: 818 and 803."""
REPLICATES = 3
COMPONENTS = ("reason", "memory", "veto", "self")
SIDES = ("kept", "other", "veto", "defer", "recall", "invalid")
_REMOVE, _UNUSABLE = Read(do="remove"), Read(do="declare_unusable")
CONDITIONS = (
    Condition(id="structured", sampling=Sampling(temperature=0.2), scaffold=Scaffold()),
    Condition(id="no-reason", reads={"reason": _UNUSABLE}, scaffold=Scaffold(reason=False)),
    Condition(id="no-veto", reads={"veto": _UNUSABLE}, scaffold=Scaffold(veto=False)),
    Condition(
        id="stochastic",
        reads=dict.fromkeys(STATE_FIELDS, _REMOVE),
        sampling=Sampling(temperature=0.9),
        scaffold=Scaffold(self_state=False, memory=False, reason=False, veto=False),
    ),
)
USABLE = {
    "structured": frozenset(COMPONENTS),
    "no-reason": frozenset(COMPONENTS) - {"reason"},
    "no-veto": frozenset(COMPONENTS) - {"veto"},
    "stochastic": frozenset[str](),
}


@dataclass(frozen=True)
class ProbeShape:
    """What decides in a probe, what it asks for, what the situation leans to."""

    name: str
    component: str
    target: str
    lean: str = "kept"
    cue: bool = False

    @property
    def role(self) -> str:
        """As the verifier names it."""
        return "target" if self.component else "neutral" if self.cue else "baseline"


PROBES = (
    ProbeShape("baseline", "", "kept"),
    ProbeShape("reason_flip", "reason", "other"),
    ProbeShape("memory_conflict", "memory", "recall"),
    ProbeShape("veto_cue", "veto", "veto"),
    ProbeShape("self_continuity", "self", "kept", lean="other"),
    ProbeShape("irrelevant_cue", "", "kept", cue=True),
)


@dataclass(frozen=True)
class Plant:
    """What is planted in a simulant."""

    reason: float = 0.9
    memory: float = 0.8
    veto: float = 0.95
    self: float = 0.9
    cue: float = 0.05
    noise: float = 0.01
    prior: dict[str, float] = field(default_factory=dict)
    """By side or by label (`A`, `B`); empty: what the situation leans to."""
    constant: str = ""
    """A code that is always given, whatever is shown."""

    def text(self) -> str:
        """The agent string that plants the same."""
        rates = ",".join(f"{name}={getattr(self, name):.6f}" for name in (*COMPONENTS, "cue", "noise"))
        prior = "|".join(f"{name}:{weight}" for name, weight in self.prior.items())
        return f"structured:simulated,{rates}" + (f",prior={prior}" if prior else "")


def followed(plant: Plant, probe: ProbeShape, condition: str, shift: Floats | float = 0.0) -> Floats:
    """The chance that a decisive field is followed, its logit moved by a corpus effect."""
    if not probe.component or probe.component not in USABLE[condition]:
        return np.zeros(np.shape(shift))
    rate = getattr(plant, probe.component)
    if rate in (0.0, 1.0):
        return np.full(np.shape(shift), rate)
    return np.asarray(1.0 / (1.0 + np.exp(-(np.log(rate / (1.0 - rate)) + shift))))


def chances(plant: Plant, probe: ProbeShape, condition: str, *, swapped: bool, follow: float) -> Floats:
    """The chance of each side, in the order of `SIDES`."""
    labels = {"A": "other" if swapped else "kept", "B": "kept" if swapped else "other"}
    found = dict.fromkeys(SIDES, 0.0)
    if plant.constant:
        found[labels[plant.constant]] = 1.0
        return np.array([found[side] for side in SIDES])
    left = 1.0
    if probe.component:
        found[probe.target] += follow
        left -= follow
    if probe.cue:
        found["other"] += left * plant.cue
        left -= left * plant.cue
    total = sum(plant.prior.values())
    if total:
        for name, weight in plant.prior.items():
            found[labels.get(name, name)] += left * weight / total
    else:
        found[probe.lean] += left
    noisy = plant.noise / len(SIDES)
    return np.array([(1.0 - plant.noise) * found[side] + noisy for side in SIDES])


def right(plant: Plant, probe: ProbeShape, condition: str, shift: float = 0.0) -> float:
    """The chance of the target, labels swapped for a half."""
    follow = float(followed(plant, probe, condition, shift))
    place = SIDES.index(probe.target)
    return float(np.mean([chances(plant, probe, condition, swapped=s, follow=follow)[place] for s in (False, True)]))


def planted_evidence(plant: Plant, seed: int = 0, *, shifts: dict[str, Floats] | None = None, **more: Any) -> Evidence:
    """A whole run of the benchmark: 58,896 rows, or fewer events with `events={dataset: (planned, distinct)}`.

    `balanced=False` keeps the labels as the paper has them; `rules` and `agent` are those of the run.
    """
    events: dict[str, tuple[int, int]] = more.get("events", EVENTS)
    rules: Rules = more.get("rules", Rules())
    rng = Stream.keyed("tests", "binding rows", seed).numpy()
    suite = Suite(
        name="binding",
        version="1.0",
        title="Binding",
        epoch="2026-01-01T00:00:00Z",
        conditions=CONDITIONS,
        entries=tuple(
            Entry(
                family=_family(dataset),
                n=planned * len(PROBES),
                conditions=tuple(one.id for one in CONDITIONS),
                replicates=REPLICATES,
            )
            for dataset, (planned, _) in events.items()
        ),
        rules=rules,
    )
    arms: list[Arm] = []
    rows: list[Row] = []
    for entry, (dataset, (planned, distinct)) in enumerate(events.items()):
        swapped = rng.permutation(distinct) % 2 if more.get("balanced", True) else np.zeros(distinct, dtype=np.int64)
        for condition in CONDITIONS:
            arm = Arm(len(arms), entry, f"{_family(dataset)}@1.0", "baseline", condition.id, None, "main")
            arms.append(arm)
            shift = 0.0 if shifts is None else shifts
            _fill(rows, arm, plant, dataset, (planned, distinct), swapped, condition.id, shift, rng)
    frozen = FrozenRun(
        suite=suite,
        rules=rules,
        system=System(name="simulant"),
        agent=more.get("agent", plant.text()),
        seed=seed,
        timestamp=suite.epoch,
        families=(),
    )
    return Evidence(
        run="planted",
        root=None,
        config_hash=frozen.config_hash,
        complete=True,
        frozen=frozen,
        arms=tuple(arms),
        rows=tuple(rows),
    )


def _family(dataset: str) -> str:
    return dataset.replace("_", "-")


def _fill(
    rows: list[Row],
    arm: Arm,
    plant: Plant,
    dataset: str,
    events: tuple[int, int],
    swapped: npt.NDArray[np.int64],
    condition: str,
    shifts: dict[str, Floats] | float,
    rng: np.random.Generator,
) -> None:
    planned, distinct = events
    number = list(EVENTS).index(dataset) if dataset in EVENTS else 0
    for probe in PROBES:
        shift = shifts if isinstance(shifts, float) else float(shifts.get(probe.component, np.zeros(99))[number])
        follow = float(followed(plant, probe, condition, shift))
        table = np.stack([chances(plant, probe, condition, swapped=s, follow=follow) for s in (False, True)])
        edges = table.cumsum(axis=1)
        for replicate in range(REPLICATES):
            draws = rng.random(planned)
            for place in range(planned):
                event = place if place < distinct else place - distinct
                label = int(swapped[event])
                side = SIDES[min(int((draws[place] > edges[label]).sum()), len(SIDES) - 1)]
                rows.append(_row(len(rows), arm, probe, dataset, event, place, replicate, label, side))


def _row(
    position: int,
    arm: Arm,
    probe: ProbeShape,
    dataset: str,
    event: int,
    place: int,
    replicate: int,
    label: int,
    side: str,
) -> Row:
    codes = code_of(label)
    code, target, before = codes[side], codes[probe.target], codes["kept"]
    measures: dict[str, int | str] = {
        "kind": "binding",
        "dataset": dataset,
        "event": f"{dataset}-{event:04d}",
        "probe": probe.name,
        "component": probe.component,
        "role": probe.role,
        "ontology": SIX_CODES.name,
        "swapped": label,
        "before": before,
        "target": target,
        "code": code,
        "how": "exact",
        "parse": "ok",
        "c": int(code == target),
        "raw": code,
        "cue_code": codes["other"] if probe.cue else "",
        "duplicate": int(place != event),
        "arm_of": "",
        "field_event": "none",
        "field_code": "",
        "declared": 0,
    }
    if probe.role == "neutral":
        measures["u"] = int(code != before)
    outcome = SUCCESS if code == target else FAILURE
    return Row(
        position=position,
        lifetime=position,
        arm=arm.index,
        unit=position,
        part=0,
        template=probe.name,
        instance=f"{place}-{probe.name}",
        phase="test",
        replicate=replicate,
        outcome=outcome,
        reason="correct" if code == target else "wrong_action",
        format_error=False,
        faults=None,
        calls=0,
        retries=0,
        undeclared=0,
        violations=None,
        tokens=None,
        cost=None,
        measures=_ENCODER.encode(measures).decode(),
        artifact_ok=None,
        answer=None,
        head=b"",
        elapsed_us=1_000,
        attempts=1,
        aside=None,
    )


_ENCODER = msgspec.json.Encoder(order="sorted")


def code_of(label: int) -> dict[str, str]:
    """The code of each side, labels swapped or not."""
    first, second = SIX_CODES.options
    kept, other = (second, first) if label else (first, second)
    return {
        "kept": kept,
        "other": other,
        "veto": SIX_CODES.veto,
        "defer": SIX_CODES.defer,
        "recall": SIX_CODES.recall or "",
        "invalid": UNMAPPED,
    }


def counts(plant: Plant, shifts: dict[str, Floats], rng: np.random.Generator) -> dict[str, npt.NDArray[np.int64]]:
    """Right answers (and, for the neutral probe, changes) of the structured Condition: one number a corpus.

    The same as drawing every row, since rows of one corpus and probe are independent given the corpus.
    """
    sizes = np.array([distinct * REPLICATES for _, distinct in EVENTS.values()])
    found: dict[str, npt.NDArray[np.int64]] = {}
    for probe in PROBES:
        if not (probe.component or probe.cue):
            continue
        moved = shifts.get(probe.component, np.zeros(len(sizes)))
        rates = np.array([right(plant, probe, "structured", float(shift)) for shift in moved])
        drawn = rng.binomial(sizes, rates)
        found[probe.component or "cue"] = sizes - drawn if probe.cue else drawn
    return found


def with_rates(plant: Plant, **rates: float) -> Plant:
    """The same simulant with other rates."""
    return replace(plant, **rates)  # type: ignore[arg-type]
