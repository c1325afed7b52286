"""Bundles: a finished run as one file that somebody else can open, verify and import.

`layout` says what is in one. `export_bundle` writes it, `verify_bundle` and `verify_run` compute every digest again,
`import_bundle` takes it into a store. A stranger's file is read in a process of its own (`verify_apart`), so names are
loaded on first use: whoever starts that process need not load what only it reads with.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor.evidence.bundle.apart import verify_apart
    from proctor.evidence.bundle.importing import import_bundle
    from proctor.evidence.bundle.in_store import verify_run
    from proctor.evidence.bundle.layout import LIMITS, Limits, Manifest
    from proctor.evidence.bundle.report import Check, Problem, VerifyReport
    from proctor.evidence.bundle.verify import verify_bundle
    from proctor.evidence.bundle.write import export_bundle

_HOMES = {
    "verify_apart": "apart",
    "import_bundle": "importing",
    **dict.fromkeys(("LIMITS", "Limits", "Manifest"), "layout"),
    **dict.fromkeys(("Check", "Problem", "VerifyReport"), "report"),
    "verify_bundle": "verify",
    "verify_run": "in_store",
    "export_bundle": "write",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{home}"), name)


__all__ = [
    "LIMITS",
    "Check",
    "Limits",
    "Manifest",
    "Problem",
    "VerifyReport",
    "export_bundle",
    "import_bundle",
    "verify_apart",
    "verify_bundle",
    "verify_run",
]
