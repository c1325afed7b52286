"""Read a run's evidence with the instruments. Needs no agent, no model and no network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import (
    Beside,
    Json,
    LoadFrom,
    RatingsFrom,
    ReferenceFrom,
    RunName,
    StorePlace,
    meant,
    open_store,
    store_place,
)

if TYPE_CHECKING:
    from proctor.evidence.evidence import Evidence
    from proctor.instruments.base import Reading


def command(
    run: RunName = "latest",
    instrument: Annotated[
        list[str] | None, typer.Option("--instrument", help="Only this instrument; may be repeated.")
    ] = None,
    ratings: RatingsFrom = None,
    reference: ReferenceFrom = None,
    load: LoadFrom = None,
    beside: Beside = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="RUN", help="Another model's run of the same suite, read together (binding)."),
    ] = None,
    store: StorePlace = None,
    json: Json = False,
) -> None:
    from proctor.cli.output import clean, print_json
    from proctor.evidence.challenges import challenge_data, challenge_words, challenges_in
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.rated import rated_evidence
    from proctor.evidence.replies import cut_off
    from proctor.evidence.services import why_nothing
    from proctor.pipeline.reading import readings_of

    if others:
        _together(run, others, instrument, store, json=json)
        return
    with open_store(store) as opened:
        evidence = rated_evidence(opened, meant(opened, run), ratings=ratings or (), references=reference or ())
        other = None if beside is None else evidence_of(opened, beside)
    readings = readings_of(evidence, names=instrument, store=store_place(store), load=load, other=other)
    if json:
        print_json(
            {
                "run": evidence.run,
                "root": evidence.root,
                "config_hash": evidence.config_hash,
                "suite": evidence.frozen.suite.full_name,
                "scope": None if evidence.frozen.scope is None else evidence.frozen.scope.sentence,
                "agent": evidence.frozen.agent,
                "label": label_of_runs(evidence, other),
                "complete": evidence.complete,
                "unfinished": evidence.unfinished,
                "profile": evidence.frozen.rules.profile,
                "replies": cut_off(evidence.rows),
                "challenges": challenge_data(challenges_in(evidence)),
                **readings,
            }
        )
        return
    label = label_of_runs(evidence, other)
    head = f"{evidence.run} · {evidence.frozen.suite.full_name} · agent {evidence.frozen.agent}"
    if evidence.frozen.scope is not None:
        head += f" · scope {evidence.frozen.scope.sentence}"
    typer.echo(head + (f" · {label}" if label else ""))
    if evidence.unfinished:
        typer.echo(evidence.unfinished)
    if cut := cut_off(evidence.rows).sentence:
        typer.echo(cut)
    for challenge in challenges_in(evidence).found:
        typer.echo(clean(f"challenged: {challenge_words(challenge)}"))
    if why := why_nothing(evidence.rows):
        typer.echo(f"\nNothing was measured: {why}")
    shown = dict(_texts(readings, evidence, asked=instrument is not None))
    for text in shown.values():
        typer.echo(f"\n{text}")
    others = [name for name, reading in readings.items() if reading.measured and name not in shown]
    if others:
        typer.echo(f"\nalso measured: {', '.join(others)}; shown with --instrument NAME")


def _texts(readings: dict[str, Reading], evidence: Evidence, *, asked: bool) -> Iterator[tuple[str, str]]:
    """By name, what each instrument's section shows; unasked, without those that another one makes superfluous."""
    from proctor.reports.section import invalid_text, section_for

    kinds = {name: section_for(reading) for name, reading in readings.items()}
    replaced = {other for name, kind in kinds.items() if readings[name].measured for other in kind.replaces}
    for name, reading in readings.items():
        if asked or name not in replaced:
            text = kinds[name].text(reading, evidence, asked=asked) or invalid_text(reading)
            if text:
                yield name, text


def _together(run: str, others: list[str], instruments: list[str] | None, store: str | None, *, json: bool) -> None:
    """The readings of several models: cells and clusters are then over models too."""
    from proctor.cli.output import print_json
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.replies import cut_off
    from proctor.pipeline.reading import readings_together
    from proctor.reports.section import section_kind

    with open_store(store) as opened:
        evidences = [evidence_of(opened, meant(opened, name)) for name in (run, *others)]
    readings = readings_together(evidences, instruments)
    runs = [evidence.run for evidence in evidences]
    first, label = evidences[0], label_of_runs(*evidences)
    cut = cut_off(row for evidence in evidences for row in evidence.rows)
    if json:
        roots, agents = ([evidence.root for evidence in evidences], [evidence.frozen.agent for evidence in evidences])
        suite = first.frozen.suite.full_name
        head = {"runs": runs, "roots": roots, "suite": suite, "agents": agents, "label": label, "replies": cut}
        print_json({**head, **readings})
        return
    typer.echo(f"{', '.join(runs)} · {first.frozen.suite.full_name}" + (f" · {label}" if label else ""))
    for one in evidences:
        if one.unfinished:
            typer.echo(f"{one.run}: {one.unfinished}")
    if cut.cut:
        typer.echo(cut.sentence)
    for name, reading in readings.items():
        text = section_kind(name).text(reading, first, asked=False)
        typer.echo("\n" + (text or f"{name}: not measured: {reading.reason}"))


def label_of_runs(*read: Evidence | None) -> str:
    """What must be said of everything that was read; where it is said of some only, of which."""
    from proctor.agents.lookup import label_of

    said: dict[str, list[str]] = {}
    runs = [one for one in read if one is not None]
    for one in runs:
        parts = label_of(one.frozen.agent, one.recorded_label), one.seed_label
        if label := ", ".join(part for part in parts if part):
            said.setdefault(label, []).append(one.run)
    words = (label if len(of) == len(runs) else f"{', '.join(of)}: {label}" for label, of in said.items())
    return "; ".join(words)
