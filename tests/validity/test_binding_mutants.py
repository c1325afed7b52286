"""The unit tests of the binding instrument notice changes of its meaning.

Which changes are made, and which are not, is declared in `tests/validity/binding_bench.py`; what no input can tell is
listed in `binding_mutants.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.validity.binding_bench import CHANGED, COUNT, Bench, drawn, instrument_files, killed, tried_on
from tests.validity.binding_mutants import BY_HAND, EQUIVALENT, ByHand
from tests.validity.mutations import mutations
from tests.validity.source_copy import SOURCES

MIN_KILLED, MIN_TOLD = 0.95, 85
"""Of mutants drawn at random that some input can tell from the instrument; so many of them have to be such."""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with Bench(tmp_path_factory.mktemp("mutants")) as made:
        yield made


def test_decimal_numbers_and_truth_values_are_changed_where_asked_for() -> None:
    source = """
@cache(size=8, typed=True)
class Limit(Struct, frozen=True):
    slack: float = 1e-9
    share: float = 0.9
    whole: int = 3


SKIPPED = 5
pairs = dict(zip(one, two, strict=True), exact=True)
"""
    found = mutations(source, kinds=CHANGED, without=frozenset({"SKIPPED"}), declarations=False)
    changed = {line for one in found for line in one.of(source).splitlines()} - set(source.splitlines())
    assert changed == {
        "    share: float = 0.95",
        "    whole: int = 4",
        "pairs = dict(zip(one, two, strict=True), exact=False)",
    }


def test_as_many_mutants_as_asked_are_drawn_and_the_same_every_time() -> None:
    once = drawn()
    assert once == drawn()
    assert len(set(once)) == COUNT
    assert set(once) != set(drawn(seed=1))
    assert {one.mutation.kind for one in once} <= CHANGED


def test_every_changed_file_is_tried_on_tried_on_the_instrument() -> None:
    for file in instrument_files():
        files = [name for part in tried_on(file) for name in part]
        assert any(name.startswith("tests/unit/instruments/binding/") for name in files), file
        assert "tests/golden/test_readings.py" not in files, f"{file}: a record of a whole run tells any change"
    naming, beside = tried_on("stats/paired.py")
    assert naming == ["tests/unit/stats/test_paired.py"]
    assert not any(name.startswith("tests/unit/stats/") for name in beside), "they do not compute with it"


def test_what_no_input_can_tell_is_still_drawn() -> None:
    """Otherwise its line was changed or its turn is over, and it does not belong in the table."""
    sources = {file: (SOURCES / file).read_text(encoding="utf-8") for file in instrument_files()}
    changed = {
        (one.file, one.mutation.of(sources[one.file]).splitlines()[one.mutation.line - 1].strip()) for one in drawn()
    }
    assert [one for one in EQUIVALENT if (one.file, one.line) not in changed] == []


@pytest.mark.parametrize("mutant", BY_HAND, ids=lambda mutant: mutant.what)
def test_mutants_change_the_sources_as_they_are(mutant: ByHand) -> None:
    source = (SOURCES / mutant.file).read_text(encoding="utf-8")
    assert mutant.of(source) != source


@pytest.mark.slow
def test_the_tests_pass_with_the_sources_as_they_are(bench: Bench) -> None:
    ran = bench.unchanged()
    assert ran.outcome == "passed", f"no mutant can be judged: {ran.said}"


@pytest.mark.slow
@pytest.mark.parametrize("mutant", BY_HAND, ids=lambda mutant: mutant.what)
def test_what_once_survived_is_killed(bench: Bench, mutant: ByHand) -> None:
    ran = bench.try_text(mutant.file, mutant.of(bench.copy.text(mutant.file)))
    assert ran.outcome == "failed", f"{mutant.what}: no test notices"


@pytest.mark.slow
def test_nearly_all_mutants_drawn_at_random_are_killed(bench: Bench) -> None:
    """A listed equivalent that is killed after all is good news: take it out of the table."""
    told, survived = 0, []
    for one in drawn():
        source = bench.copy.text(one.file)
        noticed = killed(bench.try_drawn(one).outcome)
        if one.equivalent(source):
            assert not noticed, f"listed as one that no input can tell, and killed: {one.described(source)}"
            continue
        told += 1
        if not noticed:
            survived.append(one.described(source))
    assert told >= MIN_TOLD, f"of {COUNT} mutants only {told} can be told from the instrument at all"
    for label in survived:
        print(f"survived: {label}")
    print(f"killed: {told - len(survived)} of {told}; no input can tell the other {COUNT - told}")
    share = 1.0 - len(survived) / told
    assert share >= MIN_KILLED, f"{share:.0%} killed; these survived: " + "; ".join(survived)
