"""The process in which a stranger's bundle is read: `python -m proctor.evidence.bundle.child`.

Whatever is in the file, this process alone is at stake. It limits itself before it reads a byte, gets the opened file
on a descriptor, and says what it found as JSON on another; see `apart` for the side that starts it. Descriptors and
what to do come as one JSON object on the command line.
"""

from __future__ import annotations

import os
import resource
import sys
from typing import Any

READY = b"ready\n"
"""The first thing it says: from here on whatever ends it is the file's doing."""
MEMORY = 4 * 2**30
FILES = 64
SECONDS, SECONDS_PER_MEGABYTE = 120, 60
"""Processor time: many times what honest evidence takes."""
DISK = 2**30
DISK_PER_BYTE = 64
"""Bytes of what it writes (rows for an import, digests that do not fit into memory), beside a multiple of the file."""


def limit(size: int) -> None:
    """Set what reading a file of this size may take."""
    seconds = SECONDS + SECONDS_PER_MEGABYTE * (size >> 20)
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, DISK + DISK_PER_BYTE * size),
        (resource.RLIMIT_NOFILE, FILES),
    ):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def main() -> None:
    """Read the file, and say what was found."""
    import msgspec

    asked: dict[str, Any] = msgspec.json.decode(sys.argv[1])
    limit(asked["size"])
    out = asked["out"]
    os.write(out, READY)
    try:
        said = _found(asked)
    except MemoryError:
        said = {"died": "it takes more memory than a bundle may"}
    except RecursionError:
        said = {"died": "it is nested too deeply"}
    except Exception as error:
        # A reader that stumbles over a file has not verified it; the one sentence is all that may get out.
        from proctor.core.errors import BenchError

        kind = "failed" if isinstance(error, BenchError) else "died"
        said = {kind: str(error) if kind == "failed" else f"reading it raised {type(error).__name__}"}
    data = memoryview(msgspec.json.encode(said))
    while data:
        data = data[os.write(out, data) :]


def _found(asked: dict[str, Any]) -> dict[str, Any]:
    import msgspec

    from proctor.evidence.bundle.file import Source
    from proctor.evidence.bundle.layout import Limits
    from proctor.evidence.bundle.named import load_named
    from proctor.evidence.bundle.verify import examine

    source = Source.opened(asked["file"], asked["path"])
    plan, tasks = (load_named(asked[name]) for name in ("plan", "tasks"))
    report, bundle = examine(source, plan, msgspec.convert(asked["limits"], Limits), tasks)
    if report.ok and bundle is not None and asked["rows"] is not None:
        _hand_over_rows(bundle, asked["rows"])
    return {"report": report}


def _hand_over_rows(bundle: Any, descriptor: int) -> None:
    """Write the rows as lines of JSON, so that nobody else has to read Parquet."""
    import msgspec

    from proctor.evidence.bundle import layout
    from proctor.evidence.bundle.read import read_arms, read_manifest
    from proctor.evidence.bundle.rows import read_rows

    manifest = read_manifest(bundle)
    encode = msgspec.json.Encoder().encode
    rows = read_rows(
        bundle.source, bundle.members[layout.ROWS], read_arms(bundle), count=manifest.stored, version=manifest.version
    )
    with os.fdopen(descriptor, "wb", closefd=False) as file:
        for row in rows:
            file.write(encode(row) + b"\n")


if __name__ == "__main__":
    main()
