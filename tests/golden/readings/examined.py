"""Five runs, executed and read through the public API in a store of their own, as documents to compare.

A document has `rows` (in short), `readings` (as `proctor score --json` prints them), `report` (as `proctor report
--json` prints it) and `order` (digests of the order of the report's entries, which the sorted file does not show).
What a report repeats from a reading is stored once.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from msgspec import Struct

import proctor
from proctor.core.canonical import jsonable
from proctor.evidence.evidence import evidence_of
from proctor.reports.build import build_report
from proctor.reports.data import to_json
from tests.golden.readings import rows
from tests.golden.readings.comparing import digest, rounded
from tests.golden.readings.masking import masked

FOLDER = Path(__file__).parent
SEED = 7
SCHEMAS = ("readings.agency.tuple.observation_schema.*", "readings.agency.tuple.action_schema.*")
"""The tuple repeats the schemas of every family, which stand in the report as well."""
FAMILIES = ("report.families.*.observation_schema", "report.families.*.answer_schema", "report.families.*.actions")


class Examined(Struct, frozen=True):
    """One of the runs."""

    suite: str
    agent: str
    only: tuple[str, ...] = ()
    digested: tuple[str, ...] = SCHEMAS
    """Patterns of paths below which the file has a digest, not the values; each match is a digest of its own."""


RUNS = {
    "hello": Examined("hello", "clerk"),
    "agency": Examined("agency-quick", "clerk"),
    "quality": Examined(
        "quality",
        "decider:accuracy=.93,gates=.95,levels=.97,evidence=.96,truth=.97,handoffs=.9,overask=.03,unsafe=.02",
    ),
    "binding": Examined(
        "binding-quick@1.0", "structured:simulated,reason=.9,memory=.8,veto=.95,self=.9,cue=.05,noise=.01"
    ),
    "learning": Examined(
        "agency",
        "graded:L=4",
        ("api-versions", "code-lock", "coding-patterns", "customer-sessions", "five-crafts"),
        # The report has the families of the whole suite, five of which run here.
        (*SCHEMAS, *FAMILIES),
    ),
}


def golden(name: str) -> Any:
    """The document in the file of this run."""
    return json.loads(file_of(name).read_text(encoding="utf-8"))


def file_of(name: str) -> Path:
    """Where the document of this run is kept."""
    return FOLDER / f"{name}.json"


def written(document: Any) -> str:
    """A document as a file: sorted, one entry a line."""
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def document_of(name: str) -> Any:
    """Execute the run of this name and give its document, in the form the file has."""
    examined = RUNS[name]
    document = whole_document_of(name)
    document["rows"] = rows.in_short(document["rows"])
    _refer_to_readings(document)
    return rounded(_digested(document, examined.digested))


def whole_document_of(name: str) -> Any:
    """Execute the run of this name and give its document with all of its rows, and nothing as a digest."""
    examined = RUNS[name]
    with tempfile.TemporaryDirectory() as place:
        folder, file = Path(place), str(Path(place) / "store.db")
        result = proctor.run(
            examined.suite, agent=examined.agent, seed=SEED, only=examined.only, store=file, folder=folder
        )
        readings = proctor.score(result.run, store=file, folder=folder)
        with proctor.Store(file, create=False) as store:
            evidence = evidence_of(store, result.run)
            report = json.loads(to_json(build_report(store, evidence, readings.values())))
    order = dict(_orders(report))
    for part, key in (("sections", "instrument"), ("families", "name")):
        report[part] = _by(key, report[part])
    document = {
        "rows": rows.whole(evidence.rows, evidence.arms),
        # Through the text, as `proctor score --json` gives it: a tuple is a list there.
        "readings": json.loads(json.dumps(jsonable(readings))),
        "report": report,
        "order": order,
    }
    texts = {result.run: "<run>", result.config_hash: "<config_hash>", place: "<folder>"}
    texts |= {digest: f"<{kind}>" for kind, digest in (("root", result.root), ("seal", result.seal)) if digest}
    if evidence.started is not None:
        # The tuple of identification has the real date.
        texts |= {evidence.started: "<started>", f", {evidence.started[:10]}, ": ", <date>, "}
    return masked(document, texts)


def _by(key: str, items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """A list as a table: where one entry is added or gone, the others keep their paths."""
    found = {item[key]: item for item in items}
    assert len(found) == len(items), f"two entries have the same {key}"
    return found


def _orders(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """For each part of a report, and each of its sections, a digest of its keys in the order in which they come."""
    yield "report", digest(list(report))
    for name, part in report.items():
        if name == "sections":
            yield "report.sections", digest([section["instrument"] for section in part])
            yield from ((f"report.sections.{one['instrument']}", digest(_keys(one))) for one in part)
        elif isinstance(part, dict | list):
            yield f"report.{name}", digest(_keys(part))


def _keys(value: Any) -> Any:
    if isinstance(value, dict):
        return [[name, _keys(item)] for name, item in value.items()]
    return [_keys(item) for item in value] if isinstance(value, list) else None


def _refer_to_readings(document: Any) -> None:
    """Where a section has what the reading has, say so in its place."""
    for name, section in document["report"]["sections"].items():
        section["data"] = _referring(section["data"], document["readings"][name], f"readings.{name}")


def _referring(data: dict[str, Any], reading: dict[str, Any], path: str) -> dict[str, Any]:
    """Sections hold the reading's entries among others, or the reading as a whole under `reading`."""
    found: dict[str, Any] = {}
    for name, value in data.items():
        if name == "reading" and value == reading:
            found[name] = f"as in {path}"
        elif name in reading and value == reading[name] and isinstance(value, dict | list) and value:
            found[name] = f"as in {path}.{name}"
        else:
            found[name] = value
    return found


def _digested(value: Any, patterns: tuple[str, ...], path: str = "") -> Any:
    if path and any(fnmatchcase(path, pattern) and path.count(".") == pattern.count(".") for pattern in patterns):
        return digest(value)
    if not isinstance(value, dict):
        return value
    # Names of families have dots of their own, which would count as levels.
    return {
        name: _digested(item, patterns, f"{path}.{name.replace('.', '_')}" if path else name)
        for name, item in value.items()
    }
