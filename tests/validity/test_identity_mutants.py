"""A change of behaviour is noticed when a run is frozen, or listed among those that no probe reaches.

`python -m tests.validity.identity` prints what is tested here as tables.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.validity.identity import OWN_PER_PART, PARTS, SHARED_PER_PART, Bench, generated
from tests.validity.mutants import ADVERSITY, DRAWS, MUTANTS, TEXTS, TOOL_SCHEMAS, VERIFIERS, Mutant
from tests.validity.mutations import mutations
from tests.validity.source_copy import SOURCES

MIN_BY_HAND = 24
MIN_NOTICED_OWN, MIN_NOTICED = 0.6, 0.45
"""Of mutants made at random in families' own files, and in all files, the shares that must be noticed.

Which mutants are made depends on the sources, so the limits leave room."""
SHORT = (VERIFIERS[0], TOOL_SCHEMAS[0], DRAWS[0], TEXTS[0], ADVERSITY[0])


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("mutants"))


def label(mutant: Mutant) -> str:
    return f"{mutant.category}: {mutant.what}"


def test_every_category_has_mutants_and_few_survive() -> None:
    assert len(MUTANTS) >= MIN_BY_HAND
    assert len({label(mutant) for mutant in MUTANTS}) == len(MUTANTS)
    of_category = Counter(mutant.category for mutant in MUTANTS)
    noticed = Counter(mutant.category for mutant in MUTANTS if not mutant.survives)
    assert of_category.keys() == {"verifier", "tool schema", "draw", "text", "adversity", "session"}
    assert all(noticed[category] >= count / 3 for category, count in of_category.items())


@pytest.mark.parametrize("mutant", MUTANTS, ids=label)
def test_mutants_change_the_sources_as_they_are(mutant: Mutant) -> None:
    source = (SOURCES / mutant.file).read_text(encoding="utf-8")
    assert mutant.of(source) != source


def test_mutations_are_found_by_the_syntax_tree() -> None:
    source = '''
"""A docstring stays."""
NAMES = ("é", "b")


def late(day: int) -> bool:
    return day > 10 and f"{day == 3}" != "x"
'''
    changed = [mutation.of(source) for mutation in mutations(source)]
    lines = {line for text in changed for line in text.splitlines()} - set(source.splitlines())
    assert lines == {
        "NAMES = ('é~', \"b\")",
        "NAMES = (\"é\", 'b~')",
        '    return day <= 10 and f"{day == 3}" != "x"',
        '    return day > 11 and f"{day == 3}" != "x"',
        '    return day > 10 or f"{day == 3}" != "x"',
        '    return day > 10 and f"{day == 3}" == "x"',
        "    return day > 10 and f\"{day == 3}\" != 'x~'",
        '    return not (day > 10 and f"{day == 3}" != "x")',
    }


@pytest.mark.parametrize("mutant", SHORT, ids=label)
def test_one_mutant_of_each_kind_is_noticed(bench: Bench, mutant: Mutant) -> None:
    assert bench.try_mutant(mutant).noticed


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=label)
def test_mutants_made_by_hand(bench: Bench, mutant: Mutant) -> None:
    """A listed survivor that is noticed after all is good news: take its reason out of the table."""
    tried = bench.try_mutant(mutant)
    assert tried.outcome not in ("not importable", "broken"), tried.detail
    assert tried.noticed == (not mutant.survives)


@pytest.mark.slow
def test_most_mutants_made_at_random_are_noticed(bench: Bench) -> None:
    tried = [(one, bench.try_generated(one)) for one in generated()]
    importable = [(one, outcome) for one, outcome in tried if outcome.outcome not in ("not importable", "broken")]
    assert len(importable) >= 0.8 * len(tried)
    for one, outcome in importable:
        if not outcome.noticed:
            print(f"survived: {one.described(bench.copy.text(one.file))}: {outcome.detail}")
    noticed = [outcome.noticed for _, outcome in importable]
    of_own = [outcome.noticed for one, outcome in importable if one.own]
    print(
        f"noticed: {sum(noticed)} of {len(noticed)}, of changes to families' own files {sum(of_own)} of {len(of_own)}"
    )
    assert sum(of_own) >= MIN_NOTICED_OWN * len(of_own)
    assert sum(noticed) >= MIN_NOTICED * len(noticed)


def test_the_same_mutants_are_made_every_time() -> None:
    once, again = list(generated(PARTS[:1])), list(generated(PARTS[:1]))
    assert once == again
    assert [one.own for one in once] == [True] * OWN_PER_PART + [False] * SHARED_PER_PART
