"""Who may judge: twenty control items, both answers among them, four in five right; a coin does not pass."""

from __future__ import annotations

import pytest
from tests.unit.instruments.rated import answered, items, rated, reference

from proctor.core.seeds import Stream
from proctor.evidence.ratings import ControlItem, Rating, Ratings, Reference, Sheet
from proctor.instruments.agency.admission import Admission, admissions, admitted_raters


def judged(control: tuple[Rating, ...], *references: Reference, question: str = "goal") -> Admission:
    """How rater `a` did, who also answered a question."""
    sheet = Sheet("aa" * 32, (*control, Rating("a", question, "0" if question != "level" else "S", "none")))
    return admissions(Ratings((sheet,), references))["a"][question]


@pytest.mark.parametrize("question", ["goal", "success", "level"])
@pytest.mark.parametrize(("right", "admitted"), [(20, True), (16, True), (15, False), (0, False)])
def test_four_in_five_have_to_be_right(question: str, right: int, admitted: bool) -> None:
    asked = items(question)
    found = judged(answered("a", asked, right), reference(*asked), question=question)
    assert (found.admitted, found.right, found.of) == (admitted, right, 20)
    assert bool(found.reason) is not admitted


def test_without_control_items_nobody_is_admitted() -> None:
    assert judged(()) == Admission(False, 0, 0, "no control items answered")
    asked = items("goal")
    assert not judged((), reference(*asked)).admitted
    assert not judged(answered("a", asked)).admitted, "answers to items whose right answers nobody gave"
    other = judged(answered("a", items("success")), reference(*items("success")))
    assert not other.admitted, "who may label episodes may not yet judge goals"


def test_nineteen_items_admit_nobody() -> None:
    asked = items("goal", 19)
    assert "19 control items, 20 are needed" in judged(answered("a", asked), reference(*asked)).reason


@pytest.mark.parametrize(("first", "admitted"), [(20, False), (13, False), (12, True), (8, True), (7, False)])
def test_both_answers_are_among_the_items_often_enough(first: int, admitted: bool) -> None:
    """Otherwise the same answer everywhere, or nearly so, would pass."""
    asked = items("goal", 20, first)
    assert judged(answered("a", asked), reference(*asked)).admitted is admitted


def test_items_left_out_are_wrong() -> None:
    asked = items("goal")
    assert not judged(answered("a", asked[:15]), reference(*asked)).admitted
    assert judged(answered("a", asked[:16]), reference(*asked)).admitted


def test_who_wrote_an_answer_is_not_admitted_by_it() -> None:
    asked = (*items("goal")[:19], ControlItem("goal-19", "derivable", "a"))
    assert judged(answered("a", asked), reference(*asked)).reason == "wrote control answers"


def test_who_failed_one_set_of_items_stays_out() -> None:
    """Easier items that follow do not count against it."""
    hard = items("goal")
    easy = tuple(ControlItem(f"easy-{n}", "originated" if n % 2 else "derivable", "author") for n in range(40))
    failed = answered("a", hard, 15)
    both = (reference(*hard), reference(*easy, digest="dd" * 32))
    assert not judged((*failed, *answered("a", easy)), *both).admitted
    assert judged(answered("a", easy), *both).admitted, "who never saw the other set is not judged by it"
    few = reference(*items("goal", 5))
    assert judged((*answered("a", items("goal", 5), 0), *answered("a", easy)), few, both[1]).admitted, "too few to tell"


def test_answers_that_were_changed_are_wrong_on_either_side() -> None:
    asked = items("goal")
    ratings = rated(Rating("a", "goal", "0", "originated"), later=answered("a", asked, 15))
    assert admissions(ratings)["a"]["goal"].right == 15
    assert admitted_raters(ratings, "goal") == {"b"}
    fitted = tuple(ControlItem(item.item, "originated", "author") for item in asked[10:15])
    two = (reference(*asked), reference(*fitted, digest="dd" * 32))
    found = judged(answered("a", asked), *two)
    assert (found.right, found.admitted) == (15, False), "a reference that was changed to fit helps nobody"


def _guessing(bias: float, first: int, raters: int = 4000) -> float:
    """The share of raters admitted who say the first answer with this chance, whatever they are shown."""
    asked = items("goal", 20, first)
    stream = Stream.keyed("guessing raters", first, str(bias))
    said = [
        Rating(f"r{rater}", "control", item.item, "originated" if stream.chance(bias) else "derivable")
        for rater in range(raters)
        for item in asked
    ]
    return len(admitted_raters(Ratings((Sheet("aa" * 32, tuple(said)),), (reference(*asked),)), "goal")) / raters


def test_a_coin_is_hardly_ever_admitted() -> None:
    """Binomial: 0.59 %."""
    assert 0 < _guessing(0.5, 10) <= 0.01


def test_nor_is_a_biased_coin_where_answers_are_uneven() -> None:
    """With 12 of 20 items of one answer the best bias passes in 0.92 %; always the same answer never does."""
    assert _guessing(0.67, 12) <= 0.0145
    assert _guessing(1.0, 12) == 0
