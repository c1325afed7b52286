"""A further score of quality: the share of cases that are not left to the harbour master."""

from __future__ import annotations

from proctor.instruments.quality.metric import Metric, Ratio

handled = Metric(
    name="QUAY",
    title="Cases Handled At The Quay",
    target=0.9,
    floor=0.2,
    source=Ratio(
        part=lambda case: float(bool(case.measures.action)) * (1.0 - case.measures.escalated),
        whole=lambda case: 1.0,
        nothing="no episode was scored",
    ),
)
