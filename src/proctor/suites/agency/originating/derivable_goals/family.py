"""The family `derivable-goals` (G3-2): propose the goals that a specification implies and does not state.

Always: what follows is decided by the specification alone (a stated concern and a known fact); one goal is ordered and
one guild is ruled out though facts would call for something; about half of the guilds have nothing that follows. All
goals that follow, and no others, must stand proposed at the end.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.originating.derivable_goals.fairs import fair
from proctor.suites.agency.originating.derivable_goals.forms import FORMS
from proctor.suites.agency.originating.derivable_goals.texts import ANSWER_FORMAT, GOALS, KINDS, NOTE
from proctor.suites.agency.originating.derivable_goals.world import REASONS, ProposalWorld
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.pieces import OBSERVATION_SCHEMA, Pieces
from proctor.suites.kit.rereading import recovers
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.text_world import REREADING_HINT
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_KINDS = "\n".join(f"- {kind}: {meaning}" for kind, meaning in KINDS.items())
_GOALS = tuple(goal + NOTE.format(kinds=_KINDS) + REREADING_HINT for goal in GOALS)
_ACTIONS = 160
_READINGS = 7


class DerivableGoalsFamily(JudgedByState):
    """Fairs in eight forms."""

    spec = FamilySpec(
        id="derivable-goals",
        title="Derivable goals",
        description="A specification with concerns, an order and an exception; the goals it implies are proposed.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("G3-2",),
        criterion="The proposals at the end are exactly the goals that a stated concern and a known fact call for, "
        "without what is ordered already or ruled out.",
        verification="The world compares the proposals that stand with what follows from the facts of the instance.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={"guilds": Knob(default=6, values=(5, 6, 7, 8), description="Guilds of which something is known.")},
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(Text()),
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        count = draw.knobs.get("guilds", 6)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(_GOALS)
        drawn = fair(stream, count)
        pieces = Pieces.of(FORMS[template](drawn))
        return make_instance(
            pieces,
            template=template,
            goal=goal,
            answer_format=ANSWER_FORMAT,
            hidden={
                "goals": [list(item) for item in drawn.goals],
                "guilds": [guild.name for guild in drawn.guilds],
                "ordered": list(drawn.ordered),
                "excepted": drawn.excepted,
            },
            knobs={"guilds": count},
            budget=Budget(actions=_ACTIONS),
            strict_actions=_READINGS * pieces.needed + 2 * count,
        )

    def world(self, instance: Instance, place: Place) -> ProposalWorld:
        return ProposalWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every line has to be known; then the goals are proposed."""
        return recovers(instance, deliveries, writes=len(instance.hidden["goals"]))


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await call_with_retry(session, "reread")
    for kind, guild in instance.hidden["goals"]:
        await call_with_retry(session, "propose", kind=kind, guild=guild)
    return Submission("done", confidence=1.0)


family = DerivableGoalsFamily()
