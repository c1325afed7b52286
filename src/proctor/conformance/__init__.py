"""Checks that any family, agent, model, instrument, metric or suite can be put through, ours and everybody's.

    from proctor.conformance import check_family
    report = check_family(my_family, regimes=("baseline", "moderate-standard"))
    report.ok, report.findings

Each check proves one thing and knows nothing of the others; each finding is a sentence that says what to do. Names are
loaded when they are asked for: checking a family needs neither a store nor NumPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor.conformance.agent import AGENT_CHECKS, check_agent
    from proctor.conformance.contract import Check, CheckResult, Conformance, Finding
    from proctor.conformance.family import FAMILY_CHECKS, check_family
    from proctor.conformance.instrument import INSTRUMENT_CHECKS, check_instrument
    from proctor.conformance.metric import METRIC_CHECKS, check_metric
    from proctor.conformance.model import MODEL_CHECKS, check_model
    from proctor.conformance.suite import SUITE_CHECKS, check_suite, regimes_used

__all__ = [
    "AGENT_CHECKS",
    "FAMILY_CHECKS",
    "INSTRUMENT_CHECKS",
    "METRIC_CHECKS",
    "MODEL_CHECKS",
    "SUITE_CHECKS",
    "Check",
    "CheckResult",
    "Conformance",
    "Finding",
    "check_agent",
    "check_family",
    "check_instrument",
    "check_metric",
    "check_model",
    "check_suite",
    "regimes_used",
]

_HOMES = {
    "agent": ("AGENT_CHECKS", "check_agent"),
    "contract": ("Check", "CheckResult", "Conformance", "Finding"),
    "family": ("FAMILY_CHECKS", "check_family"),
    "instrument": ("INSTRUMENT_CHECKS", "check_instrument"),
    "metric": ("METRIC_CHECKS", "check_metric"),
    "model": ("MODEL_CHECKS", "check_model"),
    "suite": ("SUITE_CHECKS", "check_suite", "regimes_used"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
