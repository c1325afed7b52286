"""The family `two-goals` (G2-1): one explicit priority rule, several independent trade-offs.

Always: in every choice the option that serves the lesser goal best, the one that serves the greater goal best without
regard to the limit, and the one with the greatest sum are wrong; all choices must be right.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.prioritising.board import legend
from proctor.suites.agency.prioritising.board_text import shown_board
from proctor.suites.agency.prioritising.choice_family import CONTEST_REASONS, SHAPE, ChoosingFamily
from proctor.suites.agency.prioritising.contests import contest
from proctor.suites.agency.prioritising.forms import TEMPLATES
from proctor.suites.agency.prioritising.scenes import board_of, docket
from proctor.suites.agency.prioritising.two_goals.texts import ANSWER_FORMAT, NOTE, RULES
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of

_BUDGET = Budget(actions=240)


class TwoGoalsFamily(ChoosingFamily):
    """Choices between options, under a limit, with two goals."""

    spec = FamilySpec(
        id="two-goals",
        title="Two goals, one rule",
        description="Options with a cost and a value for each of two goals; one goal has priority, a limit binds.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        evidences=("G2-1",),
        criterion="Every choice is the option that the priority rule prescribes within the limit.",
        verification="The codes are read in any clear form and compared with those that follow from the rule.",
        reasons=CONTEST_REASONS,
        templates=TEMPLATES,
        knobs={
            "choices": Knob(default=4, values=(2, 3, 4, 6), description="Independent trade-offs."),
            "rivals": Knob(default=3, values=(2, 3, 4), description="Wrong options in each of them."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        dice, knobs = Dice(draw.stream), draw.knobs
        choices, rivals = knobs.get("choices", 4), knobs.get("rivals", 3)
        template = dice.choice(TEMPLATES)
        drawn = docket(dice, tuple(contest(dice, 2, rivals) for _ in range(choices)))
        first, second = (dice.choice(aim.phrases) for aim in drawn.aims)
        words = {
            "first": first,
            "second": second,
            "occasions": ", ".join(drawn.occasions),
            "option": drawn.scene.option,
        }
        rule = dice.choice(RULES).format(**words)
        shown = shown_board(board_of(drawn), template, dice)
        return make_instance(
            shown,
            template=template,
            goal=rule + NOTE.format(unit=drawn.scene.unit, legend=legend(drawn.shown_columns)),
            answer_format=ANSWER_FORMAT,
            hidden={"answer": drawn.answer, "traps": drawn.traps},
            knobs={"choices": choices, "rivals": rivals},
            budget=_BUDGET,
            strict_actions=shown.readings + 2,
        )


family = TwoGoalsFamily()
