"""An agent of the OpenAI Agents SDK: it gets the tools of each task, and its calls go through the session.

    uv venv agent-env
    uv pip install --python agent-env openai-agents
    proctor run hello --agent python:examples/openai_agents_agent.py:Examined,python=agent-env

It needs the network and OPENAI_API_KEY, both declared in proctor.yaml; OPENAI_BASE_URL leads to any server that speaks
the same protocol.
"""

import json
from typing import Any

from agents import Agent, FunctionTool, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.tool_context import ToolContext
from openai import AsyncOpenAI

from proctor import LimitReached, Session, Submission, TaskView

MODEL = "gpt-4.1-mini"

# Otherwise every run is uploaded, with the tasks in it.
set_tracing_disabled(True)


class Examined:
    def __init__(self) -> None:
        self.model = OpenAIChatCompletionsModel(MODEL, AsyncOpenAI())

    async def run(self, task: TaskView, session: Session) -> Submission:
        agent = Agent("Examined", model=self.model, tools=[tool_for(spec, session) for spec in task.tools])
        shown = json.dumps([observation.fields for observation in session.observations], ensure_ascii=False)
        prompt = f"{task.goal}\n\nWhat you see: {shown}\n\nFinish with nothing but the answer: {task.answer_format}"
        # How often it may act is the bench's to say: `session.call` raises LimitReached.
        result = await Runner.run(agent, prompt, max_turns=None)
        session.spend(tokens=result.context_wrapper.usage.total_tokens)
        return Submission(result.final_output)


def tool_for(spec: Any, session: Session) -> FunctionTool:
    async def call(context: ToolContext[Any], arguments: str) -> Any:
        try:
            result = await session.call(spec.name, **json.loads(arguments or "{}"))
        except LimitReached as limit:
            return f"{limit}: answer now"
        return result.value if result.ok else f"error: {result.error}"

    return FunctionTool(spec.name, spec.description, spec.parameters, call, strict_json_schema=False)
