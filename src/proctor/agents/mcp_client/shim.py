"""An MCP server on stdio for clients that start their servers themselves: passes every line on to the bench, and back.

    python shim.py 127.0.0.1:PORT/TOKEN

Any Python 3 can run this file: it needs nothing but the standard library.
"""

from __future__ import annotations

import os
import socket
import sys
import threading


def main(place: str) -> None:
    """Connect, say who asks, and copy both ways until one side has nothing more to say."""
    address, _, token = place.partition("/")
    host, _, port = address.rpartition(":")
    bench = socket.create_connection((host, int(port)))
    bench.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    bench.sendall(token.encode() + b"\n")
    threading.Thread(target=_pass_on, args=(bench,), daemon=True).start()
    while True:
        data = bench.recv(65536)
        if not data:
            # Not `sys.exit`: the other thread may sit in a read that nobody will end.
            os._exit(0)
        while data:
            data = data[os.write(1, data) :]


def _pass_on(bench: socket.socket) -> None:
    while True:
        data = os.read(0, 65536)
        if not data:
            bench.shutdown(socket.SHUT_WR)
            return
        bench.sendall(data)


if __name__ == "__main__":
    main(sys.argv[1])
