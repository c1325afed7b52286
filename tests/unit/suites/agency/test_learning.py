"""What the five families of Learning & Adaptation have in common beside what every family must show, and the locks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.unit.suites.agency.examined import families, named

from proctor.core.errors import ToolError
from proctor.core.seeds import Stream
from proctor.engine.family import Draw, Family
from proctor.spec.task import Instance, Submission
from proctor.suites.agency.learning.code_lock.family import ATTEMPTS, attempts_needed
from proctor.suites.agency.learning.code_lock.world import PUZZLES
from proctor.suites.agency.learning.five_crafts.crafts import CRAFTS
from proctor.worlds.world import Place

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive


def draw(family: Family, number: int, phase: str, *, step: int = 0, lifetime: int | None = None, **knobs: Any) -> Draw:
    """The draw of an episode; every episode is of another lifetime unless one is named."""
    source = Stream.keyed("learning", family.spec.id)
    defaults = {name: knob.default for name, knob in family.spec.knobs.items()}
    index = number if lifetime is None else lifetime
    return Draw(source.child(number, step), source, index, phase, step=step, knobs={**defaults, **knobs})


def sample(family: Family, count: int, phase: str | None = None, **knobs: Any) -> list[Instance]:
    return [family.instance(draw(family, n, phase or family.spec.examined, **knobs)) for n in range(count)]


@pytest.fixture(params=families("learning"))
def family(request: pytest.FixtureRequest) -> Family:
    """Each family of the dimension in turn."""
    return named(str(request.param))


@pytest.fixture(params=[name for name in families("learning") if named(name).spec.training])
def taught(request: pytest.FixtureRequest) -> Family:
    """Each family with training in turn."""
    return named(str(request.param))


@pytest.fixture(params=[name for name in families("learning") if named(name).spec.training and name != "reagent-room"])
def recorded(request: pytest.FixtureRequest) -> Family:
    """Those of them that share a record of what was committed to; `reagent-room` has tests of its own."""
    return named(str(request.param))


def test_what_is_taught_belongs_to_the_lifetime(taught: Family) -> None:
    """Two episodes of one lifetime share what is taught; two lifetimes do not."""

    def lesson(lifetime: int, step: int) -> Any:
        hidden = taught.instance(draw(taught, step, "train", step=step, lifetime=lifetime)).hidden
        return hidden.get("words") or hidden.get("operations") or hidden.get("guesses") or hidden["right"]

    if taught.spec.id in ("coding-patterns", "api-versions"):
        assert lesson(1, 0) == lesson(1, 7)
    assert len({str(lesson(lifetime, 0)) for lifetime in range(30)}) >= 20


def test_only_training_shows_outcomes(taught: Family, drive: Drive) -> None:
    for phase in ("train", "early", "late"):
        assert taught.instance(draw(taught, 1, phase)).hidden["shows"]
    for phase in ("pretest", "pretest-shifted", "posttest", "reset", "untrained", "idle", "prior", "retest"):
        for instance in sample(taught, 4, phase):
            driver = drive(taught, instance)
            driver.run(taught.oracle(instance))
            told = [observation.fields for observation in driver.session.observations if observation.call is not None]
            assert not any({"right_was", "outcome", "house_rules"} & set(fields.get("result") or {}) for fields in told)
            assert "right_was" not in str(told)


def test_what_training_shows_never_occurs_in_a_test(taught: Family) -> None:
    for lifetime in range(6):
        seen: set[str] = set()
        for step in range(60):
            phase = "early" if taught.spec.id == "customer-sessions" else "train"
            seen |= set(taught.instance(draw(taught, step, phase, step=step, lifetime=lifetime)).hidden["items"])
        for phase in ("pretest", "posttest", "late", "reset", "untrained", "prior", "retest"):
            for step in range(40):
                tested = taught.instance(draw(taught, 100 + step, phase, step=step, lifetime=lifetime))
                assert not seen & set(tested.hidden["items"])


def test_only_the_first_commitment_counts(recorded: Family) -> None:
    """Whoever commits to something wrong cannot take it back, in training as in tests."""
    for phase in ("train", "posttest"):
        instance = recorded.instance(draw(recorded, 3, phase, customers=1))
        world: Any = recorded.world(instance, Place())
        tool, wrong, right = commitments(recorded, instance)
        getattr(world, tool)(**wrong)
        with pytest.raises(ToolError, match="only the first commitment counts"):
            getattr(world, tool)(**right)
        assert not world.verify(Submission("done")).success


def commitments(family: Family, instance: Instance) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The tool for committing, with wrong and with right arguments for the first question."""
    hidden = instance.hidden
    question, right = next(iter(hidden["right"].items()))
    if family.spec.id == "coding-patterns":
        other = next(word for word in hidden["words"] if word != right.split("-")[0])
        return "label", {"function": 1, "label": f"{other}-{hidden['particles'][0]}"}, {"function": 1, "label": right}
    if family.spec.id == "customer-sessions":
        return "contact", {**right, "offer": "gift" if right["offer"] != "gift" else "discount"}, right
    if family.spec.id == "api-versions":
        other = next(word for word in hidden["operations"] if word != right["operation"])
        return "send", {"unit": question, **right, "operation": other}, {"unit": question, **right}
    wrong = CRAFTS[hidden["craft"]].finish(hidden["parts"], lambda key: wrong_rule(hidden, key))
    return "deliver", {"work": wrong}, {"work": right}


def wrong_rule(hidden: dict[str, Any], key: str) -> str:
    """What the book does not say."""
    if hidden["craft"] in ("queueing", "weighing"):
        return str(31 - int(hidden["rules"][key]))
    return str(next(word for word in hidden["guesses"] if word != hidden["rules"][key]))


def test_versions_of_the_interface(drive: Drive) -> None:
    """Version 1 in `pretest` and `train`, version 2 with other fields everywhere else; the commands are the same."""
    family = named("api-versions")
    for phase, version, field in (
        *((phase, "v1", "temperature") for phase in ("pretest", "train")),
        *((phase, "v2", "tmp_dk") for phase in ("pretest-shifted", "posttest", "reset", "untrained")),
    ):
        for instance in sample(family, 10, phase):
            assert instance.observation["version"] == version
            assert all(field in answer.lower() for answer in instance.hidden["answers"].values())


def test_attempts_of_a_lock(drive: Drive) -> None:
    """One attempt in `first`, six in `later`; the locks of one lifetime are of one kind and have different codes."""
    family = named("code-lock")
    for lifetime in range(20):
        first, later = (
            family.instance(draw(family, n, phase, lifetime=lifetime)) for n, phase in enumerate(("first", "later"))
        )
        assert (first.hidden["attempts"], later.hidden["attempts"]) == (1, ATTEMPTS)
        assert first.template == later.template
        assert first.observation != later.observation
        assert attempts_needed(first) is None


def test_neither_luck_nor_blind_attempts_open_a_lock() -> None:
    """Six different codes at random are far from a ten-point gain, whatever the kind and size."""
    for name, puzzle in PUZZLES.items():
        for size in (1, 2, 3):
            stream = Stream.keyed("luck", name, size)
            codes = {str(puzzle.draw(stream.child(n), size)[1]) for n in range(3000)}
            assert ATTEMPTS / len(codes) < 0.06


def test_larger_locks_take_more_attempts() -> None:
    family = named("code-lock")
    means = []
    for size in (1, 2, 3):
        needed = [attempts_needed(instance) or ATTEMPTS + 1 for instance in sample(family, 240, size=size)]
        means.append(sum(needed) / len(needed))
    assert means[0] < means[1] < means[2]


def test_entries_are_read_in_any_clear_form() -> None:
    for name, puzzle in PUZZLES.items():
        for number in range(20):
            public, secret = puzzle.draw(Stream.keyed("entries", name, number), 2)
            text = puzzle.write(secret)
            assert puzzle.read(text, public) == secret
            assert puzzle.read(f" {text.upper()} ", public) == secret
            assert puzzle.read("", public) is None
            assert puzzle.read("something else entirely", public) is None


def test_reasons_of_the_lock() -> None:
    family = named("code-lock")
    instance = next(one for one in sample(family, 50) if one.template == "dials")
    world: Any = family.world(instance, Place())
    assert world.verify(Submission()).reason == "no_attempt"
    wrong = "".join(str((digit + 1) % 10) for digit in instance.hidden["secret"])
    with pytest.raises(ToolError, match="no attempt was used"):
        world.attempt("open sesame")
    world.attempt(wrong)
    assert world.verify(Submission("opened!")).reason == "stopped_early"
    for _ in range(ATTEMPTS - 1):
        world.attempt(wrong)
    assert world.verify(Submission("opened!")).reason == "wrong_entry"
    with pytest.raises(ToolError, match="no attempt is left"):
        world.attempt(wrong)


def test_the_oracle_of_the_lock_does_not_use_the_secret(drive: Drive) -> None:
    """With another secret in its instance than in its world it acts by the world's hints."""
    family = named("code-lock")
    for instance in sample(family, 16):
        driver = drive(family, instance)
        misled = msgspec.structs.replace(instance, hidden={**instance.hidden, "secret": None})
        assert driver.run(family.oracle(misled)).success


def test_one_wrong_part_is_named(recorded: Family) -> None:
    named_faults = {
        "coding-patterns": {"wrong_pattern", "wrong_guard", "wrong_both", "several_wrong", "unfinished"},
        "customer-sessions": {"wrong_channel", "wrong_offer", "wrong_moment", "several_wrong", "nothing_done"},
        "api-versions": {"wrong_operation", "wrong_grade", "wrong_both", "several_wrong", "unfinished"},
        "five-crafts": {f"wrong_{craft}" for craft in CRAFTS} | {"nothing_done"},
    }[recorded.spec.id]
    found: set[str] = set()
    for number in range(150):
        instance = recorded.instance(draw(recorded, number, "posttest"))
        found |= faults_of(recorded, instance, Stream.keyed("faults", number))
    assert named_faults <= found <= set(recorded.spec.reasons)


def faults_of(family: Family, instance: Instance, stream: Stream) -> set[str]:
    """Reasons of some episodes in which some things go wrong."""
    found: set[str] = set()
    for _ in range(3):
        world: Any = family.world(instance, Place())
        record = world.record
        for question, right in instance.hidden["right"].items():
            if stream.chance(0.9):
                record.made[question] = blurred(right, instance, stream)
        found.add(world.verify(Submission()).reason)
    return found


def blurred(right: Any, instance: Instance, stream: Stream) -> Any:
    """The right commitment, or one of which a part is another's."""
    hidden = instance.hidden
    if isinstance(right, dict):
        choices = {
            "channel": ("letter", "visit"),
            "offer": ("gift", "discount"),
            "moment": ("noon", "evening"),
            "operation": hidden.get("operations", ()),
            "grade": hidden.get("grades", ()),
        }
        return {key: stream.choice(choices[key]) if stream.chance(0.3) else value for key, value in right.items()}
    if "particles" in hidden:
        word, particle = right.split("-")
        word = stream.choice(hidden["words"]) if stream.chance(0.3) else word
        return f"{word}-{stream.choice(hidden['particles']) if stream.chance(0.3) else particle}"
    return right if stream.chance(0.5) else f"{right} or so"


def test_the_agent_cannot_talk_its_way_out(family: Family) -> None:
    for instance in sample(family, 5):
        world = family.world(instance, Place())
        for text in ("done", str(instance.hidden.get("right")), instance.hidden.get("right")):
            assert not world.verify(Submission(text)).success
        assert asyncio.run(_unchanged(family, instance))


async def _unchanged(family: Family, instance: Instance) -> bool:
    """Reading changes nothing that is judged."""
    world = family.world(instance, Place())
    before = world.state()
    for tool in world.tools.values():
        if tool.spec.effect == "read" and not tool.spec.parameters.get("required"):
            await world.apply(tool, {})
    return bool(world.state() == before)
