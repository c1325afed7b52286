"""Say which obligations of a policy follow from a run's capabilities: "capability at or above → obligation".

FILE is a policy in YAML. RUN is a run in the store, or a report that `proctor report -o report.json` wrote. Each
threshold applies, does not apply, or is undetermined: what was not tested, or stands in doubt, is never taken for "no
obligation". It changes no measurement and decides about no deployment, so the exit code is 0 whatever applies.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proctor.cli.options import Beside, Json, RunName, StorePlace, meant, open_store, store_place

if TYPE_CHECKING:
    from proctor.reports.obligations import Evaluated


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The policy, a YAML file.")],
    run: RunName = "latest",
    beside: Beside = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.reports.obligations import evaluate
    from proctor.spec.capability_policy import CapabilityPolicy
    from proctor.spec.documents import read_document

    policy = CapabilityPolicy.parse(read_document(file), source=str(file))
    name, reading = _from_file(Path(run)) if run.endswith(".json") else _from_store(run, beside, store)
    try:
        evaluated = evaluate(policy, name, reading)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        message = f"{run}: its Agency Vector is not in the form of a report ({error!r}); write it with `proctor report`"
        raise InputError(message) from None
    if json:
        print_json(evaluated)
    else:
        typer.echo(_text(evaluated))


def _from_store(run: str, beside: str | None, store: str | None) -> tuple[str, dict[str, Any] | None]:
    from proctor.evidence.evidence import evidence_of
    from proctor.pipeline.reading import readings_of
    from proctor.reports.data import plain

    with open_store(store) as opened:
        evidence = evidence_of(opened, meant(opened, run))
        other = None if beside is None else evidence_of(opened, beside)
    reading = readings_of(evidence, names=["agency"], store=store_place(store), other=other)["agency"]
    return evidence.run, plain(reading)


def _from_file(path: Path) -> tuple[str, dict[str, Any] | None]:

    from proctor.core.canonical import UNREADABLE
    from proctor.core.errors import InputError
    from proctor.core.reading import DOCUMENT, read_at_most
    from proctor.reports.data import from_json

    try:
        report = from_json(read_at_most(path, DOCUMENT))
    except (OSError, *UNREADABLE) as error:
        message = f"{path}: is not a report ({error}); `proctor report -o report.json` writes one"
        raise InputError(message) from None
    section = next((one for one in report.sections if one.instrument == "agency"), None)
    return f"{report.run} (as {path} says; check it with `proctor verify`)", None if section is None else section.data


def _text(evaluated: Evaluated) -> str:
    from proctor.cli.output import clean

    lines = [evaluated.run, evaluated.tuple_line, evaluated.capability, *evaluated.standing, ""]
    lines.append(
        f"{evaluated.policy} of {evaluated.owner} ({evaluated.digest[:12]}), {len(evaluated.obligations)} thresholds: "
        f"{evaluated.count('applies')} apply, {evaluated.count('does not apply')} do not, "
        f"{evaluated.count('undetermined')} undetermined"
    )
    order = ("applies", "undetermined", "does not apply")
    for one in sorted(evaluated.obligations, key=lambda one: order.index(one.answer)):
        lines += ["", f"{one.answer.upper()}  {one.id}: {one.oblige}", f"  when {one.when}"]
        lines += [f"  {why}" for why in one.because]
    lines += ["", evaluated.statement]
    return clean("\n".join(line for number, line in enumerate(lines) if line or number > 2))
