"""The surface player: what it sees of a text, how it is left out, and what it gets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.unit.instruments.binding.rows import read
from tests.unit.instruments.binding.twin_rows import perfect, twin_rows

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.scores import COMPONENTS
from proctor.instruments.binding.surface_player import _features, _parts, surface_scores


def played(given: list[dict[str, Any]]) -> BindingTable:
    table = read(given).table
    return BindingTable({**table.text, "corpus": table.text["dataset"]}, table.numbers)


def telling(**more: Any) -> list[dict[str, Any]]:
    """The option named first is the one that is called for."""
    return [
        row | {"surface": f"40.2.{'A' if row['target'] == 'ACTION_A' else 'B'}.M"}
        for row in twin_rows(perfect, conditions=("structured",), **more)
    ]


def test_what_is_seen_of_a_text_with_one_field() -> None:
    """Lengths 40, 50 and 45, marks 2, 3 and 4; the third names neither option and neither phrase."""
    lengths, marks = stats.zscore([40.0, 50.0, 45.0]), stats.zscore([2.0, 3.0, 4.0])
    option = np.array([1.0, -1.0, 0.0])
    phrase = np.array([-1.0, -1.0, 0.0])
    expected = [
        lengths,
        marks,
        stats.zscore(option),
        stats.zscore(phrase),
        stats.zscore(np.abs(option)),
        stats.zscore(np.abs(phrase)),
        stats.zscore(option * phrase),
        stats.zscore(lengths * option),
        stats.zscore(lengths * phrase),
        stats.zscore(marks * option),
        stats.zscore(marks * phrase),
    ]
    found = _features(["40.2.A.N", "50.3.B.N", "45.4.-.-"])
    # First a constant; every text has the field, so that its presence tells none apart.
    assert found[:, 0].tolist() == [1.0] * 3
    assert found[:, 1].tolist() == [0.0] * 3
    assert found[:, 2:] == pytest.approx(np.array(expected).T)


def test_a_field_that_is_not_there_is_told_apart() -> None:
    found = _features(["40.2.A.M", "40.2.A.M 40.2.A.M"])
    # A constant, two presences, then twice two each of lengths, marks, options and phrases.
    assert found[:, 1].tolist() == [0.0, 0.0]
    assert found[:, 2].tolist() == [-1.0, 1.0]
    # Four names (option, phrase) × 2 fields and their absolutes, six products of two, eight with length and marks.
    assert found.shape == (2, 1 + 2 + 2 + 2 + 4 + 4 + 6 + 8)


def test_corpora_are_left_out_in_turn_and_with_one_corpus_events_in_five_parts() -> None:
    two = played(telling(datasets=2))
    every = np.arange(two.size)
    assert _parts(two, every).tolist() == two.text["corpus"].codes.tolist()
    one = played(telling(datasets=1, events=7, replicates=1))
    part = _parts(one, np.arange(one.size))
    assert set(part.tolist()) == {0, 1, 2, 3, 4}
    by_event = dict(zip(one.values("event"), part.tolist(), strict=True))
    assert by_event == {f"d0e{event}": event % 5 for event in range(7)}


@pytest.mark.parametrize("datasets", [1, 3])
def test_where_the_surface_tells_everything_the_player_has_full_binding(datasets: int) -> None:
    found = surface_scores(played(telling(datasets=datasets, events=6)))
    for name in ("RSI", "SCI"):
        assert found.datasets[name] == {f"d{number}": 1 for number in range(datasets)}
        assert set(found.events[name].values()) == {1.0}
        assert len(found.events[name]) == 6 * datasets


def test_where_surfaces_are_alike_the_player_says_the_same_to_a_text_and_its_twin() -> None:
    found = surface_scores(played(twin_rows(perfect, conditions=("structured",), datasets=3)))
    assert set(found.datasets) == set(COMPONENTS)
    assert {share for units in found.datasets.values() for share in units.values()} == {0}


def test_what_a_model_did_is_nothing_to_learn_from() -> None:
    wrong = [row | {"code": "DEFER"} for row in telling(datasets=3)]
    assert surface_scores(played(wrong)) == surface_scores(played(telling(datasets=3)))


def test_without_twins_there_is_nothing_to_play() -> None:
    found = surface_scores(played([row for row in telling(datasets=2) if row["probe"] == "reason_for"]))
    assert (found.datasets, found.events) == ({}, {})
