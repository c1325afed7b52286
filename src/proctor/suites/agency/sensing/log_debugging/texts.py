"""The words of the family: services, causes, goals. A cause is told in other words than its code."""

from __future__ import annotations

QUERIES = 3
SERVICES = (
    *("billing", "ledger", "courier", "catalog", "mailer", "roster", "scanner", "vault", "quota", "notify", "search"),
    *("archive", "gateway", "pricing", "stock", "labels", "reports", "tariff", "intake", "badges", "meter", "routes"),
)
CAUSES: dict[str, tuple[str, ...]] = {
    "disk_full": (
        "write to {detail} given up, 0 bytes free",
        "{detail} stands at 100 percent, nothing more fits",
        "cannot extend file on {detail}: no room left",
    ),
    "expired_certificate": (
        "{detail} was valid until yesterday and is refused now",
        "handshake broken off, {detail} has run past its last day",
        "{detail} is no longer trusted: its end date has gone by",
    ),
    "bad_setting": (
        "{detail} is set to -1, which makes no sense; start given up",
        "value of {detail} not understood, expected a whole number",
        "{detail} is empty in the file that was rolled out tonight",
    ),
    "missing_column": (
        "{detail} does not exist in this schema",
        "query refused, {detail} was dropped by the last migration",
        "statement wants {detail}, which the table does not have",
    ),
    "out_of_memory": (
        "{detail} was killed by the kernel, 8 GiB resident",
        "allocation of 64 MiB refused, {detail} gone",
        "{detail} exceeded what its container may hold and was ended",
    ),
    "clock_skew": (
        "{detail} is 7 minutes ahead of everybody else, its tokens are refused",
        "tokens made on {detail} lie in the future",
        "{detail} thinks that it is last Tuesday; nothing it signs is taken",
    ),
    "lost_permission": (
        "{detail} may not read this any more",
        "role taken from {detail} at midnight, request refused",
        "{detail} is not on the list of those who may do this",
    ),
    "version_mismatch": (
        "{detail} speaks revision 6 where revision 7 is spoken to it",
        "frame from {detail} has two fields too few for this build",
        "{detail} was left behind by the last upgrade and is not understood",
    ),
}
"""What went wrong, by code. {detail} is the thing at fault."""
DETAILS: dict[str, tuple[str, ...]] = {
    "disk_full": ("/data/spool{n}", "/var/cache{n}", "/mnt/vol{n}"),
    "expired_certificate": ("cert-{n}", "edge-cert-{n}", "chain-{n}"),
    "bad_setting": ("retry.limit.{n}", "pool.size.{n}", "batch.window.{n}"),
    "missing_column": ("orders.tax_{n}", "items.lot_{n}", "staff.shift_{n}"),
    "out_of_memory": ("worker-{n}", "merge-job-{n}", "indexer-{n}"),
    "clock_skew": ("host-{n}", "node-{n}", "rack-{n}"),
    "lost_permission": ("svc-print-{n}", "svc-sync-{n}", "svc-etl-{n}"),
    "version_mismatch": ("libframe-{n}", "plugin-{n}", "client-{n}"),
}
CODES = tuple(CAUSES)
GUIDE = (
    "disk_full: a volume has no room left (detail: the volume)",
    "expired_certificate: a certificate is past its date (detail: the certificate)",
    "bad_setting: a setting has an impossible value (detail: the setting)",
    "missing_column: a table lacks a column (detail: table.column)",
    "out_of_memory: a process used too much memory (detail: the process)",
    "clock_skew: the clock of a machine is wrong (detail: the machine)",
    "lost_permission: an account may not do something any more (detail: the account)",
    "version_mismatch: a part is of another version than the rest (detail: the part)",
)
FIELDS = (
    "component: the service in which the trouble began",
    "cause: its code by the list below",
    "detail: the thing at fault, as the log names it",
    "enough: true if what you were shown at the start already told the root cause, false if something was missing",
)
GOALS = (
    "Find the root cause of this error. You see its message and a part of the trace.\n- {fields}",
    "A request failed tonight and only part of the log is here. Say where and why it began.\n- {fields}",
    "You are on call. From the message, the partial trace and what you ask for, report the root cause.\n- {fields}",
    "What really broke? The trace below was cut. Report:\n- {fields}",
)
NOTE = (
    "\nCauses:\n- {guide}\nThe services pass requests on to each other, and several requests share the log: only what "
    "happened to the request that the error message names counts. Waiting for another service, or getting no answer "
    "from it, is no root cause: then the trouble began in that service or further on. The tool log_section shows the "
    "log of one service. You may open {queries} sections at most; one that was opened can be read again at no charge, "
    "and first_view shows message and trace again."
)
ANSWER_FORMAT = (
    "A JSON object with the keys `component` (text, a service), `cause` (text, one of the codes), `detail` (text) and "
    "`enough` (true or false)."
)
ROUTINE = ("checked in", "took a request", "wrote a summary", "swept old entries", "sent a heartbeat", "loaded rules")
