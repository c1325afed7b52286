"""A forger who computes every digest anew: what he writes verifies, whatever it says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from tests.unit.evidence.making import Forgery

from proctor.core.canonical import canonical, encode
from proctor.core.hashing import content_hash
from proctor.evidence.chain import RealTime, replay, run_root, run_seal
from proctor.evidence.events import EpisodeClosed, Verified, decode_event
from proctor.evidence.provenance import BESIDE_HASH
from proctor.evidence.row import OUTCOMES
from proctor.spec.frozen import FrozenRun, beside_hash


def rehashed(forged: Forgery, path: Path) -> Path:
    """Write a forgery with heads, root, seal and everything above them made to fit."""
    frozen = FrozenRun.model_validate(forged.declarations["frozen"])
    forged.declarations["inputs"] = msgspec.json.decode(canonical(frozen.inputs()))
    config_hash = frozen.config_hash
    beside = beside_hash(forged.declarations["frozen"])
    if beside is not None:
        forged.execution[BESIDE_HASH] = beside
    real_time = RealTime()
    for number, episode in enumerate(forged.episodes):
        row = episode.row
        head = replay(config_hash, row.position, episode.trace)
        forged.episodes[number] = episode.edited(head=head)
        real_time.add(head, row.elapsed_us, row.attempts, row.tokens, row.cost, episode.aside)
    root = run_root(config_hash, [episode.row.head for episode in forged.episodes])
    counts = Counter(episode.row.outcome for episode in forged.episodes)
    forged.claims |= {
        "suite": frozen.suite.full_name,
        "agent": frozen.agent,
        "config_hash": config_hash,
        "declarations": content_hash(forged.declarations["frozen"]),
        "root": root,
        "seal": run_seal(root, forged.execution, real_time.digest()),
        "episodes": len(forged.episodes),
        "outcomes": {outcome: counts[outcome] for outcome in OUTCOMES},
    }
    return forged.write(path)


def relabel(forged: Forgery) -> int:
    """Make the first failure a success, in row and events; its position."""
    number = next(i for i, one in enumerate(forged.episodes) if one.row.outcome == "failure")
    episode = forged.episodes[number]
    lines: list[bytes] = []
    for line in episode.trace.split(b"\n"):
        event: Any = decode_event(line)
        if isinstance(event, Verified):
            event = msgspec.structs.replace(event, success=True, reason="correct")
        elif isinstance(event, EpisodeClosed):
            event = msgspec.structs.replace(event, outcome="success", reason="correct")
        lines.append(encode(event))
    forged.episodes[number] = episode.edited(outcome="success", reason="correct")
    forged.episodes[number].trace = b"\n".join(lines)
    return episode.row.position
