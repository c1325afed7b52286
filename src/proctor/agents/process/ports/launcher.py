"""Runs in the agent's place, before its command: listens on loopback and gives the sockets to the bench.

    python launcher.py FD --port NAME=http://127.0.0.1:{port}/v1 … --port … -- COMMAND …

FD is one end of a pair of Unix sockets. For every `--port` a socket listens on a free port of 127.0.0.1, and the
variables that follow are set, with its number for `{port}`. All of them go out in one message, this process keeps
none, and becomes the command. A command that starts with `-c` is Python code, run here in the same interpreter with
the words after it as its arguments.

Any Python 3 can run this file: it needs nothing of Proctor's, and of the standard library only what starts at once.
"""

from __future__ import annotations

import _socket
import os
import signal
import sys

_BACKLOG = 128
_NOT_STARTED = 125
_UP = 1


def main(words: list[str]) -> None:
    """Hand the sockets out, then become the command."""
    cut = words.index("--")
    out = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, int(words[0]))
    try:
        sockets = [_listening() for word in words[1:cut] if word == "--port"]
    except OSError as error:
        out.sendall(b"!" + str(error).encode())
        raise SystemExit(_NOT_STARTED) from None
    hand_out(out, sockets)
    number = 0
    numbers = iter([found.getsockname()[1] for found in sockets])
    for word in words[1:cut]:
        if word == "--port":
            number = next(numbers)
        else:
            name, _, value = word.partition("=")
            os.environ[name] = value.replace("{port}", str(number))
    for each in (out, *sockets):
        each.close()
    _become(words[cut + 1 :])


def hand_out(out: _socket.socket, sockets: list[_socket.socket]) -> None:
    """Send the descriptors over a Unix socket."""
    descriptors = b"".join(each.fileno().to_bytes(4, sys.byteorder) for each in sockets)
    out.sendmsg([b"+"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptors)])


def _listening() -> _socket.socket:
    # With the protocol named, whoever accepts on it knows that small pieces need not be delayed.
    made = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM, _socket.IPPROTO_TCP)
    try:
        made.bind(("127.0.0.1", 0))
    except OSError:
        _bring_up_loopback()
        made.bind(("127.0.0.1", 0))
    made.listen(_BACKLOG)
    return made


def _bring_up_loopback() -> None:
    """A new network namespace starts with its loopback down; where that cannot be changed, binding says so again."""
    import fcntl
    import struct

    made = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM, 0)
    try:
        fcntl.ioctl(made.fileno(), 0x8914, struct.pack("16sh14x", b"lo", _UP))
    except OSError:
        pass
    finally:
        made.close()


def _become(command: list[str]) -> None:
    if command[0] == "-c":
        sys.argv[:] = ["-c", *command[2:]]
        world = sys.modules["__main__"].__dict__
        for name in [name for name in world if not name.startswith("__") or name == "__file__"]:
            del world[name]
        exec(compile(command[1], "<string>", "exec", dont_inherit=True), world)  # noqa: S102
        return
    # Python ignores these two, and what is ignored stays so in the next program.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        raise SystemExit(127) from None


if __name__ == "__main__":
    main(sys.argv[1:])
