"""Ask the warm interpreter for one command: `python -I -S client.py SOCKET FIRST proctor ARGUMENTS…`.

It has the caller's descriptors, folder and environment, and ends with the command's exit code.
"""

import json
import os
import socket
import sys


def run(path: str, first: str, arguments: list[str]) -> int:
    """The exit code of the command; whatever ends this process ends the command, too."""
    asked = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ), "first": first}
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(path)
        text = json.dumps(asked).encode() + b"\n"
        sent = socket.send_fds(connection, [text], [0, 1, 2])
        connection.sendall(text[sent:])
        answer = connection.recv(16)
    if not answer:
        raise ConnectionError("the warm interpreter has ended")
    return int(answer)


if __name__ == "__main__":
    code = run(sys.argv[1], sys.argv[2], sys.argv[3:])
    if code < 0:
        os.kill(os.getpid(), -code)
    sys.exit(code)
