"""From a board to an instance: the text with its passages, and the calls that a careful reader needs.

`within_reach` is the arithmetic behind `attainable` of all families here: the lines that carry values have to come back
right by reading them again, and the calls that act have to be left over.
"""

from __future__ import annotations

import msgspec

from proctor.engine.family import Deliveries
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.prioritising.board import Board
from proctor.suites.agency.prioritising.forms import FORMS
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.rereading import restores
from proctor.suites.kit.sheet import ShownSheet, show


def shown_board(board: Board, template: str, dice: Dice) -> ShownSheet:
    """The board in one of the forms."""
    return show(FORMS[template](board, dice))


def within_reach(instance: Instance, deliveries: Deliveries, writes: int = 0) -> bool:
    """Whether so many writing calls can be made, and with the calls that are left every fact be restored."""
    policy = Policy(instance, deliveries)
    try:
        policy.call("write", times=writes)
    except OutOfCalls:
        return False
    return restores(msgspec.structs.replace(instance, budget=Budget(actions=policy.calls)), deliveries)
