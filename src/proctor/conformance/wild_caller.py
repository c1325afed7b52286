"""The wild caller: calls of every sort, drawn from a stream, by somebody who knows the tools' schemas.

Fitting calls and the solver's own lead it deep into a task; edge values, values beyond every bound, wrong types, paths
that lead out, statements and commands for tools that take them, and the words of host errors look for what breaks
there. The same stream draws the same calls wherever the answers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from proctor.agents.contract import Session
from proctor.agents.drawing import draw_arguments, resolve
from proctor.agents.seen import Scalar, scalars
from proctor.conformance.prober import JUNK
from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.spec.task import Submission, TaskView, ToolSpec

Made = tuple[str, dict[str, Any]]
Sought = tuple[ToolSpec, str, Any]
"""A tool, one of its parameters and a value for it."""

_SEEN = 200
"""Scalars of what was shown that arguments are drawn from."""
NUMBERS: tuple[Any, ...] = (0, 1, -1, 2, 3, 7, 50, 100, 2**31 - 1, 2**31, 2**53 - 1, -(2**53 - 1))
FAR_NUMBERS: tuple[Any, ...] = (
    *(2**53, 2**63, -(2**63) - 1, 10**30, -(10**30), 10**4298, 0.0, -0.0, 0.5, 1e308, -1e308, 5e-324),
    *(float("nan"), float("inf"), float("-inf")),
)
HOST_WORDS: tuple[str, ...] = (
    "No space left on device",
    "No space left",
    "Input/output error",
    "Permission denied",
    "Read-only file system",
    "Unable to create",
    "[Errno 28] No space left on device",
    "OSError",
    "infrastructure",
    "Too many open files",
    "Cannot allocate memory",
    "disk I/O error",
    "database or disk is full",
    "database disk image is malformed",
)
TEXTS: tuple[str, ...] = (
    *(str(junk) for junk in JUNK),
    *HOST_WORDS,
    *("\ud800", "\udcff", "a\nb", "\r\n", "\u202e", "\x7f", "NaN", "null", "1e999", "9" * 400, "-0", "٣", "Ⅷ", "²"),
    *("'", '"', "\\", "--", "-x", "--help", "*", "?", "[a", "(a+)+$", "{}", "{0.__class__}", "%n", "$(true)", ";"),
    *("x" * 61, "x" * 300, "x" * 5_000, "x" * 100_000, "x" * 2**18, "x" * (2**18 + 1), "ß" * 3_000, "a " * 3_000),
    *("2026-02-30", "0000-00-00", "9999-12-31", "24:00", "HEAD", "HEAD~999999", "main", "__class__", "__init__"),
)
PATHS: tuple[str, ...] = (
    *("/task", "/task/", "/", ".", "..", "a", "a/b", "a/b/c", "/task/a", "/task/../a", "//task//a", "/task/a/", "~"),
    *("/etc/passwd", "/proc/self/mem", "/dev/zero", "/dev/full", "../../beside/secret", "/task/../../beside/secret"),
    *(
        "/task/.git/config",
        "/task/.gitattributes",
        "/task/.gitmodules",
        "/task/.gitignore",
        "con",
        "a" * 200,
        "a" * 201,
    ),
    *(
        "/".join("d" * 32),
        "/".join("d" * 40),
        "a/" * 600,
        "a" * 5_000,
        "é/ü",
        "a\u200bb",
        "/task/No space left on device",
        ":(top)",
        ":/",
        "!a",
    ),
)
SQL: tuple[str, ...] = (
    *("SELECT 1", "SELECT * FROM sqlite_schema", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "RELEASE a", "VACUUM"),
    *("CREATE TABLE wild (a, b)", "DROP TABLE wild", "ALTER TABLE wild ADD COLUMN c", "ALTER TABLE wild RENAME TO w2"),
    "CREATE TABLE wild_b (a INTEGER PRIMARY KEY AUTOINCREMENT, b BLOB DEFAULT (zeroblob(60000)))",
    "INSERT INTO wild VALUES (9223372036854775807, 9e999), (x'00ff', 'a'), (NULL, -9e999)",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3000) INSERT INTO wild SELECT x, x FROM n",
    "INSERT INTO wild_b SELECT NULL, zeroblob(60000) FROM wild",
    "SELECT zeroblob(1000000000)",
    "SELECT printf('%1000000000d', 1)",
    "SELECT replace(hex(zeroblob(30000)), '00', hex(zeroblob(30000)))",
    "CREATE TRIGGER t AFTER INSERT ON wild BEGIN INSERT INTO wild VALUES (new.a, new.b); END",
    "CREATE VIEW v AS SELECT * FROM v",
    "PRAGMA writable_schema = ON",
    "PRAGMA max_page_count = 1",
    "ATTACH '/tmp/wild.db' AS other",
    "SELECT strftime('%Y', 'now', '+1e9 years'), julianday(9e999), date(zeroblob(9))",
    "SELECT json_each.value FROM json_each('[1, 2, 3]')",
    "SELECT 1; SELECT 2",
    "EXPLAIN SELECT 1",
    "REINDEX",
    "ANALYZE",
    "SELECT " + "+".join("1" * 500),
    "SELECT " + "(" * 300 + "1" + ")" * 300,
    "SELECT 'a\x00b'",
    "SELECT * FROM wild a, wild b, wild c, wild d",
)
COMMANDS: tuple[str, ...] = (
    *("true", "false", "ls -la", "cat /etc/shadow", "echo a > b; cat b", "exit 125", "kill -9 $$", "rm -rf /task/*"),
    *("ln -s / link; cat link/etc/passwd", "mkfifo pipe", "head -c 9000000 /dev/zero > big", "yes | head -c 9000000"),
    *(
        "mkdir .git; echo a > .git/config",
        "printf 'a\\nb' > 'x\ny'",
        "chmod 000 . ; touch a",
        "echo No space left >&2; exit 1",
    ),
    *("for i in $(seq 2000); do : > f$i; done", "mkdir -p a/b/c/d/e/f/g; mv a z", "sleep 9", "ulimit -f 0; echo a > a"),
)
_FILE_NAMES = ("path", "source", "target", "file", "file_name", "name", "branch", "revision", "folder")
_NAMED: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("sql", "statement", "query"), SQL),
    (("command",), COMMANDS),
    (_FILE_NAMES, PATHS),
)
ANSWERS: tuple[Any, ...] = (
    *(None, "", "x" * 5_000, [], {}, [[]], {"answer": None}, 0, -1, 10**30, 1.5, float("nan"), True, "\ud800"),
    *([1, "a", None], {"": {"": []}}, [None] * 1_000, {"a": 10**4298}),
)


PLAIN: tuple[Scalar, ...] = ("a", "b", "c", 1, 2, 3)
"""What arguments are drawn from while nothing has been shown."""
PLAIN_ANSWERS: tuple[Any, ...] = (None, "", "a", [], {}, 0, 1, 1.5, True, [1, "a"], {"answer": 1})


class FittingCaller:
    """Makes `calls` random calls, each fitting its tool's schema, of values it was shown; then hands in something."""

    junk: Sequence[Scalar] = PLAIN
    answers: Sequence[Any] = PLAIN_ANSWERS

    def __init__(self, stream: Stream, calls: int) -> None:
        self._stream = stream
        self._calls = calls
        self._seen: list[Scalar] = []
        self._read = 0

    async def run(self, task: TaskView, session: Session) -> Submission:
        made: list[Made] = []
        try:
            for _ in range(self._calls if task.tools else 0):
                self.look(session)
                call = self.call(task.tools, made)
                made.append(call)
                await session.call(call[0], **call[1])
        except LimitReached:
            pass  # What was done has to do.
        return Submission(self._stream.choice(self.answers))

    def draw_from(self, stream: Stream) -> None:
        """Draw what follows from another stream."""
        self._stream = stream

    def look(self, session: Session) -> None:
        """Take in what was shown since the last look."""
        for observation in session.observations[self._read :]:
            self._read += 1
            if "error" not in observation.fields:
                self._seen.extend(scalars(observation.fields))
        del self._seen[:-_SEEN]

    def call(self, tools: Sequence[ToolSpec], made: list[Made]) -> Made:
        """The next call; `made` are those before it."""
        tool = self._tool(tools)
        return tool.name, self._fitting(tool)

    def _tool(self, tools: Sequence[ToolSpec]) -> ToolSpec:
        taking = [tool for tool in tools if tool.parameters.get("properties")]
        return self._stream.choice(taking if taking and self._stream.chance(0.9) else tools)

    def _fitting(self, tool: ToolSpec) -> dict[str, Any]:
        return draw_arguments(tool.parameters, self._stream, self._seen or self.junk)


class WildCaller(FittingCaller):
    """Calls of every sort among the fitting ones. `solver_calls` solve the instance, if they are known."""

    junk = JUNK
    answers = ANSWERS

    def __init__(
        self, stream: Stream, calls: int, solver_calls: Sequence[Made] = (), extra: Sequence[str] = ()
    ) -> None:
        super().__init__(stream, calls)
        self._solver = list(solver_calls)
        self._extra = tuple(extra)
        """More texts to try: paths that the examiner has planted something at."""
        self._first: list[Sought] | None = None
        """What is sought out and not left to chance, as far as it was not tried yet."""

    def call(self, tools: Sequence[ToolSpec], made: list[Made]) -> Made:
        stream = self._stream
        way = stream.below(16)
        if way < 3 and self._solver:
            return self._solver.pop(0)
        if way == 3 and made:
            name, arguments = stream.choice(made[-50:])
            return name, self._twisted(arguments)
        if way == 4:
            return stream.choice((*TEXTS[:12], *HOST_WORDS)), {stream.choice(("a", "path", "x" * 50)): self._any("")}
        tool = self._tool(tools)
        properties = tool.parameters.get("properties", {})
        if way < 7 or not properties:
            return tool.name, self._fitting(tool)
        if way < 10 and (sought := self._next_sought(tools)) is not None:
            tool, name, value = sought
            return tool.name, {**self._fitting(tool), name: value}
        if way < 13:
            # All fits but one: what breaks on it is reached.
            name = stream.choice(sorted(properties))
            wild = self._value(resolve(properties[name], tool.parameters), name, tool.parameters)
            return tool.name, {**self._fitting(tool), name: wild}
        arguments = {
            name: self._value(resolve(part, tool.parameters), name, tool.parameters)
            for name, part in properties.items()
            if way < 14 or stream.chance(0.7)
        }
        if way == 15:
            arguments[stream.choice(("extra", "self", "tool", "", "é"))] = self._any("")
        return tool.name, arguments

    def _next_sought(self, tools: Sequence[ToolSpec]) -> Sought | None:
        """A call that chance alone would leave out of every second episode of few calls."""
        if self._first is None:
            self._first = [sought for tool in tools for sought in _sought(tool, self._extra)]
            self._stream.shuffle(self._first)
        return self._first.pop() if self._first else None

    def _twisted(self, arguments: dict[str, Any]) -> dict[str, Any]:
        if not arguments:
            return {}
        name = self._stream.choice(sorted(arguments))
        return {**arguments, name: self._any(name)}

    def _value(self, schema: dict[str, Any], name: str, root: dict[str, Any]) -> Any:
        """A value for one parameter: mostly of its type, at the edge of what is allowed or beyond it."""
        stream = self._stream
        if stream.chance(0.08):
            return self._any(name)
        if schema.get("anyOf"):
            return self._value(resolve(stream.choice(schema["anyOf"]), root), name, root)
        if schema.get("enum") and stream.chance(0.8):
            return stream.choice(schema["enum"])
        draws: dict[Any, Callable[[], Any]] = {
            "integer": lambda: self._number(schema),
            "number": lambda: self._number(schema),
            "boolean": lambda: stream.chance(0.5),
            "array": lambda: self._list(schema, name, root),
            "object": lambda: self._object(schema, root),
            "string": lambda: self._text(schema, name),
        }
        draw = draws.get(schema.get("type"))
        return self._any(name) if draw is None else draw()

    def _number(self, schema: dict[str, Any]) -> Any:
        bounds = [schema[word] for word in ("minimum", "maximum") if word in schema]
        edges = [bound + step for bound in bounds for step in (-1, 0, 1)]
        seen = [value for value in self._seen if type(value) is int]
        if edges and self._stream.chance(0.5):
            return self._stream.choice(edges)
        if self._stream.chance(0.15):
            return self._stream.choice(FAR_NUMBERS)
        return self._stream.choice(seen if seen and self._stream.chance(0.4) else NUMBERS)

    def _text(self, schema: dict[str, Any], name: str) -> str:
        stream = self._stream
        longest = schema.get("maxLength")
        if longest is not None and stream.chance(0.15):
            return "x" * (int(longest) + stream.integer(-1, 1))
        named = [texts for words, texts in _NAMED if name in words]
        if named and stream.chance(0.6):
            return stream.choice(self._extra if self._extra and stream.chance(0.2) else named[0])
        seen = [value for value in self._seen if isinstance(value, str)]
        if seen and stream.chance(0.5):
            return stream.choice(seen)
        return stream.choice((*TEXTS, *self._extra))

    def _list(self, schema: dict[str, Any], name: str, root: dict[str, Any]) -> list[Any]:
        stream = self._stream
        most = schema.get("maxItems", 8)
        count = stream.choice((0, 1, 2, 3, most, most + 1, 60)) if stream.chance(0.95) else 20_000
        items = resolve(schema.get("items") or {}, root)
        some = [self._value(items, name, root) for _ in range(min(count, 4))]
        return [some[number % len(some)] for number in range(count)]

    def _object(self, schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
        stream = self._stream
        properties = schema.get("properties", {})
        value = {key: self._value(resolve(part, root), key, root) for key, part in properties.items()}
        if not properties or stream.chance(0.1):
            rest = schema.get("additionalProperties")
            inner = resolve(rest, root) if isinstance(rest, dict) else {}
            for key in (*stream.sample(TEXTS[:40], 2), *(str(seen)[:40] for seen in self._seen[-3:])):
                value[key] = self._value(inner, key, root)
        return value

    def _any(self, name: str) -> Any:
        """Anything at all."""
        stream = self._stream
        return stream.choice(
            (
                None,
                True,
                stream.choice((*NUMBERS, *FAR_NUMBERS)),
                self._text({}, name),
                stream.choice(self._seen or JUNK),
                [],
                {},
                [self._text({}, name)],
                {"a": [stream.choice(FAR_NUMBERS)]},
                _nested(stream.choice((3, 31, 33, 200))),
                [0] * stream.choice((100, 9_000, 20_000)),
            )
        )


def _sought(tool: ToolSpec, planted: Sequence[str]) -> list[Sought]:
    """Both ends of every whole number, and what was planted for every parameter that names a file."""
    found: list[Sought] = []
    for name, part in sorted(tool.parameters.get("properties", {}).items()):
        schema = resolve(part, tool.parameters)
        if schema.get("type") == "integer":
            found += [(tool, name, int(schema.get("minimum", min(NUMBERS))))]
            found += [(tool, name, int(schema.get("maximum", max(NUMBERS))))]
        elif name in _FILE_NAMES:
            found += [(tool, name, path) for path in planted]
    return found


def _nested(depth: int) -> Any:
    value: Any = {}
    for number in range(depth):
        value = [value] if number % 2 else {"a": value}
    return value
