"""Starting points: a `proctor.yaml`, and a family, an agent or a suite with a test beside it.

What is written works as it stands: a family passes `proctor check`, an agent runs confined, a suite loads. Texts come
from `templates/`; only names go into them, and a name is checked before it does. Nothing that exists is overwritten,
and either all files of a starting point are written or none.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

import yaml
from msgspec import Struct

from proctor.core.errors import InputError
from proctor.spec.documents import parse_document
from proctor.spec.name import NAME_PATTERN
from proctor.spec.project import PROJECT_FILE, Project

WORKFLOW_FILE = ".github/workflows/proctor.yml"
"""Where GitHub looks for it."""
IGNORED_FILE = ".proctor/.gitignore"
IGNORED = """\
# Not for the repository: the store holds the seed of every run in plain text, and a committed one would be somebody's
# word for what was run. The ledger, accepted baselines and the reports of gates may be committed.
/*.db*
/load/
/ci/
/baselines/lock
/baselines/next/
/pipeline/*/lock
"""


class ScaffoldFiles(Struct, frozen=True):
    """What was written, and what to do with it."""

    files: tuple[Path, ...]
    next_steps: tuple[str, ...]


class _Kind(Struct, frozen=True):
    """One kind of starting point: `suffix` of its main file, and commands to try it with."""

    suffix: str
    next_steps: tuple[str, ...]


_KINDS = {
    "family": _Kind(
        ".py",
        (
            "proctor check $file",
            "proctor run $file@suite --agent oracle",
            "proctor play $file",
            "pytest $test",
        ),
    ),
    "agent": _Kind(
        ".py", ("proctor run hello --agent python:$file:make", "proctor check python:$file:make", "pytest $test")
    ),
    "suite": _Kind(".yaml", ("proctor run $file --agent clerk", "proctor check $file", "pytest $test")),
}


def project_text(name: str, agent: str, suite: str) -> str:
    """A commented `proctor.yaml` that declares this system and suite, whatever characters the three contain.

    It declares nothing on the user's behalf: what only they can know (tools, memory, people) is left open, and says so.
    """
    if not name.strip():
        message = "the system needs a name; give one with --name"
        raise InputError(message)
    values = {"name": _scalar(name), "agent": _scalar(agent), "suite": _scalar(suite)}
    text = _template("project.yaml").substitute(values)
    Project.parse(parse_document(text, source=PROJECT_FILE), source=PROJECT_FILE)
    return text


def workflow_text() -> str:
    """A GitHub Actions workflow for a project: it takes everything it needs from `proctor.yaml`.

    It installs the version that writes it, since another one may bring other scenarios.
    """
    return _template("github.yaml").template.replace("@VERSION@", version("proctor"))


def write_scaffold(kind: str, name: str, folder: Path) -> ScaffoldFiles:
    """Write the starting point `name` of a kind (`family`, `agent` or `suite`) and a test for it into a folder.

    Hyphens of the name become underscores in file names. Raises `InputError` for an unknown kind, a name that cannot be
    used, or a file that is there already; nothing is written then.
    """
    known = _KINDS.get(kind)
    if known is None:
        message = f"there is no template for {kind!r}; there are {', '.join(_KINDS)}"
        raise InputError(message)
    if not re.fullmatch(NAME_PATTERN, name):
        message = f"{name!r} is not a valid name; names are lower-case words joined by hyphens, e.g. parcel-sorting"
        raise InputError(message)
    module = name.replace("-", "_")
    file, test = f"{module}{known.suffix}", f"test_{module}.py"
    for path in (folder / file, folder / test):
        if path.exists() or path.is_symlink():
            message = f"{path} already exists and was not changed; choose another name, or move it"
            raise InputError(message)
    if known.suffix == ".py":
        _refuse_shadows(name, module)
    words = {"name": name, "file": file, "test": test}
    written = {
        folder / file: _template(f"{kind}{known.suffix}").substitute(words),
        folder / test: _template(f"test_{kind}.py").substitute(words),
    }
    _write(written)
    steps = [Template(step).substitute(words) for step in known.next_steps]
    if find_spec("pytest") is None:
        steps = [f"pip install pytest, then {step}" if step.startswith("pytest ") else step for step in steps]
    return ScaffoldFiles(tuple(written), tuple(steps))


def _write(texts: dict[Path, str]) -> None:
    made: list[Path] = []
    try:
        for path, text in texts.items():
            # "x": a file that appeared since the look is not overwritten either.
            with path.open("x", encoding="utf-8") as opened:
                made.append(path)
                opened.write(text)
    except OSError:
        for path in made:
            path.unlink(missing_ok=True)
        raise


def _refuse_shadows(name: str, module: str) -> None:
    """A file beside the user's others that hides an installed module would break whatever imports that."""
    if module in sys.stdlib_module_names or find_spec(module) is not None:
        message = f"'{name}' would hide the installed Python module '{module}'; choose another name, e.g. my-{name}"
        raise InputError(message)


def _template(name: str) -> Template:
    return Template((files("proctor.plugins") / "templates" / f"{name}.txt").read_text(encoding="utf-8"))


def _scalar(text: str) -> str:
    """The text as a YAML scalar on one line, quoted so that nothing in it has a meaning."""
    try:
        text.encode()
    except UnicodeEncodeError:
        message = f"{text!a} contains bytes that are not valid UTF-8"
        raise InputError(message) from None
    dumped: str = yaml.safe_dump(text, default_style='"', width=sys.maxsize, allow_unicode=True)
    return dumped.strip()
