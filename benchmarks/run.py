"""All benchmarks, one table: `python -m benchmarks [--quick] [--json FILE] [--only SUBJECT]`.

Each subject is a module with `measure(setting) -> figures`. One that breaks is reported as not measured and makes the
exit code 1; a limit that is not kept does not, since a busy machine is not a defect.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

SUBJECTS = {
    "startup": "start of commands",
    "bootstrap": "cluster bootstraps",
    "storage": "bytes on disk",
    "memory": "growth of memory",
    "episodes": "episodes and tool steps, beside Inspect",
    "worlds": "files, SQL, git, sandbox, confined agent",
    "pool": "confined lifetimes, forked and each in its own sandbox",
    "agency": "the suite agency and its scoring",
    "reports": "page, card and Technical Report",
    "quality": "decision episodes of the suite quality",
    "binding": "the suite binding on a simulated model",
    "load": "the load generator against an HTTP agent",
    "model_calls": "calls of chat models at 100,000 tokens",
}


def main(arguments: list[str] | None = None) -> int:
    """Measure what is asked for and print it."""
    options = _options(arguments)
    if not __package__:
        # Started as a file: its own folder is on the path instead of the repository.
        sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from benchmarks.inspect_peer import PeerMissing, find_peer
    from benchmarks.report import about, document, markdown
    from benchmarks.setting import SIZES, Setting

    sizes = SIZES["quick" if options.quick else options.size]
    try:
        peer = None if options.no_peer else find_peer()
    except PeerMissing as problem:
        print(f"benchmarks: {problem}", file=sys.stderr)
        return 2
    facts = about(sizes, peer)
    broken = False
    figures: list[Any] = []
    with tempfile.TemporaryDirectory(prefix="proctor-bench-", dir=options.folder) as folder:
        setting = Setting.of(sizes, Path(folder), peer)
        for subject in options.only or SUBJECTS:
            results, fine = _measure(subject, setting)
            figures += results
            broken = broken or not fine
    print(markdown(facts, figures))
    if options.json is not None:
        Path(options.json).write_text(json.dumps(document(facts, figures), indent=2, ensure_ascii=False) + "\n")
    return 1 if broken else 0


def _measure(subject: str, setting: Any) -> tuple[list[Any], bool]:
    """The figures of one subject, and whether it could be measured."""
    from benchmarks.figure import missing

    if setting.time_is_up:
        return [missing(subject, SUBJECTS[subject], "", "the time was up")], True
    print(f"measuring {SUBJECTS[subject]} …", file=sys.stderr, end=" ", flush=True)
    began = monotonic()
    try:
        return import_module(f"benchmarks.{subject}").measure(setting), True
    except Exception as error:
        traceback.print_exc()
        return [missing(subject, SUBJECTS[subject], "", f"{type(error).__name__}: {error}"[:200])], False
    finally:
        print(f"{monotonic() - began:.0f} s", file=sys.stderr, flush=True)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="an indication in less than two minutes")
    parser.add_argument("--size", choices=("full", "quick", "tiny"), default="full")
    parser.add_argument("--only", action="append", choices=tuple(SUBJECTS), help="may be repeated")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--no-peer", action="store_true", help="leave Inspect out")
    parser.add_argument("--folder", metavar="DIR", help="where stores are made (default: the system's place)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
