"""Read a run's evidence with the instruments. Needs no agent, no model and no network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Beside, Json, LoadFrom, RunName, StorePlace, open_store, store_place

if TYPE_CHECKING:
    from proctor.evidence.evidence import Evidence
    from proctor.instruments.base import Reading


def command(
    run: RunName = "latest",
    instrument: Annotated[
        list[str] | None, typer.Option("--instrument", help="Only this instrument; may be repeated.")
    ] = None,
    ratings: Annotated[
        Path | None, typer.Option("--ratings", metavar="FILE", help="What people said about episodes, as CSV.")
    ] = None,
    load: LoadFrom = None,
    beside: Beside = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="RUN", help="Another model's run of the same suite, read together (binding)."),
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.boundaries import with_other_boundary
    from proctor.cli.output import print_json
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.ratings import read_ratings
    from proctor.pipeline.reading import instrument_for
    from proctor.plugins import registry

    if others:
        _together(run, others, store, json=json)
        return
    chosen = instrument or registry.names("instruments")
    given = () if ratings is None else read_ratings(ratings)
    with open_store(store) as opened:
        evidence = evidence_of(opened, run, given)
        other = None if beside is None else evidence_of(opened, beside)
    rules = evidence.frozen.rules
    place = store_place(store)
    readings = {name: instrument_for(name, evidence, store=place, load=load).read(evidence, rules) for name in chosen}
    if other is not None:
        readings = {name: with_other_boundary(reading, evidence, other) for name, reading in readings.items()}
    if json:
        print_json(
            {
                "run": evidence.run,
                "root": evidence.root,
                "config_hash": evidence.config_hash,
                "suite": evidence.frozen.suite.full_name,
                "scope": None if evidence.frozen.scope is None else evidence.frozen.scope.sentence,
                "agent": evidence.frozen.agent,
                "label": _label(evidence),
                "profile": rules.profile,
                **readings,
            }
        )
        return
    label = _label(evidence)
    head = f"{evidence.run} · {evidence.frozen.suite.full_name} · agent {evidence.frozen.agent}"
    if evidence.frozen.scope is not None:
        head += f" · scope {evidence.frozen.scope.sentence}"
    typer.echo(head + (f" · {label}" if label else ""))
    # Curves and costs are long: on a terminal they are shown to those who ask for them.
    asked = instrument is not None
    for name, reading in readings.items():
        if name == "rates" and not asked and readings["binding"].measured:
            # Success rates of arms that are meant to fail, by the hundred.
            continue
        text = _text(name, reading, evidence, asked=asked)
        if text:
            typer.echo(f"\n{text}")


def _together(run: str, others: list[str], store: str | None, *, json: bool) -> None:
    """The binding reading of several models: cells and clusters are then over models too."""
    from proctor.cli.binding import binding_text
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.evidence.evidence import evidence_of
    from proctor.instruments.binding.instrument import instrument

    with open_store(store) as opened:
        found = [evidence_of(opened, name) for name in (run, *others)]
    by_agent = {evidence.frozen.agent: evidence for evidence in found}
    suites = sorted({evidence.frozen.suite.full_name for evidence in found})
    if len(suites) > 1 or len(by_agent) < len(found):
        message = (
            f"--with reads runs of one suite by different models; these are of {', '.join(suites)} by "
            + ", ".join(evidence.frozen.agent for evidence in found)
        )
        raise InputError(message)
    reading = instrument.together(by_agent, found[0].frozen.rules)
    runs = [evidence.run for evidence in found]
    if json:
        print_json({"runs": runs, "roots": [evidence.root for evidence in found], "binding": reading})
        return
    typer.echo(f"{', '.join(runs)} · {suites[0]}\n")
    typer.echo(binding_text(reading) if reading.measured else f"binding: not measured: {reading.reason}")


def _label(evidence: Evidence) -> str:
    from proctor.agents.lookup import label_of

    return label_of(evidence.frozen.agent, evidence.recorded_label)


def _text(name: str, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
    from proctor.cli.summary import quality_text, rates_text, values_text
    from proctor.instruments.agency.instrument import AgencyReading
    from proctor.instruments.binding.reading import BindingReading

    if not reading.measured:
        # A run of binding probes of which none could be read says so unasked.
        broke = isinstance(reading, BindingReading) and reading.records is not None
        return f"{name}: not measured: {reading.reason}" if asked or broke else ""
    if isinstance(reading, AgencyReading):
        from proctor.cli.vector import vector_text

        return vector_text(reading, evidence.locate)
    if isinstance(reading, BindingReading):
        from proctor.cli.binding import binding_text
        from proctor.instruments.binding.ranges import shown_values

        values = f"\n\n{values_text(name, shown_values(reading.values))}" if asked and reading.values else ""
        return binding_text(reading) + values
    if name == "rates":
        return rates_text(list(reading.values))
    if name == "quality":
        return quality_text(reading, evidence.frozen.scope)
    return values_text(name, list(reading.values)) if asked else ""
