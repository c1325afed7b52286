"""Tables of a study of predictive validity: from `Study` objects, or from the folder that `proctor predict -o` wrote.

They stand beside the tables of a reading under names that begin with `predictive_`, so that figures and CSV files treat
all tables alike.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.errors import InputError
from proctor.core.reading import open_lines, read_text
from proctor.instruments.binding.tables import Table, Tables
from proctor.instruments.predictive.gain import Study
from proctor.instruments.predictive.localisation import MARGIN, GuardEffect
from proctor.instruments.predictive.panels import Acceptance, acceptances, reliability
from proctor.instruments.predictive.records import Records, read_records
from proctor.stats.estimate import Estimate

VIOLATION = "violation"
"""The column of records that says whether a hard constraint was broken."""
STUDY = "study.json"
PREFIX = "predictive_"
"""How the names of these tables begin."""


def predictive_tables(
    studies: Mapping[str, Study],
    guard: GuardEffect | None = None,
    *,
    label: str = "",
    source: str = "",
    violations: Mapping[str, Sequence[int] | None] | None = None,
) -> dict[str, Table]:
    """Every table of these studies; `violations` gives, by study, whether each of its records broke a constraint."""
    tables = Tables()
    named = list(studies.items())
    tables.add("predictive_source", "Source of the studies", [{"source": source, "label": label}])
    tables.add("predictive_auc", "AUC out of fold", (row for name, one in named for row in _auc(name, one)))
    tables.add("predictive_gain", "Gain in AUC", (row for name, one in named for row in _gain(name, one)))
    tables.add(
        "predictive_null", "Gain of the shuffled score", (row for name, one in named for row in _null(name, one))
    )
    tables.add("predictive_single", "AUC of each predictor", (row for name, one in named for row in _single(name, one)))
    tables.add("predictive_parts", "Gain by part", (row for name, one in named for row in _parts(name, one)))
    tables.add("predictive_criteria", "Criteria of the study", (row for name, one in named for row in _gate(name, one)))
    if guard is not None:
        tables.add("predictive_guard", f"The guard against {guard.against}", _guard(guard))
    tables.add("predictive_reliability", "Reliability by decile", (row for pair in named for row in _deciles(*pair)))
    known = violations or {}
    tables.add(
        "predictive_thresholds",
        "Accepting above a threshold",
        (row for name, one in named for row in _thresholds(name, one, known.get(name))),
    )
    return dict(tables)


def read_predicted(folder: Path) -> dict[str, Table]:
    """The tables of a folder that `proctor predict -o` wrote; a refusal is one sentence."""
    path = folder / STUDY
    if not path.is_file():
        message = f"{folder}: there is no {STUDY} in it; make the folder with `proctor predict … -o {folder}`"
        raise InputError(message)
    try:
        whole = json.loads(read_text(path))
        guard = None if whole["guard"] is None else msgspec.convert(whole["guard"], GuardEffect)
        studies = {
            name: _study(data, folder / f"predictions-{number}.csv")
            for number, (name, data) in enumerate(whole["studies"].items(), 1)
        }
    except (
        OSError,
        UnicodeDecodeError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        msgspec.ValidationError,
    ) as error:
        message = f"{folder}: cannot be read as the output of `proctor predict -o` ({error}); make it anew"
        raise InputError(message) from None
    listed = folder / "records.csv"
    records = read_records(listed) if listed.is_file() else None
    broken = {name: None if records is None else violations_of(records, one) for name, one in studies.items()}
    label, source = str(whole.get("label") or ""), str(whole.get("source") or "")
    return predictive_tables(studies, guard, label=label, source=source, violations=broken)


def _study(data: dict[str, Any], predictions: Path) -> Study:
    with open_lines(predictions, newline="") as lines:
        rows = list(csv.DictReader(lines))
    return msgspec.convert(
        {
            **data,
            "labels": [int(row["outcome"]) for row in rows],
            "cluster_of": [row["cluster"] for row in rows],
            "before": [float(row["baseline"]) for row in rows],
            "after": [float(row["augmented"]) for row in rows],
        },
        Study,
    )


def violations_of(records: Records, one: Study) -> list[int] | None:
    """The records' violations in the order of the predictions; None where they are not recorded."""
    design = one.design
    if VIOLATION not in records.columns or any(name not in records.columns for name in design.used):
        return None
    kept = records.take(records.complete(design.used))
    values = kept[VIOLATION]
    same = [int(value) for value in kept[design.outcome]] == list(one.labels)
    return [int(value) for value in values] if same and None not in values else None


_Row = dict[str, object]


def _interval(one: Estimate, prefix: str = "") -> _Row:
    return {f"{prefix}low": one.low, f"{prefix}high": one.high}


def _auc(name: str, one: Study) -> Iterator[_Row]:
    for model, estimate in (("baseline", one.baseline), ("with the score", one.augmented)):
        row: _Row = {"study": name, "model": model, "auc": estimate.estimate, **_interval(estimate)}
        yield {**row, "records": one.n, "missing": one.missing, "successes": one.positives, "clusters": one.clusters}


def _gain(name: str, one: Study) -> Iterator[_Row]:
    kinds = {"pooled": one.gain, **({f"within {one.design.within}": one.gain_within} if one.gain_within else {})}
    kinds["over chance"] = one.over_chance
    for kind, gain in kinds.items():
        primary = gain is one.primary
        yield {"study": name, "gain_of": kind, "primary": primary, "gain": gain.estimate, **_interval(gain)}


def _null(name: str, one: Study) -> Iterator[_Row]:
    for number, gain in enumerate(one.null):
        yield {"study": name, "shuffle": number, "gain": gain}


def _single(name: str, one: Study) -> Iterator[_Row]:
    for predictor in one.design.predictors:
        estimate = one.single[predictor]
        added = predictor == one.design.added
        yield {"study": name, "predictor": predictor, "score": added, "auc": estimate.estimate, **_interval(estimate)}


def _parts(name: str, one: Study) -> Iterator[_Row]:
    for part in one.parts:
        row: _Row = {"study": name, "column": part.column, "value": part.value, "kind": part.kind}
        yield {**row, "gain": part.gain, "records": part.n, "reason": part.reason}


def _gate(name: str, one: Study) -> Iterator[_Row]:
    words = {True: "met", False: "not met", None: "not measured"}
    for item in one.criteria:
        yield {
            "study": name,
            "criterion": item.name,
            "limit": item.limit,
            "value": item.value,
            "status": words[item.met],
        }


def _guard(guard: GuardEffect) -> Iterator[_Row]:
    hits: _Row = {"change_in": "hits", "change": guard.hit.estimate, **_interval(guard.hit), "margin": MARGIN}
    broken = guard.violations
    yield hits
    yield {"change_in": "hard violations", "change": broken.estimate, **_interval(broken), "margin": None}


def _deciles(name: str, one: Study) -> Iterator[_Row]:
    for model, predicted in (("baseline", one.before), ("with the score", one.after)):
        for number, point in enumerate(reliability(one.labels, predicted, one.cluster_of), 1):
            row: _Row = {"study": name, "model": model, "decile": number, "predicted": point.predicted}
            yield {**row, "observed": point.observed.estimate, **_interval(point.observed), "records": point.observed.n}


def _thresholds(name: str, one: Study, broken: Sequence[int] | None) -> Iterator[_Row]:
    for model, predicted in (("baseline", one.before), ("with the score", one.after)):
        for acceptance in acceptances(one.labels, predicted, one.cluster_of, violations=broken):
            yield {"study": name, "model": model, "threshold": acceptance.threshold, **_panels(acceptance)}


def _panels(acceptance: Acceptance) -> _Row:
    panels = {"accepted": acceptance.accepted, "success": acceptance.success, "net_benefit": acceptance.net_benefit}
    row: _Row = {}
    for panel, one in panels.items():
        row |= {panel: one.estimate, **_interval(one, f"{panel}_")}
    broken = acceptance.violations
    row |= {"violations": None, "violations_low": None, "violations_high": None}
    return row if broken is None else {**row, "violations": broken.estimate, **_interval(broken, "violations_")}
