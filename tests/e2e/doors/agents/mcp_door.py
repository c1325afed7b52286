"""The clerk as an MCP client, built on the official SDK; it stays for a lifetime."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from mcp.client.client import Client

from proctor.agents.clerk import Clerk
from tests.e2e.doors.agents.stepping import SteppedEpisode


async def main() -> None:
    clerk = Clerk()
    async with Client(os.environ["PROCTOR_MCP_URL"]) as client:
        while True:
            task = (await asked(client, "next_task"))["value"]
            episode = SteppedEpisode(clerk, task, task["observations"])
            last = episode.step()[-1]
            while last["type"] != "submit":
                last = episode.step(await asked(client, last["tool"], **last["arguments"]))[-1]
            del last["type"]
            await asked(client, task["submit_with"], **last)


async def asked(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    content: dict[str, Any] = (await client.call_tool(tool, arguments)).structured_content
    return content


if __name__ == "__main__":
    asyncio.run(main())
