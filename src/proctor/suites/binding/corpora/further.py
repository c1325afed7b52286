"""The corpus of further probes: graded reasons, late stops, memories and fields of no bearing, distance in turns."""

from __future__ import annotations

from typing import Any

from proctor.spec.family import Knob
from proctor.suites.binding.corpora.family import CorpusFamily
from proctor.suites.binding.corpora.flavour import Flavour
from proctor.suites.binding.corpora.probes import FURTHER_PROBES, Probe, Twist

STRENGTH = Knob(
    default=3,
    values=(5, 4, 3, 2, 1),
    description="How strong the reason of `reason_strength` is, from proof (5) to a hint (1).",
)
DISTANCE = Knob(
    default=4,
    values=(0, 2, 4, 8, 16),
    description="Turns of talk between the decisive reason of `distant_reason` and the question.",
)


ONE = Knob(
    default="all",
    values=("all", "reason_strength", "distant_reason"),
    description="`all` probes in turn, or one of them alone, on events of its own: instance number is event number.",
)


class FurtherProbes(CorpusFamily):
    """One corpus under the further probes; its knobs draw the binding curve."""

    probes = FURTHER_PROBES

    def __init__(self, flavour: Flavour) -> None:
        super().__init__(flavour, {"strength": STRENGTH, "distance": DISTANCE, "probe": ONE})

    def place(self, index: int, knobs: Any) -> tuple[int, Probe]:
        alone = [probe for probe in self.probes if probe.name == knobs.get("probe", "all")]
        number, probe = (index, alone[0]) if alone else super().place(index, knobs)
        # Plans go in turns, one for all probes, one for those alone: at no scale does a place of the curve count twice.
        lap, row = divmod(number, self.flavour.planned)
        return (2 * lap + bool(alone)) * self.flavour.planned + row, probe

    def twist(self, knobs: Any) -> Twist:
        return Twist(strength=int(knobs.get("strength", 3)), distance=int(knobs.get("distance", 4)))
