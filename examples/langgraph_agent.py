"""A LangGraph agent: it gets the tools of each task, and its calls go through the session.

    uv venv agent-env
    uv pip install --python agent-env langgraph langchain-openai
    proctor run hello --agent python:examples/langgraph_agent.py:Examined,python=agent-env

It needs the network and OPENAI_API_KEY, both declared in proctor.yaml; OPENAI_BASE_URL leads to any server that speaks
the same protocol.
"""

import json
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, StructuredTool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from proctor import LimitReached, Session, Submission, TaskView

MODEL = "gpt-4.1-mini"


class Examined:
    def __init__(self) -> None:
        self.model = ChatOpenAI(model=MODEL)

    async def run(self, task: TaskView, session: Session) -> Submission:
        graph = graph_for(self.model, [tool_for(spec, session) for spec in task.tools])
        shown = json.dumps([observation.fields for observation in session.observations], ensure_ascii=False)
        prompt = f"{task.goal}\n\nWhat you see: {shown}\n\nFinish with nothing but the answer: {task.answer_format}"
        # How often it may act is the bench's to say: `session.call` raises LimitReached.
        result = await graph.ainvoke({"messages": [("user", prompt)]}, {"recursion_limit": 1_000_000})
        said = [message for message in result["messages"] if isinstance(message, AIMessage)]
        session.spend(tokens=sum(one.usage_metadata["total_tokens"] for one in said if one.usage_metadata))
        return Submission(said[-1].text)


def graph_for(model: ChatOpenAI, tools: list[BaseTool]) -> Any:
    asked = model.bind_tools(tools) if tools else model

    async def ask(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await asked.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", ask)
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


def tool_for(spec: Any, session: Session) -> BaseTool:
    async def call(**arguments: Any) -> Any:
        try:
            result = await session.call(spec.name, **arguments)
        except LimitReached as limit:
            return f"{limit}: answer now"
        return result.value if result.ok else f"error: {result.error}"

    return StructuredTool(
        name=spec.name, description=spec.description, args_schema=spec.parameters, coroutine=call, func=None
    )
