"""Raise the baseline after a decision; a signed one is replaced only by a signed one."""

from __future__ import annotations

from pathlib import Path

import msgspec

from proctor.instruments.quality.baseline import RunSummary
from proctor.instruments.quality.ratchet import ratchet
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.baseline.accepted import baseline_lock, find_baseline, install_signed
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.baseline.lawful import last_recorded, levels_of, lowered, record_of, risen
from proctor.pipeline.governance import with_imported
from proctor.pipeline.keys import Signer
from proctor.pipeline.ledger import Entry, Ledger
from proctor.reports.gate_results import BaselineStep


def raise_baseline(
    project: Path,
    compared: BaselineFile,
    run: RunSummary,
    confirming: RunSummary | None,
    governed: QualityRules,
    *,
    at: str,
    signer: Signer | None,
) -> BaselineStep | None:
    """What the run does to the baseline it was compared with; None where that is another one by now.

    A run counts once, whoever was killed meanwhile: what it did is in the ledger. A signed baseline moves only with a
    key; without one it stays, and the answer says what it would have done.
    """
    ledger, suite = Ledger(project), compared.suite

    def of_this_run(entry: Entry) -> bool:
        return entry.kind == "rise" and entry.body["suite"] == suite and entry.body.get("run") == run.run

    with baseline_lock(project):
        file = find_baseline(project, suite)
        done = next((entry for entry in ledger.entries() if of_this_run(entry)), None)
        if done is not None:
            return BaselineStep(step=done.body["step"], reason=done.body["reason"])
        if file is None or file.compared != compared.compared:
            return None
        if run.run in {one.run for one in (*file.baseline.runs, *file.baseline.rising)}:
            return None
        ratcheted = ratchet(file.baseline, run, confirming, governed, at=at)
        if ratcheted.step == "unchanged":
            return BaselineStep(step=ratcheted.step, reason=ratcheted.reason)
        if signer is None:
            reason = f"{ratcheted.reason}; the baseline is signed and was not changed; give --key to raise it"
            return BaselineStep(step="unchanged", reason=reason)
        raised = msgspec.structs.replace(file, baseline=ratcheted.baseline, version=file.version + 1)
        last = last_recorded(with_imported(ledger.entries()), ledger.keyring, suite)
        held = levels_of(file.baseline, governed) if last is None else last.body["levels"]
        body = record_of(
            raised,
            governed,
            before=held,
            run=run.run,
            confirming=None if confirming is None else confirming.run,
            step=ratcheted.step,
            reason=ratcheted.reason,
        )
        if raised.compared == file.compared:
            # The runs are the same: what was recorded of them stands, whatever the rules became since.
            body["levels"] |= held
        lower = lowered(held, body["levels"], bounds=not risen(held, body["levels"]))
        if lower:
            reason = f"{ratcheted.reason}; but {lower[0]} would lie lower, which two people have to accept"
            return BaselineStep(step="unchanged", reason=reason)
        install_signed(raised, project, ledger, "rise", body, signer)
        return BaselineStep(step=ratcheted.step, reason=ratcheted.reason)
