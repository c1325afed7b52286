"""One `proctor run` as users start it: the whole command in a process of its own, on a fresh store, timed from outside.

Afterwards the store is verified: every head is computed anew from the stored lines and the root from the heads. A run
that is not complete, not all successes or not intact is an error here, never a number.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from benchmarks.rate import Timed, cpu_of_children
from benchmarks.setting import WORKERS

ROOT = Path(__file__).resolve().parent.parent
FAMILIES = Path(__file__).with_name("families.py")
_LONGEST = 1200
_LOOK = 0.01
_POSITION = (1 << 32) - 1


@dataclass(frozen=True)
class Examined:
    """A finished `proctor run`."""

    episodes: int
    seconds: float
    """The whole command, from its start to its exit."""
    cpu: float
    """Processor seconds of the command and its workers."""
    store: Path
    root: str
    bytes: int
    """Of the store, with everything that lies beside it."""
    lived: float | None = None
    """Episodes a second between the first and the last commit, as seen from outside; None when nobody looked."""

    def timed(self, each: int = 1) -> Timed:
        """What it says about speed, with so many units of work an episode."""
        return Timed(self.episodes * each, self.seconds, self.cpu)


@dataclass(frozen=True)
class Intact:
    """A store that was verified."""

    episodes: int
    events: int
    calls: int
    plain_bytes: int
    """Of all events before compression."""


def proctor() -> list[str]:
    """The command as installed beside this Python."""
    script = Path(sys.executable).with_name("proctor")
    return [str(script)] if script.exists() else [sys.executable, "-m", "proctor.cli.main"]


def environment() -> dict[str, str]:
    """The usual one, with this repository's `benchmarks` importable."""
    path = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{path}" if path else str(ROOT)}


def run_arguments(suite: str, scale: int, store: Path, agent: str = "oracle") -> list[str]:
    """`proctor run` on the processes executor with as many workers as the benchmark is for."""
    spread = ["--executor", "processes", "--workers", str(WORKERS)]
    return [*proctor(), "run", suite, "--agent", agent, *spread, "--scale", str(scale), "--store", str(store), "--json"]


@contextmanager
def examined(
    suite: str, scale: int, folder: Path, *, agent: str = "oracle", watched: bool = False
) -> Iterator[Examined]:
    """Run it, verify it, hand over what was seen, remove the store."""
    home = folder / f"run-{os.urandom(4).hex()}"
    home.mkdir()
    try:
        yield _examine(suite, scale, home, agent, watched)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _examine(suite: str, scale: int, home: Path, agent: str, watched: bool) -> Examined:
    store = home / "store.db"
    arguments = run_arguments(suite, scale, store, agent)
    with (home / "out").open("w+") as out, (home / "err").open("w+") as err:
        before, began = cpu_of_children(), perf_counter()
        process = subprocess.Popen(arguments, stdout=out, stderr=err, cwd=home, env=environment())
        try:
            commits = _watch(process, store) if watched else []
            code = process.wait(_LONGEST)
        except BaseException:
            process.kill()
            process.wait()
            raise
        seconds, cpu = perf_counter() - began, cpu_of_children() - before
        out.seek(0)
        err.seek(0)
        output, complained = out.read(), err.read()
    if code != 0:
        message = f"{' '.join(arguments)} ended with {code}: {complained.strip()[-500:]}"
        raise RuntimeError(message)
    result = json.loads(output)
    if not result["complete"] or result["outcomes"]["success"] != result["episodes"]:
        message = f"{suite}: not every episode succeeded: {result['status']} {result['outcomes']}"
        raise RuntimeError(message)
    size = sum(file.stat().st_size for file in home.glob("store.db*"))
    return Examined(result["episodes"], seconds, cpu, store, result["root"], size, _lived(commits))


def _watch(process: subprocess.Popen[bytes], store: Path) -> list[tuple[float, int]]:
    """(moment, episodes committed), looked up every few milliseconds while the run goes on."""
    seen: list[tuple[float, int]] = []
    while process.poll() is None:
        with suppress(sqlite3.Error):
            count = _committed(store)
            if count and (not seen or count > seen[-1][1]):
                seen.append((perf_counter(), count))
        sleep(_LOOK)
    return seen


def _committed(store: Path) -> int:
    # The highest position, not a count: a count would read the whole table and slow down what is measured.
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True, timeout=0)) as connection:
        highest = connection.execute("SELECT max(id) FROM episodes").fetchone()[0]
    return 0 if highest is None else (int(highest) & _POSITION) + 1


def _lived(commits: list[tuple[float, int]]) -> float | None:
    if len(commits) < 2:
        return None
    (start, first), (end, last) = commits[0], commits[-1]
    return (last - first) / (end - start)


def verify(done: Examined) -> Intact:
    """Compute every head and the root anew; raises where anything differs from what the run said."""
    from proctor.evidence.chain import replay, run_root
    from proctor.evidence.codec import Decompressor
    from proctor.evidence.store.store import Store

    with Store(str(done.store), create=False) as store:
        record = store.run("latest")
        unpack = Decompressor(store.dictionaries(record.number))
    heads: list[bytes] = []
    events = plain = calls = 0
    with closing(sqlite3.connect(done.store)) as connection:
        earlier: defaultdict[int, list[bytes]] = defaultdict(list)
        for key, packed in connection.execute("SELECT episode, trace FROM segments ORDER BY episode, number"):
            earlier[key].append(unpack.unpack(packed))
        query = "SELECT id, head, calls, dictionary, trace FROM episodes ORDER BY id"
        for key, head, called, dictionary, packed in connection.execute(query):
            position = key & _POSITION
            last = unpack.unpack(packed, dictionary)
            trace = b"\n".join([*earlier.get(key, ()), last] if last else earlier[key])
            if position != len(heads) or replay(record.config_hash, position, trace) != head:
                message = f"episode {position} does not have the head that the store gives"
                raise RuntimeError(message)
            heads.append(head)
            events += trace.count(b"\n") + 1
            plain += len(trace)
            calls += called
    if len(heads) != done.episodes or run_root(record.config_hash, heads) != done.root:
        message = f"the root of {record.name} is not that of its {len(heads)} episodes"
        raise RuntimeError(message)
    return Intact(len(heads), events, calls, plain)
