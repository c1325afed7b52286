"""A key too many, too few or of another name is refused anywhere in a bundle, with every digest computed anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.core.canonical import canonical
from proctor.core.hashing import content_hash
from proctor.engine.plan import Plan
from proctor.evidence.bundle import VerifyReport, layout, verify_bundle
from proctor.evidence.bundle.digests import digest_bytes
from proctor.evidence.chain import RealTime, replay, run_root, seal_over
from proctor.spec.frozen import config_hash_of

Change = Callable[[Any], None]


@pytest.fixture
def verified(made: Any, making: Any, tmp_path: Path) -> Callable[[str, Change], VerifyReport]:
    """What verification says of the small bundle with one JSON member changed and everything summed up anew."""

    def check(name: str, change: Change) -> VerifyReport:
        one = made("small")
        members = dict(making.members_of(one.path))
        value = json.loads(members[name])
        change(value)
        members[name] = canonical(value)
        frozen = json.loads(members[layout.DECLARATIONS])["frozen"]
        config = config_hash_of(frozen)
        forged = making.Forgery.of(one.path)
        heads = [replay(config, episode.row.position, episode.trace) for episode in forged.episodes]
        root, real = run_root(config, heads), RealTime()
        for head, episode in zip(heads, forged.episodes, strict=True):
            row = episode.row
            real.add(head, row.elapsed_us, row.attempts, row.tokens, row.cost, episode.aside)
        seal = seal_over(digest_bytes(root), members[layout.EXECUTION], real.digest())
        claims = {"config_hash": config, "declarations": content_hash(frozen), "root": root, "seal": seal}
        path = making.resummed(tmp_path / "keys.proctor", list(members.items()), one.manifest, **claims)
        return verify_bundle(path, plan=Plan)

    return check


CHANGES: list[tuple[str, str, Change]] = [
    ("scope left out", layout.DECLARATIONS, lambda value: value["frozen"].pop("scope")),
    ("a look left out", layout.DECLARATIONS, lambda value: value["frozen"].pop("look")),
    ("a key of the suite left out", layout.DECLARATIONS, lambda value: value["frozen"]["suite"].pop("shuffle")),
    (
        "a key of an entry left out",
        layout.DECLARATIONS,
        lambda value: value["frozen"]["suite"]["entries"][0].pop("first"),
    ),
    ("a null where none is written", layout.DECLARATIONS, lambda value: value["frozen"].update(no_baseline=None)),
    ("another input", layout.DECLARATIONS, lambda value: value["inputs"].update(extra=1)),
    ("an input left out", layout.DECLARATIONS, lambda value: value["inputs"].pop("evaluation")),
    ("an unknown key of an arm", layout.ARMS, lambda value: value[0].update(note="x")),
    ("a key of an arm left out", layout.ARMS, lambda value: value[0].pop("cell")),
    ("an unknown fact", layout.EXECUTION, lambda value: value.update(approved_by="nobody")),
    ("the label left out", layout.EXECUTION, lambda value: value.pop("label")),
    ("the sources left out", layout.EXECUTION, lambda value: value.pop("sources")),
    ("the starts left out", layout.EXECUTION, lambda value: value.pop("begins")),
    ("a usage that nobody had", layout.EXECUTION, lambda value: value.update(usage={"requests": 0, "tokens": 5})),
    ("one start more", layout.EXECUTION, lambda value: value["started"].append("2026-01-01T00:00:00Z")),
    ("a begin that is none", layout.EXECUTION, lambda value: value.update(begins=[3])),
    ("an end that is no time", layout.EXECUTION, lambda value: value.update(finished="soon")),
    ("no end", layout.EXECUTION, lambda value: value.update(finished=None)),
    ("a source that is no digest", layout.EXECUTION, lambda value: value["sources"][0].update(proctor="x")),
    ("nobody at work", layout.EXECUTION, lambda value: value.update(workers=0)),
    ("facts that are none", layout.EXECUTION, lambda value: value.clear()),
]


@pytest.mark.parametrize(("name", "change"), [one[1:] for one in CHANGES], ids=[one[0] for one in CHANGES])
def test_a_changed_key_is_found(verified: Callable[[str, Change], VerifyReport], name: str, change: Change) -> None:
    report = verified(name, change)
    assert not report.ok and report.problems
    failed = {check.name for check in report.checks if not check.ok}
    assert not failed & {"archive", "checksums", "statement"}, "all sums hold: only what it says can give it away"


@pytest.mark.parametrize("name", [layout.DECLARATIONS, layout.ARMS, layout.EXECUTION, layout.STAGES])
def test_the_same_bundle_unchanged_is_fine(verified: Callable[[str, Change], VerifyReport], name: str) -> None:
    assert verified(name, lambda value: None).ok
