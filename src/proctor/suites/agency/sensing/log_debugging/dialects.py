"""Eight dialects of log: how each writes an error, a request passed on, a cause, and the daily round.

Every entry is a tuple of lines with places to fill in: {at} a time, {svc} the service that writes, {ref} the request,
{next} the service it was passed to, {text} what is said, {n} a small number.
"""

from __future__ import annotations

from msgspec import Struct


class Dialect(Struct, frozen=True):
    """One way of writing a log."""

    error: str
    hop: tuple[str, ...]
    cause: tuple[str, ...]
    routine: tuple[str, ...]
    frames: tuple[str, ...]
    """Lines of a trace that tell nothing about the cause."""


DIALECTS: dict[str, Dialect] = {
    "java": Dialect(
        error="ERROR [{svc}] request {ref} failed: java.lang.IllegalStateException: could not complete",
        hop=(
            "{at} ERROR [{svc}] ({ref}) RemoteCallException",
            "    Caused by: NoReplyException: peer '{next}' stayed silent",
        ),
        cause=("{at} ERROR [{svc}] ({ref}) FatalException", "    Caused by: {text}"),
        routine=("{at} INFO  [{svc}] ({ref}) {text}",),
        frames=(
            "    at app.{svc}.Handler.run(Handler.java:{n})",
            "    at app.core.Pool.submit(Pool.java:{n})",
            "    ... {n} more",
        ),
    ),
    "python": Dialect(
        error="{svc}: JobFailed: job {ref} ended with exit status 1",
        hop=("[{ref}] {at} {svc}", "    raise Upstream(name={next!r}, reply=None)"),
        cause=("[{ref}] {at} {svc}", "    raise Fault({text!r})"),
        routine=("[{ref}] {at} {svc}", "    log.info({text!r})"),
        frames=(
            "Traceback (most recent call last):",
            '  File "{svc}/jobs.py", line {n}, in run',
            "  [{n} frames left out]",
        ),
    ),
    "jsonl": Dialect(
        error='{{"level":"fatal","svc":"{svc}","req":"{ref}","msg":"request aborted"}}',
        hop=('{{"t":"{at}","svc":"{svc}","req":"{ref}","upstream":"{next}","status":504}}',),
        cause=('{{"t":"{at}","svc":"{svc}","req":"{ref}","status":500,"msg":"{text}"}}',),
        routine=('{{"t":"{at}","svc":"{svc}","req":"{ref}","status":200,"msg":"{text}"}}',),
        frames=('{{"frame":{n},"fn":"{svc}.dispatch"}}', '{{"frame":{n},"fn":"pool.take"}}', '{{"truncated":{n}}}'),
    ),
    "syslog": Dialect(
        error="{svc}[{n}]: giving up on <{ref}>",
        hop=("Mar 4 {at} {svc}[{n}]: <{ref}> still waiting on {next}, no answer",),
        cause=("Mar 4 {at} {svc}[{n}]: <{ref}> {text}",),
        routine=("Mar 4 {at} {svc}[{n}]: <{ref}> {text}",),
        frames=(
            "Mar 4 {at} {svc}[{n}]: backtrace follows",
            "Mar 4 {at} {svc}[{n}]:  #0 0x00007f{n}",
            "(cut after {n} lines)",
        ),
    ),
    "table": Dialect(
        error="run {ref} of {svc}: FAILED",
        hop=("{ref} | {svc} | {at} | blocked | waits for: {next} |",),
        cause=("{ref} | {svc} | {at} | stopped | waits for: - | {text}",),
        routine=("{ref} | {svc} | {at} | done | waits for: - | {text}",),
        frames=("run | service | time | state | waits for | remark", "----|----|----|----|----|----", "({n} rows cut)"),
    ),
    "job": Dialect(
        error="##[error] Pipeline {ref}: stage '{svc}' did not finish.",
        hop=("== {svc}: step {n} (pipeline {ref}) {at}", "   -> delegated to {next} ... no exit code"),
        cause=("== {svc}: step {n} (pipeline {ref}) {at}", "   !! {text}"),
        routine=("== {svc}: step {n} (pipeline {ref}) {at}", "   ok {text}"),
        frames=("== setup {n}", "   image pulled", "   [output shortened]"),
    ),
    "event": Dialect(
        error="Event 1026, source {svc}: operation {{{ref}}} was terminated.",
        hop=("Operation: {{{ref}}}", "  Source: {svc}, {at}", "  Dependency: {next}", "  State: not responding"),
        cause=("Operation: {{{ref}}}", "  Source: {svc}, {at}", "  Dependency: none", "  State: {text}"),
        routine=("Operation: {{{ref}}}", "  Source: {svc}, {at}", "  Dependency: none", "  State: {text}, normal"),
        frames=("Faulting module: {svc}.dll", "Offset: 0x{n}", "Further entries were not exported."),
    ),
    "database": Dialect(
        error='FATAL:  transaction {ref} in "{svc}" rolled back',
        hop=(
            'LOG:  {at} session of "{svc}"',
            '  DETAIL:  foreign server "{next}" closed the connection.',
            "  CONTEXT:  transaction {ref}",
        ),
        cause=('LOG:  {at} session of "{svc}"', "  DETAIL:  {text}.", "  CONTEXT:  transaction {ref}"),
        routine=('LOG:  {at} session of "{svc}"', "  DETAIL:  {text}.", "  CONTEXT:  transaction {ref}"),
        frames=("STATEMENT:  CALL {svc}_run({n})", "  PL/pgSQL function line {n}", "  (statement log truncated)"),
    ),
}
