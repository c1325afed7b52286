"""The family `email-triage` (B.2.1, S1): report sender, subject, priority and time of a mail from its header.

Always: each field stands verbatim in the text, each has at least one rival of its kind there, and all four must be
right.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.sensing.email_triage.layouts import LAYOUTS
from proctor.suites.agency.sensing.email_triage.mails import mail, rivals
from proctor.suites.agency.sensing.email_triage.texts import ANSWER_FORMAT, FIELDS, GOALS, NOTE, RIVALS
from proctor.suites.agency.sensing.email_triage.world import REASONS, SHAPE, MailWorld
from proctor.suites.kit.families import ReportingFamily
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(LAYOUTS)
_LISTED = "\n- ".join(FIELDS)
_BUDGET = Budget(actions=60)


class EmailTriageFamily(ReportingFamily):
    """Mail headers in eight layouts."""

    spec = FamilySpec(
        id="email-triage",
        title="Email triage",
        description="Header fields of a mail as mail systems write them down: sender, subject, priority, time.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        evidences=("S1", "R"),
        criterion="All four reported header fields equal those of the mail.",
        verification="The answer is read in any clear form and compared exactly with the header fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "rivals": Knob(
                default=2,
                values=(0, 2, 4, 6),
                description="Further header fields of the asked kinds that are not what is asked for.",
            )
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        count = draw.knobs.get("rivals", 2)
        template = stream.choice(_TEMPLATES)
        sent = mail(stream)
        goal = stream.choice(GOALS)
        # A stream of its own: more rivals leave the mail itself as it is.
        other = stream.child("rivals")
        sheet = LAYOUTS[template](sent, stream, rivals(other, sent, other.sample(RIVALS, count)))
        answer = {
            "from": sent.address,
            "subject": sent.subject,
            "priority": sent.priority,
            "timestamp": sent.sent.iso,
        }
        shown = show(sheet)
        return make_instance(
            shown,
            template=template,
            goal=goal.format(id=sent.id, fields=_LISTED) + NOTE,
            answer_format=ANSWER_FORMAT,
            hidden={"answer": answer},
            knobs={"rivals": count},
            budget=_BUDGET,
            strict_actions=shown.readings + 2,
        )

    def world(self, instance: Instance, place: Place) -> MailWorld:
        return MailWorld(instance, place)


family = EmailTriageFamily()
