"""A pydantic-ai agent: it gets the tools of each task, and its calls go through the session.

    uv venv agent-env
    uv pip install --python agent-env "pydantic-ai-slim[openai]"
    proctor run hello --agent python:examples/pydantic_ai_agent.py:Examined,python=agent-env

It needs the network and OPENAI_API_KEY, both declared in proctor.yaml; OPENAI_BASE_URL leads to any server that speaks
the same protocol.
"""

import json
from typing import Any

from pydantic_ai import Agent, Tool
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.usage import UsageLimits

from proctor import LimitReached, Session, Submission, TaskView

MODEL = "gpt-4.1-mini"


class Examined:
    def __init__(self) -> None:
        self.model = OpenAIChatModel(MODEL)

    async def run(self, task: TaskView, session: Session) -> Submission:
        agent = Agent(self.model, tools=[tool_for(spec, session) for spec in task.tools])
        shown = json.dumps([observation.fields for observation in session.observations], ensure_ascii=False)
        prompt = f"{task.goal}\n\nWhat you see: {shown}\n\nFinish with nothing but the answer: {task.answer_format}"
        # How often it may act is the bench's to say: `session.call` raises LimitReached.
        result = await agent.run(prompt, usage_limits=UsageLimits(request_limit=None))
        session.spend(tokens=result.usage.total_tokens)
        return Submission(result.output)


def tool_for(spec: Any, session: Session) -> Tool[None]:
    async def call(**arguments: Any) -> Any:
        try:
            result = await session.call(spec.name, **arguments)
        except LimitReached as limit:
            return f"{limit}: answer now"
        return result.value if result.ok else f"error: {result.error}"

    return Tool.from_schema(call, spec.name, spec.description, spec.parameters)
