"""The first gate of a suite, without consequences: what it would say, and what it would freeze.

Nobody should find out by a decision that rules, scenarios, sample sizes and code are governed from then on. A dry run
writes nothing to the ledger: whoever agrees accepts a baseline, which freezes all of it with a signature.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec

from proctor.core.atomic_write import atomic_write
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.quality.decision import EXIT_CODES, Result, decide
from proctor.instruments.quality.instrument import QualityInstrument
from proctor.pipeline.baseline.accepted import require_baseline_imported
from proctor.pipeline.examination import Setting
from proctor.pipeline.governance import approved_charter
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.own_code import own_files_of
from proctor.pipeline.scenarios import charter_of_run, extent_of, oracle_of_run
from proctor.pipeline.stages import PIPELINES
from proctor.reports.markdown_text import code, plain

NEXT = (
    "nothing was recorded and nothing is governed yet; `proctor baseline accept RUN … --key NAME` freezes all of this "
    "by signature, `proctor gate --freeze` without one"
)


class DryRun(msgspec.Struct, frozen=True):
    """What a first gate would come to."""

    run: str
    result: Result
    """There is no baseline, so it never deploys."""
    reasons: tuple[str, ...]
    extent: str
    frozen: dict[str, int]
    """How many entries of each kind it would freeze."""
    report: str

    @property
    def exit_code(self) -> int:
        """That of the decision it would come to."""
        return EXIT_CODES[self.result]

    @property
    def sentence(self) -> str:
        """The outcome in words."""
        return f"{self.result} (dry run): {'; '.join(self.reasons)}. {self.frozen_sentence}"

    @property
    def frozen_sentence(self) -> str:
        """What would be frozen, counted."""
        counted = ", ".join(f"{count:,} {what}" for what, count in self.frozen.items())
        return f"A first gate would freeze {counted}"


def is_ungoverned(project: Path, suite: str) -> bool:
    """Whether nobody has frozen anything of a suite; refused where a carried baseline says otherwise."""
    ledger = Ledger(project)
    if approved_charter(ledger.entries(), ledger.keyring, suite) is not None:
        return False
    require_baseline_imported(project, suite)
    return True


def dry_run(setting: Setting, store: EvidenceStore, run: str) -> DryRun:
    """What the gate would say about a run, and freeze; only a page to read is written."""
    evidence = evidence_of(store, run)
    frozen, oracle = evidence.frozen, oracle_of_run(evidence, setting.project)
    ran = own_files_of(store.run(run).execution)
    charter = charter_of_run(frozen, setting.governed, oracle, setting.project, ran=ran)
    examined = QualityInstrument(setting.governed).examine(evidence, frozen.rules)
    decision = decide(examined, None, None, setting.governed, profile=frozen.rules.profile)
    names = {"rules": "rules", "oracle": "scenarios", "run": "sample sizes and clock", "source": "files of code"}
    counts = Counter(names[name.partition(".")[0]] for name in charter.entries)
    folder = setting.project / PIPELINES / f"dry-run-{run}"
    found = DryRun(
        run, decision.result, decision.reasons, extent_of(frozen, oracle), dict(counts), str(folder / "report.md")
    )
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / "report.md") as file:
        file.write(_page(found, charter.entries, frozen.agent).encode())
    return found


def _page(found: DryRun, entries: dict[str, object], agent: str) -> str:
    lines = [
        f"# {found.result}: dry run of {plain(agent)} on {plain(found.extent)}",
        *(f"- {plain(reason)}" for reason in found.reasons),
        "",
        f"Run {code(found.run)}; {NEXT}.",
        "",
        "| would be frozen | as |",
        "| --- | --- |",
        *(f"| {plain(name)} | {plain(str(value))} |" for name, value in sorted(entries.items())),
    ]
    return "\n".join(lines) + "\n"
