"""Letting the baseline file rise after a decision, without ever writing over somebody's signature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from proctor.instruments.quality.baseline import RunSummary
from proctor.instruments.quality.ratchet import ratchet
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.baselines import read_baseline, sign, write_baseline
from proctor.pipeline.keys import Signer


def raise_baseline(
    path: Path,
    run: RunSummary,
    confirming: RunSummary | None,
    governed: QualityRules,
    *,
    at: str,
    signer: Signer | None,
) -> dict[str, Any] | None:
    """What the run does to the baseline of this file; None where the run was counted before.

    A signed baseline moves only with a key; without one it stays, and the answer says what it would have done.
    """
    file = read_baseline(path)
    joined: list[str] = file.baseline.facts.get("joined", [])
    if run.run in joined or run.run in {one.run for one in (*file.baseline.runs, *file.baseline.rising)}:
        return None
    found = ratchet(file.baseline, run, confirming, governed, at=at)
    if found.step == "unchanged":
        return {"step": found.step, "reason": found.reason}
    if file.signature is not None and signer is None:
        reason = f"{found.reason}; the baseline is signed and was left as it is: give --key to move it"
        return {"step": "unchanged", "reason": reason}
    facts = {**found.baseline.facts, "joined": [*joined, run.run]}
    baseline = msgspec.structs.replace(found.baseline, facts=facts)
    write_baseline(sign(msgspec.structs.replace(file, baseline=baseline), signer), path)
    return {"step": found.step, "reason": found.reason}
