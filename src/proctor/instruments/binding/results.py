"""The results of the analyses of a run: filled in one analysis after another, read at the end."""

from __future__ import annotations

from proctor.instruments.base import Value
from proctor.instruments.binding.budget import Budget
from proctor.instruments.binding.calibration import Calibration
from proctor.instruments.binding.cells import ControlSummary
from proctor.instruments.binding.coupling import CouplingSummary
from proctor.instruments.binding.criteria import Gate
from proctor.instruments.binding.inference import Inference
from proctor.instruments.binding.reading import Claim
from proctor.instruments.binding.robustness import RobustnessArm
from proctor.instruments.binding.sufficiency import Sufficiency
from proctor.instruments.binding.tables import Tables


class Results:
    """Everything a reading is made of; what was not analysed stays empty."""

    def __init__(self) -> None:
        self.tables = Tables()
        self.values: list[Value] = []
        self.gates: list[Gate] = []
        self.claims: list[Claim] = []
        self.contrasts: tuple[Inference, ...] = ()
        self.controls: tuple[Inference, ...] = ()
        self.cells: tuple[ControlSummary, ...] = ()
        self.sufficiency: tuple[Sufficiency, ...] = ()
        self.coupling: CouplingSummary | None = None
        self.calibration: Calibration | None = None
        self.budgets: tuple[Budget, ...] = ()
        self.robustness: tuple[RobustnessArm, ...] = ()
        self.scope = ""
