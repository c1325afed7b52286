"""Imports go one way. The order is the design's; an edge against it, or a cycle, fails here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import proctor

SOURCE = Path(proctor.__file__).parent

LEVELS = [
    {"core"},
    {"spec"},
    {"plugins", "evidence", "stats"},
    {"worlds"},
    {"models"},
    {"agents"},
    {"engine"},
    {"suites", "conformance"},
    {"instruments"},
    {"reports"},
    {"pipeline"},
    {"audit"},
    {"web", "cli"},
]
LEVEL = {name: number for number, names in enumerate(LEVELS) for name in names}
NEVER = {
    ("instruments", "engine"),
    ("instruments", "agents"),
    ("instruments", "worlds"),
    ("instruments", "suites"),
    ("instruments", "conformance"),
    ("suites", "conformance"),
    ("plugins", "evidence"),
    ("plugins", "stats"),
    ("evidence", "plugins"),
    ("evidence", "stats"),
    ("stats", "evidence"),
    ("stats", "plugins"),
}


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(path: Path, *, at_import_time: bool) -> set[str]:
    """Modules of ours that a file imports; with `at_import_time` only those outside functions and type checking."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if at_import_time and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test) and at_import_time:
                continue
            if isinstance(child, ast.Import):
                found.update(alias.name for alias in child.names if alias.name.startswith("proctor"))
            elif isinstance(child, ast.ImportFrom) and (child.module or "").startswith("proctor"):
                base = child.module or ""
                found.update(f"{base}.{alias.name}" for alias in child.names)
                found.add(base)
            visit(child)

    visit(tree)
    return found


def room(module: str) -> str | None:
    """The folder a module lives in; None for the public face of the package."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else None


ROOMS = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}


ALL = modules()


def test_every_room_has_a_level() -> None:
    rooms = {room(name) for name in ALL} - {None}
    assert rooms
    assert rooms <= set(LEVEL)


@pytest.mark.parametrize("name", sorted(ALL))
def test_no_import_goes_up(name: str) -> None:
    own = room(name)
    for target in imports_of(ALL[name], at_import_time=False):
        other = room(target)
        if own is None or other is None or other == own:
            # The public face may import anything, and nothing inside imports it back: see below.
            continue
        assert LEVEL[other] <= LEVEL[own], f"{name} imports {target}, which lies above it"
        assert (own, other) not in NEVER, f"{name} imports {target}, which it must never do"


def test_nothing_inside_imports_the_public_face() -> None:
    for name, path in ALL.items():
        if room(name) is not None:
            assert not {"proctor", "proctor.api", "proctor.contracts"} & imports_of(path, at_import_time=False), name


def test_no_cycles() -> None:
    graph = {
        name: {target for target in imports_of(path, at_import_time=True) if target in ALL and target != name}
        for name, path in ALL.items()
    }
    for name, targets in graph.items():
        # `from proctor.a import b` names the package too; a package's own __init__ is not a dependency of its parts.
        graph[name] = {target for target in targets if not name.startswith(f"{target}.")}
    done: set[str] = set()
    path: list[str] = []

    def walk(name: str) -> None:
        if name in done:
            return
        assert name not in path, f"import cycle: {' → '.join([*path[path.index(name) :], name])}"
        path.append(name)
        for target in sorted(graph[name]):
            walk(target)
        path.pop()
        done.add(name)

    for name in graph:
        walk(name)


def test_a_cycle_would_be_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("from proctor.core import bb\n")
    second.write_text("import proctor.core.aa\n")
    monkeypatch.setitem(ALL, "proctor.core.aa", first)
    monkeypatch.setitem(ALL, "proctor.core.bb", second)
    with pytest.raises(AssertionError, match="import cycle"):
        test_no_cycles()


def test_the_clerk_cannot_reach_suites() -> None:
    """Followed through everything it imports, directly or not."""
    seen: set[str] = set()
    waiting = [name for name in ALL if name.startswith("proctor.agents.clerk")]
    assert waiting
    while waiting:
        name = waiting.pop()
        if name in seen or name not in ALL:
            continue
        seen.add(name)
        waiting += imports_of(ALL[name], at_import_time=False)
    assert not [name for name in seen if name.startswith(("proctor.suites", "proctor.engine", "proctor.conformance"))]


def test_no_family_id_in_the_clerk() -> None:
    from proctor.plugins import registry

    text = "\n".join(
        ast.unparse(ast.parse(path.read_text(encoding="utf-8")))
        for name, path in ALL.items()
        if name.startswith("proctor.agents.clerk")
    )
    strings = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
    assert not strings & {f"{name}@1.0" for name in registry.names("families")}


def test_no_catch_all_modules() -> None:
    assert not [name for name in ALL if name.rsplit(".", 1)[-1] in {"utils", "util", "helpers", "misc", "common"}]
