"""Instances made by another process: the same draws, another hash seed, nothing kept in memory.

The child runs `main` of this module. It is told where the family is and which draws to make, and answers with the
SHA-256 of each instance.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import msgspec

from proctor.conformance.subject import draw_of, fingerprint, source_of
from proctor.engine.family import Family
from proctor.plugins.files import load_module

SECONDS = 60
_USER_MODULE = "proctor_user_"


class FamilyLocation(msgspec.Struct, frozen=True):
    """How another process can load a family."""

    module: str
    file: str
    attribute: str


class InstanceRequest(msgspec.Struct, frozen=True):
    """The instances that the child process makes."""

    where: FamilyLocation
    seed: int
    count: int


def locate(family: Family) -> FamilyLocation | None:
    """The module and attribute that hold the family; None if no module does."""
    own = type(family).__module__
    # Several families of one class may be defined in the package around it.
    names = [
        own,
        own.rpartition(".")[0],
        *(name for name in list(sys.modules) if name.startswith(_USER_MODULE) and name != own),
    ]
    for name in names:
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        for attribute, value in list(vars(module).items()) if module and file else ():
            if value is family:
                return FamilyLocation(name, str(file), attribute)
    return None


def hashes_in_fresh_process(where: FamilyLocation, seed: int, count: int) -> list[str] | str:
    """The hashes of instances 0 to `count` as another process makes them; a text says why there are none."""
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", "-c", "from proctor.conformance.fresh_process import main; main()"]
    order = msgspec.json.encode(InstanceRequest(where, seed, count))
    try:
        done = subprocess.run(command, input=order, capture_output=True, env=environment, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"it took longer than {SECONDS} s"
    if done.returncode:
        return (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1][:300]
    return msgspec.json.decode(done.stdout, type=list[str])


def hashes_here(family: Family, seed: int, count: int) -> list[str]:
    """The same hashes, made in this process."""
    source = source_of(family, seed)
    made = (family.instance(draw_of(family, source, index)) for index in range(count))
    return [sha256(fingerprint(instance)).hexdigest() for instance in made]


def main() -> None:
    """The child: read an order, write hashes."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=InstanceRequest)
    where = order.where
    if where.module == "__main__" or where.module.startswith(_USER_MODULE):
        module = load_module(Path(where.file))
    else:
        module = importlib.import_module(where.module)
    family: Family = getattr(module, where.attribute)
    sys.stdout.buffer.write(msgspec.json.encode(hashes_here(family, order.seed, order.count)))
