"""An agent that knows nothing of Proctor: one JSON object a line, in and out. Any language can do the same.

    proctor run hello --only route --agent "cmd:python3 examples/plain_agent.py"

It drives to the destination of family `route`: the shortest way on the map, and another one whenever a road is blocked.
Other tasks it declines.
"""

import json
import sys
from collections import deque
from typing import Any


def send(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def receive(kind: str) -> dict[str, Any]:
    """The next message of a kind; the bench has nothing more to say when standard input ends."""
    for line in sys.stdin:
        message: dict[str, Any] = json.loads(line)
        if message["type"] == kind:
            return message
    sys.exit()


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


def drive(seen: dict[str, Any]) -> str:
    here, end, roads = seen["position"], seen["destination"], seen["roads"]
    while here != end:
        steps = way(roads, here, end)
        if not steps:
            return "lost"
        send(type="tool_call", tool="move", arguments={"to": steps[0]})
        if receive("result")["ok"]:
            here = steps[0]
        else:
            roads = [road for road in roads if set(road) != {here, steps[0]}]
    return "arrived"


send(type="ready")
while True:
    receive("task")
    fields = receive("observation")["fields"]
    send(type="submit", answer=drive(fields) if "roads" in fields else None)
