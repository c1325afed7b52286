"""Write down what will be examined before it is: suite, samples, success criteria, rules, claim, and a hidden seed.

`proctor preregister SUITE --claim E=3 --use research --runs 2 --out FILE` writes FILE, whose SHA-256 names it, and
beside it FILE.seed with the hidden seed that FILE commits to. Publish FILE or its digest, and keep FILE.seed to
yourself. Then run with `--preregistration FILE`: every start is logged in FILE.log.

`proctor preregister reveal FILE` publishes the seed in FILE.log when all runs are made. Until then no run of it can be
exported, since a bundle contains the seed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proctor.cli.options import Json

if TYPE_CHECKING:
    from proctor.cli.freezing import Asked
    from proctor.spec.frozen import FrozenRun


def command(
    suite: Annotated[str, typer.Argument(metavar="SUITE|reveal", help="The suite to register, or 'reveal'.")],
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="With reveal: the preregistration.")] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", help="The agent (default: those of the system in proctor.yaml).")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", metavar="NAME", help="The system of proctor.yaml, by name.")
    ] = None,
    claim: Annotated[
        str | None, typer.Option("--claim", metavar="CLAIM", help="The primary claim, e.g. E=3 or tier=4.")
    ] = None,
    use: Annotated[
        str | None,
        typer.Option("--use", help="internal, research, roadmapping, procurement, comparison or safety-input."),
    ] = None,
    runs: Annotated[int, typer.Option("--runs", metavar="N", min=1, help="How many runs will be made.")] = 1,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")] = None,
    scale: Annotated[int, typer.Option("--scale", metavar="K", help="Multiply the sample sizes by K.")] = 1,
    boundary: Annotated[
        str | None, typer.Option("--boundary", help="Only this boundary: core or extended (default: those declared).")
    ] = None,
    json: Json = False,
) -> None:
    from proctor.cli.freezing import Asked
    from proctor.core.errors import InputError

    if suite == "reveal":
        if file is None:
            message = "proctor preregister reveal FILE: name the preregistration"
            raise InputError(message)
        _reveal(file, json=json)
        return
    if file is not None:
        message = f"proctor preregister {suite} {file}: name one suite, and the file to write with --out"
        raise InputError(message)
    for name, given in (("--claim", claim), ("--use", use), ("--out", out)):
        if given is None:
            message = f"a preregistration needs {name}; see `proctor preregister --help`"
            raise InputError(message)
    asked = Asked(suite=suite, agent=agent, scale=scale, boundary=boundary)
    _register(asked, system, str(claim), str(use), runs, Path(str(out)), json=json)


def _register(asked: Asked, system: str | None, claim: str, use: str, runs: int, out: Path, *, json: bool) -> None:
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.engine.preregistering import draw_secret, register, secret_of
    from proctor.spec.evaluation import Evaluation, Use
    from proctor.spec.preregistration import PrimaryClaim
    from proctor.spec.project import read_project

    primary = PrimaryClaim.read(claim)
    wanted = Use(Evaluation.parse({"use": use}, source="--use").use or use)
    project = read_project(Path())
    if system is not None and (project is None or project.system.name != system):
        there = "there is no proctor.yaml here" if project is None else f"proctor.yaml declares '{project.system.name}'"
        message = f"--system {system}: {there}"
        raise InputError(message)
    declared = None if project is None or project.evaluation is None else project.evaluation.use
    if asked.agent is None and declared not in (None, wanted):
        message = f"--use {use}: proctor.yaml declares evaluation.use {declared}; they have to be the same"
        raise InputError(message)
    seed, nonce = draw_secret()
    frozen = _frozen(asked, seed)
    registered, tag = register(frozen, claim=primary, use=wanted, runs=runs, out=out, nonce=nonce, folder=Path())
    if json:
        print_json({"file": str(out), "sha256": registered.digest, "seed": str(secret_of(out)), "tag": tag})
        return
    document = registered.document
    boundaries = ", ".join(one.boundary.value if one.boundary else "undeclared" for one in document.agents)
    agent = "" if asked.agent is None else f" --agent {asked.agent}"
    typer.echo(
        f"{out}  preregistration {registered.digest}\n"
        f"claim     {primary.text}, for {wanted.value}; all other levels are secondary\n"
        f"runs      {runs} of {document.suite.full_name}, {len(document.families)} families, boundary {boundaries}\n"
        f"seed      hidden in {secret_of(out)}, committed to by {document.commitment[:12]}…; keep it to yourself\n"
        f"date      {document.created}; {tag}\n"
        f"next      publish {out} or its digest, then proctor run {asked.suite}{agent} --preregistration {out}"
    )


def _frozen(asked: Asked, seed: str) -> list[FrozenRun]:
    """What a run would be within each boundary that is declared and named an agent for."""
    import msgspec

    from proctor.cli.freezing import freezer
    from proctor.core.errors import InputError
    from proctor.engine.names import load_suite
    from proctor.spec.project import read_project
    from proctor.spec.system import BoundaryKind

    asked = msgspec.structs.replace(asked, seed=seed)
    project = read_project(Path())
    suite = load_suite(asked.suite or "", Path())
    if asked.agent is not None or asked.boundary is not None or suite.boundary is not None or project is None:
        return [freezer(Path(), asked)(None, None)]
    named = {BoundaryKind.CORE: project.system.agents.core, BoundaryKind.EXTENDED: project.system.agents.extended}
    kinds = [kind for kind, agent in named.items() if agent is not None]
    if not kinds:
        message = "proctor.yaml names no agent; add system.agents.core or pass --agent"
        raise InputError(message)
    return [freezer(Path(), msgspec.structs.replace(asked, boundary=kind.value))(None, None) for kind in kinds]


def _reveal(file: Path, *, json: bool) -> None:
    from proctor.cli.output import print_json
    from proctor.engine.preregistering import OpenRegistration
    from proctor.evidence.registration_log import log_of

    registration = OpenRegistration(file)
    unfinished = registration.unfinished()
    secret = registration.reveal()
    commitment = registration.registered.document.commitment
    if json:
        print_json(
            {
                "sha256": registration.digest,
                "seed": secret.seed,
                "nonce": secret.nonce,
                "commitment": commitment,
                "unfinished": unfinished,
            }
        )
        return
    typer.echo(
        f"seed      {secret.seed}\nnonce     {secret.nonce}\n"
        f"check     SHA-256 of the 64 bytes nonce, seed is {commitment}\n"
        f"log       {log_of(file)}"
    )
    if unfinished:
        numbers = ", ".join(map(str, unfinished))
        typer.echo(f"missing   run {numbers} of {registration.registered.document.runs}: they can no longer be made")
