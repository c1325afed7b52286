"""The first baseline of a suite beside others: two people found it, so that a new name is no way to begin anew.

Nothing is known of a suite before its first baseline, so it is held to nothing; the same scenarios under another name
are another suite. Where a project governs a suite already, its own rules and accepted runs are the history that a new
name would leave behind. So the first baseline of any other suite is an act of two keys. It names the suites that were
there before it, by the entry each began with: those stay lawful wherever the two are taken in, in either order, and
another beginning under one of their names does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.pipeline.acts import Act, acts_that_hold
from proctor.pipeline.keys import Keyring
from proctor.pipeline.ledger import Entry

FOUND = "found-suite"
"""The kind of act by which two people accept the first baseline of a suite beside others."""
_BASELINES = ("acceptance", "rise")
_GOVERNING = ("genesis", *_BASELINES)


def founding(suite: str, compared: str, charter: str, others: Iterable[Entry]) -> Act:
    """The act that two keys have to sign: what is compared with, under which rules, and beside which suites."""
    return Act(
        kind=FOUND,
        suite=suite,
        subject=content_hash([compared, charter]),
        reasons=tuple(f"beside suite {entry.body['suite']}, begun by {entry.hash}" for entry in others),
    ).normal


def beside(entries: Sequence[Entry], keyring: Keyring, suite: str) -> list[Entry]:
    """What each other suite began with, where this one must be founded by two and was not; empty where all is well.

    `entries` in the order they came into force, those that came with baselines in their places. A suite's first
    baseline is compared with what stands before it, and one that is not there yet with everything.
    """
    begun: dict[str, Entry] = {}
    own: list[Entry] = []
    for entry in entries:
        if entry.kind in _BASELINES and entry.body.get("suite") == suite:
            own.append(entry)
        elif not own and entry.kind in _GOVERNING and isinstance(entry.body.get("suite"), str):
            known = begun.get(entry.body["suite"])
            # Its first baseline says more of a suite than rules that were frozen without one.
            if known is None or (known.kind == "genesis" and entry.kind != "genesis"):
                begun[entry.body["suite"]] = entry
    begun.pop(suite, None)
    if not own or not begun:
        return list(begun.values())
    always = datetime.min.replace(tzinfo=UTC)
    subjects = {one.act.subject for one in acts_that_hold(entries, keyring, kind=FOUND, suite=suite, at=always)}
    if any(content_hash([entry.body.get("compared"), entry.body.get("charter")]) in subjects for entry in own):
        return []
    earlier = f"beside suite {suite}, begun by {own[0].hash}"
    return [
        entry
        for name, entry in begun.items()
        if all(
            earlier not in one.act.reasons
            for one in acts_that_hold(entries, keyring, kind=FOUND, suite=name, at=always)
        )
    ]


def require_founded(entries: Sequence[Entry], keyring: Keyring, suite: str) -> None:
    """Refuse a suite whose first baseline one key accepted beside others."""
    others = beside(entries, keyring, suite)
    if others:
        raise InputError(sentence(suite, others))


def sentence(suite: str, others: Sequence[Entry]) -> str:
    """Why one signature is not enough."""
    names = ", ".join(sorted(entry.body["suite"] for entry in others))
    return (
        f"this is the first baseline of suite '{suite}' in a project beside {names}, and begins without their history, "
        "also where it is one of them under another name: two people have to accept it"
    )
