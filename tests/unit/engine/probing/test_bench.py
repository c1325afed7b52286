"""The episodes that pin the bench: each layer is met, and they are those of the locked version."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine import build
from proctor.engine.family import Draw
from proctor.engine.probing import bench, identity
from proctor.engine.probing.bench import BENCH_VERSION, LAYERS, Scripted, StoreRoomFamily, measure_bench
from proctor.engine.probing.identity import require_bench
from proctor.engine.probing.lock import Lock, read_lock
from proctor.engine.trial import Trial, job_for, live
from proctor.worlds.adversity import noise
from proctor.worlds.adversity.build import stack_for
from proctor.worlds.adversity.layer import Layer


def lived(name: str) -> Trial:
    family, source = StoreRoomFamily(), Stream.keyed("bench")
    instance = family.instance(Draw(source.child(0), source))
    return asyncio.run(live(job_for(family, instance, source.child(name), LAYERS[name]), Scripted()))


def test_every_layer_of_adversity_has_an_episode() -> None:
    layers = {name for regime in LAYERS.values() for name in stack_for(regime).names}
    assert layers == {kind.name for kind in Layer.__subclasses__()}


@pytest.mark.parametrize("name", sorted({layer.name for layer in Layer.__subclasses__()} - {"scope"}))
def test_each_layer_is_delivered(name: str) -> None:
    assert lived(name).faults.get(name, 0) > 0


def test_scope_and_limits_are_met() -> None:
    assert "out_of_scope" in str(lived("scope").row.violations)
    assert lived("limits").row.reason == "actions"
    for name, limit in (("queries", "queries"), ("time", "milliseconds"), ("tokens", "tokens")):
        assert lived(name).row.reason == limit, "each limit ends an episode of its own"
    assert len(lived("together").faults) > 5, "layers work together"
    assert "obeyed" in str(lived("injection").row.violations)


def test_the_bench_is_that_of_its_version() -> None:
    """Where this fails on purpose: raise BENCH_VERSION and run `proctor lock`."""
    locked = read_lock().bench
    assert locked is not None
    assert (locked.version, locked.episodes) == (BENCH_VERSION, measure_bench())
    assert require_bench() == BENCH_VERSION


def test_a_way_round_the_plan_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What turns declarations into episodes belongs to the bench: here no regime gets its adversity."""
    monkeypatch.setattr(build, "stack_for", lambda regime, canary="": stack_for(LAYERS["none"], canary=canary))
    monkeypatch.setattr(identity, "bench_sources", lambda: "edited")
    with pytest.raises(InputError, match="its episodes under run differ"):
        require_bench()


def test_changed_adversity_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    before = noise.ObservationNoise.after

    def spared(self: Any, passage: Any, result: Any) -> Any:
        before(self, passage, result)
        return result

    monkeypatch.setattr(noise.ObservationNoise, "after", spared)
    monkeypatch.setattr(identity, "bench_sources", lambda: "edited")
    with pytest.raises(InputError, match="its episodes under noise, run, together differ from its release"):
        require_bench()


def test_a_version_that_is_not_locked_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "read_lock", Lock)
    with pytest.raises(InputError, match="no lock holds its episodes; run `proctor lock`"):
        require_bench()
    assert msgspec.json.decode(msgspec.json.encode(Lock())) == {
        "format": 1,
        "bench": None,
        "families": {},
        "digest": "",
    }
    assert bench.BENCH_VERSION == BENCH_VERSION
