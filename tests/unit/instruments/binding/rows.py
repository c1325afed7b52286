"""Rows of binding probes for tests, one by one: whatever is not said is unremarkable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, SUCCESS, Arm, Row
from proctor.instruments.binding.table import Read, table_of
from proctor.spec.condition import Condition
from proctor.spec.frozen import FrozenRun
from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Suite
from proctor.spec.system import System

PLAIN: dict[str, Any] = {
    "kind": "binding",
    "dataset": "one",
    "event": "e1",
    "probe": "reason_flip",
    "component": "reason",
    "role": "target",
    "ontology": "six-codes",
    "swapped": 0,
    "before": "ACTION_A",
    "target": "ACTION_B",
    "code": "ACTION_B",
    "how": "exact",
    "parse": "ok",
    "raw": "ACTION_B",
    "field_event": "none",
    "field_code": "",
    "cue_code": "",
    "declared": 0,
    "duplicate": 0,
    "arm_of": "",
}


def measures(**said: Any) -> dict[str, Any]:
    """The measures of one row; `c` and `u` follow from the codes unless said."""
    found = {**PLAIN, **said}
    found.setdefault("c", int(found["code"] == found["target"]))
    if found["role"] == "neutral":
        found.setdefault("u", int(found["code"] != found["before"]))
    return found


def evidence(
    given: Iterable[Mapping[str, Any]],
    *,
    conditions: Sequence[Condition] = (),
    rules: Rules | None = None,
    agent: str = "structured:simulated",
    complete: bool = True,
) -> Evidence:
    """A run of these rows. Keys beside measures: `condition`, `family`, `stage`, `replicate`, `outcome`, `aside`,
    `unverified` (no measures at all), `instance`.
    """
    listed = [dict(one) for one in given]
    declared = {condition.id: condition for condition in conditions}
    arms: dict[tuple[str, str, str], Arm] = {}
    rows: list[Row] = []
    for position, one in enumerate(listed):
        place = (one.pop("family", "probes"), one.pop("condition", "structured"), one.pop("stage", "main"))
        declared.setdefault(place[1], Condition(id=place[1].replace(".", "-")))
        arm = arms.setdefault(place, Arm(len(arms), len(arms), f"{place[0]}@1.0", "baseline", place[1], None, place[2]))
        replicate, aside = one.pop("replicate", 0), one.pop("aside", None)
        unverified, outcome = one.pop("unverified", False), one.pop("outcome", None)
        instance = one.pop("instance", f"{one.get('event', 'e1')}-{one.get('probe', 'reason_flip')}")
        found = measures(**one)
        rows.append(
            Row(
                position=position,
                lifetime=position,
                arm=arm.index,
                unit=position,
                part=0,
                template="t",
                instance=instance,
                phase="test",
                replicate=replicate,
                outcome=outcome or (SUCCESS if found["c"] else FAILURE),
                reason="correct" if found["c"] else "wrong_action",
                format_error=False,
                faults=None,
                calls=0,
                retries=0,
                undeclared=0,
                violations=None,
                tokens=None,
                cost=None,
                measures=None if unverified else msgspec.json.encode(found, order="sorted").decode(),
                artifact_ok=None,
                answer=None,
                head=b"",
                elapsed_us=1_000,
                attempts=1,
                aside=None if aside is None else msgspec.json.encode(aside),
            )
        )
    counted = [sum(row.arm == arm.index for row in rows) for arm in arms.values()]
    suite = Suite(
        name="tried",
        version="1.0",
        title="Tried",
        epoch="2026-01-01T00:00:00Z",
        conditions=tuple(one for name, one in declared.items() if name == one.id and name != "none"),
        entries=tuple(Entry(family=place[0], n=n) for place, n in zip(arms, counted, strict=True)),
        rules=rules or Rules(),
    )
    frozen = FrozenRun(
        suite=suite,
        rules=suite.rules,
        system=System(name="tried"),
        agent=agent,
        seed=1,
        timestamp=suite.epoch,
        families=(),
    )
    return Evidence(
        run="tried",
        root=None,
        config_hash=frozen.config_hash,
        complete=complete,
        frozen=frozen,
        arms=tuple(arms.values()),
        rows=tuple(rows),
        planned=len(rows) if complete else len(rows) + 9,
    )


def read(given: Iterable[Mapping[str, Any]], **more: Any) -> Read:
    """The table of these rows."""
    return table_of({"model": evidence(given, **more)})
