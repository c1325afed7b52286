"""Freezing: everything that determines a run is fixed, and what cannot be run is refused in one sentence."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.small import FOLDER, declared, frozen

from proctor.core.errors import InputError, NotEvaluable
from proctor.engine import choosing
from proctor.engine.names import load_family, load_suite, require_family
from proctor.engine.plan import Plan
from proctor.engine.run import explain_difference, freeze, parse_seed
from proctor.plugins import registry
from proctor.spec.frozen import FrozenRun
from proctor.spec.rules import Limits
from proctor.spec.system import System

HIDDEN = "0123456789abcdef" * 4


def refused(*entries: dict[str, Any], **more: Any) -> str:
    with pytest.raises(InputError) as caught:
        frozen(*entries, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "seed"), [("0", 0), ("-7", -7), ("007", 7), (str(2**53 - 1), 2**53 - 1), (HIDDEN, HIDDEN)]
)
def test_seeds(text: str, seed: int | str) -> None:
    assert parse_seed(text) == seed
    assert frozen(freezing={"seed": seed}).seed == seed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1.5",
        "²",
        "٣",
        "1_000",
        " 1",
        "1\n",
        "+1",
        "--1",
        str(2**53),
        "-" + "9" * 18,
        HIDDEN.upper(),
        HIDDEN[1:],
    ],
)
def test_what_is_no_seed(text: str) -> None:
    with pytest.raises(InputError, match="neither a whole number below 2\\^53 nor 64 lower-case hex digits"):
        parse_seed(text)
    assert "neither a whole number" in refused(freezing={"seed": text})


def test_the_suites_epoch_is_the_timestamp_unless_told() -> None:
    assert frozen().timestamp == "2026-01-01T00:00:00Z"
    assert frozen(freezing={"timestamp": "2027-02-03T01:00:00+01:00"}).timestamp == "2027-02-03T00:00:00Z"
    assert "ISO 8601" in refused(freezing={"timestamp": "soon"})


def test_equal_instants_are_one_configuration() -> None:
    hashes = {frozen(freezing={"timestamp": text}).config_hash for text in ("2027-01-01", "2027-01-01T02:00:00+02:00")}
    assert len(hashes) == 1


def test_store_executor_and_workers_play_no_part() -> None:
    """They are no arguments of freezing at all."""
    import inspect

    names = set(inspect.signature(freeze).parameters)
    assert names == {"suite", "agent", "folder", "seed", "timestamp", "scale", "only", "system", "limits", "look"} | {
        "scope",
        "evaluation",
        "preregistration",
    }


def test_scale_multiplies() -> None:
    assert Plan(frozen({"n": 3}, freezing={"scale": 4})).episodes == 12
    assert "--scale 0" in refused(freezing={"scale": 0})


def test_only_chooses_families() -> None:
    made = frozen({"n": 3}, {"family": "track", "n": 2}, freezing={"only": ("track",)}, agent="null")
    assert Plan(made).episodes == 2
    assert [family.spec.id for family in made.families] == ["track"], "what does not run is not frozen"
    assert made.left_out == {"small_family.py": "small@1.0"}
    assert "--only trak: the suite has no such family; it has small, small_family.py, track" in refused(
        {}, {"family": "track"}, freezing={"only": ("trak",)}, agent="null"
    )


def test_only_is_a_set() -> None:
    entries: tuple[dict[str, Any], ...] = ({}, {"family": "track"}, {"family": "extract"})
    hashes = {
        frozen(*entries, agent="null", freezing={"only": only}).config_hash
        for only in (("track", "small"), ("small", "track"), ("small", "track", "small"))
    }
    assert len(hashes) == 1


def test_agents_are_checked_before_anything_runs() -> None:
    assert "no agent is called 'orcale'; did you mean 'oracle'?" in refused(agent="orcale")
    assert "write oracle, or oracle:tier1" in refused(agent="oracle:really")
    assert "takes no details or options; write just 'null'" in refused(agent="null:really")
    assert "has no kind" in refused(agent=":x")


def test_a_cost_limit_needs_a_price() -> None:
    limits = Limits(run_cost="5")
    assert "a cost limit needs a price" in refused(freezing={"limits": limits})
    assert "a cost limit needs a price" in refused(rules={"limits": {"run_cost": "5"}})
    system = System(name="s", price_per_million_tokens="1")
    assert frozen(freezing={"limits": limits, "system": system}).rules.limits.run_cost == "5"


def test_a_project_tightens_a_suites_limits_and_never_wipes_them() -> None:
    suite_limits = {"limits": {"run_tokens": 500, "episode_actions": 9}}
    made = frozen(rules=suite_limits, freezing={"limits": Limits(run_episodes=7, run_tokens=100)})
    assert made.rules.limits == Limits(run_tokens=100, episode_actions=9, run_episodes=7)
    assert frozen(rules=suite_limits, freezing={"limits": Limits()}).rules.limits == Limits(
        run_tokens=500, episode_actions=9
    )


def test_a_misspelt_knob_is_refused() -> None:
    assert "family 'small_family.py' has no knob 'scrpit'; there are: script" in refused({"knobs": {"scrpit": "wrong"}})
    assert "has no knob 'x'" in refused({"program": [{"knobs": {"x": 1}}]})


def test_a_value_that_no_knob_declares_is_refused() -> None:
    said = refused({"knobs": {"script": "wrogn"}})
    assert "knob 'script' of family 'small_family.py' cannot be 'wrogn'; it takes 'solve', 'wrong'," in said
    assert "cannot be 3; it takes" in refused({"program": [{"knobs": {"script": 3}}]})


def test_the_same_entry_twice_is_refused() -> None:
    said = "family 'small_family.py' is listed twice under 'baseline': the same instances would be counted twice"
    assert said in refused({"n": 4}, {"n": 6})
    assert said in refused({"n": 4, "regimes": ["mild", "baseline"]}, {"n": 4, "first": 3})


@pytest.mark.parametrize(
    "other",
    [
        {"first": 4},
        {"regimes": ["mild"]},
        {"knobs": {"script": "wrong"}},
        {"cell": "S1"},
        {"program": [{"phase": "idle", "episodes": 2}]},
        {"parts": 2},
    ],
    ids=lambda other: next(iter(other)),
)
def test_an_entry_that_differs_in_what_it_is_may_follow(other: dict[str, Any]) -> None:
    assert len(frozen({"n": 4}, {"n": 4, **other}).suite.entries) == 2


def test_a_family_that_needs_what_is_missing_is_skipped_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def require(names: tuple[str, ...]) -> None:
        raise NotEvaluable("bubblewrap is not installed")

    monkeypatch.setattr(choosing, "require", require)
    assert refused() == "family small@1.0: not evaluable here: bubblewrap is not installed"
    assert refused(freezing={"only": ("small",)}) == "family small@1.0: not evaluable here: bubblewrap is not installed"


FAMILY_SOURCE = (FOLDER / "small_family.py").read_text()


def family_file(folder: Path, name: str, text: str = FAMILY_SOURCE) -> str:
    (folder / name).write_text(text)
    return name


def test_two_families_of_one_name_are_refused(tmp_path: Path) -> None:
    other = FAMILY_SOURCE.replace("Repeat {number}.", "Say {number}.")
    first, second = family_file(tmp_path, "a.py"), family_file(tmp_path, "b.py", other)
    with pytest.raises(InputError, match=r"'a\.py' and 'b\.py' are different families of the same name, small@1\.0"):
        freeze(suite=declared({"family": first}, {"family": second}), agent="null", folder=tmp_path)


def replaced(old: str, new: str) -> str:
    assert old in FAMILY_SOURCE
    return FAMILY_SOURCE.replace(old, new)


@pytest.mark.parametrize(
    ("changed", "changes"),
    [
        (FAMILY_SOURCE + "# a comment changes nothing\n", False),
        (replaced("right", "as_hidden"), False),
        (replaced('else f"Repeat {number}."', 'else f"Say {number}."'), True),
        (replaced("draw.stream.below(1_000_000)", "draw.stream.below(1_000_001)"), True),
        (replaced('"""Add to the total."""', '"""Add to the sum."""'), True),
        (replaced("self.total += by", "self.total += by + 1"), True),
        (replaced('"correct" if right else "wrong"', '"wrong" if right else "correct"'), True),
    ],
    ids=["comment", "rename", "text", "draw", "description", "state", "reason"],
)
def test_the_behaviour_of_a_family_is_part_of_the_configuration(tmp_path: Path, changed: str, changes: bool) -> None:
    made: list[FrozenRun] = []
    for text in (FAMILY_SOURCE, changed):
        folder = tmp_path / f"v{len(made)}"
        folder.mkdir()
        suite = declared({"family": family_file(folder, "fam.py", text)})
        made.append(freeze(suite=suite, agent="null", folder=folder))
    assert (made[0].config_hash != made[1].config_hash) == changes
    if changes:
        assert "family small@1.0 behaves differently" in explain_difference("r", *made)


def test_the_same_source_elsewhere_is_the_same_configuration(tmp_path: Path) -> None:
    hashes = set()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        suite = declared({"family": family_file(tmp_path / name, "fam.py")})
        hashes.add(freeze(suite=suite, agent="null", folder=tmp_path / name).config_hash)
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"freezing": {"seed": 9}}, "seed was 0 and is now 9"),
        ({"agent": "null"}, "agent was 'oracle' and is now 'null'"),
        ({"freezing": {"scale": 2}}, "scale was 1 and is now 2"),
        (
            {"freezing": {"timestamp": "2027-01-01"}},
            "timestamp was '2026-01-01T00:00:00Z' and is now '2027-01-01T00:00:00Z'",
        ),
        ({"freezing": {"only": ("small",)}}, "only was [] and is now ['small']"),
        ({"title": "Other"}, "the suite's content changed under the same version"),
        ({"version": "1.1"}, "suite was 'small@1.0' and is now 'small@1.1'"),
        ({"rules": {"confidence": 0.9}}, "the rules changed"),
        ({"freezing": {"system": System(name="other")}}, "the system declaration changed"),
    ],
)
def test_a_difference_is_named(change: dict[str, Any], said: str) -> None:
    message = explain_difference("small-oracle-123456", frozen(), frozen(**change))
    assert message.startswith("cannot resume small-oracle-123456: ")
    assert said in message
    assert "\n" not in message


# Names and files.


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("family = 3", "it has no 'spec'"),
        ("other = 1", "no family in this file; define `family = MyFamily()` at the top level"),
        ("def broken(:", "not valid Python at line 1"),
        ("import no_such_module_x", "importing it raised ModuleNotFoundError: No module named 'no_such_module_x'"),
        ("raise ValueError('two\\nlines')", "importing it raised ValueError: two lines"),
        ("import sys; sys.exit(3)", "importing it raised SystemExit: 3"),
        (
            FAMILY_SOURCE.replace("family = SmallFamily()", "family = SmallFamily"),
            "is the class SmallFamily; give an object",
        ),
        (FAMILY_SOURCE.replace("    spec = FamilySpec(", "    spec = dict("), "its 'spec' has to be a FamilySpec"),
        (FAMILY_SOURCE.replace("def attainable", "def reachable"), "it has no 'attainable'"),
    ],
)
def test_a_file_without_a_usable_family_is_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(InputError) as caught:
        load_family("mine.py", tmp_path)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_world_that_cannot_be_built_is_refused_before_the_run(tmp_path: Path) -> None:
    text = FAMILY_SOURCE.replace("return SmallWorld(instance, place)", "raise OSError('no such room')")
    family_file(tmp_path, "mine.py", text)
    said = r"cannot be built \(OSError: no such room at mine.py:\d+ in world\); run `proctor check mine.py`"
    with pytest.raises(InputError, match=said):
        freeze(suite=declared({"family": "mine.py"}), agent="null", folder=tmp_path)


def test_names_of_families() -> None:
    family = load_family("track", FOLDER)
    assert load_family(f"track@{family.spec.version}", FOLDER) is family
    with pytest.raises(InputError, match=r"installed in version .*, not 99\.0"):
        load_family("track@99.0", FOLDER)
    with pytest.raises(InputError, match="no such file"):
        load_family("nowhere.py", FOLDER)
    assert require_family(family, "track") is family


def test_a_family_is_registered_by_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock would hold it under the one name and be asked for the other."""
    point = EntryPoint("trackk", "proctor.suites.hello.track.family:family", "proctor.families")
    monkeypatch.setattr(registry, "_points", lambda group: {"trackk": point})
    with pytest.raises(InputError) as caught:
        load_family("trackk", FOLDER)
    assert str(caught.value) == (
        "family 'trackk' is registered by a name that is not its id, 'track'; call the entry point track, or give its "
        "spec the id 'trackk'"
    )


@pytest.mark.parametrize(
    ("reference", "complaint"),
    [
        ("helo", "no suite is called 'helo'; did you mean 'hello'?"),
        ("hello@9.9", "suite 'hello' is installed in version 1.0, not 9.9"),
        ("Hello", "is not a name; names are lower-case words"),
        ("none.yaml", "there is no such file"),
        ("mine.py@nothing", "no suite in this file; define `nothing` as a Suite or a mapping"),
        ("bad.yaml", "bad.yaml: suite at name: 'name' is required"),
    ],
)
def test_suites_that_cannot_be_found_are_one_sentence(tmp_path: Path, reference: str, complaint: str) -> None:
    (tmp_path / "mine.py").write_text("suite = {}\n")
    (tmp_path / "bad.yaml").write_text("title: x\n")
    with pytest.raises(InputError) as caught:
        load_suite(reference, tmp_path)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_suites_in_files(tmp_path: Path) -> None:
    suite = declared()
    (tmp_path / "s.json").write_text(suite.model_dump_json())
    (tmp_path / "s.py").write_text(f"mine = {suite.model_dump(mode='json')!r}\n")
    assert load_suite("s.json", tmp_path) == load_suite("s.py@mine", tmp_path) == suite
