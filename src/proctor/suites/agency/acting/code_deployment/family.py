"""The family `code-deployment` (B.5.3, E3): change a service, commit, keep a way back and deploy, in ten operations.

Always: seven operations are enough, what the code has to calculate is stated in full, and the verdict is that of a
pristine CI which runs what is in production on inputs that nobody was shown.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.acting.code_deployment.releases import Release, inputs, release
from proctor.suites.agency.acting.code_deployment.tariff import charge, source
from proctor.suites.agency.acting.code_deployment.texts import (
    ANSWER_FORMAT,
    CHANGES,
    GOALS,
    OWN_CI,
    README,
    SERVICES,
    STEPS,
)
from proctor.suites.agency.acting.code_deployment.world import REASONS, DeploymentWorld
from proctor.suites.agency.acting.forms import CORRECTIONS, TEMPLATES, Fact, Part, compose, corrected, facts_of, head
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.text_world import MATERIAL_AND_FILES_SCHEMA
from proctor.suites.kit.words import long_date
from proctor.worlds.world import Place

OPERATIONS = 10
NECESSARY = 7
"""Read the module, write it and VERSION, append to CHANGES.md, make the branch, commit, deploy."""


class CodeDeploymentFamily(JudgedByState):
    """Releases of small services."""

    spec = FamilySpec(
        id="code-deployment",
        title="A release deployed within ten operations",
        description="A tariff service is changed, versioned, committed and deployed; a rollback branch is kept.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("E3",),
        criterion="The tree in production has the right prices, version and change log, nothing else changed, and the "
        "commit that was in production before can be gone back to.",
        verification="The deployed commit's files are read from git; a CI outside the repository runs the module on "
        "hidden inputs in a fresh sandbox and the prices are compared outside it.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={"changes": Knob(default=3, values=(1, 3, 7), description="Changes of the tariff in the release.")},
        observation_schema=MATERIAL_AND_FILES_SCHEMA,
        answer_schema={"type": "string"},
        requires=("git", "bubblewrap"),
        artifacts=True,
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        count = draw.knobs.get("changes", 3)
        template = stream.choice(TEMPLATES)
        thing, name, units = stream.choice(SERVICES)
        made = release(stream, count)
        parts = _parts(stream, made)
        about = head(stream, f"the service {name}", f"C-{stream.integer(100, 999)}", made.when)
        files = {
            "README.md": README.format(name=name, thing=thing),
            "VERSION": f"{made.was}\n",
            "CHANGES.md": CHANGES.format(was=made.was),
            "ci.sh": OWN_CI.format(name=name),
            f"{name}/tariff.py": source(made.old, thing),
        }
        tested = inputs(stream, made.new)
        goal = stream.choice(GOALS).format(version=made.version, name=name, thing=thing, units=units)
        return Instance(
            template=template,
            goal=goal + STEPS.format(was=made.was, name=name, correct=CORRECTIONS),
            answer_format=ANSWER_FORMAT,
            observation={
                "material": compose(template, about, parts, stream),
                "files": [f"/task/{path}" for path in sorted(files)],
            },
            hidden={
                "files": files,
                "version": made.version,
                "line": f"{made.version} ({made.when.isoformat()}): {made.ticket}",
                "module": f"{name}/tariff.py",
                "way_back": f"rollback-{made.was}",
                "solution": source(made.new, thing),
                "inputs": tested,
                "prices": [charge(made.new, *pair) for pair in tested],
                "facts": facts_of(parts),
            },
            knobs={"changes": count},
            budget=Budget(actions=OPERATIONS),
            strict_actions=OPERATIONS,
        )

    def world(self, instance: Instance, place: Place) -> DeploymentWorld:
        return DeploymentWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every necessary operation is repeated until it is carried out; spare ones go into reading again."""
        policy = Policy(instance, deliveries)
        lines = sum(map(len, instance.hidden["facts"].values()))
        try:
            known = policy.settle(lines, keep=NECESSARY + 1)
            policy.call(times=1)
            policy.call("write", times=NECESSARY - 1)
        except OutOfCalls:
            return False
        return known


def _parts(stream: Stream, made: Release) -> list[Part]:
    whole = Part(
        f"release {made.version}",
        (Fact("day of the release", long_date(made.when)), Fact("ticket", made.ticket)),
    )
    changes = Part("the new tariff", made.facts)
    numbers = [fact for fact in made.facts if fact.value.isdigit()]
    earlier = {("the new tariff", fact.label): str(int(fact.value) + stream.integer(1, 12)) for fact in numbers}
    earlier[(whole.name, "ticket")] = f"T{stream.integer(1000, 9999)}"
    chosen = stream.sample(tuple(earlier), 2)
    return corrected([whole, changes], {index: earlier[index] for index in chosen})


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    hidden = instance.hidden
    module = f"/task/{hidden['module']}"
    # Knows the module already: it is the one who does not have to read it first.
    await call_with_retry(session, "write_file", path=module, text=hidden["solution"])
    await call_with_retry(session, "write_file", path="/task/VERSION", text=f"{hidden['version']}\n")
    await call_with_retry(session, "append_file", path="/task/CHANGES.md", text=f"{hidden['line']}\n")
    await call_with_retry(session, "git_branch", name=hidden["way_back"])
    await call_with_retry(session, "git_commit", message=f"Release {hidden['version']}")
    await call_with_retry(session, "deploy")
    return Submission("done", confidence=1.0)


family = CodeDeploymentFamily()
