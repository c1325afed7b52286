"""A small dataset of our own: three invented projects with issues that name what their files are about."""

from __future__ import annotations

import json
from pathlib import Path

from proctor.core.seeds import Stream

TOPICS = (
    "parser", "lexer", "cache", "socket", "matrix", "palette", "calendar", "currency", "router", "template",
    "cookie", "archive", "cipher", "histogram", "spline", "tokenizer", "scheduler", "widget", "ledger", "beacon",
)  # fmt: skip
PROJECTS = ("north/harbour", "south/orchard", "west/foundry")


def tree_of(project: str) -> list[str]:
    """The Python files of an invented project."""
    package = project.partition("/")[2]
    files = [f"{package}/__init__.py", "setup.py", f"{package}/tests/__init__.py", "conftest.py"]
    for topic in TOPICS:
        files += [f"{package}/{topic}/core.py", f"{package}/{topic}/util.py", f"{package}/tests/test_{topic}.py"]
    return files


def write(folder: Path, per_project: int = 10) -> Path:
    """The dataset in a folder, as users have theirs; most issues name their topic, some only hint at another."""
    folder.mkdir(parents=True, exist_ok=True)
    issues, trees = [], []
    for project in PROJECTS:
        package = project.partition("/")[2]
        stream = Stream.keyed("repository", project)
        for number in range(per_project):
            topic = TOPICS[(number * 7 + len(project)) % len(TOPICS)]
            said = topic if stream.chance(0.7) else stream.choice(TOPICS)
            path = f"{package}/{topic}/core.py"
            name = f"{project.replace('/', '__')}-{number}"
            issues.append(
                {
                    "instance_id": name,
                    "repo": project,
                    "base_commit": "0" * 40,
                    "problem_statement": f"The {said} core of {package} loses its last entry when it is empty.",
                    "patch": f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n",
                }
            )
            trees.append({"instance_id": name, "repo": project, "py": tree_of(project)})
    for stem, records in (("issues", issues), ("trees", trees)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{stem}.jsonl").write_text(lines, encoding="utf-8")
    return folder
