"""Writes `docs/reference/`, and the tables of fields in other pages, from the code.

`--check` only says whether they are up to date.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import yaml

from proctor.agents.http_service.openapi import openapi
from proctor.agents.lookup import load_agent_kind
from proctor.cli.main import COMMANDS, load_command
from proctor.core.errors import NeedsData
from proctor.engine.names import load_family, load_suite
from proctor.evidence import events
from proctor.models.contract import INTERFACE_ERRORS, load_kind
from proctor.models.prices import TABLE
from proctor.plugins import registry
from proctor.reports.documents.schema import DOCUMENTS, document_schema
from proctor.spec.regime import STANDARD_REGIMES, Regime
from proctor.worlds.adversity.layer import Layer

REFERENCE = Path(__file__).parent / "reference"
NOTE = "<!-- Written by docs/generate.py from the code; edit the code instead. -->\n"


def commands() -> str:
    parts = ["# Commands", "Every option can also be set by environment: `PROCTOR_RUN_SEED=7 proctor run …`."]
    for name in COMMANDS:
        command = load_command(name)
        arguments, options = [], []
        for parameter in command.params:
            if getattr(parameter, "hidden", False) or parameter.name == "help":
                continue
            text = (getattr(parameter, "help", None) or "").replace("|", "\\|")
            if parameter.param_type_name == "argument":
                arguments.append((parameter.metavar or parameter.name, text))
            else:
                options.append((", ".join(f"`{flag}`" for flag in parameter.opts), text))
        usage = " ".join(["proctor", name, *(str(metavar) for metavar, _ in arguments)])
        parts.append(f"## `{usage}`\n\n{inspect.cleandoc(command.help or '')}")
        rows = [*((f"`{metavar}`", text) for metavar, text in arguments), *options]
        if rows:
            parts.append(table(["argument or option", "meaning"], [list(row) for row in rows]))
    parts.append(
        "## Exit codes\n\n"
        + table(
            ["code", "meaning"],
            [
                ["0", "fine"],
                ["1", "the bench failed, or a check did not hold"],
                ["2", "bad usage or input, or a store that cannot be used"],
                ["100", "`gate`, `watch`: block"],
                ["101", "`gate`, `watch`: escalate to a human"],
                ["130", "stopped by the user; `--resume` continues"],
            ],
        )
    )
    return "\n\n".join(parts)


def event_kinds() -> str:
    parts = [
        "# Events",
        inspect.cleandoc(events.__doc__ or ""),
        "Every event is one line of canonical JSON; `event` names its kind. A field that has its default is left out.",
    ]
    for name in events.__all__:
        kind = getattr(events, name)
        tag = getattr(getattr(kind, "__struct_config__", None), "tag", None)
        if not tag:
            continue
        hints = get_type_hints(kind)
        rows = [[f"`{field}`", f"`{type_name(hints[field])}`"] for field in kind.__struct_fields__]
        parts.append(f"## `{tag}`\n\n{inspect.cleandoc(kind.__doc__ or '')}\n\n{table(['field', 'type'], rows)}")
    return "\n\n".join(parts)


def regimes() -> str:
    parts = [
        "# Regimes",
        "Standard ids have fixed parameters; the same id with other parameters is refused. What is not stated is not "
        "limited. Intensity is checked against the number of axes and the size of the values; how large a cap is "
        "depends on the family ([how hard a regime is](../design/regimes.md)).",
    ]
    parts += [_regime(regime, "##") for regime in STANDARD_REGIMES.values()]
    parts.append("## Regimes of `agency`\n\nNumbers that Appendix B of the white paper gives to single cells.")
    parts += [_regime(regime, "###") for regime in load_suite("agency", Path()).regimes]
    parts.append("## Layers\n\nWhat a regime puts between agent and world; one file per layer in `worlds/adversity/`.")
    rows = [[f"`{layer.name}`", layer.axis, first_line(layer.__doc__)] for layer in layers()]
    parts.append(table(["layer", "axis", "what it does"], rows))
    return "\n\n".join(parts)


def _regime(regime: Regime, heading: str) -> str:
    shown = yaml.safe_dump(regime.model_dump(mode="json", exclude_defaults=True), sort_keys=False)
    return f"{heading} `{regime.id}`\n\n```yaml\n{shown}```\n\nAxes: {', '.join(regime.axes) or 'none'}."


def layers() -> list[type[Layer]]:
    from proctor.worlds.adversity import build

    return sorted(
        (
            kind
            for kind in vars(build).values()
            if inspect.isclass(kind) and issubclass(kind, Layer) and kind is not Layer
        ),
        key=lambda kind: kind.name,
    )


def agents() -> str:
    rows = []
    for name in registry.names("agents"):
        kind = load_agent_kind(name)
        where = "somewhere else" if kind.remote else "in the bench" if kind.trusted else "confined"
        rows.append([f"`{name}`", kind.description, where, kind.label])
    return "\n\n".join(
        [
            "# Agents",
            "An agent string is `kind:detail,key=value`, e.g. `clerk` or `python:my_agent.py:make`.",
            table(["kind", "what it does", "where it runs", "label in reports"], rows),
        ]
    )


def models() -> str:
    rows = []
    for name in registry.names("models"):
        kind = load_kind(name)
        rows.append([f"`{name}`", kind.description, kind.label])
    errors = [[f"`{name}`", meaning] for name, meaning in INTERFACE_ERRORS.items()]
    prices = [
        [f"`{name}`", str(price.prompt), str(price.completion), str(price.cached), price.source]
        for name, price in TABLE.items()
    ]
    return "\n\n".join(
        [
            "# Chat models",
            "A model string is `kind:detail,key=value`, e.g. `simulated,reason=.9` or `openai:NAME,base_url=…`; an "
            "agent string over one is `structured:` or `chat:` and the model string.",
            table(["kind", "what it is", "label in reports"], rows),
            "## Interface errors",
            table(["name", "meaning"], errors),
            "## Prices",
            "US dollars per million tokens, as the providers published them; what `system.prices` in `proctor.yaml` "
            "says goes before. Dated names cost as the name without its date.",
            table(["model", "input", "output", "cached input", "from"], prices),
        ]
    )


def families() -> str:
    parts = [
        "# Families",
        "What ships with Proctor. `proctor families show NAME` prints one; `proctor play NAME` plays it.",
    ]
    for name in registry.names("families"):
        try:
            spec = load_family(name, Path()).spec
        except NeedsData as needs:
            parts.append(f"## `{name}`\n\nIts tasks come from records you have: {needs}.")
            continue
        knobs = [[f"`{knob}`", ", ".join(map(str, k.values)), k.description] for knob, k in spec.knobs.items()]
        parts.append(
            f"## `{spec.full_name}`\n\n{spec.title}. {spec.description}\n\n"
            f"- Environment: {spec.environment.kind.value}\n- Success: {spec.criterion}\n"
            f"- Checked: {spec.verification}\n"
            f"- Reasons: {', '.join(f'`{reason}`' for reason in spec.reasons)}\n"
            f"- Templates: {', '.join(f'`{template}`' for template in spec.templates)}"
        )
        if knobs:
            parts.append(table(["knob", "values, easy to hard", "meaning"], knobs))
    return "\n\n".join(parts)


def fields_of(kind: type) -> str:
    """The fields of a class with their types and what stands below them in its source."""
    (defined,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(defined, ast.ClassDef)
    rows = []
    for field, below in zip(defined.body, [*defined.body[1:], None], strict=True):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        assert isinstance(below, ast.Expr), f"{kind.__name__}.{field.target.id} has no docstring"
        said = inspect.cleandoc(str(ast.literal_eval(below.value))).replace("|", "\\|")
        default = "" if field.value is None else f" = {ast.unparse(field.value)}"
        shown = "" if "field(" in default else default
        written = ast.unparse(field.annotation).replace("|", "or")
        rows.append([f"`{field.target.id}`", f"`{written}{shown}`", said])
    return table(["field", "type and default", "meaning"], rows)


def with_fields(page: str) -> str:
    """A page with its tables of fields written anew: `<!-- fields of module:Class -->` begins one."""

    def anew(found: re.Match[str]) -> str:
        module, _, name = found[2].partition(":")
        return f"{found[1]}\n\n{fields_of(getattr(import_module(module), name))}\n\n{found[3]}"

    return FIELDS.sub(anew, page)


FIELDS = re.compile(r"(<!-- fields of ([\w.]+:\w+) -->)\n.*?(<!-- end of fields -->)", re.DOTALL)


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(' '.join(str(cell).split()) for cell in line)} |" for line in lines)


def type_name(hint: Any) -> str:
    text = hint.__name__ if isinstance(hint, type) and not hasattr(hint, "__args__") else str(hint)
    for prefix in ("typing.", "proctor.evidence.events.delivery.", "proctor.evidence.events.episode."):
        text = text.replace(prefix, "")
    return text.replace("|", "or")


def first_line(text: str | None) -> str:
    return inspect.cleandoc(text or "").split("\n\n")[0].replace("\n", " ")


PAGES = {
    "commands.md": commands,
    "events.md": event_kinds,
    "regimes.md": regimes,
    "agents.md": agents,
    "models.md": models,
    "families.md": families,
}


def files() -> dict[str, str]:
    """Every file of the reference with what belongs into it."""
    pages = {name: f"{NOTE}\n{write()}\n" for name, write in PAGES.items()}
    schemas = {
        f"{name}.schema.json": json.dumps(document_schema(name), indent=2, ensure_ascii=False) + "\n"
        for name in DOCUMENTS
    }
    described = json.dumps(openapi(), indent=2, ensure_ascii=False) + "\n"
    return pages | schemas | {"http-agent.openapi.json": described}


def main() -> int:
    stale = []
    REFERENCE.mkdir(exist_ok=True)
    for name, text in files().items():
        path = REFERENCE / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    for path in sorted(REFERENCE.parent.glob("how-to/*.md")):
        before = path.read_text(encoding="utf-8")
        after = with_fields(before)
        if "--check" not in sys.argv:
            path.write_text(after, encoding="utf-8")
        elif after != before:
            stale.append(path.name)
    if stale:
        print(f"out of date: {', '.join(stale)}; run python docs/generate.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
