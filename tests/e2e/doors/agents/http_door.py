"""The clerk as a service, turn by turn: `python http_door.py`; it prints the port it listens on."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from proctor.agents.clerk import Clerk
from tests.e2e.doors.agents.stepping import SteppedEpisode

clerks: dict[str, Clerk] = {}
episodes: dict[str, SteppedEpisode] = {}


def reply(turn: dict[str, Any]) -> list[dict[str, Any]]:
    messages = turn["messages"]
    if turn["turn"] == 0:
        clerk = clerks.setdefault(turn["lifetime"], Clerk())
        shown = [message for message in messages if message["type"] == "observation"]
        episodes[turn["episode"]] = SteppedEpisode(clerk, messages[0], shown)
        return episodes[turn["episode"]].step()
    [result] = [message for message in messages if message["type"] == "result"]
    return episodes[turn["episode"]].step(result)


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        turn = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"messages": reply(turn)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None: ...


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
