"""The family `pipeline`: fetch, transform, upload, with tools that fail now and then, and store each page once.

Always: every page can be brought over, an upload repeated with its key is stored once, and a checksum tells a clean
reading from an altered one. Only what the archive holds in the end is judged.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.hello.pipeline.texts import ANSWER_FORMAT, BATCHES, GOALS, STEPS
from proctor.suites.hello.pipeline.world import REASONS, PipelineWorld, converted_items
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.world import Place

_TEMPLATES = tuple(GOALS)
_CALLS_PER_PAGE = 30
_HICCUPS = ("fetch", "upload", "lost")


class PipelineFamily(JudgedByState):
    """Pages of a source on their way into an archive."""

    spec = FamilySpec(
        id="pipeline",
        title="Pages through a flaky pipeline",
        description="Fetch pages, convert them, upload each exactly once; busy servers and lost answers on the way.",
        environment=EnvironmentClass(kind=EnvironmentKind.STOCHASTIC),
        criterion="The archive holds each wanted page once, under its key, with the converted items, and nothing else.",
        verification="The archive, in the state of the world, is compared with what it should hold; not the answer.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "pages": Knob(default=4, values=(3, 4, 6, 8), description="Pages of the source."),
            "hiccups": Knob(default=2, values=(0, 1, 2, 3), description="Calls that are answered with an error once."),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "pages": {"type": "array", "items": {"type": "integer"}},
                "first_page": {"type": "integer"},
                "steps": {"type": "array", "items": {"type": "string"}},
                "key": {"type": "string"},
            },
            "required": ["steps", "key"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        count, hiccups = knobs.get("pages", 4), knobs.get("hiccups", 2)
        template = stream.choice(_TEMPLATES)
        numbers = stream.sample(range(11, 100), count)
        factor, offset = stream.integer(2, 9), stream.integer(1, 20)
        source = _source(stream, template, numbers)
        batch = f"{stream.choice(BATCHES)}-{stream.integer(100, 999)}"
        wanted = [page for page in source if page.get("status", "ready") == "ready"]
        listed = ", ".join(map(str, numbers[:-1])) + f" and {numbers[-1]}"
        goal = stream.choice(GOALS[template]).format(pages=listed, first=numbers[0])
        shown: dict[str, Any] = {"first_page": numbers[0]} if template == "linked" else {"pages": numbers}
        return Instance(
            template=template,
            goal=goal + STEPS.format(key=f"{batch}-PAGE"),
            answer_format=ANSWER_FORMAT,
            observation={**shown, "steps": ["fetch", "transform", "upload"], "key": f"{batch}-PAGE"},
            hidden={
                "source": source,
                "factor": factor,
                "offset": offset,
                "hiccups": _hiccups(stream, [page["page"] for page in wanted], hiccups),
                "wanted": [
                    {
                        "page": page["page"],
                        "key": f"{batch}-{page['page']}",
                        "items": converted_items(page["items"], factor, offset),
                    }
                    for page in wanted
                ],
            },
            knobs={"pages": count, "hiccups": hiccups},
            budget=Budget(actions=_CALLS_PER_PAGE * count),
            strict_actions=3 * count + hiccups + 2,
        )

    def world(self, instance: Instance, place: Place) -> PipelineWorld:
        return PipelineWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Each page is fetched and transformed until the checksum fits, then uploaded."""
        policy = Policy(instance, deliveries)
        try:
            policy.call(times=len(instance.hidden["hiccups"]))
            for page in instance.hidden["source"]:
                # What counts on a page are its items and checksum, and whether or where to go on.
                policy.clean(len(page["items"]) + 2)
            for page in instance.hidden["wanted"]:
                policy.clean(len(page["items"]) + 1)
                policy.call("write")
        except OutOfCalls:
            return False
        return True


def _source(stream: Stream, template: str, numbers: list[int]) -> list[dict[str, Any]]:
    source: list[dict[str, Any]] = []
    drafts = set(stream.sample(numbers, len(numbers) // 3)) if template == "ready" else set()
    for index, number in enumerate(numbers):
        items = [stream.integer(10, 999) for _ in range(stream.integer(2, 4))]
        page: dict[str, Any] = {"page": number, "items": items, "checksum": sum(items)}
        if template == "linked":
            page["next"] = numbers[index + 1] if index + 1 < len(numbers) else 0
        if template == "ready":
            page["status"] = "draft" if number in drafts else "ready"
        source.append(page)
    return source


def _hiccups(stream: Stream, pages: list[int], count: int) -> list[list[Any]]:
    """Which tool answers with an error for which page; no page meets the same one twice."""
    kinds = [[kind, page] for page in pages for kind in _HICCUPS]
    return stream.sample(kinds, count)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Goes through all three tools for every wanted page, and repeats what fails."""
    source = {page["page"]: page for page in instance.hidden["source"]}
    for wanted in instance.hidden["wanted"]:
        page, items = wanted["page"], wanted["items"]
        await call_with_retry(session, "fetch", page=page)
        await call_with_retry(session, "transform", items=source[page]["items"])
        await call_with_retry(session, "upload", key=wanted["key"], page=page, items=items)
    return Submission("done", confidence=1.0)


family = PipelineFamily()
