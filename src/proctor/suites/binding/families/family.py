"""A topic as a family: the instance's number fixes what is called for, its own stream everything else."""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.ontology import FOUR_CODES
from proctor.spec.task import Instance
from proctor.suites.binding.corpora.family import ANSWER_FORMAT, GOAL, LABELS
from proctor.suites.binding.families.event import Place as Called
from proctor.suites.binding.families.event import build, place_of
from proctor.suites.binding.families.topic import Topic
from proctor.suites.binding.single_question import SingleQuestionFamily
from proctor.worlds.choice import OBSERVATION_SCHEMA, REASONS, actions_shown, answer_schema

DECLARED, IMPLIED = "declared", "implied"
FIELD = Knob(
    default=IMPLIED,
    values=(DECLARED, IMPLIED),
    description="Whether the decisive field names the code it calls for (`declared`, for the sufficiency experiment "
    "alone) or says what follows without naming it.",
)
GRANULARITY = "case"


class FourCodeFamily(SingleQuestionFamily):
    """One of the twenty families."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.spec = FamilySpec(
            id=topic.family,
            title=topic.title,
            description=f"{topic.about[0].upper()}{topic.about[1:]}. The field `{topic.field}` decides between two "
            f"options and {' or '.join(topic.thirds)}.",
            environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
            criterion="The canonical action code is the one that the decisive field calls for.",
            verification="What was handed in is brought to one code or to none, and compared with the target that was "
            "fixed before any text was made.",
            reasons=REASONS,
            templates=tuple(_template(number) for number in range(len(topic.templates))),
            knobs={"labels": LABELS, "field": FIELD},
            observation_schema=OBSERVATION_SCHEMA,
            answer_schema=answer_schema(FOUR_CODES),
        )

    def instance(self, draw: Draw) -> Instance:
        called = place_of(self.topic, draw.index, draw.source)
        if draw.knobs.get("labels", "balanced") != "balanced":
            called = Called(called.call, swapped=False)
        built = build(self.topic, called, draw.stream, declared=draw.knobs.get("field", IMPLIED) == DECLARED)
        return Instance(
            template=_template(built.template),
            goal=GOAL,
            answer_format=ANSWER_FORMAT,
            observation={
                "event_id": built.event,
                "dataset": self.topic.name,
                "granularity": GRANULARITY,
                "ontology": FOUR_CODES.name,
                "actions": actions_shown(FOUR_CODES, built.options),
            },
            hidden=built.hidden,
            state=built.state,
            knobs=dict(draw.knobs),
        )


def _template(number: int) -> str:
    return f"form-{number + 1}"
