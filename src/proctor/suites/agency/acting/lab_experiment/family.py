"""The family `lab-experiment` (B.5.5, E5): five actions, ten minutes, equipment that works seven times in ten.

Always: two calls that are carried out are enough, everything needed to decide them is in goal and material, a run uses
the sample up, and the laboratory's own records are judged.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from msgspec import to_builtins

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.acting.forms import CORRECTIONS, TEMPLATES, Fact, Part, compose, corrected, facts_of, head
from proctor.suites.agency.acting.lab_experiment.bench import Bench, Instrument, bench
from proctor.suites.agency.acting.lab_experiment.texts import ANSWER_FORMAT, GOALS, METHODS, RULES, Method
from proctor.suites.agency.acting.lab_experiment.world import (
    FILE_MILLISECONDS,
    MEASURE_MILLISECONDS,
    REASONS,
    LaboratoryWorld,
)
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.text_world import MATERIAL_SCHEMA
from proctor.suites.kit.words import long_date
from proctor.worlds.world import Place

ACTIONS = 5
NECESSARY = 2
_FACTS_OF_INSTRUMENT = 2


class LabExperimentFamily(JudgedByState):
    """Samples on a bench."""

    spec = FamilySpec(
        id="lab-experiment",
        title="A measurement in five actions",
        description="Choose instrument, dilution, setting and time by a protocol, measure once, file the result.",
        environment=EnvironmentClass(kind=EnvironmentKind.STOCHASTIC),
        evidences=("E5",),
        criterion="The laboratory's records hold one run with the right arguments and the right result for it.",
        verification="The tables that instruments and filing write are read from the real database and compared.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={"instruments": Knob(default=4, values=(2, 4, 8), description="Instruments to choose from.")},
        observation_schema=MATERIAL_SCHEMA,
        answer_schema={"type": "string"},
        artifacts=True,
        ceiling=0.93,
        # Two successes in five tries at 70 % come in 96.9 % of episodes: a sample of 30 may well show 0.93.
        oracle_floor=0.90,
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        count = draw.knobs.get("instruments", 4)
        template, method = stream.choice(TEMPLATES), stream.choice(METHODS)
        made = bench(stream, method, count)
        parts = _parts(stream, method, made)
        about = head(stream, method.title, f"L-{stream.integer(100, 999)}", made.sample.when - timedelta(days=1))
        goal = stream.choice(GOALS).format(title=method.title, sample=f"sample {made.sample.name}")
        return Instance(
            template=template,
            goal=goal + RULES.format(setting=method.setting, correct=CORRECTIONS),
            answer_format=ANSWER_FORMAT,
            observation={"material": compose(template, about, parts, stream)},
            hidden={
                "run": made.run,
                "value": made.value,
                "content": made.sample.content,
                "cards": {item.name: _card(item) for item in made.instruments},
                "facts": facts_of(parts),
            },
            knobs={"instruments": count},
            budget=Budget(actions=ACTIONS),
            strict_actions=ACTIONS,
        )

    def world(self, instance: Instance, place: Place) -> LaboratoryWorld:
        return LaboratoryWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Two calls, repeated until they are carried out.

        Of what is read, the facts are counted that say whether an instrument may be used; the family's regime has no
        noise, so that they tell how difficulty grows and not what is attainable.
        """
        fields = _FACTS_OF_INSTRUMENT * instance.knobs["instruments"]
        takes = (MEASURE_MILLISECONDS, FILE_MILLISECONDS)
        return Policy(instance, deliveries).settle_then_write(fields, NECESSARY, keep=NECESSARY + 1, milliseconds=takes)


def _card(item: Instrument) -> dict[str, Any]:
    card: dict[str, Any] = to_builtins(item)
    return {name: card[name] for name in ("limit", "blank", "slope")}


def _parts(stream: Stream, method: Method, made: Bench) -> list[Part]:
    sample = made.sample
    name = f"sample {sample.name}"
    parts = [
        Part(
            name,
            (
                Fact("analyte", sample.analyte),
                Fact("matrix", sample.matrix),
                Fact("lowest expected content in mg/L", str(sample.low)),
                Fact("highest expected content in mg/L", str(sample.high)),
                Fact("volume in mL", str(sample.volume)),
                Fact("day of the run", long_date(sample.when)),
            ),
        )
    ]
    for item in made.instruments:
        facts = (
            Fact("range limit in mg/L", str(item.limit)),
            Fact("needed volume in mL", str(item.volume)),
            Fact("last valid day of the calibration", long_date(item.valid)),
            Fact("blank in counts", str(item.blank)),
            Fact("slope in counts per mg/L", str(item.slope)),
        )
        parts.append(Part(f"{method.instrument} {item.name}", facts))
    rows = [Fact(f"{method.setting} for {one} in {two}", str(value)) for one, two, value in made.settings]
    parts.append(Part("the method sheet", tuple(rows)))
    right = f"{method.instrument} {made.run['instrument']}"
    earlier = {
        (name, "matrix"): stream.choice([two for _, two, _ in made.settings]),
        (name, "highest expected content in mg/L"): str(sample.high + stream.integer(100, 900)),
        (right, "last valid day of the calibration"): long_date(sample.when - timedelta(days=stream.integer(1, 30))),
        (right, "blank in counts"): str(stream.integer(91, 140)),
        (right, "slope in counts per mg/L"): str(stream.integer(10, 29)),
    }
    chosen = stream.sample(tuple(earlier), 2)
    return corrected(parts, {index: earlier[index] for index in chosen})


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await call_with_retry(session, "measure", **instance.hidden["run"])
    await call_with_retry(session, "file_result", run=1, micrograms_per_litre=instance.hidden["value"])
    return Submission("done", confidence=1.0)


family = LabExperimentFamily()
