"""Small changes of meaning to a source file, each at one place that its syntax tree names.

A comparison turned round, a whole number one larger, a text changed, `and` for `or`, a result negated; where asked for,
a decimal number five hundredths larger and `True` for `False`. Docstrings, names in `__all__`, type annotations and
parts of f-strings are left alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

KINDS = frozenset({"comparison", "number", "text", "and/or", "negation"})
DECIMAL, TRUTH = "decimal", "truth value"
"""Kinds that are made where they are asked for."""
_STEP, _SLACK = 0.05, 1e-6
"""How much a decimal number grows; a smaller one than the second stands for rounding, and is left alone."""

_OPPOSITE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", ">="),
    ast.GtE: (">=", "<"),
    ast.Gt: (">", "<="),
    ast.LtE: ("<=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}


class Mutation(NamedTuple):
    """One change: the bytes from `start` to `end` become `text`."""

    kind: str
    line: int
    start: int
    end: int
    text: str

    def of(self, source: str) -> str:
        """The source with this change."""
        data = source.encode()
        return (data[: self.start] + self.text.encode() + data[self.end :]).decode()

    def described(self, source: str) -> str:
        """What it changes, in one line."""
        before = source.encode()[self.start : self.end].decode()
        return f"{self.kind}: {before} → {self.text}".replace("\n", " ")


def mutations(
    source: str,
    *,
    without: frozenset[str] = frozenset(),
    kinds: frozenset[str] = KINDS,
    declarations: bool = True,
) -> list[Mutation]:
    """Every change of these kinds that can be made to a source text, in the order of their places.

    None is made in functions and constants `without`; without `declarations` none in decorators, in the keywords of a
    class, and in `strict=` of a call.
    """
    tree = ast.parse(source)
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    left_alone = set(map(id, _left_alone(tree, without, declarations)))
    data = source.encode()
    found = [
        mutation
        for node in ast.walk(tree)
        if id(node) not in left_alone
        for mutation in (_of_node(node, data, starts) or ())
        if mutation.kind in kinds
    ]
    return sorted(found, key=lambda mutation: (mutation.start, mutation.end))


def rename(source: str, function: str, old: str, new: str) -> str:
    """The source with a local variable of one function renamed; not one that stands in an f-string."""
    tree = ast.parse(source)
    home = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function)
    lines = source.splitlines(keepends=True)
    names = [node for node in ast.walk(home) if isinstance(node, ast.Name) and node.id == old]
    assert names, f"{function} has no variable {old}"
    for node in sorted(names, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        line = lines[node.lineno - 1].encode()
        at = node.col_offset
        assert line[at : at + len(old)].decode() == old
        lines[node.lineno - 1] = (line[:at] + new.encode() + line[at + len(old) :]).decode()
    return "".join(lines)


def _left_alone(tree: ast.Module, without: frozenset[str], declarations: bool) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if not declarations:
            for declared in _declarations(node):
                yield from ast.walk(declared)
        if without.intersection(_names(node)):
            yield from ast.walk(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield from ast.walk(node)
        elif isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in node.targets):
            yield from ast.walk(node.value)
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(annotation, ast.AST):
                yield from ast.walk(annotation)


def _names(node: ast.AST) -> Iterator[str]:
    """The names that a definition or an assignment makes."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _declarations(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from node.decorator_list
    if isinstance(node, ast.ClassDef):
        yield from node.keywords
    if isinstance(node, ast.Call):
        yield from (keyword for keyword in node.keywords if keyword.arg == "strict")


def _of_node(node: ast.AST, data: bytes, starts: list[int]) -> Iterator[Mutation] | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        old, new = _OPPOSITE[type(node.ops[0])]
        return _between("comparison", node.left, node.comparators[0], (old, new), data, starts)
    if isinstance(node, ast.BoolOp):
        words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        return _between("and/or", node.values[0], node.values[1], words, data, starts)
    if isinstance(node, ast.Constant):
        return _constant(node, starts)
    if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name) and node.returns.id == "bool":
        return _negated(node, data, starts)
    return None


def _between(
    kind: str, left: ast.expr, right: ast.expr, words: tuple[str, str], data: bytes, starts: list[int]
) -> Iterator[Mutation]:
    """The operator that stands between two operands; brackets and comments there are passed over."""
    begin, end = _end(left, starts), _start(right, starts)
    pattern = r"\s+".join(map(re.escape, words[0].split(" ")))
    mark = re.search(pattern.encode(), data[begin:end])
    if mark is not None:
        yield Mutation(kind, left.end_lineno or left.lineno, begin + mark.start(), begin + mark.end(), words[1])


def _constant(node: ast.Constant, starts: list[int]) -> Iterator[Mutation]:
    if type(node.value) is int:
        yield Mutation("number", node.lineno, _start(node, starts), _end(node, starts), str(node.value + 1))
    elif type(node.value) is float and (node.value == 0.0 or node.value >= _SLACK):
        larger = repr(round(node.value + _STEP, 9))
        yield Mutation(DECIMAL, node.lineno, _start(node, starts), _end(node, starts), larger)
    elif type(node.value) is bool:
        yield Mutation(TRUTH, node.lineno, _start(node, starts), _end(node, starts), str(not node.value))
    elif type(node.value) is str:
        yield Mutation("text", node.lineno, _start(node, starts), _end(node, starts), repr(f"{node.value}~"))


def _negated(function: ast.FunctionDef, data: bytes, starts: list[int]) -> Iterator[Mutation]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            start, end = _start(node.value, starts), _end(node.value, starts)
            yield Mutation("negation", node.lineno, start, end, f"not ({data[start:end].decode()})")


def _start(node: ast.expr, starts: list[int]) -> int:
    return starts[node.lineno - 1] + node.col_offset


def _end(node: ast.expr, starts: list[int]) -> int:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.end_lineno - 1] + node.end_col_offset
