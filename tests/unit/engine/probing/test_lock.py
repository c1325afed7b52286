"""probes.lock: every released family behaves as it did when it was locked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.core.errors import InputError
from proctor.engine.names import load_family, load_suite
from proctor.engine.probing import identity, lock
from proctor.engine.probing.identity import entry_of, origin_of, probe_of, suites_of
from proctor.engine.probing.lock import Lock, read_lock
from proctor.engine.probing.probe import measure
from proctor.plugins import registry
from proctor.plugins.sources import module_digest
from proctor.worlds.requirements import require

HELLO = load_suite("hello", Path())
LOCKED = read_lock().families

# Sources make a family from a user's file; what is not there until then cannot be locked.
NEED_A_FILE = ("binding-events", "issue-localisation", "scenarios", "swebench-localisation", "twin-events")


def names() -> list[str]:
    own = [name for name in registry.names("families") if registry.module_of("families", name).startswith("proctor.")]
    return [name for name in own if name not in NEED_A_FILE]


def test_every_family_is_locked_and_nothing_else() -> None:
    assert sorted(full_name.partition("@")[0] for full_name in LOCKED) == names()


@pytest.mark.parametrize("name", names())
def test_a_family_does_what_its_lock_says(name: str) -> None:
    """Where this fails on purpose: raise the family's version and run `proctor lock`."""
    family = load_family(name, Path())
    require(family.spec.requires)
    measured = measure(family, suites_of("proctor"))
    locked = LOCKED[family.spec.full_name]
    assert measured.probe.differences(locked.probe) == []
    assert measured.unreached == locked.unreached


@pytest.mark.parametrize("name", names())
def test_the_lock_is_up_to_date(name: str) -> None:
    """Otherwise every run would measure again what the lock could have told: run `proctor lock`."""
    family = load_family(name, Path())
    assert LOCKED[family.spec.full_name].sources == module_digest(origin_of(name).module)


def test_most_reasons_are_reached() -> None:
    """A probe sees a changed verdict only where it comes to one."""
    declared = sum(len(load_family(name, Path()).spec.reasons) for name in names())
    unreached = sum(len(entry.unreached) for entry in LOCKED.values())
    assert unreached / declared < 0.2


def test_equal_sources_cost_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any, **__: Any) -> Any:
        pytest.fail("nothing has to be measured")

    monkeypatch.setattr(identity, "measure", never)
    family = load_family("track", Path())
    assert probe_of("track", family, HELLO) == LOCKED["track@1.0"].probe


def other_sources(monkeypatch: pytest.MonkeyPatch, cache: Path, **changes: str) -> None:
    """A lock made with other sources, and perhaps of something that behaved differently."""
    entry = msgspec.structs.replace(LOCKED["track@1.0"], sources="00" * 32, **changes)
    monkeypatch.setattr(identity, "read_lock", lambda _package="proctor": Lock(families={"track@1.0": entry}))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))


def test_other_sources_are_measured_once_and_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other_sources(monkeypatch, tmp_path)
    family = load_family("track", Path())
    assert probe_of("track", family, HELLO) == LOCKED["track@1.0"].probe
    assert len(list(tmp_path.rglob("*.json"))) == 1
    monkeypatch.setattr(identity, "measure", lambda *_: pytest.fail("it was measured before"))
    assert probe_of("track", family, HELLO) == LOCKED["track@1.0"].probe


def test_a_damaged_memory_is_measured_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other_sources(monkeypatch, tmp_path)
    family = load_family("track", Path())
    probe_of("track", family, HELLO)
    for file in tmp_path.rglob("*.json"):
        file.write_text("{")
    assert probe_of("track", family, HELLO) == LOCKED["track@1.0"].probe


@pytest.mark.parametrize("part", ["instances", "tools", "verdicts"])
def test_a_release_that_behaves_differently_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, part: str
) -> None:
    other_sources(monkeypatch, tmp_path, **{part: "11" * 32})
    message = (
        rf"family track@1\.0: its {part} differ from its release; raise its version and run `proctor lock proctor`, "
        r"or, if nobody has this version yet, replace its entry with `proctor lock proctor --unreleased`"
    )
    with pytest.raises(InputError, match=message):
        probe_of("track", load_family("track", Path()), HELLO)


def test_one_bad_measurement_on_a_busy_machine_refuses_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other_sources(monkeypatch, tmp_path)
    family = load_family("track", Path())
    hurried = [True]

    def once_wrong(*given: Any, **options: Any) -> Any:
        measured = measure(*given, **options)
        if not hurried:
            return measured
        hurried.clear()
        return msgspec.structs.replace(measured, probe=measured.probe.model_copy(update={"verdicts": "22" * 32}))

    monkeypatch.setattr(identity, "measure", once_wrong)
    assert probe_of("track", family, HELLO) == LOCKED["track@1.0"].probe
    monkeypatch.setattr(identity, "measure", lambda *_: pytest.fail("the right measurement was kept"))
    assert probe_of("track", family, HELLO) == LOCKED["track@1.0"].probe


def test_files_are_measured_every_time(tmp_path: Path) -> None:
    source = Path(__file__).parents[1] / "small_family.py"
    (tmp_path / "mine.py").write_text(source.read_text())
    family = load_family("mine.py", tmp_path)
    assert origin_of("mine.py").module == origin_of("binding-events#x.csv").module == ""
    entry = entry_of("mine.py", family)
    assert entry.sources == "" and entry.probe == measure(family, at_random=False).probe


def test_a_lock_that_is_none_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "package_folder", lambda _package: tmp_path)
    read_lock.cache_clear()
    try:
        assert read_lock("mine") == Lock()
        (tmp_path / "probes.lock").write_text('{"format": 0, "families": {"a@1.0": {}}}')
        read_lock.cache_clear()
        with pytest.raises(InputError, match="not a lock of probes"):
            read_lock("mine")
        (tmp_path / "probes.lock").write_text('{"format": 1, "bench": null, "families": {}, "digest": "00"}')
        read_lock.cache_clear()
        with pytest.raises(InputError, match="changed by something else than `proctor lock`"):
            read_lock("mine")
        (tmp_path / "probes.lock").write_text('{"format": 0}')
        read_lock.cache_clear()
        assert read_lock("mine") == Lock(), "another format compares with nothing"
    finally:
        read_lock.cache_clear()
