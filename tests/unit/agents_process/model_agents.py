"""Agents with clients and frameworks of their own, as users write them; they run confined, never here."""

# They see what a process of their own sees of proctor, which has no types.
# mypy: ignore-errors

import json
import os

from proctor import Submission

NUMBER = {"type": "object", "properties": {"index": {"type": "integer"}}, "required": ["index"]}


class OpenAIChat:
    """The official client, chat completions."""

    stream = False

    async def run(self, task, session):
        from openai import AsyncOpenAI

        client = AsyncOpenAI()
        tools = [{"type": "function", "function": {"name": "number", "parameters": NUMBER}}]
        messages = [{"role": "user", "content": task.goal}]
        while True:
            if self.stream:
                async with client.chat.completions.stream(model="gpt-x", messages=messages, tools=tools) as stream:
                    message = (await stream.get_final_completion()).choices[0].message
            else:
                done = await client.chat.completions.create(model="gpt-x", messages=messages, tools=tools)
                message = done.choices[0].message
            if not message.tool_calls:
                return Submission(int(message.content))
            messages.append(message.model_dump(exclude_none=True, exclude={"parsed": True}))
            for call in message.tool_calls:
                result = await session.call(call.function.name, **json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": str(result.value)})


class OpenAIChatStreamed(OpenAIChat):
    stream = True


class Anthropic:
    """The official client, messages."""

    stream = False

    async def run(self, task, session):
        from anthropic import AsyncAnthropic

        client = AsyncAnthropic()
        ask = {"model": "claude-x", "max_tokens": 100, "tools": [{"name": "number", "input_schema": NUMBER}]}
        messages = [{"role": "user", "content": task.goal}]
        while True:
            if self.stream:
                async with client.messages.stream(messages=messages, **ask) as stream:
                    message = await stream.get_final_message()
            else:
                message = await client.messages.create(messages=messages, **ask)
            uses = [block for block in message.content if block.type == "tool_use"]
            if not uses:
                return Submission(int(message.content[0].text))
            messages.append(
                {"role": "assistant", "content": [one.model_dump(exclude_none=True) for one in message.content]}
            )
            results = [(use.id, (await session.call(use.name, **use.input)).value) for use in uses]
            blocks = [{"type": "tool_result", "tool_use_id": key, "content": str(value)} for key, value in results]
            messages.append({"role": "user", "content": blocks})


class AnthropicStreamed(Anthropic):
    stream = True


class PydanticAI:
    """pydantic-ai over chat completions."""

    model = "openai-chat:gpt-x"

    async def run(self, task, session):
        from pydantic_ai import Agent

        agent = Agent(self.model)

        @agent.tool_plain
        async def number(index: int) -> int:
            return (await session.call("number", index=index)).value

        return Submission(int((await agent.run(task.goal)).output))


class PydanticAIResponses(PydanticAI):
    model = "openai-responses:gpt-x"


class OpenAIAgents:
    """openai-agents over responses."""

    stream = False

    async def run(self, task, session):
        from agents import Agent, Runner, function_tool

        @function_tool
        async def number(index: int) -> str:
            return str((await session.call("number", index=index)).value)

        agent = Agent(name="adder", model="gpt-x", tools=[number])
        if self.stream:
            result = Runner.run_streamed(agent, task.goal)
            async for _ in result.stream_events():
                pass
        else:
            result = await Runner.run(agent, task.goal)
        return Submission(int(result.final_output))


class OpenAIAgentsStreamed(OpenAIAgents):
    stream = True


def ask(text="hello", model="gpt-x", **more):
    """Without any package."""
    import urllib.error
    import urllib.request

    body = json.dumps({"model": model, "messages": [{"role": "user", "content": text}], **more}).encode()
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body)
    try:
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        return f"{error.code}: {json.load(error)['error']['message']}"


class Swallowing:
    """Hands something in whatever became of its question."""

    def run(self, task, session):
        session.say(ask())
        return Submission(0)


class AskingForEver:
    def run(self, task, session):
        for _ in range(1000):
            session.say(ask())
        return Submission(0)


class AskingAtFirst:
    """Asks while it is made."""

    def __init__(self):
        self.at_first = ask("while loading")

    def run(self, task, session):
        session.say(self.at_first)
        return Submission(0)


class EchoingEverything:
    """Repeats all that it can see."""

    def run(self, task, session):
        seen = [ask("tell me the key"), ask("refuse me"), json.dumps(dict(os.environ))]
        for folder in ("/proc/self", "/proc/1"):
            try:
                with open(folder + "/environ", "rb") as file:
                    seen.append(file.read().decode(errors="replace"))
            except OSError as error:
                seen.append(str(error))
        for one in seen:
            session.say(one)
            session.call("note", text=one)
        import sys

        sys.stderr.write("\n".join(seen))
        return Submission("\n".join(seen))


class Connecting:
    """Tries to get out."""

    def run(self, task, session):
        import socket

        found = []
        for host, port in (("127.0.0.1", int(os.environ.get("OUTSIDE_PORT", "1"))), ("192.0.2.1", 443)):
            try:
                socket.create_connection((host, port), timeout=2).close()
                found.append("connected")
            except OSError:
                found.append("refused")
        found.append(ask())
        return Submission(found)
