"""A user's project folder with clients in it: the official SDK's, and one without any library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from tests.unit.agents_process.conftest import Project, bubblewrap, nothing_left

__all__ = ["bubblewrap", "nothing_left"]

OFFICIAL = """
import asyncio
import os
import shlex

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


def server(way):
    if way == "http":
        return os.environ["PROCTOR_MCP_URL"]
    command, *args = shlex.split(os.environ["PROCTOR_MCP_COMMAND"])
    return stdio_client(StdioServerParameters(command=command, args=args))


async def value(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    return answer.structured_content.get("value")
"""

PLAIN = '''
import json
import os
import sys
import urllib.error
import urllib.request

URL = os.environ["PROCTOR_MCP_URL"]


class Client:
    """Speaks streamable HTTP as it was in 2025."""

    def __init__(self):
        self.session = None
        self.number = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "plain", "version": "1"}}
        self.welcome = self.ask("initialize", hello)
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, message):
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.session:
            headers |= {"Mcp-Session-Id": self.session, "MCP-Protocol-Version": "2025-06-18"}
        request = urllib.request.Request(URL, json.dumps(message).encode(), headers)
        with urllib.request.urlopen(request) as response:
            self.session = response.headers.get("Mcp-Session-Id") or self.session
            body = response.read()
        return json.loads(body) if body else None

    def ask(self, method, params=None):
        self.number += 1
        answer = self.post({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}})
        return answer.get("result") or answer["error"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def value(self, tool, **arguments):
        return self.call(tool, **arguments)["structuredContent"].get("value")
'''

ADDS = "client = Client()\nclient.call('submit', answer=sum(client.value('number', index=i) for i in range(3)))\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder)


@pytest.fixture
def plain(project: Project, bubblewrap: None) -> Callable[[str], str]:
    """Writes a client without libraries that does this, and gives its agent string."""

    def write(text: str) -> str:
        (project.folder / "client.py").write_text(f"{PLAIN}\n\n{dedent(text)}")
        return "mcp:python3 client.py"

    return write
