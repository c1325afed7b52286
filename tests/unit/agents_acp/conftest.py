"""A user's project folder with coding agents in it: built on the official SDK, and one without any library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest
from tests.unit.agents_process.conftest import Project, bubblewrap, nothing_left

__all__ = ["bubblewrap", "nothing_left"]

OFFICIAL = '''
import asyncio
import re

import acp
from acp import schema
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


class Coder(acp.Agent):
    """A scripted coding agent on the official SDK: connects to the servers it is given, and works."""

    def on_connect(self, conn):
        self.editor = conn

    async def initialize(self, protocol_version, client_capabilities=None, client_info=None, **more):
        self.can = client_capabilities
        capabilities = schema.AgentCapabilities(mcp_capabilities=schema.McpCapabilities(http=HTTP))
        return schema.InitializeResponse(protocol_version=protocol_version, agent_capabilities=capabilities)

    async def new_session(self, cwd, mcp_servers=None, **more):
        self.servers = mcp_servers
        self.cwd = cwd
        return schema.NewSessionResponse(session_id="s1")

    async def prompt(self, prompt, session_id, **more):
        self.session = session_id
        [server] = self.servers
        if isinstance(server, schema.HttpMcpServer):
            way = server.url
        else:
            way = stdio_client(StdioServerParameters(command=server.command, args=server.args))
        async with Client(way) as tools:
            await self.work(prompt[0].text, tools)
        return schema.PromptResponse(stop_reason="end_turn")

    async def say(self, text):
        await self.editor.session_update(self.session, acp.update_agent_message_text(text))

    async def work(self, task, tools):
WORK


async def value(tools, name, **arguments):
    return (await tools.call_tool(name, arguments)).structured_content.get("value")


asyncio.run(acp.run_agent(Coder()))
'''

PLAIN = """
import json
import sys


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def messages():
    for line in sys.stdin:
        yield json.loads(line)
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder)


@pytest.fixture
def official(project: Project, bubblewrap: None) -> Callable[..., str]:
    """Writes an agent on the official SDK that works like this, and gives its agent string."""

    def write(work: str, *, http: bool = True) -> str:
        body = indent(dedent(work).strip("\n"), " " * 8)
        (project.folder / "coder.py").write_text(OFFICIAL.replace("HTTP)", f"{http})").replace("WORK", body))
        return "acp:python3 coder.py,start_seconds=60"

    return write


@pytest.fixture
def plain(project: Project, bubblewrap: None) -> Callable[[str], str]:
    """The same without any library."""

    def write(text: str) -> str:
        (project.folder / "plain.py").write_text(f"{PLAIN}\n\n{dedent(text)}")
        return "acp:python3 plain.py"

    return write
