"""The forced budget on the page: each comparison with its five criteria, and the Conditions themselves."""

from __future__ import annotations

from proctor.reports.figures.views import Plain, Row, numeric, rows_of, word
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import table
from proctor.reports.numbers import number
from proctor.reports.sections.binding.pictures import score

LEGEND = (
    "One comparison is gated, on all five criteria: prompt and completion tokens equal per event, ratio of all tokens, "
    "ratio of latencies, gap of canonical entropies. Others stand beside it and decide nothing. Accuracy is reported."
)
_CRITERIA = ("prompt_match_rate", "completion_match_rate", "total_token_ratio", "latency_ratio", "entropy_gap_bits")


def budget(tables: Plain) -> Markup | None:
    """Both tables; nothing where no budget was forced."""
    compared = rows_of(tables, "budget")
    if not compared:
        return None
    header = ["with the state", "without", "role", "all five", "right with", "right without"]
    header += ["equal prompts", "equal replies", "tokens", "latency", "entropy gap", "why not measured"]
    rows: list[list[Child]] = [
        [
            *(word(row, name) for name in ("structured", "control", "role", "status")),
            _right(row, "structured"),
            _right(row, "control"),
            *(number(numeric(row, name)) for name in _CRITERIA),
            word(row, "unmeasured") or "–",
        ]
        for row in compared
    ]
    shown = ["Condition", "rows", "accuracy", "unmapped", "entropy in bits", "prompt tokens", "reply tokens", "latency"]
    each: list[list[Child]] = [
        [
            word(row, "condition"),
            word(row, "rows"),
            *(score(numeric(row, name)) for name in ("accuracy", "unmapped_rate", "entropy_bits")),
            *(number(numeric(row, f"mean_{name}")) for name in ("prompt_tokens", "completion_tokens", "latency_ms")),
        ]
        for row in rows_of(tables, "budget_conditions")
    ]
    return lines_of(
        table("Comparisons under equal budgets", header, rows, right=tuple(range(4, 11))),
        table("Conditions under the forced budget", shown, each, right=tuple(range(1, 8))),
        tag("p", LEGEND, class_="legend"),
    )


def _right(row: Row, side: str) -> str:
    return f"{word(row, f'k_{side}')}/{word(row, f'n_{side}')}"
