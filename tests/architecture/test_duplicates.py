"""Families share code through the kit or a base of their dimension: no run of six lines stands in two modules.

Left out are blank lines, comments, docstrings, imports, lone punctuation, JSON schemas, and tables at module level
(words, texts, forms by name): what is data may look alike, and is clearest where it is used.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import proctor

SUITES = Path(proctor.__file__).parent / "suites"
MIN_RUN = 6
_PUNCTUATION = frozenset("()[]{},:. \t")


def logic_lines(source: str) -> list[tuple[int, str]]:
    """(number, text without outer white space) of the lines that count."""
    left_out: set[int] = set()
    tree = ast.parse(source)
    for node in (*filter(_is_table, tree.body), *filter(_never_counts, ast.walk(tree))):
        assert isinstance(node, ast.stmt | ast.expr)
        left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    stripped = ((number, line.strip()) for number, line in enumerate(source.splitlines(), 1))
    return [
        (number, text)
        for number, text in stripped
        if number not in left_out and not text.startswith("#") and not set(text) <= _PUNCTUATION
    ]


def _is_table(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    return isinstance(node.value, ast.Dict | ast.Tuple | ast.List | ast.Set | ast.Constant)


def _never_counts(node: ast.AST) -> bool:
    """Imports, docstrings and JSON schemas."""
    if isinstance(node, ast.Dict):
        return any(isinstance(key, ast.Constant) and key.value == "type" for key in node.keys)
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or isinstance(node, ast.Import | ast.ImportFrom)


def repeated_runs(sources: dict[str, str], min_run: int = MIN_RUN) -> Iterator[str]:
    """Where a run of lines begins that two modules share, each run once."""
    lines = {name: logic_lines(source) for name, source in sources.items()}
    runs: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for name, numbered in lines.items():
        for start in range(len(numbered) - min_run + 1):
            runs[tuple(text for _, text in numbered[start : start + min_run])].append((name, start))
    for starts in runs.values():
        for index, (one, start) in enumerate(starts):
            for other, begin in starts[index + 1 :]:
                goes_on = start and begin and lines[one][start - 1][1] == lines[other][begin - 1][1]
                if one != other and not goes_on:
                    number, text = lines[one][start]
                    yield f"{one}:{number} ~ {other}:{lines[other][begin][0]}: {text}"


def test_no_run_of_six_lines_stands_in_two_modules() -> None:
    sources = {str(path.relative_to(SUITES)): path.read_text(encoding="utf-8") for path in SUITES.rglob("*.py")}
    assert len(sources) > 400
    repeated = sorted(repeated_runs(sources))
    assert not repeated, "move it into suites/kit or a base of the dimension:\n" + "\n".join(repeated)


JUDGE = """
def judge(given: int, right: int) -> str:
    if given == right:
        return "correct"
    # A comment does not hide a copy.

    if given > right:
        return "too_high"
    return "too_low"
"""


def test_a_copy_would_be_found() -> None:
    copied = f'"""Another module."""\nimport c\n\nclass Judge:{JUDGE.replace(chr(10), chr(10) + "    ")}'
    assert list(repeated_runs({"a.py": f"from a import b\n{JUDGE}", "b.py": copied})) == [
        "a.py:3 ~ b.py:5: def judge(given: int, right: int) -> str:"
    ]
    assert not list(repeated_runs({"a.py": JUDGE, "b.py": copied.replace("too_high", "above")}))


def test_data_may_look_alike() -> None:
    table = "WORDS = (\n    'a',\n    'b',\n    'c',\n    'd',\n    'e',\n    'f',\n    'g',\n)\n"
    schema = "spec = declare(\n    schema={\n        'type': 'object',\n        'properties': {},\n    },\n)\n"
    assert logic_lines(table) == []
    assert [text for _, text in logic_lines(schema)] == ["spec = declare("]
