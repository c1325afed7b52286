"""Votes over readings, and that reading again restores what noise has altered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Budget, Instance
from proctor.suites.kit.instances import Material, make_instance
from proctor.suites.kit.pieces import Piece, Pieces
from proctor.suites.kit.rereading import Votes, recovers, restores
from proctor.suites.kit.sheet import Sheet, show

MODERATE = STANDARD_REGIMES["moderate-standard"]


def test_a_tie_has_no_winner_and_withheld_lines_have_no_vote() -> None:
    votes = Votes([1, 2])
    votes.add(0, ["not counted", "a", ""])
    votes.add(1, ["b"])
    assert (votes.winner(1), votes.winner(2)) == (None, None)
    votes.add(1, ["b", "c"])
    assert (votes.winner(1), votes.lead(1), votes.winner(2)) == ("b", 1, "c")
    assert votes.restore(["-", "b", "c"], [1, 2])
    assert not votes.restore(["-", "b", "d"], [1, 2])


def _read(actions: int) -> Instance:
    page = Sheet("heading")
    page.fact(*(f"bed {number} gets {number * 7} litres of water today" for number in range(8)))
    return _posed(show(page), actions)


def _pieces(actions: int) -> Instance:
    body = [f"bed {number} gets {number * 7} litres" for number in range(4)]
    return _posed(Pieces.of([Piece("cover", ["heading"], matters=False), Piece("body", body)]), actions)


def _posed(material: Material, actions: int) -> Instance:
    return make_instance(
        material,
        template="plain",
        goal="water the beds",
        answer_format="done",
        hidden={},
        knobs={},
        budget=Budget(actions=actions),
        strict_actions=actions,
    )


def _rate(check: Callable[[Deliveries], bool]) -> float:
    draws = 60
    return sum(check(Deliveries(MODERATE, Stream.keyed("rate", number))) for number in range(draws)) / draws


def test_calls_restore_what_noise_alters() -> None:
    assert _rate(partial(restores, _read(60))) > 0.95
    assert _rate(partial(restores, _read(1))) < 0.5


def test_pieces_are_recovered_and_calls_are_left_for_writing() -> None:
    assert _rate(partial(recovers, _pieces(60), writes=3)) > 0.95
    assert _rate(partial(recovers, _pieces(2), writes=3)) == 0.0
