"""An agent behind HTTP, with nothing but the standard library. Any framework for web services can do the same.

    python examples/http_agent.py 8000
    proctor run hello --only route --agent http://127.0.0.1:8000/agent

It drives to the destination of family `route`: the shortest way on the map, and another one whenever a road is blocked.
Other tasks it declines. With 0 it takes a free port; it prints its address.
"""

import json
import sys
from collections import deque
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Message = dict[str, Any]
Loop = Generator[Message, Message, None]

loops: dict[str, Loop] = {}
"""The loop of every episode that is going on: it gives a message, and is sent the result."""


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


def drive(seen: dict[str, Any]) -> Loop:
    here, end, roads = seen.get("position"), seen.get("destination"), seen.get("roads", [])
    while here != end and (steps := way(roads, str(here), str(end))):
        result = yield {"type": "tool_call", "tool": "move", "arguments": {"to": steps[0]}}
        if result["ok"]:
            here = steps[0]
        else:
            roads = [road for road in roads if set(road) != {here, steps[0]}]
    yield {"type": "submit", "answer": "arrived" if here == end else "lost", "confidence": 0.9}


def take_turn(turn: dict[str, Any]) -> Message:
    """What the agent says next."""
    told = {message["type"]: message for message in turn["messages"]}
    if turn["turn"] == 0:
        loops[turn["episode"]] = drive(told["observation"]["fields"])
        said = next(loops[turn["episode"]])
    else:
        said = loops[turn["episode"]].send(told["result"])
    if said["type"] == "submit":
        del loops[turn["episode"]]
    return said


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        turn = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = json.dumps(take_turn(turn)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged for every turn."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service)
    print(f"http://127.0.0.1:{server.server_port}/agent", flush=True)
    server.serve_forever()
