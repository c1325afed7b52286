"""A baseline rescored with the current oracle: old decisions are judged again if the scenario still asks the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from proctor.core.canonical import jsonable
from proctor.core.hashing import content_hash, sha256_hex
from proctor.instruments.quality.baseline import Baseline, Decided, RunSummary, rescored
from proctor.pipeline.baseline.file import BaselineFile
from proctor.spec.scenario import Action, Scenario

ORACLE_FIELDS = frozenset({"expected", "acceptable", "weight", "version", "valid", "provenance", "safety", "misuse"})
"""What may change of a scenario while an old decision can still be judged by the new one."""

WITHOUT_ARGUMENTS = frozenset({"escalate", "refuse"})


def questions_of(scenarios: Sequence[Scenario]) -> dict[str, str]:
    """Scenario id → digest of everything but the oracle's answer."""
    return {
        one.id: content_hash({name: value for name, value in jsonable(one).items() if name not in ORACLE_FIELDS})[:16]
        for one in scenarios
    }


def under_oracle(file: BaselineFile, scenarios: Mapping[str, Scenario]) -> Baseline:
    """The baseline with its decisions judged by the oracle of today, where the question is still the same."""
    questions = questions_of(list(scenarios.values()))
    same = {name for name, digest in questions.items() if file.questions.get(name) == digest}
    hashes = {name: scenarios[name].content_hash[:16] for name in same}
    accepted = {name: {action_digest(a) for a in (s.expected, *s.acceptable)} for name, s in scenarios.items()}

    def judge(name: str, decided: Decided) -> bool | None:
        if decided.action_key:
            return decided.action_key in accepted[name]
        named = decided.action in {a.name for a in (scenarios[name].expected, *scenarios[name].acceptable)}
        # An ending has no arguments and is known by its name; of other actions only the name is known then.
        return named if not named or decided.action in WITHOUT_ARGUMENTS else None

    def again(run: RunSummary) -> RunSummary:
        changed = {n: h for n, h in hashes.items() if n in run.scenarios and run.scenarios[n].hash != h}
        summary = rescored(run, judge, changed) if changed else run
        records = {
            name: msgspec.structs.replace(record, weight=scenarios[name].weight)
            if name in changed and record.hash == changed[name]
            else record
            for name, record in summary.scenarios.items()
        }
        return msgspec.structs.replace(summary, scenarios=records)

    baseline = file.baseline
    anchor = msgspec.structs.replace(baseline.anchor, runs=tuple(map(again, baseline.anchor.runs)))
    return msgspec.structs.replace(
        baseline,
        runs=tuple(map(again, baseline.runs)),
        rising=tuple(map(again, baseline.rising)),
        anchor=anchor,
    )


def action_digest(action: Action) -> str:
    """How the comparator writes an action into its measures."""
    return sha256_hex(action.key)[:16]
