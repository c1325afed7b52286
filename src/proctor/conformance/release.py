"""Whether a family still behaves as its version was released: what a run would refuse, said before one is started."""

from __future__ import annotations

from functools import partial

from proctor.conformance.contract import Check, CheckResult, Tally, examine
from proctor.core.errors import InputError
from proctor.engine.family import Family
from proctor.engine.probing.identity import entry_of, origin_of
from proctor.engine.probing.lock import FILE, read_lock

RELEASE = Check(
    "release", "It behaves as released", "Its probe is the one that probes.lock of its package holds for this version."
)


def check_release(reference: str, family: Family) -> CheckResult | None:
    """The result for a family of an installed package; None for one in a file, which has no release."""
    package = origin_of(reference).package
    return examine(RELEASE, partial(_release, reference, family, package)) if package else None


def _release(reference: str, family: Family, package: str, tally: Tally) -> None:
    name = family.spec.full_name
    if name not in read_lock(package).families:
        tally.unmeasured = f"{FILE} of {package} does not hold {name}; before you publish it, `proctor lock {package}`"
        return
    try:
        entry_of(reference, family)
    except InputError as error:
        tally.find(f"release: {error}")
    tally.summary = f"It behaves as {name} does in {FILE} of {package}."
