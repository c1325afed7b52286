"""A hidden seed for gated runs, committed to when a baseline is accepted.

Whoever may choose the seed of a run tries several and gates the one that comes out well. One hidden seed per version of
a suite, fixed by its SHA-256 before any gated run is made, leaves no choice; CI holds the seed itself.
"""

from __future__ import annotations

import re

from proctor.core.errors import InputError
from proctor.core.hashing import sha256_hex
from proctor.pipeline.baseline.file import BaselineFile
from proctor.spec.frozen import FrozenRun

SEED, SUITE = "gate_seed", "gate_seed_of"


def commitment(before: BaselineFile | None, suite: str, digest: str | None) -> dict[str, str]:
    """What a baseline says about the seed of gated runs; the one of the same version of the suite stays."""
    if digest is not None and not re.fullmatch(r"[0-9a-f]{64}", digest):
        message = (
            "--gate-seed takes the SHA-256 of the hidden seed, 64 lower-case hex digits, and never the seed itself"
        )
        raise InputError(message)
    kept = None if before is None or before.baseline.facts.get(SUITE) != suite else before.baseline.facts.get(SEED)
    if kept is not None and digest not in (None, kept):
        message = f"suite {suite} has a gate seed already; one is for one version, so raise the suite's version first"
        raise InputError(message)
    chosen = digest or kept
    return {} if chosen is None else {SEED: chosen, SUITE: suite}


def on_committed_seed(frozen: FrozenRun, file: BaselineFile | None) -> bool:
    """Whether a baseline commits to the seed of gated runs, and this run was made on it."""
    return file is not None and file.baseline.facts.get(SEED) is not None and off_seed(frozen, file) is None


def off_seed(frozen: FrozenRun, file: BaselineFile) -> str | None:
    """Why a run was not made on the seed that was committed to; None where it was, or none was."""
    committed = file.baseline.facts.get(SEED)
    if committed is None:
        return None
    if file.baseline.facts.get(SUITE) != frozen.suite.full_name:
        return f"the gate seed that was committed to is of {file.baseline.facts.get(SUITE)}, not of this version"
    if isinstance(frozen.seed, str) and sha256_hex(frozen.seed.encode()) == committed:
        return None
    return "the run was not made on the hidden gate seed that was committed to when the baseline was accepted"
