"""The clerk as a command that exchanges JSON lines."""

from __future__ import annotations

import json
import sys
from typing import Any

from proctor.agents.clerk import Clerk
from tests.e2e.doors.agents.stepping import SteppedEpisode


def send(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


def receive(kind: str) -> dict[str, Any]:
    for line in sys.stdin:
        message: dict[str, Any] = json.loads(line)
        if message["type"] == kind:
            return message
    sys.exit()


def main() -> None:
    clerk = Clerk()
    send({"type": "ready"})
    while True:
        task = receive("task")
        episode = SteppedEpisode(clerk, task, [receive("observation")])
        messages = episode.step()
        while True:
            for message in messages:
                send(message)
            if messages[-1]["type"] == "submit":
                break
            messages = episode.step(receive("result"))


if __name__ == "__main__":
    main()
