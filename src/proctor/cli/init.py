"""Write a proctor.yaml for the project in this folder: system, suite, seed, limits, store.

Beside it comes .proctor/.gitignore, which keeps the store out of the repository.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proctor.cli.options import Json


def command(
    agent: Annotated[str, typer.Option("--agent", help="The agent string of the system.")] = "clerk",
    name: Annotated[str | None, typer.Option("--name", help="The system's name (default: this folder's).")] = None,
    suite: Annotated[str, typer.Option("--suite", help="The suite to run.")] = "hello",
    github: Annotated[
        bool, typer.Option("--github", help="Also write a GitHub Actions workflow that runs the suite and the gate.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what exists already.")] = False,
    json: Json = False,
) -> None:
    from proctor.cli.output import print_json
    from proctor.core.errors import InputError
    from proctor.core.folders import make_folder
    from proctor.plugins.scaffolds import (
        IGNORED,
        IGNORED_FILE,
        WORKFLOW_FILE,
        project_text,
        workflow_text,
    )
    from proctor.spec.project import PROJECT_FILE, read_project

    path, workflow = Path(PROJECT_FILE), Path(WORKFLOW_FILE)
    for written in (path, *([workflow] if github else [])):
        if written.exists() and not force:
            message = f"{written} exists already; edit it, or replace it with --force"
            raise InputError(message)
    path.write_text(project_text(name or Path.cwd().name, agent, suite), encoding="utf-8")
    if github:
        workflow.parent.mkdir(parents=True, exist_ok=True)
        workflow.write_text(workflow_text(), encoding="utf-8")
    ignored = Path(IGNORED_FILE)
    if not ignored.exists():
        make_folder(ignored.parent)
        ignored.write_text(IGNORED, encoding="utf-8")
    project = read_project(Path())
    if json:
        print_json(project)
    else:
        typer.echo(f"wrote {PROJECT_FILE}; `proctor run` now examines {agent} with {suite}")
