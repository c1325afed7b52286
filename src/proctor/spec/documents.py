"""Reading declarations from YAML or JSON files, and writing their JSON Schemas for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from proctor.core.errors import InputError

_MAX_BYTES = 16 * 2**20


def read_document(path: Path) -> Any:
    """The JSON value in a `.yaml`, `.yml` or `.json` file; anything unreadable is one sentence."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            message = f"{path}: larger than 16 MiB, the limit for a declaration"
            raise InputError(message)
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        message = f"{path}: there is no such file"
        raise InputError(message) from None
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read as text ({error.__class__.__name__}); declarations are UTF-8 YAML or JSON"
        raise InputError(message) from None
    return parse_document(text, source=str(path), is_json=path.suffix == ".json")


class _Strict(yaml.SafeLoader):
    """Refuses a key that is written twice: the first would be lost without a word."""

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise yaml.MarkedYAMLError(problem=f"'{key.value}' is written twice", problem_mark=key.start_mark)
                seen.add(key.value)
        return node


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"'{twice}' is written twice"
        raise ValueError(message)
    return made


def parse_document(text: str, *, source: str, is_json: bool = False) -> Any:
    """The JSON value of some YAML or JSON text."""
    try:
        # The loader is a SafeLoader: no objects but plain data.
        return json.loads(text, object_pairs_hook=_object) if is_json else yaml.load(text, _Strict)  # noqa: S506
    except json.JSONDecodeError as error:
        message = f"{source}: not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        raise InputError(message) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        message = f"{source}: not valid YAML{where}: {error.problem or error.context}"
        raise InputError(message) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        message = f"{source}: not valid {'JSON' if is_json else 'YAML'}: {str(error).splitlines()[0]}"
        raise InputError(message) from None
