"""What a latency was measured on: facts of the machine, and whether its owner vouches for it."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any


def machine_facts() -> dict[str, Any]:
    """Processor, memory, system and how busy it was; what cannot be found out is None."""
    return {
        "processors": os.cpu_count(),
        "usable_processors": _usable_processors(),
        "processor": _field(Path("/proc/cpuinfo"), "model name") or platform.processor() or None,
        "memory_kib": _kib(_field(Path("/proc/meminfo"), "MemTotal")),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_average": _load_average(),
    }


def _usable_processors() -> int | None:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not on every system.
        return None


def _load_average() -> list[str] | None:
    try:
        return [f"{load:.2f}" for load in os.getloadavg()]
    except (AttributeError, OSError):  # Not on every system, and not always to be had.
        return None


def _field(path: Path, name: str) -> str | None:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                key, colon, value = line.partition(":")
                if colon and key.strip() == name:
                    return value.strip()
    except OSError:
        return None
    return None


def _kib(text: str | None) -> int | None:
    number = (text or "").partition(" ")[0]
    return int(number) if number.isdigit() else None
