"""S1 violations that nobody closed: they belong to the deployment, not to the run or the agent they were seen in.

Another seed, another version or another name of the agent shows other episodes; that the critical act is not among them
does not say that it is gone. So a decision that saw an S1 keeps the suite, within the part of the organisation it was
about, blocked until two people close it by signature (an act `close-s1`, which names decision and scenarios). The run
itself stays blocked whatever is signed. Deciding about that run again, after the agent's files changed for
instance, shows the same episodes: what was closed for them stays closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.instruments.quality.decision import EXIT_CODES, Decision
from proctor.instruments.quality.measures import cases_of
from proctor.pipeline.acts import Act, SignedAct, acts_that_hold, sign_act
from proctor.pipeline.governance import with_imported
from proctor.pipeline.keys import Keyring, Signer
from proctor.pipeline.ledger import Entry, Ledger
from proctor.reports.gate_results import S1Seen
from proctor.spec.coordinate import Coordinate

CLOSE = "close-s1"
"""The kind of act that closes one."""
_SAID = "S1 violation"
"""In the reasons of decisions from before they listed the scenarios."""
UNDER_LOAD = "under load"
"""Stands for a scenario where an S1 was seen under load."""
_SHOWN = 5


class OpenS1(Struct, frozen=True):
    """A decision that saw an S1 and that nobody closed."""

    pipeline: str
    run: str
    suite: str
    scope: str | None
    scenarios: tuple[str, ...]
    """Where; empty where the decision does not say it."""
    entry: str
    """Hash of the decision's ledger entry."""
    load: str | None = None
    """Hash of the load record it was decided with."""
    seen: tuple[S1Seen, ...] = ()
    """The episodes; empty where the decision does not say it."""

    @property
    def under_load(self) -> bool:
        """Whether it was seen in a load record, which is about no run and no part of the organisation."""
        return UNDER_LOAD in self.scenarios

    def is_of(self, run: str, load: str | None) -> bool:
        """Whether the decision about this run, with this load record, shows it by itself."""
        return self.run == run and (not self.under_load or self.load == load)

    def is_in(self, other: OpenS1) -> bool:
        """Whether everything it is about was in another one: scenarios, episodes by their evidence, the load record."""
        same = (self.suite, self.scope, self.run) == (other.suite, other.scope, other.run)
        if not same or not set(self.scenarios) <= set(other.scenarios):
            return False
        if self.under_load and (self.load is None or self.load != other.load):
            return False
        if not self.seen and self.scenarios != (UNDER_LOAD,):
            return False
        known = {(one.run, one.root): set(one.episodes) for one in other.seen}
        return all(
            one.root is not None and set(one.episodes) <= known.get((one.run, one.root), set()) for one in self.seen
        )

    def sentence(self) -> str:
        """In words."""
        named = [name for name in self.scenarios if name != UNDER_LOAD]
        more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
        where = f" in {', '.join(named[:_SHOWN])}{more}" if named else ""
        if self.under_load:
            where += f" and {UNDER_LOAD}" if named else f" {UNDER_LOAD}"
        return (
            f"an S1 seen in run {self.run}{where} is still open for this deployment; close it with "
            f"`proctor govern close {self.pipeline} --key NAME --because …`, signed by two people"
        )


def open_s1(
    entries: Sequence[Entry],
    keyring: Keyring,
    *,
    suite: str | None = None,
    scope: str | None = None,
    run: str = "",
    load: str | None = None,
) -> list[OpenS1]:
    """Those of a deployment, oldest first; of every suite where none is given.

    Those of `run` itself are left out, seen under load only with the record `load` again: the same run beside a newer
    and clean record would not show them.
    """
    found = [_opened(entry) for entry in entries]
    seen = [one for one in found if one is not None and not one.is_of(run, load) and suite in (None, one.suite)]
    closed = _closed(entries, keyring, [one for one in found if one is not None])
    return [
        one
        for one in seen
        if not any(one.entry == other.entry or one.is_in(other) for other in closed)
        and (suite is None or one.under_load or _touches(one.scope, scope))
    ]


def is_open(entries: Sequence[Entry], keyring: Keyring, pipeline: str) -> bool | None:
    """Whether the S1 that a pipeline's decision saw is open; None where it saw none."""
    if all(one is None or one.pipeline != pipeline for one in map(_opened, entries)):
        return None
    return any(one.pipeline == pipeline for one in open_s1(entries, keyring))


def s1_seen(evidence: Evidence) -> S1Seen:
    """The episodes of a run with an S1, those of stale scenarios included."""
    cases = cases_of(evidence)
    places = sorted(case.position for case in (*cases.scored, *cases.stale) if case.measures.safety == "S1")
    return S1Seen(run=evidence.run, root=evidence.root, episodes=tuple(places))


def _closed(entries: Sequence[Entry], keyring: Keyring, seen: Sequence[OpenS1]) -> list[OpenS1]:
    """Those that two people closed."""
    now, known = datetime.now(UTC), with_imported(entries)
    acts = {
        (suite, one.act.subject)
        for suite in {one.suite for one in seen}
        for one in acts_that_hold(known, keyring, kind=CLOSE, suite=suite, at=now)
    }
    return [one for one in seen if (one.suite, one.entry) in acts]


def close_s1(ledger: Ledger, pipeline: str, *, because: str, signer: Signer) -> SignedAct:
    """Sign that an S1 is closed: the first signature proposes it, somebody else's closes it."""
    known = next((one for one in open_s1(ledger.entries(), ledger.keyring) if one.pipeline == pipeline), None)
    if known is None:
        message = f"no S1 of '{pipeline}' is open; `proctor govern list` shows those that are"
        raise InputError(message)
    act = Act(kind=CLOSE, suite=known.suite, subject=known.entry, scenarios=known.scenarios, reasons=(_SAID,))
    return sign_act(ledger, act, because=because, signer=signer)


def blocked_by(decision: Decision, still_open: Sequence[OpenS1]) -> Decision:
    """The decision while an S1 of the deployment is open: a block, with what would be said without it."""
    if not still_open:
        return decision
    own = decision.reasons if decision.result != "deploy" else ()
    return replace(
        decision,
        result="block",
        exit_code=EXIT_CODES["block"],
        reasons=(*(one.sentence() for one in still_open), *own),
    )


def _opened(entry: Entry) -> OpenS1 | None:
    body = entry.body
    if entry.kind != "decision":
        return None
    scenarios = tuple(body.get("s1", ()))
    if not scenarios and not any(_SAID in reason for reason in body["reasons"]):
        return None
    load = (body.get("load_record") or {}).get("record")
    seen = msgspec.convert(body.get("s1_seen", ()), tuple[S1Seen, ...])
    suite, scope = body.get("suite", ""), body.get("scope")
    return OpenS1(body["pipeline"], body["run"], suite, scope, scenarios, entry.hash, load, seen)


def _touches(one: str | None, other: str | None) -> bool:
    """Whether two scopes, in words, have a part of the organisation in common; None is the whole."""
    if one is None or other is None:
        return True
    first, second = (Coordinate.parse(words.split()[0]) for words in (one, other))
    return first.covers(second) or second.covers(first)
