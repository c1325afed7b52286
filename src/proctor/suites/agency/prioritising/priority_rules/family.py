"""The family `priority-rules` (G2-2): several priority rules applied together to one queue.

Always: an order of kinds, two exceptions with a rule for where both apply, a permission that is missing, two tie-breaks
and a time limit; the whole list must be right, in order.
"""

from __future__ import annotations

from msgspec import to_builtins

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.prioritising.board import Board, Column, Group, legend
from proctor.suites.agency.prioritising.board_text import shown_board
from proctor.suites.agency.prioritising.choice_family import SHAPE, ChoosingFamily
from proctor.suites.agency.prioritising.forms import TEMPLATES
from proctor.suites.agency.prioritising.priority_rules import texts
from proctor.suites.agency.prioritising.priority_rules.queue import Queue, queue, taken
from proctor.suites.agency.prioritising.priority_rules.world import REASONS, QueueWorld
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of

_BUDGET = Budget(actions=50)
_READINGS = 3
"""Calls for each passage: nothing is garbled under the regimes of this family."""
_COLUMNS = (
    Column("kind", "is of kind {}", "its kind"),
    Column("minutes", "takes {} minutes", "minutes it takes"),
    Column("days", "has waited {} days", "days it has waited"),
    Column("mark", "has the mark {}", "how it is marked; none means not at all"),
)
_LEGEND = legend(_COLUMNS)


class PriorityRulesFamily(ChoosingFamily):
    """Queues in eight offices."""

    world_class = QueueWorld
    spec = FamilySpec(
        id="priority-rules",
        title="A queue and its rules",
        description="More waits than can be dealt with; ordered rules, exceptions and tie-breaks say what is taken.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        evidences=("G2-2",),
        criterion="The list has what the rules prescribe, all of it and nothing else, in the prescribed order.",
        verification="The codes are read in any clear form and compared, in order, with what the rules give.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={"requests": Knob(default=8, values=(6, 8, 12, 16), description="How many wait.")},
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        dice = Dice(draw.stream)
        size = draw.knobs.get("requests", 8)
        template = dice.choice(TEMPLATES)
        drawn = queue(dice, size)
        board = Board(drawn.office.title, _COLUMNS, (Group("", 0, drawn.records),))
        shown = shown_board(board, template, dice)
        answer = taken(drawn.requests, drawn.rules)
        return make_instance(
            shown,
            template=template,
            goal=_goal(drawn, dice),
            answer_format=texts.ANSWER_FORMAT,
            hidden={
                "answer": answer,
                "requests": [to_builtins(request) for request in drawn.requests],
                "rules": to_builtins(drawn.rules),
            },
            knobs={"requests": size},
            budget=_BUDGET,
            strict_actions=_READINGS * shown.needed + 2,
        )


def _goal(drawn: Queue, dice: Dice) -> str:
    rules, office = drawn.rules, drawn.office
    one, two, three = drawn.kinds
    words = {
        "one": one,
        "two": two,
        "three": three,
        "request": office.request,
        "title": office.title,
        "setback": office.setback,
        "forbidden": office.forbidden,
        "days": rules.aged,
        "limit": rules.limit,
        "winner": texts.WINNERS[rules.wait_wins],
    }
    pairs = (texts.ORDER, texts.AGED, texts.SETBACK, texts.CLASH, texts.FORBIDDEN)
    lines = [dice.choice(pair) for pair in pairs]
    lines += [texts.TIES[rules.tie], texts.LAST_TIE, texts.FILLS[rules.fill]]
    listed = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    text = f"{dice.choice(texts.OPENINGS)}\n{listed}".format(**words)
    return text + texts.NOTE.format(request=office.request, legend=_LEGEND)


family = PriorityRulesFamily()
