"""The family `reordered-priorities` (G2-4): a choice that must not depend on how priorities are worded and ordered.

Always: both halves of a pair come from the same hidden problem and have the same right answer; they differ in the way
the priorities are said, in the order of the statements, in the names of the goals and in the order of the options.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.prioritising.board import legend
from proctor.suites.agency.prioritising.board_text import shown_board
from proctor.suites.agency.prioritising.choice_family import CONTEST_REASONS, SHAPE, ChoosingFamily
from proctor.suites.agency.prioritising.contests import RIVALS, contest
from proctor.suites.agency.prioritising.forms import TEMPLATES
from proctor.suites.agency.prioritising.reordered_priorities.charters import MANNERS
from proctor.suites.agency.prioritising.reordered_priorities.texts import ANSWER_FORMAT, GOALS, NOTE
from proctor.suites.agency.prioritising.scenes import board_of, docket
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of

_BUDGET = Budget(actions=200)


class ReorderedPrioritiesFamily(ChoosingFamily):
    """Pairs of choices between options with three goals."""

    spec = FamilySpec(
        id="reordered-priorities",
        title="The same priorities in other words",
        description="Choices under declared priorities; the halves of a pair state the same priorities differently.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        evidences=("G2-4",),
        criterion="Every choice is the option that the priorities prescribe; in a pair, in both halves.",
        verification="The codes are read in any clear form and compared with those that follow from the priorities.",
        reasons=CONTEST_REASONS,
        templates=TEMPLATES,
        knobs={
            "goals": Knob(default=3, values=(2, 3, 4), description="Goals that are ranked."),
            "choices": Knob(default=3, values=(2, 3, 4), description="Independent trade-offs."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        knobs = draw.knobs
        goals, choices = knobs.get("goals", 3), knobs.get("choices", 3)
        # The stream is the same for both halves: all that they share is drawn from it, in this order.
        dice = Dice(draw.stream)
        template = dice.choice(TEMPLATES)
        drawn = docket(dice, tuple(contest(dice, goals, RIVALS) for _ in range(choices)))
        manners, wordings, shift = dice.shuffled(MANNERS), dice.shuffled(GOALS), dice.below(3)
        own = Dice(draw.stream.child("half", draw.part))
        phrases = [aim.phrases[(shift + draw.part) % len(aim.phrases)] for aim in drawn.aims]
        charter = "\n".join(manners[draw.part % len(manners)](phrases, own))
        goal = wordings[draw.part % len(wordings)].format(
            charter=charter, option=drawn.scene.option, occasions=", ".join(drawn.occasions)
        )
        shown = shown_board(board_of(drawn, own), template, own)
        return make_instance(
            shown,
            template=template,
            goal=goal + NOTE.format(unit=drawn.scene.unit, legend=legend(drawn.shown_columns)),
            answer_format=ANSWER_FORMAT,
            hidden={"answer": drawn.answer, "traps": drawn.traps},
            knobs={"goals": goals, "choices": choices},
            budget=_BUDGET,
            strict_actions=shown.readings + 2,
        )


family = ReorderedPrioritiesFamily()
