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
        "usable_processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "processor": _field(Path("/proc/cpuinfo"), "model name") or platform.processor() or None,
        "memory_kib": _kib(_field(Path("/proc/meminfo"), "MemTotal")),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_average": [f"{load:.2f}" for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }


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
