"""An agent that is an MCP client, with the official SDK (`pip install mcp`). Of Proctor it knows one variable.

    proctor run hello --only route --agent "mcp:python3 examples/mcp_agent.py"

Its loop is where a model would be: it drives to the destination of family `route`, the shortest way on the map, and
another one whenever a road is blocked. Other tasks it declines.
"""

import asyncio
import os
from collections import deque
from typing import Any

from mcp.client.client import Client


def way(roads: list[list[str]], start: str, end: str) -> list[str]:
    """The places after `start` on a shortest way to `end`; empty when there is none."""
    ways = deque([[start]])
    visited = {start}
    while ways:
        taken = ways.popleft()
        if taken[-1] == end:
            return taken[1:]
        for road in roads:
            if taken[-1] in road:
                place = road[road[0] == taken[-1]]
                if place not in visited:
                    visited.add(place)
                    ways.append([*taken, place])
    return []


async def drive(client: Client, seen: dict[str, Any]) -> str:
    here, end, roads = seen.get("position"), seen.get("destination"), seen.get("roads", [])
    while here != end and (steps := way(roads, str(here), str(end))):
        moved = await client.call_tool("move", {"to": steps[0]})
        if moved.is_error:
            roads = [road for road in roads if set(road) != {here, steps[0]}]
        else:
            here = steps[0]
    return "arrived" if here == end else "lost"


async def main() -> None:
    async with Client(os.environ["PROCTOR_MCP_URL"]) as client:
        read = await client.call_tool("read_task", {})
        task = read.structured_content["value"]
        answer = await drive(client, task["observations"][0]["fields"])
        await client.call_tool(task["submit_with"], {"answer": answer, "confidence": 0.9})


if __name__ == "__main__":
    asyncio.run(main())
