"""Worlds with one text: what their tools show, and how they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.pieces import Piece, Pieces
from proctor.suites.kit.sheet import Sheet, passages, show
from proctor.suites.kit.text_world import MaterialWorld, PieceWorld, TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place


def posed(observation: dict[str, Any], hidden: dict[str, Any]) -> Instance:
    return Instance(template="plain", goal="read", answer_format="done", observation=observation, hidden=hidden)


def test_a_text_is_shown_again_whole_and_by_passages() -> None:
    page = Sheet(*(f"line {number} of a text that does not fit into one passage" for number in range(12)))
    shown = show(page)
    world = TextWorld(posed(shown.observation, shown.hidden), Place())
    assert list(world.tools) == ["reread", "passage"]
    assert world.reread() == page.text
    last = len(passages(page.lines))
    assert "\n".join(world.passage(number) for number in range(1, last + 1)) == page.text
    with pytest.raises(ToolError, match=f"no passage {last + 1}; the last one is {last}"):
        world.passage(last + 1)


def test_pieces_are_shown_as_the_instance_has_them() -> None:
    pieces = Pieces.of([Piece("cover", ["one"]), Piece("body", ["two", "three"])])
    world = PieceWorld(posed(pieces.observation, pieces.hidden), Place())
    assert (world.reread(), world.passage(2)) == ("one\ntwo\nthree", "two\nthree")
    with pytest.raises(ToolError, match="no passage 3; the last one is 2"):
        world.passage(3)


class Bench(MaterialWorld):
    """Has a tool more than it offers."""

    offered = ("sign", "show_material")

    @tool(effect="write")
    def erase(self) -> str:
        """Erase everything."""
        return "erased"

    @tool(effect="write")
    def sign(self) -> str:
        """Sign the sheet."""
        return "signed"

    def verify(self, submission: Submission) -> Verification:
        return Verification(True, "correct")


def test_only_the_named_tools_are_offered_in_their_order() -> None:
    world = Bench(posed({"material": "a sheet"}, {}), Place())
    assert list(world.tools) == ["sign", "show_material"]
    assert world.show_material() == "a sheet"


def test_where_the_state_is_judged_no_answer_is_right() -> None:
    assert JudgedByState().answer(posed({}, {"answer": 7})) is None
