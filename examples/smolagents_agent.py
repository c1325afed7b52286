"""A smolagents agent: it gets the tools of each task, and its calls go through the session.

    uv venv agent-env
    uv pip install --python agent-env "smolagents[openai]"
    proctor run hello --agent python:examples/smolagents_agent.py:Examined,python=agent-env

It needs the network and OPENAI_API_KEY, both declared in proctor.yaml; OPENAI_BASE_URL leads to any server that speaks
the same protocol.
"""

import json
from typing import Any

from smolagents import LogLevel, OpenAIModel, Tool, ToolCallingAgent

from proctor import LimitReached, Submission, TaskView

MODEL = "gpt-4.1-mini"


class Examined:
    def __init__(self) -> None:
        self.model = OpenAIModel(MODEL)

    # Not `async`: the session's `call` then waits for its result, as smolagents does for its tools.
    def run(self, task: TaskView, session: Any) -> Submission:
        tools = [tool_for(spec, session) for spec in task.tools]
        # Every reply is a step here, also one that calls no tool: some more than the actions that the task allows.
        steps = (task.budget.actions or 100) + 20
        agent = ToolCallingAgent(tools, self.model, max_steps=steps, verbosity_level=LogLevel.OFF)
        shown = json.dumps([observation.fields for observation in session.observations], ensure_ascii=False)
        prompt = f"{task.goal}\n\nWhat you see: {shown}\n\nFinish with nothing but the answer: {task.answer_format}"
        result = agent.run(prompt, return_full_result=True)
        session.spend(tokens=result.token_usage.total_tokens if result.token_usage else 0)
        return Submission(result.output)


def tool_for(spec: Any, session: Any) -> Tool:
    required = spec.parameters.get("required", ())
    taken = {
        name: {"type": "any", "description": "", "nullable": name not in required, **schema}
        for name, schema in spec.parameters.get("properties", {}).items()
    }

    class TaskTool(Tool):
        name = spec.name
        description = spec.description
        inputs = taken
        output_type = "any"
        skip_forward_signature_validation = True

        def forward(self, **arguments: Any) -> Any:
            try:
                result = session.call(spec.name, **arguments)
            except LimitReached as limit:
                return f"{limit}: answer now"
            return result.value if result.ok else f"error: {result.error}"

    return TaskTool()
