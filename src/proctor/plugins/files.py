"""A folder of the user's own files works without packaging: Python files are imported by path, once.

From their sources alone, and where a project is governed only as approved: see `own_sources.py`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from proctor.core.errors import InputError, Terminated
from proctor.core.hashing import sha256_hex
from proctor.plugins.own_sources import SourceLoader, UnapprovedCode, admit, loading
from proctor.plugins.places import with_place


def load_module(path: Path) -> ModuleType:
    """Import a Python file under a name made from its path; its own folder is importable meanwhile, last of all."""
    path = path.resolve()
    if not path.is_file():
        message = f"{path}: there is no such file"
        raise InputError(message)
    name = f"proctor_user_{sha256_hex(str(path).encode())[:12]}_{path.stem}"
    if path.suffix != ".py":
        message = f"{path}: not a Python file that can be imported"
        raise InputError(message)
    admit(path)
    if name in sys.modules:
        return sys.modules[name]
    loader = SourceLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    if spec is None:
        message = f"{path}: not a Python file that can be imported"
        raise InputError(message)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with loading(path):
            loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        message = f"{path}: not valid Python at line {error.lineno}: {error.msg}"
        raise InputError(message) from None
    except Terminated:
        raise
    except UnapprovedCode:
        del sys.modules[name]
        raise
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        said = f"{type(error).__name__}: {' '.join(str(error).split())}"
        message = f"{path}: importing it raised {with_place(said, error)}"
        raise InputError(message) from error
    return module
