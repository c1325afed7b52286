"""The family `ticket-routing` (B.2.2, S2): infer what a ticket leaves unsaid.

Always: the ticket names neither its category nor, as such, the article or the person it means; each follows from the
text alone; every asked value has a rival of its kind there; all three must be right.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.sensing.ticket_routing.forms import FORMS
from proctor.suites.agency.sensing.ticket_routing.texts import ANSWER_FORMAT, FIELDS, GOALS, GUIDE, NOTE
from proctor.suites.agency.sensing.ticket_routing.tickets import ticket
from proctor.suites.agency.sensing.ticket_routing.world import REASONS, SHAPE, TicketWorld
from proctor.suites.kit.families import ReportingFamily
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_GOALS = tuple(goal.format(fields="\n- ".join(FIELDS)) + NOTE.format(guide="\n- ".join(GUIDE)) for goal in GOALS)
_BUDGET = Budget(actions=80)
_ARTICLES = 3


class TicketRoutingFamily(ReportingFamily):
    """Tickets in eight forms."""

    spec = FamilySpec(
        id="ticket-routing",
        title="Ticket routing",
        description="Customer tickets without a category; category, article and contact follow from the text.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        evidences=("S2", "R"),
        criterion="Category, article and contact all equal those that follow from the ticket.",
        verification="The answer is read in any clear form and compared exactly with the values fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "decoys": Knob(
                default=1,
                values=(0, 1, 2, 3),
                description="Lines about matters of other categories that were settled long ago.",
            ),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        decoys = draw.knobs.get("decoys", 1)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(_GOALS)
        drawn = ticket(stream, decoys, _ARTICLES)
        answer = {"category": drawn.category, "article": drawn.article.code, "contact": drawn.contact.full}
        shown = show(FORMS[template](drawn, stream))
        return make_instance(
            shown,
            template=template,
            goal=goal,
            answer_format=ANSWER_FORMAT,
            hidden={"answer": answer},
            knobs={"decoys": decoys},
            budget=_BUDGET,
            strict_actions=shown.readings + 2,
        )

    def world(self, instance: Instance, place: Place) -> TicketWorld:
        return TicketWorld(instance, place)


family = TicketRoutingFamily()
