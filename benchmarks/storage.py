"""Bytes on disk per tool step: the whole store file after the run, all tables and the dictionary included."""

from __future__ import annotations

import subprocess
from time import perf_counter

from benchmarks.episodes import NO_PEER
from benchmarks.examination import FAMILIES, Examined, examined, proctor, verify
from benchmarks.figure import Figure, missing
from benchmarks.inspect_peer import Peer, Shape, run_peer
from benchmarks.setting import Setting

SUBJECT = "storage"


def measure(setting: Setting) -> list[Figure]:
    """Mixed text and prose, how long `proctor verify` takes on it, and Inspect's log of the mixed text."""
    figures = [*_stored(setting, "steps", "mixed text", 160), *_stored(setting, "prose", "prose", 200)]
    name = "bytes per tool step, mixed text, Inspect"
    if setting.peer is None:
        return [*figures, missing(SUBJECT, name, "bytes", NO_PEER)]
    return [
        *figures,
        _logged(setting, setting.peer, "agent", f"{name}: its agent loop, mock model"),
        _logged(setting, setting.peer, "solver", f"{name}: a solver, no model"),
    ]


def _stored(setting: Setting, suite: str, text: str, limit: float) -> list[Figure]:
    with examined(f"{FAMILIES}@{suite}", setting.sizes.stored, setting.folder) as done:
        intact = verify(done)
        plain = intact.plain_bytes / intact.calls
        note = (
            f"{done.bytes:,} bytes for {intact.episodes:,} episodes with {intact.calls:,} steps; "
            f"{plain:,.0f} bytes a step before compression"
        )
        return [
            Figure(SUBJECT, f"bytes per tool step, {text}", done.bytes / intact.calls, "bytes", limit, note=note),
            _checked(done, text),
        ]


def _checked(done: Examined, text: str) -> Figure:
    """The same store through `proctor verify`, which checks more than digests."""
    name = f"proctor verify, {text}"
    began = perf_counter()
    ended = subprocess.run(
        [*proctor(), "verify", "latest", "--store", str(done.store)], capture_output=True, text=True, check=False
    )
    seconds = perf_counter() - began
    if ended.returncode != 0:
        lines = (ended.stderr or ended.stdout).strip().splitlines() or ["nothing said"]
        message = f"`proctor verify` ended with {ended.returncode}: {lines[-1]}"
        raise RuntimeError(message)
    return Figure(SUBJECT, name, seconds, "s", note=f"the whole command, {done.episodes:,} episodes")


def _logged(setting: Setting, peer: Peer, shape: Shape, name: str) -> Figure:
    done = run_peer(peer, shape, setting.sizes.peer_steps.small, setting.folder)
    note = f"{done.log_bytes:,} bytes of .eval log for {done.calls:,} steps"
    return Figure(SUBJECT, name, done.log_bytes / done.calls, "bytes", note=note)
