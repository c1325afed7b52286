"""Rows of a Parquet table that may be a stranger's, read in a process of its own with limits.

`python -m proctor.evidence.tables DESCRIPTOR SIZE` is that process: it writes each row as msgpack, after its length.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.reading import open_file
from proctor.evidence.bundle.child import limit

_LENGTH = 4
_MODULE = "proctor.evidence.tables"


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows, by column name; `ValueError`, one sentence, where they cannot be read."""
    with open_file(path) as file, tempfile.TemporaryFile(prefix="proctor-table-") as rows:
        size = os.fstat(file.fileno()).st_size
        command = [sys.executable, "-P", "-m", _MODULE, str(file.fileno()), str(size)]
        process = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=rows,
            stderr=subprocess.PIPE,
            pass_fds=[file.fileno()],
            check=False,
        )
        if process.returncode != 0:
            said = process.stderr.decode(errors="replace").strip().splitlines()
            message = said[-1][:200] if process.returncode == 1 and said else "it brings down the library that reads it"
            raise ValueError(message)
        rows.seek(0)
        while head := rows.read(_LENGTH):
            yield msgspec.msgpack.decode(rows.read(int.from_bytes(head, "big")))


def main() -> int:
    """Read the table on a descriptor, and write its rows to standard output."""
    descriptor, size = map(int, sys.argv[1:])
    limit(size)
    from pyarrow import parquet

    reader: Any = parquet
    encode = msgspec.msgpack.Encoder(enc_hook=str).encode
    out = sys.stdout.buffer
    try:
        with os.fdopen(descriptor, "rb") as file, reader.ParquetFile(file) as table:
            for batch in table.iter_batches(use_threads=False):
                for row in batch.to_pylist():
                    data = encode(row)
                    out.write(len(data).to_bytes(_LENGTH, "big") + data)
        out.flush()
    except (OSError, ValueError, OverflowError, MemoryError, RecursionError) as error:
        # A file that is none is one of pyarrow's own errors, which are all of these.
        print(" ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
