"""From a board to an instance: the text with its passages, and the calls that a careful reader needs.

`within_reach` is the arithmetic behind `attainable` of all families here: the lines that carry values have to come back
right by reading them again, and the calls that act have to be left over.
"""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.engine.family import Deliveries
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.prioritising.board import Board
from proctor.suites.agency.prioritising.forms import FORMS
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.rereading import restores
from proctor.suites.kit.sheet import needed_passages, passages

READINGS = 7
"""So many readings of a passage restore it under 40 % noise nearly always."""


class Material(msgspec.Struct, frozen=True):
    """A board as it is shown."""

    observation: dict[str, Any]
    facts: list[int]
    passages: int
    """How many passages carry values."""


def material(board: Board, template: str, dice: Dice) -> Material:
    """The board in one of the forms."""
    sheet = FORMS[template](board, dice)
    spans = passages(sheet.lines)
    return Material({"text": sheet.text, "passages": len(spans)}, sheet.facts, needed_passages(sheet, spans))


def within_reach(instance: Instance, deliveries: Deliveries, writes: int = 0) -> bool:
    """Whether so many writing calls can be made, and with the calls that are left every fact be restored."""
    policy = Policy(instance, deliveries)
    try:
        policy.call("write", times=writes)
    except OutOfCalls:
        return False
    return restores(msgspec.structs.replace(instance, budget=Budget(actions=policy.calls)), deliveries)
