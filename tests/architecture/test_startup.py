"""What is imported when: `import proctor` and `--help` stay light, whatever the package grows into."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "scipy", "statsmodels", "pandas", "sqlalchemy", "pyarrow", "zstandard", "sklearn")


def loaded(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split("\n"))


def test_import_proctor_loads_nothing_heavy() -> None:
    modules = loaded("import proctor")
    assert not [name for name in (*HEAVY, "pydantic", "msgspec", "asyncio", "typer", "rich") if name in modules]


def test_help_loads_no_command_and_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['proctor', '--help']\nfrom proctor.cli.main import main\n"
        "import io, contextlib\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n    main()"
    )
    modules = loaded(code)
    assert "proctor.cli.main" in modules
    assert not [name for name in (*HEAVY, "proctor.cli.run", "proctor.engine.run") if name in modules]


def test_help_of_a_command_loads_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['proctor', 'run', '--help']\nfrom proctor.cli.main import main\n"
        "import io, contextlib\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n    main()"
    )
    modules = loaded(code)
    assert "proctor.cli.run" in modules
    assert not [name for name in (*HEAVY, "proctor.engine.run") if name in modules]
