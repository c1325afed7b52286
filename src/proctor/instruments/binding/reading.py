"""What the binding instrument gives back: gates, audits, what is said about each contrast, and every table."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from proctor.instruments.base import Reading
from proctor.instruments.binding.audits import Audit, Diagnostic
from proctor.instruments.binding.budget import Budget
from proctor.instruments.binding.calibration import Calibration
from proctor.instruments.binding.cells import ControlSummary
from proctor.instruments.binding.coupling import CouplingSummary
from proctor.instruments.binding.criteria import Criterion, Gate
from proctor.instruments.binding.inference import Inference
from proctor.instruments.binding.robustness import RobustnessArm
from proctor.instruments.binding.sufficiency import Sufficiency
from proctor.instruments.binding.table import Collapsed
from proctor.instruments.binding.tables import Columns, Table


class Claim(Struct, frozen=True, kw_only=True):
    """A line of the claim ledger: what the run supports, what speaks against it, what must not be concluded."""

    block: str
    result: str
    supported: str
    """Empty: nothing is supported."""
    contrary: str
    """What was found against it; empty where nothing was."""
    excluded: str


class BindingReading(Reading, frozen=True, kw_only=True):
    """Everything about one run, or several models' runs together."""

    records: Collapsed | None = None
    """None: no episode is a binding probe."""
    gates: tuple[Gate, ...] = ()
    audits: tuple[Audit, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    contrasts: tuple[Inference, ...] = ()
    """The declared contrasts of the benchmark."""
    controls: tuple[Inference, ...] = ()
    """The composite against every other Condition."""
    cells: tuple[ControlSummary, ...] = ()
    sufficiency: tuple[Sufficiency, ...] = ()
    coupling: CouplingSummary | None = None
    calibration: Calibration | None = None
    budgets: tuple[Budget, ...] = ()
    """The comparisons under a forced budget, the gated one first."""
    robustness: tuple[RobustnessArm, ...] = ()
    interface: str = ""
    """What has to be known before any score: that replies could not be read. Empty where they could."""
    claims: tuple[Claim, ...] = ()
    scope: str = ""
    """The sentence every use of the contrasts carries."""
    data: Mapping[str, Table] = field(default_factory=dict)
    """Every table by name, made when it is asked for; `proctor.instruments.binding.tables` says which there are."""

    def tables(self) -> dict[str, Columns]:
        """The columns of every table, at full precision."""
        return {name: table.columns for name, table in self.data.items()}

    @property
    def budget(self) -> Budget | None:
        """The gated comparison under a forced budget."""
        return next((one for one in self.budgets if one.gated), None)

    @property
    def boundary_conditions(self) -> tuple[tuple[str, Criterion], ...]:
        """(gate, criterion) of everything that was declared and not met."""
        return tuple((gate.name, one) for gate in self.gates for one in gate.boundary)
