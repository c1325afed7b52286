"""The engine asks through declared abilities (`proctor.core.abilities`), never by the name of an attribute."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import proctor

ENGINE = Path(proctor.__file__).parent / "engine"
FILES = sorted(ENGINE.rglob("*.py"))
ASKING = {"hasattr", "getattr"}


def probes(text: str) -> list[str]:
    """Calls that look for an attribute whose name is spelt out, and classes that make attributes up."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING:
            name = node.args[1] if len(node.args) > 1 else None
            if isinstance(name, ast.Constant):
                found.append(f"line {node.lineno}: {ast.unparse(node)}")
        if isinstance(node, ast.ClassDef):
            made_up = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__getattr__"]
            found += [f"line {part.lineno}: {node.name}.__getattr__" for part in made_up]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_no_probe_in_the_engine(path: Path) -> None:
    assert not probes(path.read_text(encoding="utf-8")), "declare an ability and ask for it"


def test_no_runtime_protocol_in_the_engine() -> None:
    """`isinstance` with one costs more than many an episode; abilities are not made for it."""
    assert FILES
    assert not [path for path in FILES if "runtime_checkable" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("hasattr(agent, 'close')", 1),
        ("getattr(world, 'relieve', None)", 1),
        ("getattr(world, 'relieve')", 1),
        ("class Agent:\n    def __getattr__(self, name): ...", 1),
        ("getattr(module, attribute or 'family', None)", 0),
        ("all(hasattr(found, member) for member in members(Family))", 0),
        ("def __getattr__(name): ...", 0),
    ],
)
def test_probes_are_found(text: str, count: int) -> None:
    assert len(probes(text)) == count
