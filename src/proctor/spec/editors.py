"""JSON Schemas of declarations for editors: what may be written where, with the words that explain it.

The docstring under a field becomes its description, so that an editor shows it while somebody types. Fields that have
a second name (the harness paper's, or an older one) may be written under either, as when a file is read. A declaration
that reads a bare word (its validator is called `_bare_word`) may be one.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from textwrap import dedent
from typing import Any, get_args

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from proctor.spec.declaration import Declaration

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(declaration: type[Declaration]) -> dict[str, Any]:
    """The JSON Schema of a declaration, complete in itself."""
    schema = declaration.model_json_schema()
    models = {model.__name__: model for model in _models(declaration, set())}
    for name, part in ((declaration.__name__, schema), *schema.get("$defs", {}).items()):
        if name in models:
            _explain(part, models[name])
            _rename(part, models[name])
            if "_bare_word" in models[name].__pydantic_decorators__.model_validators:
                _shorten(part, models[name])
    return {"$schema": DIALECT, **schema}


def _models(kind: Any, seen: set[Any]) -> Iterator[type[BaseModel]]:
    """Every model in a type, itself included."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        if kind not in seen:
            seen.add(kind)
            yield kind
            for field in kind.model_fields.values():
                yield from _models(field.annotation, seen)
        return
    for inner in get_args(kind):
        yield from _models(inner, seen)


def _explain(part: dict[str, Any], model: type[BaseModel]) -> None:
    names = {name: field.alias or name for name, field in model.model_fields.items()}
    for name, text in _explained(model).items():
        shown = part.get("properties", {}).get(names.get(name, name))
        if shown is not None:
            shown.setdefault("description", text)


def _explained(model: type[BaseModel]) -> dict[str, str]:
    """Field → the docstring under it, of the model and of what it inherits from."""
    explanations: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if not issubclass(one, BaseModel) or one in (BaseModel, Declaration):
            continue
        body = ast.parse(dedent(inspect.getsource(one))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                continue
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                explanations[field.target.id] = " ".join(str(below.value.value).split())
    return explanations


def _rename(part: dict[str, Any], model: type[BaseModel]) -> None:
    """Allow the second name of a field where its first is allowed, and ask for one of them where it is required."""
    either: list[dict[str, Any]] = []
    for name, field in model.model_fields.items():
        first, *others = _names(name, field)
        for other in others:
            part["properties"][other] = part["properties"][first]
        if others and first in part.get("required", ()):
            part["required"].remove(first)
            either.append({"oneOf": [{"required": [one]} for one in (first, *others)]})
    if either:
        part["allOf"] = either


def _names(name: str, field: FieldInfo) -> tuple[str, ...]:
    """Every name a field may be written under, the one that schemas show first."""
    if isinstance(field.validation_alias, AliasChoices):
        return tuple(str(one) for one in field.validation_alias.choices)
    return tuple(dict.fromkeys((field.alias or name, name)))


def _shorten(part: dict[str, Any], model: type[BaseModel]) -> None:
    """Allow a bare word in the place of the whole: one the model lists (`bare_words`), else one for the first field."""
    whole = dict(part)
    first = next(iter(part["properties"].values()))
    words = getattr(model, "bare_words", None)
    part.clear()
    bare = {"enum": list(words)} if words else {name: value for name, value in first.items() if name != "default"}
    part["anyOf"] = [bare, whole]
