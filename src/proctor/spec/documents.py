"""Reading declarations from YAML or JSON files, and writing their JSON Schemas for editors."""

from __future__ import annotations

import json
import re
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, Final

import yaml

from proctor.core.errors import InputError
from proctor.core.reading import read_text
from proctor.core.texts import shortened

_MAX_BYTES = 16 * 2**20
_MAX_NODES = 2_000_000
"""Values of a document, each alias counted as what it stands for."""
_MAX_LEVELS = 100
_MAX_MEMBERS = 100_000
_MAX_INTEGER = 10**30
_MOST_DIGITS = 1000
"""Longer numbers are not read at all; shorter ones are held against the largest."""
_TEXT_PER_NODE = 1000
"""A long text that aliases repeat counts as so many characters each."""


def read_document(path: Path) -> Any:
    """The JSON value in a `.yaml`, `.yml` or `.json` file; anything unreadable is one sentence."""
    try:
        text = read_text(path, _MAX_BYTES)
    except FileNotFoundError:
        message = f"{path}: there is no such file"
        raise InputError(message) from None
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read as text ({error.__class__.__name__}); declarations are UTF-8 YAML or JSON"
        raise InputError(message) from None
    return parse_document(text, source=str(path), is_json=path.suffix == ".json")


_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class _Strict(yaml.SafeLoader):
    """Plain data alone: what JSON can say. Refuses a key that is written twice: the first would be lost without a word.

    A date stays the text it is: nothing declared here is a moment in another form. So does 1:30, which YAML 1.1 reads
    as 90 in base 60.
    """

    # Typed by its base as an attribute of instances.
    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [
            (tag, re.compile(f"(?!.*:)(?:{pattern.pattern})", pattern.flags) if tag in _NUMBERS else pattern)
            for tag, pattern in known
            if not tag.endswith(":timestamp")
        ]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    yaml_constructors: ClassVar[dict[str | None, Any]] = {
        tag: make
        for tag, make in yaml.SafeLoader.yaml_constructors.items()
        if tag is None or tag.rpartition(":")[2] in ("null", "bool", "int", "float", "str", "seq", "map")
    }

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, LookupError, AttributeError):
            # `!!bool x`, or more digits than Python reads.
            if not isinstance(node, yaml.ScalarNode):
                raise
            problem = _unread(node.value, node.tag.rpartition(":")[2])
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark) from None

    def construct_scalar(self, node: Any) -> Any:
        value = super().construct_scalar(node)
        if node.tag in _NUMBERS and ":" in value:
            raise yaml.MarkedYAMLError(problem=f"'{value}' is not a number", problem_mark=node.start_mark)
        return value

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise yaml.MarkedYAMLError(problem=f"'{key.value}' is written twice", problem_mark=key.start_mark)
                seen.add(key.value)
        return node

    def flatten_mapping(self, node: Any) -> None:
        """Merging copies, so that a few lines of merges can make millions of members."""
        super().flatten_mapping(node)
        if len(node.value) > _MAX_MEMBERS:
            message = f"an object of more than {_MAX_MEMBERS:,} members"
            raise yaml.MarkedYAMLError(problem=message, problem_mark=node.start_mark)


_KINDS: Final = {"bool": "true or false", "int": "a whole number", "float": "a number"}


def _unread(text: str, tag: str) -> str:
    """What is wrong with a value that cannot be read as what its tag says."""
    if text.lstrip("+-").isdigit() and len(text) > _MOST_DIGITS:
        return _too_long(text)
    return f"'{shortened(text, 40)}' is not {_KINDS.get(tag, f'of the kind {tag}')}"


def _too_long(text: str) -> str:
    return f"a number of {len(text.lstrip('+-')):,} digits; the largest is {_MAX_INTEGER:.0e}"


def _whole(text: str) -> int:
    """A whole number of JSON, of as many digits as can be declared."""
    if len(text) > _MOST_DIGITS:
        raise ValueError(_too_long(text))
    return int(text)


class _Count:
    """How large and how deep a value is, with everything that is named twice counted twice."""

    def __init__(self) -> None:
        self._sizes: dict[int, tuple[int, int]] = {}
        self._open: set[int] = set()

    def of(self, value: Any) -> tuple[int, int]:
        """Nodes and levels. Raises `ValueError` for what no JSON document can hold."""
        if isinstance(value, str):
            _require_text(value)
            return 1 + len(value) // _TEXT_PER_NODE, 0
        if isinstance(value, float) and not isfinite(value):
            message = f"{value} is not a number that can be declared"
            raise ValueError(message)
        if isinstance(value, int) and abs(value) > _MAX_INTEGER:
            message = f"a number of {len(hex(value)) - 2} hex digits; the largest is {_MAX_INTEGER:.0e}"
            raise ValueError(message)
        if not isinstance(value, dict | list):
            return 1, 0
        known = self._sizes.get(id(value))
        if known is not None:
            return known
        if id(value) in self._open:
            message = "an alias that contains itself"
            raise ValueError(message)
        if len(self._open) > _MAX_LEVELS:
            message = f"nested more than {_MAX_LEVELS} levels deep"
            raise ValueError(message)
        self._open.add(id(value))
        inside = value if isinstance(value, list) else [*value.keys(), *value.values()]
        parts = [self.of(one) for one in inside]
        self._open.discard(id(value))
        size, depth = 1 + sum(one for one, _ in parts), 1 + max((level for _, level in parts), default=0)
        if size > _MAX_NODES:
            message = f"more than {_MAX_NODES:,} values, aliases included"
            raise ValueError(message)
        if depth > _MAX_LEVELS:
            message = f"nested more than {_MAX_LEVELS} levels deep"
            raise ValueError(message)
        self._sizes[id(value)] = size, depth
        return size, depth


def _require_text(text: str) -> None:
    if "\0" in text:
        message = "a text with a NUL character"
        raise ValueError(message)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            message = "a text with half a character (a lone surrogate)"
            raise ValueError(message) from None


def require_sound(value: Any) -> None:
    """Refuse what is too large, too deep or no JSON. Raises `ValueError`."""
    _Count().of(value)


def _no_number(name: str) -> Any:
    message = f"{name} is not a number that can be declared"
    raise ValueError(message)


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
        if is_json:
            value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number, parse_int=_whole)
        else:
            value = yaml.load(text, _Strict)  # noqa: S506
        require_sound(value)
    except json.JSONDecodeError as error:
        message = f"{source}: not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        raise InputError(message) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        message = f"{source}: not valid YAML{where}: {error.problem or error.context}"
        raise InputError(message) from None
    except RecursionError:
        message = f"{source}: nested more than {_MAX_LEVELS} levels deep"
        raise InputError(message) from None
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        message = f"{source}: not valid {'JSON' if is_json else 'YAML'}: {said}"
        raise InputError(message) from None
    return value
