"""Bundles: a finished run as one file that somebody else can open, verify and import.

`layout` says what is in one. `export_bundle` writes it, `verify_bundle` and `verify_run` compute every digest again,
`import_bundle` takes it into a store.
"""

from __future__ import annotations

from proctor.evidence.bundle.importing import import_bundle
from proctor.evidence.bundle.layout import LIMITS, Limits, Manifest
from proctor.evidence.bundle.report import Check, Problem, VerifyReport
from proctor.evidence.bundle.verify import verify_bundle
from proctor.evidence.bundle.verify_run import verify_run
from proctor.evidence.bundle.write import export_bundle

__all__ = [
    "LIMITS",
    "Check",
    "Limits",
    "Manifest",
    "Problem",
    "VerifyReport",
    "export_bundle",
    "import_bundle",
    "verify_bundle",
    "verify_run",
]
