"""JSON Schema of the documents, so that whoever receives one can check it without Proctor."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from proctor.reports.documents import card, technical

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: dict[str, tuple[type[Struct], str, int]] = {
    "card": (card.Card, card.FORMAT, card.VERSION),
    "technical-report": (technical.TechnicalReport, technical.FORMAT, technical.VERSION),
}


def document_schema(name: str) -> dict[str, Any]:
    """The schema of a document; `format` and `version` are those of this version of Proctor."""
    kind, form, version = DOCUMENTS[name]
    (schema,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    top: dict[str, Any] = definitions.pop(schema["$ref"].rpartition("/")[2])
    properties = {**top["properties"], "format": {"const": form}, "version": {"const": version}}
    return {"$schema": DIALECT, **top, "properties": properties, "$defs": definitions}
