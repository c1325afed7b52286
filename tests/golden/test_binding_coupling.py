"""Tables 12, 13 and rows 6 and 7 of table 34: coupling from its terms, its contrasts and both bounds."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.instruments.binding.coupling import (
    Coupling,
    afci,
    afci_with_suppression,
    summarise_coupling,
)
from proctor.instruments.binding.inference import infer
from proctor.instruments.binding.variants import TERMS, named
from proctor.stats.bootstrap import bootstrap_mean
from tests.golden.published import read

CONTRASTS = read("coupling_dataset_contrasts")
CONTROLS = sorted({row["comparator"] for row in CONTRASTS} - {"A4_compressed"})


def couplings() -> tuple[Coupling, ...]:
    """Dataset means under the paper's names, terms not printed per dataset."""
    values = {(row["dataset"], row["comparator"]): float(row["comparator_afci"]) for row in CONTRASTS}
    values |= {(row["dataset"], "A4_full"): float(row["structured_afci"]) for row in CONTRASTS}
    return tuple(
        Coupling(
            dataset=dataset,
            condition=variant,
            part="",
            terms={},
            afci=value,
            suppression=None,
            with_suppression=None,
            rows=1,
            missing=0,
        )
        for (dataset, variant), value in sorted(values.items())
    )


@pytest.mark.parametrize("row", read("coupling_components_by_variant"), ids=lambda row: row["variant"])
def test_coupling_is_the_mean_of_its_terms(row: dict[str, str]) -> None:
    terms = {name: float(row[name]) for name in TERMS}
    assert afci(terms) == pytest.approx(float(row["afci"]), abs=5e-7)
    suppressed = afci_with_suppression(terms, float(row["irrelevant_suppression"]))
    assert suppressed == pytest.approx(float(row["afci_with_suppression"]), abs=5e-7)


@pytest.mark.parametrize("row", CONTRASTS, ids=lambda row: f"{row['dataset']}-{row['comparator']}")
def test_contrasts(row: dict[str, str]) -> None:
    found = summarise_coupling(couplings())
    assert found is not None
    contrast = next(one for one in found.contrasts if one.comparator == row["comparator"])
    assert contrast.inference.units[row["dataset"]] == pytest.approx(float(row["difference"]), abs=1e-6 + 1e-12)


def test_bounds_pooled_and_by_dataset() -> None:
    found = summarise_coupling(couplings())
    assert found is not None
    assert found.structured == "A4_full"
    assert [one.comparator for one in found.contrasts if one.control] == CONTROLS
    assert len(CONTROLS) == 7
    assert found.pooled is not None
    assert found.clustered is not None
    assert (found.pooled.n, found.pooled.clusters) == (49, 49)
    assert found.pooled.low == pytest.approx(0.451911, abs=1.5e-3)
    assert found.clustered.clusters == 7
    assert found.clustered.low == pytest.approx(0.4668, abs=5e-4)
    assert all(one.inference.across.positive == 7 and one.recovered == 0 for one in found.contrasts if one.control)


def test_the_published_pooled_bound_from_its_draws() -> None:
    order = (
        *("A5_plain", "A5_schema_random_fields", "A5_schema_posthoc_fields", "A5_schema_scrambled_fields"),
        *("A4_posthoc_fields", "A4_scrambled_fields", "A5_long_scratchpad"),
    )
    by_place = {(row["comparator"], row["dataset"]): float(row["difference"]) for row in CONTRASTS}
    datasets = sorted({row["dataset"] for row in CONTRASTS})
    values = [by_place[comparator, dataset] for comparator in order for dataset in datasets]
    found = bootstrap_mean(values, list(range(49)), draws=1_000, rng=np.random.default_rng(7), enumerate_up_to=0)
    assert found.low == pytest.approx(0.451911, abs=5e-7)


@pytest.mark.parametrize(("place", "comparator"), [(5, "A5_plain"), (6, "weakest")])
def test_rows_6_and_7_of_table_34(place: int, comparator: str) -> None:
    row = read("binding_sensitivity_summary")[place]
    summary = summarise_coupling(couplings())
    assert summary is not None
    name = summary.weakest if comparator == "weakest" else comparator
    contrast = next(one for one in summary.contrasts if one.comparator == name)
    found = contrast.inference.across
    for value, column in (
        (found.minimum, "minimum_contrast"),
        (found.estimate, "mean_contrast"),
        (found.leave_one_out_minimum, "leave_one_out_minimum_mean"),
        (found.top_removed, "top_effect_removed_mean"),
    ):
        assert value is not None
        assert f"{value:.3f}" == row[column]
    assert contrast.inference.sign.p_value == float(row["one_sided_sign_p"])


def test_the_weakest_control_has_the_lowest_coupling() -> None:
    summary = summarise_coupling(couplings())
    assert summary is not None
    mean = {name: [one.afci for one in couplings() if one.condition == name] for name in CONTROLS}
    lowest = min(sum(values) / len(values) for values in mean.values())
    assert sum(mean[summary.weakest]) / 7 == lowest == 0


def test_the_compressed_variant_is_no_control() -> None:
    assert named("A4_compressed").variant == "compressed"
    summary = summarise_coupling(couplings())
    assert summary is not None
    compressed = next(one for one in summary.contrasts if one.comparator == "A4_compressed")
    assert not compressed.control
    assert all(abs(value) <= 0.02 for value in compressed.inference.units.values())


def test_inference_over_the_plain_comparator_is_above_zero() -> None:
    units = {row["dataset"]: float(row["difference"]) for row in CONTRASTS if row["comparator"] == "A5_plain"}
    assert infer("plain", units).above_zero is True
