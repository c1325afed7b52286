"""How commands print: JSON alone with `--json`, otherwise plain tables that survive a pipe."""

from __future__ import annotations

import json
import sys
from typing import Any

from proctor.core.canonical import jsonable
from proctor.reports.terminal import percent, table

__all__ = ["clean", "percent", "print_json", "say", "table"]


def print_json(value: Any) -> None:
    """One JSON document on stdout and nothing else."""
    json.dump(jsonable(value), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def clean(text: str) -> str:
    """Text of an agent or a stranger's file, without control characters that could drive the terminal."""
    return "".join(c if c == "\n" or c == "\t" or (c.isprintable()) else "�" for c in text)


def say(message: str) -> None:
    """A line for people, on stderr, so that stdout stays for results; nobody's words in it drive the terminal."""
    print(clean(message), file=sys.stderr, flush=True)
