"""The charter of a suite: what may change only with approval. Its rules, and its oracle entry by entry.

Weights, floors, targets, margins and every other quality rule are entries `rules.…`; each scenario is an entry
`oracle.ID` with the beginning of its content hash; sample sizes, replicates and the clock are entries `run.…`, and the
files of families that are the project's own code are entries `source.…`. Two charters are the same when all their
entries are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from proctor.core.canonical import jsonable
from proctor.core.errors import IntegrityError
from proctor.core.hashing import content_hash
from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import DecisionMeasures, measures_of
from proctor.instruments.quality.rules import QualityRules
from proctor.spec.rules import Rules

ORACLE = "oracle."
RUN = "run."
SOURCE = "source."
RUN_RULES = ("profile", "confidence", "infrastructure_cutoff")
"""Of a run's own rules, those the quality instrument and its gate read; what a run may spend judges nobody."""


class Change(msgspec.Struct, frozen=True):
    """One entry that differs."""

    what: str
    how: Literal["added", "removed", "changed"]
    before: Any = None
    after: Any = None

    def __str__(self) -> str:
        if self.how != "changed":
            return f"{self.what} {self.how}"
        return f"{self.what} {_shown(self.before)} → {_shown(self.after)}"


class Charter(msgspec.Struct, frozen=True):
    """The governed content of one suite."""

    suite: str
    """Name without version: a new version of a suite is a change of its charter."""
    entries: dict[str, Any]

    @property
    def hash(self) -> str:
        """Its identity."""
        return content_hash([self.suite, self.entries])

    @property
    def rules_hash(self) -> str:
        """Identity of its rules alone."""
        return content_hash({name: value for name, value in self.entries.items() if name.startswith("rules.")})

    @property
    def oracle_hash(self) -> str:
        """Identity of its oracle alone."""
        return content_hash({name: value for name, value in self.entries.items() if name.startswith(ORACLE)})

    @property
    def scenarios(self) -> int:
        """How many oracle entries it has."""
        return sum(name.startswith(ORACLE) for name in self.entries)

    def changes_to(self, other: Charter, *, partial: bool = False) -> tuple[Change, ...]:
        """What turns this charter into the other; with `partial` the other holds only some of the scenarios."""
        changes = []
        for name in sorted({*self.entries, *other.entries}):
            if name not in other.entries:
                if not (partial and name.startswith((ORACLE, RUN, SOURCE))):
                    changes.append(Change(name, "removed", before=self.entries[name]))
            elif name not in self.entries:
                changes.append(Change(name, "added", after=other.entries[name]))
            elif self.entries[name] != other.entries[name]:
                changes.append(Change(name, "changed", self.entries[name], other.entries[name]))
        return tuple(changes)

    def changed_by(self, changes: Iterable[Change]) -> Charter:
        """This charter after the changes; a change that does not fit it is damage."""
        entries = dict(self.entries)
        for change in changes:
            here = change.what in entries
            if here != (change.how != "added") or (here and entries[change.what] != change.before):
                message = f"'{change.what}' does not have the old value that the change states"
                raise IntegrityError(message, where=f"charter of suite {self.suite}")
            if change.how == "removed":
                del entries[change.what]
            else:
                entries[change.what] = change.after
        return Charter(self.suite, entries)


def charter_of(
    suite: str,
    rules: Rules,
    governed: QualityRules,
    oracle: Mapping[str, str],
    *,
    run: Mapping[str, Any] | None = None,
    sources: Mapping[str, str] | None = None,
) -> Charter:
    """The charter of a suite from what it is judged by.

    `oracle`: scenario id → content hash. `run`: how it is run, by name. `sources`: its own code, file → digest.
    """
    own = jsonable(rules)
    entries = dict(_flat("rules", {**jsonable(governed), **{name: own[name] for name in RUN_RULES}}))
    entries.update({f"{ORACLE}{scenario}": digest for scenario, digest in oracle.items()})
    entries.update(_flat(RUN.removesuffix("."), dict(run or {})) if run else ())
    entries.update({f"{SOURCE}{name}": digest for name, digest in (sources or {}).items()})
    return Charter(suite, entries)


def oracle_of(evidence: Evidence) -> dict[str, str]:
    """The oracle a run was judged by: scenario id → beginning of its content hash, as its rows say."""
    oracle: dict[str, str] = {}
    for row in evidence.rows:
        measures = measures_of(DecisionMeasures, row)
        if measures is None:
            continue
        if oracle.setdefault(measures.scenario, measures.hash) != measures.hash:
            message = f"scenario '{measures.scenario}' has two contents in one run"
            raise IntegrityError(message, where=f"run {evidence.run} episode {row.position}")
    return oracle


def summary_of(changes: Iterable[Change], *, most: int = 3) -> str:
    """A few of the changes in words."""
    listed = list(changes)
    more = f"; {len(listed) - most} more" if len(listed) > most else ""
    return "; ".join(str(change) for change in listed[:most]) + more


def _flat(prefix: str, value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _flat(f"{prefix}.{name}", inner)
    else:
        yield prefix, value


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 24 else f"{text[:8]}…"
