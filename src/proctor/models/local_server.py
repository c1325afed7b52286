"""A local model behind the chat completions interface on loopback, for agents and tools that speak to a server.

    python -m proctor.models.local_server [MODEL] [PORT]

MODEL is a model string of kind `local`, with tools where its chat template has them; PORT is 8080 unless given. It
serves until it is interrupted, one request at a time.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

from proctor.core.errors import BenchError, InputError
from proctor.models.contract import ModelString
from proctor.models.local import Local, kind
from proctor.models.options import parse_whole

_USAGE = "usage: python -m proctor.models.local_server [local[:FILE.gguf][,key=value]] [PORT]"


def open_server(model: str, port: int, folder: Path) -> Local:
    """The model, serving on this port of loopback; 0 is a port of the system's choice."""
    text = ModelString.parse(model)
    if text.kind != kind.name:
        message = f"only models of kind '{kind.name}' are served here; {_USAGE}"
        raise InputError(message)
    assert kind.check is not None
    kind.check(text, folder)
    return Local.from_string(text, folder, port=port)


def main(arguments: list[str]) -> int:
    """Serve until interrupted."""
    if len(arguments) > 2 or any(one in ("-h", "--help") for one in arguments):
        print(_USAGE)
        return 0 if len(arguments) <= 2 else 2
    model, port = (arguments + ["local", "8080"][len(arguments) :])[:2]
    try:
        served = open_server(model, parse_whole("local_server", "port", port, 0, 65_535), Path.cwd())
    except (InputError, BenchError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"serving {model} at {served.address}", flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        asyncio.run(served.close())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
